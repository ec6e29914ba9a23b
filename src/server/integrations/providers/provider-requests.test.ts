import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { startBrevo } from '#server/testing/fakes/brevo.ts'
import { sendOverHttp } from './provider-requests.ts'

/** Starts a fake tool for one test, so that a pending fault cannot affect the next test. */
const startTool = async (t: TestContext) => {
  const fake = await startBrevo()
  t.after(() => fake.close())
  const get = (more: { patience_ms?: number } = {}) =>
    sendOverHttp({ base: fake.origin, method: 'GET', path: '/v3/account', headers: {}, ...more })
  return { fake, get }
}

test('a call to a silent tool ends at the timeout', async (t) => {
  const { fake, get } = await startTool(t)
  fake.fail({ mode: 'hang' })
  assert.deepEqual(await get({ patience_ms: 100 }), {
    kind: 'transient',
    code: 'timeout',
    pauses_connection: false,
  })
})

test('a redirect of a tool is not followed', async (t) => {
  const { fake, get } = await startTool(t)
  fake.fail({ mode: 'before', status: 302, headers: { location: `${fake.origin}/elsewhere` } })
  const reply = await get()
  assert.equal(reply.kind === 'reply' && reply.status, 302)
  assert.ok(!fake.journal.some(({ path }) => path === '/elsewhere'))
})

test('a reply of a tool that is not JSON stays a text', async (t) => {
  const { fake, get } = await startTool(t)
  fake.fail({ mode: 'before', status: 429, body: 'Retry later' })
  const reply = await get()
  assert.ok(reply.kind === 'reply')
  assert.deepEqual([reply.text, reply.json], ['Retry later', undefined])
})

test('a closed port is a network failure', async () => {
  const reply = await sendOverHttp({
    base: 'http://127.0.0.1:1',
    method: 'GET',
    path: '/',
    headers: {},
  })
  assert.deepEqual(reply, { kind: 'transient', code: 'network', pauses_connection: false })
})
