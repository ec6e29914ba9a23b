import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { PROVIDERS, type ProviderName } from '#domain/common/vocabulary.ts'
import { sameEverywhere, underEveryPosition } from '#server/testing/app/fake-variant-tests.ts'
import { createOutboxApp } from '#server/testing/app/outbox-app.ts'

const app = await createOutboxApp()
after(() => app.close())
const { fakes, db, take, pass, finish, held } = app

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

underEveryPosition(app, ({ systemio }) => {
  test('each participant is delivered once to each tool with their result', async () => {
    const creator = await app.connect()
    const quiz = await app.forwardingQuiz(creator)
    const people = []
    for (const [index, email] of ['lea@exemple.fr', 'ada@exemple.fr', 'zoe@exemple.fr'].entries())
      people.push({ email, result: (await take(quiz, email, index % 2)).result_name })
    await finish()
    sameEverywhere(app, creator.account, people)
  })

  test('no participant is lost while all tools are down for a day', async () => {
    const creator = await app.connect()
    const quiz = await app.forwardingQuiz(creator)
    for (const fake of Object.values(fakes))
      fake.fail({ mode: 'before', status: 503, times: 10_000 })
    const people = []
    for (const email of ['a@exemple.fr', 'b@exemple.fr', 'c@exemple.fr'])
      people.push({ email, result: (await take(quiz, email)).result_name })
    await app.worker.drain()
    await pass(24 * HOUR_MS, HOUR_MS / 2)
    sameEverywhere(app, creator.account, [])
    for (const fake of Object.values(fakes)) fake.heal()
    await finish(HOUR_MS)
    sameEverywhere(app, creator.account, people)
  })

  for (const mode of ['after', 'hang'] as const)
    test(`a write whose reply is lost (${mode}) is repeated without further effect`, async () => {
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
        // A hanging call gets no status, because the client times out before any answer.
        fake.fail({ method: 'POST', path, mode: 'after', ...(mode === 'after' && { status: 504 }) })
      }
      await finish(60_000)
      sameEverywhere(app, creator.account, [{ email: 'lea@exemple.fr', result }])
      const tags = Math.min(1, systemio.most_tags)
      assert.equal(fakes.systemio.accountOf(creator.account).tags.size, tags)
      assert.equal(fakes.convertkit.accountOf(creator.account).tags.size, 1)
      const [contact] = fakes.systemio.accountOf(creator.account).contacts.values()
      assert.equal(contact?.tag_ids.length, tags)
    })

  for (const second of ['delivered first', 'waiting'] as const)
    test(`a late first result does not replace the second (${second})`, async () => {
      const creator = await app.connect()
      const quiz = await app.forwardingQuiz(creator)
      for (const [name, fake] of Object.entries(fakes))
        fake.fail({
          method: 'POST',
          path: WRITES[name as ProviderName],
          mode: 'before',
          status: 500,
        })
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

  test('an address that every tool rejects is refused and not retried', async () => {
    const creator = await app.connect()
    const quiz = await app.forwardingQuiz(creator, ['brevo', 'systemio'])
    const { participant_uuid } = await take(quiz, 'lea@sans-courrier.test')
    const wrong = await take(quiz, 'lea@sans-courrier.test')
    await finish(10_000)
    const refused = await deliveryOf(participant_uuid, 'systemio')
    assert.deepEqual([refused.status, refused.last_code], ['refused', 'invalid_email'])
    assert.equal((await deliveryOf(wrong.participant_uuid, 'brevo')).status, 'refused')
  })

  test('another worker claims expired leases without duplicate effects', async () => {
    const creator = await app.connect()
    const quiz = await app.forwardingQuiz(creator)
    const { result_name: result, participant_uuid } = await take(quiz, 'lea@exemple.fr')
    await finish()
    // Resets the rows as if the outcome had not been stored.
    await db
      .updateTable('deliveries')
      .set({ status: 'pending', completed_calls: null, settled_at: null })
      .set({ lease_id: participant_uuid, lease_until: app.now(), next_attempt_at: app.now() })
      .where('participant_uuid', '=', participant_uuid)
      .execute()
    await finish(30_000)
    sameEverywhere(app, creator.account, [{ email: 'lea@exemple.fr', result }])
  })

  test('two concurrent workers send each delivery to a tool once', async () => {
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
})
