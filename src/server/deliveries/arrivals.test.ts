import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { PROVIDERS, type ProviderName } from '#domain/common/vocabulary.ts'
import { pickByRun } from '#domain/testing/pick-by-run.ts'
import {
  assertPeopleAtAllTools,
  testEveryFakeVariant,
} from '#server/testing/app/fake-variant-tests.ts'
import { createOutboxApp } from '#server/testing/app/outbox-app.ts'

// Runs in test:all, because it repeats its rule with each fault of each tool.

const app = await createOutboxApp()
after(() => app.close())
const { fakes, db, submitParticipant, advanceClock, finishDeliveries, listPeopleAtTools } = app

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

testEveryFakeVariant(app, ({ systemio }) => {
  test('each participant is delivered once to each tool with their result', async () => {
    const creator = await app.connectCreator()
    const quiz = await app.createForwardingQuiz(creator)
    const people = []
    for (const [index, email] of ['lea@exemple.fr', 'ada@exemple.fr', 'zoe@exemple.fr'].entries())
      people.push({ email, result: (await submitParticipant(quiz, email, index % 2)).result_name })
    await finishDeliveries()
    assertPeopleAtAllTools(app, creator.account, people)
  })

  test('no participant is lost while all tools are down for a day', async () => {
    const creator = await app.connectCreator()
    const quiz = await app.createForwardingQuiz(creator)
    for (const fake of Object.values(fakes))
      fake.fail({ mode: 'before', status: 503, times: 10_000 })
    const people = []
    for (const email of ['a@exemple.fr', 'b@exemple.fr', 'c@exemple.fr'])
      people.push({ email, result: (await submitParticipant(quiz, email)).result_name })
    await app.worker.drain()
    await advanceClock(24 * HOUR_MS, HOUR_MS / 2)
    assertPeopleAtAllTools(app, creator.account, [])
    for (const fake of Object.values(fakes)) fake.heal()
    await finishDeliveries(HOUR_MS)
    assertPeopleAtAllTools(app, creator.account, people)
  })

  for (const mode of pickByRun<('after' | 'hang')[]>({ daily: ['after'], all: ['after', 'hang'] }))
    test(`a write whose reply is lost (${mode}) is repeated without further effect`, async () => {
      const creator = await app.connectCreator()
      const quiz = await app.createForwardingQuiz(creator)
      await db
        .updateTable('quiz_integrations')
        .set({ tag_by_result: true })
        .where('quiz_id', '=', quiz.id)
        .where('provider', '<>', 'brevo')
        .execute()
      const { result_name: result } = await submitParticipant(quiz, 'lea@exemple.fr')
      for (const [name, fake] of Object.entries(fakes)) {
        fake.fail({ method: 'POST', path: /tags/, mode: 'after', status: 504 })
        const path = WRITES[name as ProviderName]
        // A hanging call gets no status, because the client times out before any answer.
        fake.fail({ method: 'POST', path, mode: 'after', ...(mode === 'after' && { status: 504 }) })
      }
      await finishDeliveries(60_000)
      assertPeopleAtAllTools(app, creator.account, [{ email: 'lea@exemple.fr', result }])
      const tags = Math.min(1, systemio.max_tags)
      assert.equal(fakes.systemio.accountOf(creator.account).tags.size, tags)
      assert.equal(fakes.convertkit.accountOf(creator.account).tags.size, 1)
      const [contact] = fakes.systemio.accountOf(creator.account).contacts.values()
      assert.equal(contact?.tag_ids.length, tags)
    })

  for (const second of ['delivered first', 'waiting'] as const)
    test(`a late first result does not replace the second (${second})`, async () => {
      const creator = await app.connectCreator()
      const quiz = await app.createForwardingQuiz(creator)
      for (const [name, fake] of Object.entries(fakes))
        fake.fail({
          method: 'POST',
          path: WRITES[name as ProviderName],
          mode: 'before',
          status: 500,
        })
      const first = await submitParticipant(quiz, 'Lea@exemple.fr', 0)
      if (second === 'delivered first') await app.worker.drain()
      const last = await submitParticipant(quiz, 'lea@exemple.fr', 1)
      assert.notEqual(first.result_name, last.result_name)
      await app.worker.drain()
      await finishDeliveries(60_000)
      for (const provider of PROVIDERS) {
        assert.deepEqual(
          listPeopleAtTools(creator.account)[provider].map(({ result }) => result),
          [last.result_name],
          provider,
        )
        assert.equal((await deliveryOf(first.participant_uuid, provider)).is_replaced, true)
      }
    })

  test('an address that every tool rejects is refused and not retried', async () => {
    const creator = await app.connectCreator()
    const quiz = await app.createForwardingQuiz(creator, ['brevo', 'systemio'])
    const { participant_uuid } = await submitParticipant(quiz, 'lea@sans-courrier.test')
    const wrong = await submitParticipant(quiz, 'lea@sans-courrier.test')
    await finishDeliveries(10_000)
    const refused = await deliveryOf(participant_uuid, 'systemio')
    assert.deepEqual([refused.status, refused.last_code], ['refused', 'invalid_email'])
    assert.equal((await deliveryOf(wrong.participant_uuid, 'brevo')).status, 'refused')
  })

  test('another worker claims expired leases without duplicate effects', async () => {
    const creator = await app.connectCreator()
    const quiz = await app.createForwardingQuiz(creator)
    const { result_name: result, participant_uuid } = await submitParticipant(
      quiz,
      'lea@exemple.fr',
    )
    await finishDeliveries()
    // Resets the rows as if the outcome had not been stored.
    await db
      .updateTable('deliveries')
      .set({ status: 'pending', completed_calls: null, settled_at: null })
      .set({ lease_id: participant_uuid, lease_until: app.now(), next_attempt_at: app.now() })
      .where('participant_uuid', '=', participant_uuid)
      .execute()
    await finishDeliveries(30_000)
    assertPeopleAtAllTools(app, creator.account, [{ email: 'lea@exemple.fr', result }])
  })

  test('two concurrent workers send each delivery to a tool once', async () => {
    const creator = await app.connectCreator()
    const quiz = await app.createForwardingQuiz(creator, ['convertkit'])
    for (let index = 0; index < 15; index += 1)
      await submitParticipant(quiz, `p${index}@exemple.fr`)
    const other = app.startWorker()
    const before = fakes.convertkit.journal.length
    await Promise.all([app.worker.drain(), other.drain()])
    await finishDeliveries()
    await other.close()
    const writes = fakes.convertkit.journal
      .slice(before)
      .filter(({ method, path }) => method === 'POST' && path === '/v4/subscribers')
    assert.equal(writes.length, 15)
    assert.equal(listPeopleAtTools(creator.account).convertkit.length, 15)
  })
})
