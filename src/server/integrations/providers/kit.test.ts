import assert from 'node:assert/strict'
import { after, beforeEach, describe, test } from 'node:test'
import { startKit } from '#server/testing/fakes/kit.ts'
import { createConsentToken } from '#server/testing/fakes/kit-consent.ts'
import { connectionWith, contactOf } from '#server/testing/fakes/sample-contacts.ts'
import { createKit } from './kit.ts'

import { provisionField } from './provision-fields.ts'

const fake = await startKit()
after(() => fake.close())
const usual = { ...fake.switches }
beforeEach(() => {
  Object.assign(fake.switches, usual)
  fake.heal()
})
const kit = createKit({ api_url: fake.env.KIT_API_URL ?? '' })
const token = await createConsentToken(fake, 'compte')
const connection = connectionWith('convertkit', token)
const account = fake.accountOf('compte')
const people = (email: string) =>
  [...account.subscribers.values()].filter((subscriber) => subscriber.email_address === email)
const provision = (name: string) => provisionField(kit, connection, name)
const field_key = 'resultat_quiz'
await provision('Résultat quiz')
const deliver = (email: string, more = {}, completed_calls = {}) =>
  kit.deliver(connection, contactOf(email, { field_key, ...more }), completed_calls)

test('a token of Kit opens an account with an address', async () => {
  assert.deepEqual(await kit.check(token), {
    kind: 'valid',
    vendor_account_id: String(account.id),
    vendor_email: 'compte@kit.test',
  })
  assert.deepEqual(await kit.check('at_no'), {
    kind: 'credential',
    code: 'reconnect',
    needs_reconnect: true,
  })
})

for (const same_label of ['answer', 'refuse'] as const)
  test(`a field of Kit is created once (second field with the label: ${same_label})`, async () => {
    fake.switches.repeated_label = same_label
    const label = `Été ${same_label}`
    const both = await Promise.all([provision(label), provision(label)])
    for (const made of both)
      assert.deepEqual(made, { kind: 'provisioned', field_key: `ete_${same_label}` })
    assert.deepEqual(await provision(`ete_${same_label}`), both[0])
  })

test('a field beyond the first page of Kit is found', async () => {
  for (let at = 0; at < 600; at += 1)
    account.fields.set(50_000 + at, { id: 50_000 + at, name: '', key: `c${at}`, label: `C ${at}` })
  assert.deepEqual(await provision('C 599'), { kind: 'provisioned', field_key: 'c599' })
})

for (const unknown_field of ['ignore', 'warn', 'reject'] as const)
  describe(`a delivery to Kit (unknown fields: ${unknown_field})`, () => {
    beforeEach(() => {
      fake.switches.unknown_field = unknown_field
    })
    const email = `lea-${unknown_field}@exemple.test`
    test('a delivery to Kit creates the contact with the result, then updates the result', async () => {
      assert.equal((await deliver(email)).kind, 'delivered')
      const again = await deliver(email.toUpperCase(), { result_name: 'Autre' })
      assert.equal(again.kind, 'delivered')
      await deliver(email, { result_name: null })
      assert.deepEqual(
        people(email).map(({ fields }) => fields),
        [{ resultat_quiz: 'Autre' }],
      )
    })
    test('a delivery to Kit notices a deleted field', async () => {
      const lost = await deliver(email, { field_key: 'absent' })
      assert.deepEqual([lost.kind, 'code' in lost && lost.code], ['configuration', 'field_missing'])
    })
  })

test('a contact who cancelled, bounced or complained keeps this state', async () => {
  for (const state of ['cancelled', 'bounced', 'complained']) {
    await deliver(`${state}@exemple.test`)
    Object.assign(people(`${state}@exemple.test`)[0] ?? {}, { state })
    const outcome = await deliver(`${state}@exemple.test`)
    assert.deepEqual(
      [outcome.kind, outcome.kind === 'suppressed' && outcome.reason],
      ['suppressed', state],
    )
    assert.equal(people(`${state}@exemple.test`)[0]?.state, state)
  }
})

test('a tag is assigned once, even if the reply was lost', async () => {
  fake.fail({ method: 'POST', path: /subscribers\/\d+$/, mode: 'after' })
  const lost = await deliver('tag@exemple.test', { tag: 'Quiz – Créatif' })
  assert.deepEqual([lost.kind, lost.completed_calls.has_contact], ['transient', true])
  const done = await deliver('tag@exemple.test', { tag: 'Quiz – Créatif' }, lost.completed_calls)
  assert.deepEqual([done.kind, done.completed_calls.labels], ['delivered', ['Quiz – Créatif']])
  assert.equal(people('tag@exemple.test')[0]?.tag_ids.length, 1)
})

test('a deleted tag is created again, and so is a contact deleted before its tag', async () => {
  const labels = [{ name: 'Profil', vendor_id: '999999', kind: null }]
  await deliver('parti@exemple.test', { labels })
  const [tag_id] = people('parti@exemple.test')[0]?.tag_ids ?? []
  assert.equal(account.tags.get(tag_id ?? 0)?.name, 'Profil')
  account.tags.clear()
  await deliver('revenu@exemple.test', { labels })
  assert.deepEqual(
    [...account.tags.values()].map(({ name }) => name),
    ['Profil'],
  )
  const [person] = people('parti@exemple.test')
  account.subscribers.delete(person?.id ?? 0)
  const completed_calls = { has_contact: true, vendor_contact_id: String(person?.id) }
  const gone = await deliver('parti@exemple.test', { labels }, completed_calls)
  assert.deepEqual([gone.kind, gone.completed_calls], ['configuration', {}])
})

test('a wrong address is a final failure, and limits, faults and unknown replies are distinguished', async () => {
  const wrong = await deliver('no address')
  assert.deepEqual([wrong.kind, 'code' in wrong && wrong.code], ['permanent', 'invalid_email'])
  fake.switches.calls_per_minute = 0
  const held = await deliver('vite@exemple.test')
  assert.ok(held.kind === 'transient' && held.pauses_connection && held.wait_ms === 5000)
  fake.switches.calls_per_minute = 600
  const seen: Record<string, string> = {}
  const bodies = {
    200: '<html>',
    302: '',
    400: 'x',
    401: {},
    403: {},
    404: {},
    413: {},
    502: '<h1>',
  }
  for (const [status, body] of Object.entries(bodies)) {
    fake.fail({ mode: 'before', status: Number(status), body })
    const outcome = await deliver('x@exemple.test')
    seen[status] = `${outcome.kind} ${'code' in outcome ? outcome.code : ''}`
  }
  assert.deepEqual(seen, {
    200: 'unknown no_subscriber',
    302: 'unknown http_302',
    400: 'unknown http_400',
    401: 'credential reconnect',
    403: 'credential forbidden',
    404: 'unknown http_404',
    413: 'transient http_413',
    502: 'transient http_502',
  })
})
