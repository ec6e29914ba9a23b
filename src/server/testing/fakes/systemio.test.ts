import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import { startSystemio } from './systemio.ts'

const fake = await startSystemio()
after(() => fake.close())
const usual = { ...fake.switches, calls: 1000 }
beforeEach(() => Object.assign(fake.switches, usual))
fake.accountOf('compte').fields.set('resultat_quiz', 'Résultat quiz')

const KEY = { 'x-api-key': 'systemeio-demo' }
const call = async (
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = KEY,
) => {
  const reply = await fetch(`${fake.origin}/api${path}`, {
    method,
    headers: { ...headers, ...(method === 'PATCH' && !headers['content-type'] && MERGE) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await reply.text()
  return { status: reply.status, text, headers: reply.headers }
}
const MERGE = { 'content-type': 'application/merge-patch+json' }
const withValue = (value: unknown, slug = 'resultat_quiz') => ({ fields: [{ slug, value }] })
const create = (email: string, more: object = {}) => call('POST', '/contacts', { email, ...more })
const idOf = ({ text }: { text: string }) => Number(/"id":(\d+)/.exec(text)?.[1])

test('the fake Systeme.io distinguishes a missing and a wrong key, accepts no bearer token, and expires keys', async () => {
  const missing = await call('GET', '/tags', undefined, { authorization: 'Bearer systemeio-demo' })
  assert.match(missing.text, /Full authentication/)
  const wrong = await call('GET', '/tags', undefined, { 'x-api-key': 'no' })
  assert.match(wrong.text, /Invalid API Key/)
  assert.equal(wrong.headers.get('www-authenticate'), 'API Key')
  fake.keys.add('short', { life_ms: 1000 })
  const short = () => call('GET', '/tags', undefined, { 'x-api-key': 'short' })
  assert.equal((await short()).status, 200)
  fake.clock.advance(1000)
  assert.equal((await short()).status, 401)
})

test('the fake Systeme.io refuses a known or wrong address in the language of the account', async () => {
  assert.equal((await create('lea@exemple.test')).status, 201)
  const said = new Set<string>()
  for (const language of ['fr', 'en', 'es'] as const) {
    fake.switches.language = language
    const { status, text } = await create('LEA@exemple.test')
    assert.equal(status, 422)
    assert.match(text, /"propertyPath":"email"/)
    said.add(text)
  }
  assert.equal(said.size, 3)
  for (const email of ['no address', 'a@sans-courrier.test'])
    assert.match((await create(email)).text, /"propertyPath":"email"/)
})

test('the fake Systeme.io refuses values that are too long or of unknown fields', async () => {
  const long = await create('long@exemple.test', withValue('x'.repeat(256)))
  assert.match(long.text, /fields\[0\]\.value/)
  assert.equal((await create('u@exemple.test', withValue('x', 'absent'))).status, 422)
  fake.switches.unknown_slug = 'ignore'
  assert.equal((await create('u@exemple.test', withValue('x', 'absent'))).status, 201)
})

test('a change at the fake Systeme.io is a merge patch, and null clears a value', async () => {
  const id = idOf(await create('patch@exemple.test', withValue('A')))
  const patch = (body: object, headers = KEY) => call('PATCH', `/contacts/${id}`, body, headers)
  const plain = { ...KEY, 'content-type': 'application/json' }
  assert.equal((await patch(withValue('B'), plain)).status, 415)
  assert.match((await patch(withValue('B'))).text, /"value":"B"/)
  assert.match((await patch(withValue(null))).text, /"fields":\[\]/)
})

test('a deleted contact of the fake Systeme.io returns with its former values', async () => {
  const id = idOf(await create('parti@exemple.test', withValue('A')))
  assert.equal((await call('DELETE', `/contacts/${id}`)).status, 204)
  assert.match((await call('GET', '/contacts?email=parti@exemple.test')).text, /"items":\[\]/)
  assert.match((await create('parti@exemple.test')).text, /"value":"A"/)
})

test('the fake Systeme.io searches tags by their beginning, returns them in pages, limits their number and assigns them by id', async () => {
  const { tags } = fake.accountOf('compte')
  for (let at = 0; at < 120; at += 1) tags.set(10_000 + at, `Quiz ${at}`)
  const first = await call('GET', '/tags?query=Quiz 1&limit=100')
  assert.ok(first.text.includes('"Quiz 1"') && first.text.includes('"Quiz 119"'))
  const page = await call('GET', '/tags?limit=100')
  assert.match(page.text, /"hasMore":true/)
  assert.match((await call('GET', '/tags?limit=100&startingAfter=10099')).text, /"Quiz 119"/)
  for (const limit of [9, 101])
    assert.equal((await call('GET', `/tags?limit=${limit}`)).status, 422)
  assert.equal((await call('POST', '/tags', { name: 'QUIZ 1' })).status, 422)
  assert.equal((await call('POST', '/tags', { name: 'x'.repeat(65) })).status, 422)
  fake.switches.max_tags = 120
  assert.match((await call('POST', '/tags', { name: 'Neuf' })).text, /offre supérieure/)

  const id = idOf(await create('tag@exemple.test'))
  const assign = (tagId: unknown) => call('POST', `/contacts/${id}/tags`, { tagId })
  assert.equal((await assign('10001')).status, 400)
  assert.deepEqual([(await assign(10_001)).status, (await assign(10_001)).status], [204, 204])
  fake.switches.repeated_tag = 'refuse'
  assert.equal((await assign(10_001)).status, 422)
})

test('the fake Systeme.io creates fields with slugs of letters, each once', async () => {
  const make = (slug: string) => call('POST', '/contact_fields', { slug, fieldName: 'Champ' })
  assert.deepEqual(
    [(await make('champ')).status, (await make('champ')).status, (await make('deux mots')).status],
    [201, 422, 422],
  )
})

test('an account of the fake Systeme.io has a limit of calls for all its keys and says when it has more', async () => {
  fake.clock.advance(60_000)
  Object.assign(fake.switches, { calls: 2, sends_remaining: false, refill: 'epoch' })
  fake.keys.add('second', { account: 'compte' })
  await call('GET', '/tags')
  const last = await call('GET', '/tags', undefined, { 'x-api-key': 'second' })
  assert.equal(last.headers.get('x-ratelimit-remaining'), null)
  assert.ok(Number(last.headers.get('x-ratelimit-refill')) > 1_000_000_000)
  const held = await call('GET', '/tags')
  assert.deepEqual([held.status, held.headers.get('retry-after')], [429, '10'])
  fake.clock.advance(10_000)
  assert.equal((await call('GET', '/tags')).status, 200)
})
