import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import { startBrevo } from './brevo.ts'

const fake = await startBrevo()
after(() => fake.close())
const usual = { ...fake.switches, contacts_per_second: 1000 }
beforeEach(() => Object.assign(fake.switches, usual))
const account = fake.accountOf('compte')

const call = async (
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = { 'api-key': 'xkeysib-demo' },
) => {
  const reply = await fetch(`${fake.origin}/v3${path}`, {
    method,
    headers,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  return { status: reply.status, text: await reply.text(), headers: reply.headers }
}
const upsert = (email: string, more: object = {}) =>
  call('POST', '/contacts', { email, updateEnabled: true, ...more })
const kept = (email: string) =>
  [...account.contacts.values()].find((contact) => contact.email === email)

test('the fake Brevo answers one status for a key that is missing, wrong, expired or used from another address', async () => {
  assert.match((await call('GET', '/account', undefined, {})).text, /not found in headers/)
  for (const key of ['no', 'xsmtpsib-demo'])
    assert.match(
      (await call('GET', '/account', undefined, { 'api-key': key })).text,
      /Key not found/,
    )
  fake.keys.add('short', { life_ms: 1000 })
  fake.clock.advance(1000)
  assert.equal((await call('GET', '/account', undefined, { 'api-key': 'short' })).status, 401)
  fake.switches.allowed_ips = ['203.0.113.9']
  const blocked = await call('GET', '/account')
  assert.equal(blocked.status, 401)
  assert.match(blocked.text, /IP address 127\.0\.0\.1/)
  const headers = { 'api-key': 'xkeysib-demo', 'x-fake-ip': '203.0.113.9' }
  assert.equal((await call('GET', '/account', undefined, headers)).status, 200)
})

test('a key of the fake Brevo without contact rights opens only the account', async () => {
  fake.keys.add('narrow', { can_contacts: false })
  const headers = { 'api-key': 'narrow' }
  assert.equal((await call('GET', '/account', undefined, headers)).status, 200)
  assert.equal((await call('GET', '/contacts/attributes', undefined, headers)).status, 403)
})

test('the fake Brevo creates a contact with 201, updates it with an empty 204, and refuses a known address without update permission', async () => {
  assert.equal((await upsert('lea@exemple.test')).status, 201)
  const again = await upsert('LEA@exemple.test')
  assert.deepEqual([again.status, again.text], [204, ''])
  for (const code of ['duplicate_parameter', 'invalid_parameter'] as const) {
    fake.switches.duplicate_code = code
    const refused = await call('POST', '/contacts', { email: 'lea@exemple.test' })
    assert.equal(refused.status, 400)
    assert.ok(refused.text.includes(code) && refused.text.includes('duplicate_identifiers'))
  }
  assert.equal((await upsert('no address')).status, 400)
  assert.match((await call('POST', '/contacts', {})).text, /missing_parameter/)
})

test('the fake Brevo drops attributes that are undeclared or of another type, and reports success', async () => {
  const attributes = { resultat: 'A', PRENOM: 3, nom: 'Martin' }
  assert.equal((await upsert('attr@exemple.test', { attributes })).status, 201)
  assert.deepEqual(kept('attr@exemple.test')?.attributes, { NOM: 'Martin' })
})

test('the fake Brevo creates an attribute once, with a body, and a category only with values', async () => {
  const make = (path: string, body?: object) => call('POST', `/contacts/attributes/${path}`, body)
  assert.match((await make('normal/RESULTAT')).text, /missing_parameter/)
  assert.equal((await make('normal/RESULTAT', { type: 'text' })).status, 201)
  assert.equal((await make('normal/resultat', { type: 'text' })).status, 400)
  assert.equal((await make('category/PROFIL', { type: 'category' })).status, 400)
  const enumeration = [{ value: 1, label: 'A' }]
  assert.equal((await make('category/PROFIL', { type: 'category', enumeration })).status, 201)
  await upsert('cat@exemple.test', { attributes: { PROFIL: 'B' } })
  assert.deepEqual(kept('cat@exemple.test')?.attributes, {})
  assert.match(
    (await upsert('t@exemple.test', { attributes: { ORDER_ID: '1' } })).text,
    /Primary key/,
  )
})

test('the fake Brevo refuses the whole contact if another contact has its number', async () => {
  await upsert('sms1@exemple.test', { attributes: { SMS: '33600000000' } })
  const refused = await upsert('sms2@exemple.test', { attributes: { SMS: '33600000000' } })
  assert.equal(refused.status, 400)
  assert.equal(kept('sms2@exemple.test'), undefined)
})

test('the fake Brevo keeps a contact blacklisted and accepts only lists that exist', async () => {
  await upsert('noir@exemple.test', { emailBlacklisted: true })
  await upsert('noir@exemple.test', { listIds: [7] })
  assert.equal(kept('noir@exemple.test')?.emailBlacklisted, true)
  assert.deepEqual(kept('noir@exemple.test')?.list_ids, [7])
  assert.equal((await upsert('noir@exemple.test', { listIds: [8] })).status, 400)
})

test('the fake Brevo limits contact calls per second and all other calls per hour, without Retry-After', async () => {
  Object.assign(fake.switches, { contacts_per_second: 1, others_per_hour: 1 })
  fake.clock.advance(3_600_000)
  assert.equal((await call('GET', '/account')).status, 200)
  const held = await call('GET', '/account')
  assert.deepEqual(
    [held.status, held.headers.get('x-sib-ratelimit-reset'), held.headers.get('retry-after')],
    [429, '3600', null],
  )
  fake.switches.reset_in = 'milliseconds'
  assert.equal((await call('GET', '/account')).headers.get('x-sib-ratelimit-reset'), '3600000')
  assert.equal((await upsert('vite@exemple.test')).status, 201)
  assert.equal((await upsert('vite@exemple.test')).status, 429)
  fake.clock.advance(1000)
  assert.equal((await upsert('vite@exemple.test')).status, 204)
})
