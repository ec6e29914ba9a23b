import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startSystemio } from './systemio.ts'

const fake = await startSystemio()
after(() => fake.close())
fake.switches.calls = 1000

const call = (path: string, method = 'GET') =>
  fetch(fake.origin + path, { method, headers: { 'x-api-key': 'systemeio-demo' } })

test('a fault occurs as often as requested and only for its path', async () => {
  fake.fail({
    method: 'GET',
    path: '/api/tags',
    times: 2,
    status: 503,
    body: '<h1>',
    mode: 'before',
  })
  assert.deepEqual(
    [await call('/api/tags'), await call('/api/contacts'), await call('/api/tags')].map(
      ({ status }) => status,
    ),
    [503, 200, 503],
  )
  assert.equal((await call('/api/tags')).status, 200)
})

test('a call whose answer is lost has its effect', async () => {
  fake.fail({ method: 'POST', mode: 'after' })
  const lost = fetch(`${fake.origin}/api/tags`, {
    method: 'POST',
    headers: { 'x-api-key': 'systemeio-demo' },
    body: '{"name":"Perdu"}',
  })
  await assert.rejects(lost)
  assert.deepEqual([...fake.accountOf('compte').tags.values()], ['Perdu'])
  assert.equal(fake.journal.at(-1)?.status, null)
})

test('a hanging call ends when its caller gives up', async () => {
  fake.fail({ mode: 'hang' })
  const signal = AbortSignal.timeout(50)
  await assert.rejects(
    fetch(`${fake.origin}/api/tags`, { signal, headers: { 'x-api-key': 'systemeio-demo' } }),
    { name: 'TimeoutError' },
  )
})

test('the journal of a fake tool contains no keys', async () => {
  await call('/api/tags?query=a')
  const entry = fake.journal.at(-1)
  assert.deepEqual([entry?.path, entry?.query, entry?.status], ['/api/tags', 'query=a', 200])
  assert.ok(!JSON.stringify(fake.journal).includes('systemeio-demo'))
})

test('the clock, the switches and the faults of a fake tool can be set over HTTP', async () => {
  const control = (path: string, body: object) =>
    fetch(`${fake.origin}/__fake/${path}`, { method: 'POST', body: JSON.stringify(body) })
  const before = fake.clock.now()
  await control('advance', { ms: 5000 })
  assert.equal(fake.clock.now(), before + 5000)
  await control('switches', { language: 'es' })
  assert.equal(fake.switches.language, 'es')
  await control('faults', { mode: 'before', status: 500 })
  assert.equal((await call('/api/tags')).status, 500)
  assert.equal((await fetch(`${fake.origin}/__fake/state`)).status, 200)
})

test('a fake tool refuses paths and methods that the vendor does not have', async () => {
  assert.equal((await call('/api/nothing')).status, 404)
  assert.equal((await call('/api/tags', 'PUT')).status, 405)
})
