import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { PROVIDERS } from '#domain/common/vocabulary.ts'
import { testEveryFakeVariant } from '#server/testing/app/fake-variant-tests.ts'
import { createOutboxApp } from '#server/testing/app/outbox-app.ts'
import { testInAll } from '#server/testing/test-in-all.ts'

const app = await createOutboxApp()
after(() => app.close())
const { fakes, db, submitParticipant, advanceClock, finishDeliveries, listPeopleAtTools } = app

const HOUR_MS = 3_600_000

testEveryFakeVariant(app, () => {
  test('a revoked key blocks its connection, keeps its deliveries and notifies the creator once', async () => {
    const creator = await app.connectCreator()
    const quiz = await app.createForwardingQuiz(creator, ['brevo'])
    const key = `xkeysib-${creator.account}`
    const told = app.blocked.length
    fakes.brevo.keys.remove(key)
    const people = []
    for (const email of ['a@exemple.fr', 'b@exemple.fr', 'c@exemple.fr'])
      people.push({ email, result: (await submitParticipant(quiz, email)).result_name })
    await app.worker.drain()
    const calls = fakes.brevo.journal.length
    await advanceClock(80 * HOUR_MS, 8 * HOUR_MS)
    assert.equal(fakes.brevo.journal.length, calls)
    assert.deepEqual(app.blocked.slice(told), [
      {
        user_id: creator.user_id,
        provider: 'brevo',
        code: 'invalid_key',
        nb_waiting: 3,
        quiz_id: null,
        quiz_type: null,
        url: null,
      },
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
    await finishDeliveries()
    assert.deepEqual(
      listPeopleAtTools(creator.account).brevo.toSorted((a, b) => (a.email < b.email ? -1 : 1)),
      people,
    )
  })

  test('an account without credits is probed every hour and recovers by itself', async () => {
    const creator = await app.connectCreator()
    const quiz = await app.createForwardingQuiz(creator, ['brevo'])
    const { result_name: result } = await submitParticipant(quiz, 'a@exemple.fr')
    await submitParticipant(quiz, 'b@exemple.fr')
    fakes.brevo.fail({ path: '/v3/contacts', mode: 'before', status: 402, times: 100 })
    await app.worker.drain()
    const calls = fakes.brevo.journal.length
    await advanceClock(HOUR_MS - 60_000, HOUR_MS / 6)
    assert.equal(fakes.brevo.journal.length, calls)
    await advanceClock(120_000, 60_000)
    assert.equal(fakes.brevo.journal.length, calls + 1)
    fakes.brevo.heal()
    await advanceClock(HOUR_MS + 60_000)
    await finishDeliveries()
    assert.equal(listPeopleAtTools(creator.account).brevo[0]?.result, result)
    assert.equal(listPeopleAtTools(creator.account).brevo.length, 2)
  })

  test('a probe that reaches an unsubscribed person unblocks the account', async () => {
    const creator = await app.connectCreator()
    const quiz = await app.createForwardingQuiz(creator, ['systemio'])
    await submitParticipant(quiz, 'a@exemple.fr')
    await finishDeliveries()
    for (const contact of fakes.systemio.accountOf(creator.account).contacts.values())
      contact.unsubscribed = true
    const isBlocked = async () =>
      (await creator.client.integrations.systemioStatus()).needs_attention
    fakes.systemio.fail({ mode: 'before', status: 402, times: 100 })
    await submitParticipant(quiz, 'a@exemple.fr')
    await advanceClock(60_000, 10_000)
    assert.equal(await isBlocked(), true)
    fakes.systemio.heal()
    await advanceClock(HOUR_MS + 60_000)
    await finishDeliveries()
    const { ledgers } = await creator.client.deliveries.list({ id: quiz.id })
    assert.equal(ledgers[0]?.balance.suppressed, 1)
    assert.equal(await isBlocked(), false)
  })

  test('a creator whose notification failed is notified at the next refusal', async () => {
    const creator = await app.connectCreator()
    const quiz = await app.createForwardingQuiz(creator, ['brevo'])
    const told = app.blocked.length
    fakes.brevo.fail({ path: '/v3/contacts', mode: 'before', status: 402, times: 100 })
    await submitParticipant(quiz, 'a@exemple.fr')
    app.notice_fault.fails = true
    await app.worker.drain()
    app.notice_fault.fails = false
    assert.equal(app.blocked.length, told)
    for (let tries = 0; tries < 600 && app.blocked.length === told; tries++)
      await advanceClock(1_000)
    fakes.brevo.heal()
    await finishDeliveries(HOUR_MS)
    assert.deepEqual(
      app.blocked.slice(told).map(({ user_id }) => user_id),
      [creator.user_id],
    )
    assert.equal(listPeopleAtTools(creator.account).brevo.length, 1)
  })

  testInAll(
    'deliveries to an account without credits do not age, even if a probe fails',
    async () => {
      const creator = await app.connectCreator()
      const quiz = await app.createForwardingQuiz(creator, ['brevo'])
      for (const email of ['a@exemple.fr', 'b@exemple.fr', 'c@exemple.fr'])
        await submitParticipant(quiz, email)
      fakes.brevo.fail({ path: '/v3/contacts', mode: 'before', status: 402, times: 100 })
      await app.worker.drain()
      await advanceClock(80 * HOUR_MS, 8 * HOUR_MS)
      fakes.brevo.heal()
      fakes.brevo.fail({ path: '/v3/contacts', mode: 'before', status: 503, times: 3 })
      await advanceClock(HOUR_MS)
      await finishDeliveries(HOUR_MS / 6)
      const { ledgers } = await creator.client.deliveries.list({ id: quiz.id })
      assert.equal(ledgers[0]?.balance.delivered, 3)
    },
  )

  testInAll('many 429 replies slow down only their own connection', async () => {
    const [busy, quiet] = [await app.connectCreator(), await app.connectCreator()]
    const [first, second] = [
      await app.createForwardingQuiz(busy),
      await app.createForwardingQuiz(quiet),
    ]
    for (let index = 0; index < 12; index += 1)
      await submitParticipant(first, `p${index}@exemple.fr`)
    // The account allows four calls a minute, which is fewer than twelve deliveries need.
    Object.assign(fakes.systemio.switches, { calls: 4, window_ms: 60_000 })
    const before = fakes.systemio.journal.length
    await app.worker.drain()
    await submitParticipant(second, 'seule@exemple.fr')
    await advanceClock(5_000, 1_000)
    assert.equal(listPeopleAtTools(quiet.account).brevo.length, 1)
    assert.equal(listPeopleAtTools(quiet.account).convertkit.length, 1)
    await advanceClock(235_000, 5_000)
    const refused = fakes.systemio.journal.slice(before).filter(({ status }) => status === 429)
    // The worker respects `Retry-After`, so that each account is refused at most once a minute.
    assert.ok(refused.length <= 2 * 5, `${refused.length} calls in vain`)
    Object.assign(fakes.systemio.switches, { calls: 10, window_ms: 10_000 })
    await finishDeliveries(5_000)
    for (const provider of PROVIDERS) {
      assert.equal(listPeopleAtTools(busy.account)[provider].length, 12, provider)
      assert.equal(listPeopleAtTools(quiet.account)[provider].length, 1, provider)
    }
    const after = fakes.brevo.journal.length
    for (let index = 12; index < 40; index += 1)
      await submitParticipant(first, `p${index}@exemple.fr`)
    await finishDeliveries(1_000)
    // A burst of deliveries does not reach the limit of the other tools either.
    const later = fakes.brevo.journal.slice(after)
    const inVain = later.filter(({ status }) => status === 429)
    assert.ok(inVain.length * 10 <= later.length, `${inVain.length} of ${later.length}`)
  })
})
