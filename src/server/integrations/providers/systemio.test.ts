import assert from 'node:assert/strict'
import { after, beforeEach, describe, test } from 'node:test'
import { connectionWith, contactOf } from '#server/testing/fakes/sample-contacts.ts'
import { startSystemio } from '#server/testing/fakes/systemio.ts'
import { provisionField } from './provision-fields.ts'
import { createSystemio, slugOf } from './systemio.ts'

const fake = await startSystemio()
after(() => fake.close())
const usual = { ...fake.switches, calls: 10_000 }
beforeEach(() => {
  Object.assign(fake.switches, usual)
  fake.heal()
})
const systemio = createSystemio({ api_url: fake.env.SYSTEMEIO_API_URL ?? '' })
const connection = connectionWith('systemio', 'systemeio-demo')
const account = fake.accountOf('compte')
const people = (email: string) =>
  [...account.contacts.values()].filter((contact) => contact.email === email)
const tagsOf = (email: string) => people(email)[0]?.tag_ids.map((id) => account.tags.get(id))
const provision = (name: string) => provisionField(systemio, connection, name)
Object.assign(fake.switches, usual)
await provision('Résultat quiz')
const field_key = 'resultat_quiz'
const deliver = (email: string, more = {}, completed_calls = {}) =>
  systemio.deliver(connection, contactOf(email, { field_key, ...more }), completed_calls)

test('a key of Systeme.io opens an account that has no name', async () => {
  assert.deepEqual(await systemio.check('systemeio-demo'), {
    kind: 'valid',
    vendor_account_id: null,
    vendor_email: null,
  })
  assert.deepEqual(await systemio.check('wrong'), {
    kind: 'credential',
    code: 'invalid_key',
    needs_reconnect: true,
  })
  fake.fail({ mode: 'before', status: 200, body: '<html>' })
  assert.equal((await systemio.check('systemeio-demo')).kind, 'unknown')
})

test('a field of Systeme.io is created once, with a slug', async () => {
  const both = await Promise.all([provision('Été 2026 !'), provision('Été 2026 !')])
  for (const made of both) assert.deepEqual(made, { kind: 'provisioned', field_key: 'ete_2026' })
  assert.equal(account.fields.get('ete_2026'), 'Été 2026 !')
  assert.equal(slugOf('!!'), 'resultat_quiz')
})

for (const language of ['fr', 'en', 'es'] as const)
  describe(`a delivery to Systeme.io in ${language}`, () => {
    beforeEach(() => {
      fake.switches.language = language
    })
    test('a delivery to Systeme.io creates the contact, then updates it', async () => {
      const email = `lea-${language}@exemple.test`
      assert.equal((await deliver(email)).kind, 'delivered')
      const again = await deliver(email.toUpperCase(), { result_name: 'Autre' })
      assert.equal(again.kind, 'delivered')
      assert.deepEqual(
        people(email).map(({ fields }) => fields),
        [{ resultat_quiz: 'Autre' }],
      )
      await deliver(email, { result_name: null })
      assert.deepEqual(people(email)[0]?.fields, { resultat_quiz: 'Autre' })
    })
    test('a delivery to Systeme.io reports an address that is wrong or accepts no mail', async () => {
      for (const email of ['no address', 'a@sans-courrier.test']) {
        const outcome = await deliver(email)
        assert.deepEqual(
          [outcome.kind, 'code' in outcome && outcome.code],
          ['permanent', 'invalid_email'],
        )
      }
    })
  })

for (const unknown_slug of ['ignore', 'reject'] as const)
  test(`a deleted field is noticed (unknown slugs: ${unknown_slug})`, async () => {
    fake.switches.unknown_slug = unknown_slug
    const email = `${unknown_slug}@exemple.test`
    const lost = await deliver(email, { field_key: 'absent' })
    assert.deepEqual([lost.kind, 'code' in lost && lost.code], ['configuration', 'field_missing'])
    assert.equal((await deliver(email)).kind, 'delivered')
    const again = await deliver(email, { field_key: 'absent' })
    assert.equal(again.kind, 'configuration')
  })

for (const second_tag of ['accept', 'refuse'] as const)
  test(`a tag is assigned once (second assignment: ${second_tag})`, async () => {
    fake.switches.repeated_tag = second_tag
    const email = `tag-${second_tag}@exemple.test`
    const first = await deliver(email, { tag: 'Profil créatif' })
    assert.deepEqual([first.kind, first.completed_calls.labels], ['delivered', ['Profil créatif']])
    const again = await deliver(email, { tag: 'Profil créatif' })
    assert.deepEqual([again.kind, tagsOf(email)], ['delivered', ['Profil créatif']])
    fake.fail({ method: 'POST', path: /tags$/, mode: 'after' })
    const lost = await deliver(email, { tag: 'Second' })
    assert.equal(lost.kind, 'transient')
    const resumed = await deliver(email, { tag: 'Second' }, lost.completed_calls)
    assert.equal(resumed.kind, 'delivered')
    assert.deepEqual(tagsOf(email), ['Profil créatif', 'Second'])
  })

test('the exact tag is found among longer names and on a later page', async () => {
  for (let at = 0; at < 150; at += 1) account.tags.set(20_000 + at, `Palier ${at}`)
  account.tags.set(30_000, 'Palier')
  await deliver('palier@exemple.test', { tag: 'palier' })
  assert.deepEqual(people('palier@exemple.test')[0]?.tag_ids, [30_000])
})

test('a tag or a result name is cut between characters, never within a character', async () => {
  const [tag, value] = [`${'x'.repeat(63)}😀`, `${'x'.repeat(254)}😀`]
  const outcome = await deliver('coupe@exemple.test', { tag, result_name: value })
  assert.equal(outcome.kind, 'delivered')
  assert.deepEqual(tagsOf('coupe@exemple.test'), ['x'.repeat(63)])
  assert.equal(people('coupe@exemple.test')[0]?.fields.resultat_quiz, 'x'.repeat(254))
})

test('a contact deleted between search and update is created again', async () => {
  await deliver('entre@exemple.test')
  fake.fail({ method: 'PATCH', path: /contacts/, mode: 'before', status: 404 })
  const gone = await deliver('entre@exemple.test')
  assert.deepEqual([gone.kind, 'code' in gone && gone.code], ['configuration', 'contact_missing'])
})

test('a deleted tag is created again, and so is a contact deleted before its tag', async () => {
  const labels = [{ name: 'Disparu', vendor_id: '999999', kind: null }]
  await deliver('parti@exemple.test', { labels })
  assert.deepEqual(tagsOf('parti@exemple.test'), ['Disparu'])
  const [first] = people('parti@exemple.test')[0]?.tag_ids ?? []
  account.tags.delete(first ?? 0)
  await deliver('revenu@exemple.test', { labels })
  assert.deepEqual(tagsOf('revenu@exemple.test'), ['Disparu'])
  const [person] = people('parti@exemple.test')
  assert.ok(person)
  person.deleted_at = fake.clock.now()
  const completed_calls = { has_contact: true, vendor_contact_id: String(person.id) }
  const gone = await deliver('parti@exemple.test', { labels }, completed_calls)
  assert.deepEqual([gone.kind, gone.completed_calls], ['configuration', {}])
})

test('a Systeme.io plan without more tags does not fail the delivery', async () => {
  fake.switches.max_tags = 0
  const outcome = await deliver('cap@exemple.test', { tag: 'Encore un' })
  assert.ok(outcome.kind === 'delivered')
  assert.equal(outcome.warning, 'label_refused')
  assert.deepEqual(outcome.completed_calls.refused_labels, ['Encore un'])
})

test('an interrupted delivery continues after its last call', async () => {
  fake.fail({ method: 'GET', path: '/api/tags', mode: 'before', status: 503 })
  const first = await deliver('reprise@exemple.test', { tag: 'Reprise' })
  assert.deepEqual([first.kind, first.completed_calls.has_contact], ['transient', true])
  const calls = fake.journal.length
  const second = await deliver('reprise@exemple.test', { tag: 'Reprise' }, first.completed_calls)
  assert.equal(second.kind, 'delivered')
  assert.ok(!fake.journal.slice(calls).some(({ path }) => path === '/api/contacts'))
})

test('a contact who unsubscribed or bounced keeps this state', async () => {
  for (const reason of ['unsubscribed', 'bounced'] as const) {
    await deliver(`${reason}@exemple.test`)
    Object.assign(people(`${reason}@exemple.test`)[0] ?? {}, { [reason]: true })
    const outcome = await deliver(`${reason}@exemple.test`)
    assert.deepEqual(
      [outcome.kind, outcome.kind === 'suppressed' && outcome.reason],
      ['suppressed', reason],
    )
  }
})

test('a long result name is cut for Systeme.io, and a rate limit returns its waiting time', async () => {
  await deliver('long@exemple.test', { result_name: 'x'.repeat(300) })
  assert.equal(people('long@exemple.test')[0]?.fields.resultat_quiz?.length, 255)
  for (const refill of ['seconds', 'epoch', 'date'] as const) {
    Object.assign(fake.switches, { calls: 0, refill, sends_remaining: refill === 'date' })
    const held = await deliver('vite@exemple.test')
    assert.ok(held.kind === 'transient')
    assert.ok(held.pauses_connection && (held.wait_ms ?? 0) >= 1000)
  }
})
