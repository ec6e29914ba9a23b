import assert from 'node:assert/strict'
import { after, beforeEach, describe, test } from 'node:test'
import { startBrevo } from '#server/testing/fakes/brevo.ts'
import { connectionWith, contactOf } from '#server/testing/fakes/sample-contacts.ts'
import { createBrevo } from './brevo.ts'
import type { Contact } from './provider.ts'

import { provisionField } from './provision-fields.ts'

const fake = await startBrevo()
after(() => fake.close())
const usual = { ...fake.switches, contacts_per_second: 1000, others_per_hour: 1000 }
beforeEach(() => {
  Object.assign(fake.switches, usual)
  fake.heal()
})
const brevo = createBrevo({ api_url: fake.env.BREVO_API_URL ?? '' })
const connection = connectionWith('brevo', 'xkeysib-demo')
const account = fake.accountOf('compte')
const kept = (email: string) =>
  [...account.contacts.values()].find((contact) => contact.email === email)
const provision = (name: string) => provisionField(brevo, connection, name)
const field_key = 'RESULTAT_QUIZ'
await provision(field_key)

describe('a key of Brevo', () => {
  test('a key of Brevo opens an account and returns its address', async () => {
    assert.deepEqual(await brevo.check('xkeysib-demo'), {
      kind: 'valid',
      vendor_account_id: 'compte@brevo.test',
      vendor_email: 'compte@brevo.test',
    })
  })
  test('a key of Brevo is refused with its own reason', async () => {
    fake.keys.add('narrow', { can_contacts: false })
    assert.deepEqual(await brevo.check('xsmtpsib-demo'), {
      kind: 'credential',
      code: 'invalid_key',
      needs_reconnect: true,
    })
    assert.deepEqual(await brevo.check('narrow'), {
      kind: 'credential',
      code: 'forbidden',
      needs_reconnect: false,
    })
    fake.switches.allowed_ips = []
    assert.deepEqual(await brevo.check('xkeysib-demo'), {
      kind: 'credential',
      code: 'ip_blocked',
      needs_reconnect: false,
      ip: '127.0.0.1',
    })
  })
})

describe('an attribute of Brevo', () => {
  const isNew = { is_new: true }
  test('an attribute of Brevo is created once in capitals, even by two concurrent processes', async () => {
    const both = await Promise.all([provision('profil'), provision('PROFIL')])
    const found = { kind: 'provisioned', field_key: 'PROFIL' }
    for (const made of both) assert.deepEqual(made, { ...found, ...('is_new' in made && isNew) })
    // The attribute was created by one call and found by the other.
    assert.equal(both.filter((made) => 'is_new' in made).length, 1)
    assert.deepEqual(account.attributes.get('PROFIL'), {
      name: 'PROFIL',
      category: 'normal',
      type: 'text',
    })
    fake.fail({ method: 'POST', path: '/v3/contacts/attributes', mode: 'after' })
    assert.equal((await provision('PERDU')).kind, 'transient')
    assert.deepEqual(await provision('PERDU'), { kind: 'provisioned', field_key: 'PERDU' })
  })
  test('an attribute of another type at Brevo is not used', async () => {
    assert.deepEqual(await provision('ORDER_ID'), {
      kind: 'permanent',
      code: 'field_of_another_type',
    })
  })
})

describe('a delivery to Brevo', () => {
  const deliver = (email: string, more = {}) =>
    brevo.deliver(connection, contactOf(email, { field_key, ...more }), {})

  test('a delivery to Brevo creates the contact with the result, then updates the result', async () => {
    const first = await deliver('lea@exemple.test')
    assert.deepEqual(
      [first.kind, kept('lea@exemple.test')?.attributes],
      ['delivered', { RESULTAT_QUIZ: 'Profil créatif' }],
    )
    const second = await deliver('LEA@exemple.test', { result_name: 'Autre' })
    assert.equal(second.kind, 'delivered')
    assert.deepEqual(kept('lea@exemple.test')?.attributes, { RESULTAT_QUIZ: 'Autre' })
    await deliver('lea@exemple.test', { result_name: null })
    assert.deepEqual(kept('lea@exemple.test')?.attributes, { RESULTAT_QUIZ: 'Autre' })
  })
  test('a delivery to Brevo keeps a blacklisted contact blacklisted', async () => {
    await deliver('noir@exemple.test')
    const person = kept('noir@exemple.test')
    assert.ok(person)
    person.emailBlacklisted = true
    const again = await deliver('noir@exemple.test', { result_name: 'Autre' })
    assert.equal(again.kind, 'suppressed')
    assert.equal(person.attributes.RESULTAT_QUIZ, 'Autre')
    assert.equal(person.emailBlacklisted, true)
    assert.ok(!fake.journal.some(({ body }) => body.includes('emailBlacklisted')))
  })
  test('a delivery to Brevo whose reply was lost is repeated without a duplicate contact', async () => {
    fake.fail({ method: 'POST', path: '/v3/contacts', mode: 'after' })
    assert.equal((await deliver('perdue@exemple.test')).kind, 'transient')
    assert.equal((await deliver('perdue@exemple.test')).kind, 'delivered')
    const same = [...account.contacts.values()].filter(({ email }) => email.startsWith('perdue'))
    assert.equal(same.length, 1)
  })
  test('a completed delivery to Brevo is not repeated', async () => {
    const calls = fake.journal.length
    const completed_calls = { has_contact: true, vendor_contact_id: '4021' }
    const again = await brevo.deliver(connection, contactOf('a@exemple.test'), completed_calls)
    assert.deepEqual([again.kind, fake.journal.length], ['delivered', calls])
  })
  test('a delivery to Brevo distinguishes temporary, account and final failures', async () => {
    const seen: Record<string, string> = {}
    const faults = {
      402: { code: 'not_enough_credits', message: 'x' },
      403: { code: 'permission_denied', message: 'x' },
      408: {},
      425: { code: 'account_in_process', message: 'x' },
      500: '<html>',
      302: '',
      200: '<html>',
      418: {},
    }
    for (const [status, body] of Object.entries(faults)) {
      fake.fail({ mode: 'before', status: Number(status), body, headers: { location: '/' } })
      const outcome = await deliver('x@exemple.test')
      seen[status] = `${outcome.kind} ${'code' in outcome ? outcome.code : ''}`
    }
    assert.deepEqual(seen, {
      200: 'unknown http_200',
      302: 'unknown http_302',
      402: 'credential payment_required',
      403: 'credential forbidden',
      408: 'transient http_408',
      418: 'unknown http_418',
      425: 'transient http_425',
      500: 'transient http_500',
    })
    const wrong = await deliver('no address')
    assert.deepEqual([wrong.kind, 'code' in wrong && wrong.code], ['permanent', 'invalid_email'])
    const trap = await deliver('trap@exemple.test', { field_key: 'ORDER_ID' })
    assert.equal(trap.kind, 'configuration')
  })
  test('a delivery to Brevo that is refused for another contact’s number is a failure with any code', async () => {
    for (const code of ['duplicate_parameter', 'invalid_parameter']) {
      const metadata = { duplicate_identifiers: ['SMS'] }
      const body = { code, message: 'already associated', metadata }
      fake.fail({ mode: 'before', status: 400, body })
      const outcome = await deliver('sms@exemple.test')
      assert.deepEqual(
        [outcome.kind, 'code' in outcome && outcome.code],
        ['permanent', 'duplicate'],
      )
    }
  })
  test('a delivery to Brevo waits for the requested time in either unit, but at most an hour', async () => {
    fake.switches.contacts_per_second = 0
    const held = await deliver('vite@exemple.test')
    assert.deepEqual(held, {
      kind: 'transient',
      code: 'too_many_requests',
      wait_ms: 1000,
      pauses_connection: true,
      completed_calls: {},
    })
    const headers = { 'x-sib-ratelimit-reset': '3600000' }
    fake.fail({ mode: 'before', status: 429, headers })
    const long = await deliver('vite@exemple.test')
    assert.equal('wait_ms' in long && long.wait_ms, 3_600_000)
  })
  test('a delivery to Brevo fails if the reply is too long or the connection breaks', async () => {
    fake.fail({ mode: 'before', status: 200, body: 'x'.repeat(10_485_760) })
    const huge = await deliver('x@exemple.test')
    assert.deepEqual([huge.kind, 'code' in huge && huge.code], ['unknown', 'reply_too_large'])
    fake.fail({ mode: 'before' })
    const cut = await deliver('x@exemple.test')
    assert.deepEqual([cut.kind, 'code' in cut && cut.code], ['transient', 'network'])
  })
})

describe('lists of Brevo', () => {
  const deliver = (email: string, labels: Contact['labels'], completed_calls = {}) =>
    brevo.deliver(connection, contactOf(email, { field_key, labels }), completed_calls)
  const idOf = (name: string) => [...account.lists].find(([, known]) => known === name)?.[0]
  const picked = (id: number, name: string) => ({ name, vendor_id: String(id), kind: null })
  const named = (name: string) => ({ name, vendor_id: null, kind: null })

  test('lists of Brevo are found by id and by name, and missing names are created in our folder', async () => {
    const labels = [picked(7, 'Participants'), named('Audacieuses')]
    const first = await deliver('liste@exemple.test', labels)
    assert.deepEqual(
      [first.kind, first.completed_calls.labels],
      ['delivered', ['Participants', 'Audacieuses']],
    )
    assert.deepEqual(kept('liste@exemple.test')?.list_ids, [7, idOf('Audacieuses')])
    assert.deepEqual([...account.folders.values()], ['Your first folder', 'Quizaine'])
    const calls = fake.journal.length
    await deliver('autre@exemple.test', [named('audacieuses')])
    assert.deepEqual(kept('autre@exemple.test')?.list_ids, [idOf('Audacieuses')])
    // The id of the list is cached and costs no call.
    assert.equal(fake.journal.length, calls + 1)
    assert.equal([...account.lists.values()].filter((name) => name === 'Audacieuses').length, 1)
  })
  test('lists of Brevo that are on a later page or were created by a lost call are not duplicated', async () => {
    for (let at = 0; at < 120; at += 1) account.lists.set(9_000 + at, `Liste ${at}`)
    await deliver('page@exemple.test', [named('Liste 0')])
    assert.deepEqual(kept('page@exemple.test')?.list_ids, [9_000])
    fake.fail({ method: 'POST', path: '/v3/contacts/lists', mode: 'after' })
    const lost = await deliver('perdue-liste@exemple.test', [named('Perdue')])
    assert.equal(lost.kind, 'transient')
    await deliver('perdue-liste@exemple.test', [named('Perdue')], lost.completed_calls)
    assert.equal([...account.lists.values()].filter((name) => name === 'Perdue').length, 1)
  })
  test('a deleted list does not fail the delivery, and a list that was chosen by name is created again', async () => {
    await deliver('avant@exemple.test', [named('Par nom')])
    account.lists.delete(idOf('Par nom') ?? 0)
    const labels = [picked(777, 'Disparue'), named('Par nom'), picked(7, 'Participants')]
    const outcome = await deliver('apres@exemple.test', labels)
    assert.ok(outcome.kind === 'delivered' && outcome.warning === 'label_refused')
    assert.deepEqual(outcome.completed_calls.refused_labels, ['Disparue'])
    assert.deepEqual(kept('apres@exemple.test')?.list_ids, [idOf('Par nom'), 7])
    const calls = fake.journal.length
    const again = await deliver('apres@exemple.test', labels)
    assert.ok(again.kind === 'delivered' && again.warning === 'label_refused')
    // The two calls write and read the contact; the list is not tried again.
    assert.equal(fake.journal.length, calls + 2)
  })
  test('a Brevo plan without more lists does not fail the delivery', async () => {
    fake.switches.max_lists = 0
    const outcome = await deliver('plafond@exemple.test', [named('De trop'), picked(7, 'Là')])
    assert.ok(outcome.kind === 'delivered' && outcome.warning === 'label_refused')
    assert.deepEqual(outcome.completed_calls.labels, ['Là'])
    const calls = fake.journal.length
    await deliver('plafond-aussi@exemple.test', [named('De trop'), picked(7, 'Là')])
    assert.equal(fake.journal.length, calls + 1)
  })
})
