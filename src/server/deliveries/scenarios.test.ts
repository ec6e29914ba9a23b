import assert from 'node:assert/strict'
import { after, afterEach, describe, test } from 'node:test'
import { PROVIDERS, type ProviderName } from '#domain/vocabulary.ts'
import { findDifferences } from '#server/statistics/verify.store.ts'
import { createOutboxApp } from '#server/testing/outbox-app.ts'

const app = await createOutboxApp()
after(() => app.close())
const { fakes, db, take, pass, finish, held } = app
const usual = { kit: { ...fakes.convertkit.switches }, brevo: { ...fakes.brevo.switches } }
const usualSystemio = { ...fakes.systemio.switches }
afterEach(async () => {
  for (const fake of Object.values(fakes)) fake.heal()
  Object.assign(fakes.convertkit.switches, usual.kit)
  Object.assign(fakes.brevo.switches, usual.brevo)
  Object.assign(fakes.systemio.switches, usualSystemio)
  assert.deepEqual(await findDifferences(app.pool), [])
})

const HOUR_MS = 3_600_000
const WRITES: Record<ProviderName, string> = {
  convertkit: '/v4/subscribers',
  systemio: '/api/contacts',
  brevo: '/v3/contacts',
}
const deliveryOf = (participant_uuid: string, provider: ProviderName) =>
  db
    .selectFrom('deliveries')
    .selectAll()
    .where('participant_uuid', '=', participant_uuid)
    .where('provider', '=', provider)
    .executeTakeFirstOrThrow()
const sameEverywhere = (account: string, people: { email: string; result: unknown }[]): void => {
  const all = held(account)
  for (const provider of PROVIDERS)
    assert.deepEqual(
      all[provider].toSorted((a, b) => (a.email < b.email ? -1 : 1)),
      people.toSorted((a, b) => (a.email < b.email ? -1 : 1)),
      provider,
    )
}

test('everybody arrives at each tool once, with their result', async () => {
  const creator = await app.connect()
  const quiz = await app.forwardingQuiz(creator)
  const people = []
  for (const [index, email] of ['lea@exemple.fr', 'ada@exemple.fr', 'zoe@exemple.fr'].entries())
    people.push({ email, result: (await take(quiz, email, index % 2)).result_name })
  await finish()
  sameEverywhere(creator.account, people)
})

test('while every tool is away for a day, nobody is lost', async () => {
  const creator = await app.connect()
  const quiz = await app.forwardingQuiz(creator)
  for (const fake of Object.values(fakes)) fake.fail({ mode: 'before', status: 503, times: 10_000 })
  const people = []
  for (const email of ['a@exemple.fr', 'b@exemple.fr', 'c@exemple.fr'])
    people.push({ email, result: (await take(quiz, email)).result_name })
  await app.worker.drain()
  await pass(24 * HOUR_MS, HOUR_MS / 2)
  sameEverywhere(creator.account, [])
  for (const fake of Object.values(fakes)) fake.heal()
  await finish(HOUR_MS)
  sameEverywhere(creator.account, people)
})

for (const mode of ['after', 'hang'] as const)
  test(`a write whose answer is lost (${mode}) is made again, to no further effect`, async () => {
    const creator = await app.connect()
    const quiz = await app.forwardingQuiz(creator)
    await db
      .updateTable('quiz_integrations')
      .set({ tag_by_result: true })
      .where('quiz_id', '=', quiz.id)
      .where('provider', '<>', 'brevo')
      .execute()
    const { result_name: result } = await take(quiz, 'lea@exemple.fr')
    for (const [name, fake] of Object.entries(fakes)) {
      fake.fail({ method: 'POST', path: /tags/, mode: 'after', status: 504 })
      const path = WRITES[name as ProviderName]
      // A hanging call is what a time-out makes of it: the answer never comes.
      fake.fail({ method: 'POST', path, mode: 'after', ...(mode === 'after' && { status: 504 }) })
    }
    await finish(60_000)
    sameEverywhere(creator.account, [{ email: 'lea@exemple.fr', result }])
    assert.equal(fakes.systemio.accountOf(creator.account).tags.size, 1)
    assert.equal(fakes.convertkit.accountOf(creator.account).tags.size, 1)
    const [contact] = fakes.systemio.accountOf(creator.account).contacts.values()
    assert.equal(contact?.tag_ids.length, 1)
  })

for (const second of ['delivered first', 'waiting'] as const)
  test(`a late first result never replaces the second (${second})`, async () => {
    const creator = await app.connect()
    const quiz = await app.forwardingQuiz(creator)
    for (const [name, fake] of Object.entries(fakes))
      fake.fail({ method: 'POST', path: WRITES[name as ProviderName], mode: 'before', status: 500 })
    const first = await take(quiz, 'Lea@exemple.fr', 0)
    if (second === 'delivered first') await app.worker.drain()
    const last = await take(quiz, 'lea@exemple.fr', 1)
    assert.notEqual(first.result_name, last.result_name)
    await app.worker.drain()
    await finish(60_000)
    for (const provider of PROVIDERS) {
      assert.deepEqual(
        held(creator.account)[provider].map(({ result }) => result),
        [last.result_name],
        provider,
      )
      assert.equal((await deliveryOf(first.participant_uuid, provider)).is_replaced, true)
    }
  })

test('a key that is revoked stops its connection, keeps its rows, and tells the creator once', async () => {
  const creator = await app.connect()
  const quiz = await app.forwardingQuiz(creator, ['brevo'])
  const key = `xkeysib-${creator.account}`
  const told = app.blocked.length
  fakes.brevo.keys.remove(key)
  const people = []
  for (const email of ['a@exemple.fr', 'b@exemple.fr', 'c@exemple.fr'])
    people.push({ email, result: (await take(quiz, email)).result_name })
  await app.worker.drain()
  const calls = fakes.brevo.journal.length
  await pass(80 * HOUR_MS, 8 * HOUR_MS)
  assert.equal(fakes.brevo.journal.length, calls)
  assert.deepEqual(app.blocked.slice(told), [
    { user_id: creator.user_id, provider: 'brevo', nb_waiting: 3 },
  ])
  const waiting = await db
    .selectFrom('deliveries')
    .select(['status', 'attempts'])
    .where('quiz_id', '=', quiz.id)
    .execute()
  assert.deepEqual(waiting, Array(3).fill({ status: 'pending', attempts: 0 }))
  fakes.brevo.keys.add('xkeysib-nouvelle', { account: creator.account })
  app.secrets.set(creator.connections.brevo, 'xkeysib-nouvelle')
  await db
    .updateTable('integration_connections')
    .set({ status: 'active', status_reason: null })
    .where('id', '=', creator.connections.brevo)
    .execute()
  await finish()
  assert.deepEqual(
    held(creator.account).brevo.toSorted((a, b) => (a.email < b.email ? -1 : 1)),
    people,
  )
})

test('an account out of credits is tried again every hour, and goes on by itself', async () => {
  const creator = await app.connect()
  const quiz = await app.forwardingQuiz(creator, ['brevo'])
  const { result_name: result } = await take(quiz, 'a@exemple.fr')
  await take(quiz, 'b@exemple.fr')
  fakes.brevo.fail({ path: '/v3/contacts', mode: 'before', status: 402, times: 100 })
  await app.worker.drain()
  const calls = fakes.brevo.journal.length
  await pass(HOUR_MS - 60_000, HOUR_MS / 6)
  assert.equal(fakes.brevo.journal.length, calls)
  await pass(120_000, 60_000)
  assert.equal(fakes.brevo.journal.length, calls + 1)
  fakes.brevo.heal()
  await pass(HOUR_MS + 60_000)
  await finish()
  assert.equal(held(creator.account).brevo[0]?.result, result)
  assert.equal(held(creator.account).brevo.length, 2)
})

for (const unknown_field of ['ignore', 'warn', 'reject'] as const)
  test(`a field that is deleted between two deliveries is made again (Kit: ${unknown_field})`, async () => {
    fakes.convertkit.switches.unknown_field = unknown_field
    const creator = await app.connect()
    const quiz = await app.forwardingQuiz(creator, ['convertkit', 'systemio'])
    await take(quiz, 'a@exemple.fr')
    await finish()
    fakes.convertkit.accountOf(creator.account).fields.clear()
    fakes.systemio.accountOf(creator.account).fields.delete('resultat_quiz')
    const { result_name: result } = await take(quiz, 'b@exemple.fr')
    await finish()
    for (const provider of ['convertkit', 'systemio'] as const)
      assert.equal(
        held(creator.account)[provider].find(({ email }) => email === 'b@exemple.fr')?.result,
        result,
        provider,
      )
  })

test('a storm of 429 holds one connection back, and no other', async () => {
  const [busy, quiet] = [await app.connect(), await app.connect()]
  const [first, second] = [await app.forwardingQuiz(busy), await app.forwardingQuiz(quiet)]
  for (let index = 0; index < 12; index += 1) await take(first, `p${index}@exemple.fr`)
  fakes.systemio.switches.calls = 1
  await app.worker.drain()
  await take(second, 'seule@exemple.fr')
  await pass(5_000, 1_000)
  assert.equal(held(quiet.account).brevo.length, 1)
  fakes.systemio.switches.calls = 10
  await finish(5_000)
  assert.equal(held(busy.account).systemio.length, 12)
  assert.equal(held(quiet.account).systemio.length, 1)
})

describe('people who want no mail any more', () => {
  test('are left as they are, and said to be so', async () => {
    const creator = await app.connect()
    const quiz = await app.forwardingQuiz(creator, ['convertkit', 'systemio'])
    await take(quiz, 'lea@exemple.fr')
    await finish()
    for (const one of fakes.convertkit.accountOf(creator.account).subscribers.values())
      one.state = 'cancelled'
    for (const one of fakes.systemio.accountOf(creator.account).contacts.values())
      one.unsubscribed = true
    const again = await take(quiz, 'lea@exemple.fr', 1)
    await finish()
    for (const provider of ['convertkit', 'systemio'] as const)
      assert.equal((await deliveryOf(again.participant_uuid, provider)).status, 'suppressed')
    const [subscriber] = fakes.convertkit.accountOf(creator.account).subscribers.values()
    const [contact] = fakes.systemio.accountOf(creator.account).contacts.values()
    assert.deepEqual([subscriber?.state, contact?.unsubscribed], ['cancelled', true])
  })
})

test('an address that no tool takes is refused, and never tried again', async () => {
  const creator = await app.connect()
  const quiz = await app.forwardingQuiz(creator, ['brevo', 'systemio'])
  const { participant_uuid } = await take(quiz, 'lea@sans-courrier.test')
  const wrong = await take(quiz, 'lea@sanspoint')
  await finish(10_000)
  const refused = await deliveryOf(participant_uuid, 'systemio')
  assert.deepEqual([refused.status, refused.last_code], ['refused', 'invalid_email'])
  assert.equal((await deliveryOf(wrong.participant_uuid, 'brevo')).status, 'refused')
})

test('what a process left behind is taken over by another, to no double effect', async () => {
  const creator = await app.connect()
  const quiz = await app.forwardingQuiz(creator)
  const { result_name: result, participant_uuid } = await take(quiz, 'lea@exemple.fr')
  await finish()
  // As though nothing of it had been written.
  await db
    .updateTable('deliveries')
    .set({ status: 'pending', steps: null, settled_at: null })
    .set({ lease_id: participant_uuid, lease_until: app.now(), next_attempt_at: app.now() })
    .where('participant_uuid', '=', participant_uuid)
    .execute()
  await finish(30_000)
  sameEverywhere(creator.account, [{ email: 'lea@exemple.fr', result }])
})

test('two workers at once send each delivery once', async () => {
  const creator = await app.connect()
  const quiz = await app.forwardingQuiz(creator, ['convertkit'])
  for (let index = 0; index < 15; index += 1) await take(quiz, `p${index}@exemple.fr`)
  const other = app.startWorker()
  const before = fakes.convertkit.journal.length
  await Promise.all([app.worker.drain(), other.drain()])
  await finish()
  await other.close()
  const writes = fakes.convertkit.journal
    .slice(before)
    .filter(({ method, path }) => method === 'POST' && path === '/v4/subscribers')
  assert.equal(writes.length, 15)
  assert.equal(held(creator.account).convertkit.length, 15)
})
