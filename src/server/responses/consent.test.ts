import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { DEFAULT_CONSENT_TEXTS } from '#domain/questionnaire/consent/consent.ts'
import { findDifferences } from '#server/statistics/counters/verify-counters.store.ts'
import { connectAccount, setForwarding } from '#server/testing/app/store-connections.ts'
import { createTestApp } from '#server/testing/app/test-app.ts'
import { publishedScoreQuiz, type SampleQuiz } from '#server/testing/quizzes/sample-quizzes.ts'

const app = await createTestApp()
after(() => app.close())
const { db } = app
const creator = await app.signUp()
const { client } = creator
const connection_id = await connectAccount(db, creator, 'brevo')

const forwardingQuiz = async (): Promise<SampleQuiz> => {
  const quiz = await askingQuiz()
  await setForwarding(db, quiz.id, 'brevo')
  return quiz
}
/** Publishes a quiz with the consent box. */
const askingQuiz = async (): Promise<SampleQuiz> => {
  const quiz = await publishedScoreQuiz(client)
  await client.quizzes.update({ id: quiz.id, body: { consent_mode: 'box' } })
  return quiz
}
/** Waits for this wording, because a process learns of a change after the commit. */
const askedBy = async ({ id }: SampleQuiz, version: number | undefined = 1) => {
  for (;;) {
    const { snapshot } = await app.client.publicQuiz.snapshot({ id })
    const asked = snapshot.questions.find(({ type }) => type === 'email')?.consent
    if (asked?.version === version) return asked
  }
}
/** Waits until visitors see no box; otherwise the test ends by timeout. */
const isNotAsked = async ({ id }: SampleQuiz): Promise<true> => {
  for (;;) {
    const { snapshot } = await app.client.publicQuiz.snapshot({ id })
    if (snapshot.questions.every(({ consent }) => consent === undefined)) return true
  }
}
const submit = (quiz: SampleQuiz, consent_version?: number) =>
  app.client.publicQuiz.submit({
    id: quiz.id,
    body: {
      answers: { [quiz.question_id]: quiz.answer_ids[0] ?? '', [quiz.open_id]: 'lea@exemple.fr' },
      participant_uuid: randomUUID(),
      consent_version,
    },
  })
const deliveriesOf = ({ id }: SampleQuiz) =>
  db
    .selectFrom('deliveries')
    .select(['provider', 'status', 'result_name', 'connection_id'])
    .where('quiz_id', '=', id)
    .orderBy('created_at')
    .execute()

describe('the consent box beside the email question', () => {
  test('the consent box is shown only while the quiz forwards to a tool', async () => {
    const quiz = await askingQuiz()
    assert.ok(await isNotAsked(quiz))
    await setForwarding(db, quiz.id, 'brevo')
    assert.deepEqual(await askedBy(quiz), { version: 1, text: DEFAULT_CONSENT_TEXTS.quiz })
    await setForwarding(db, quiz.id, 'brevo', false)
    assert.ok(await isNotAsked(quiz))
  })

  test('the consent box has the creator’s text, and each wording gets a number', async () => {
    const quiz = await forwardingQuiz()
    assert.equal((await askedBy(quiz))?.version, 1)
    await client.quizzes.update({ id: quiz.id, body: { consent_text: 'Oui, écrivez-moi' } })
    assert.deepEqual(await askedBy(quiz, 2), { version: 2, text: 'Oui, écrivez-moi' })
    await client.quizzes.update({ id: quiz.id, body: { consent_text: null } })
    assert.equal((await askedBy(quiz))?.version, 1)
    const { has_unpublished_changes } = await client.quizzes.hasChanges({ id: quiz.id })
    assert.equal(has_unpublished_changes, false)
  })

  test('the consent box is also shown in the preview, but not if visitors request the transfer', async () => {
    const quiz = await forwardingQuiz()
    const preview = async () =>
      (await client.publicQuiz.snapshot({ id: quiz.id, preview: '1' })).snapshot.questions[1]
        ?.consent
    assert.deepEqual(await preview(), { version: 0, text: DEFAULT_CONSENT_TEXTS.quiz })
    await client.quizzes.update({ id: quiz.id, body: { consent_mode: 'requested' } })
    assert.equal(await preview(), undefined)
    assert.ok(await isNotAsked(quiz))
  })
})

describe('the forwarded participants', () => {
  test('participants who ticked the consent box are forwarded with their result', async () => {
    const quiz = await forwardingQuiz()
    await askedBy(quiz)
    const { result } = await submit(quiz, 1)
    await submit(quiz, 0)
    await submit(quiz)
    const stored = await deliveriesOf(quiz)
    assert.deepEqual(
      stored.map(({ status }) => status),
      ['pending', 'no_consent', 'no_consent'],
    )
    assert.deepEqual(stored[0], {
      provider: 'brevo',
      status: 'pending',
      result_name: result?.name,
      connection_id,
    })
    assert.deepEqual(await findDifferences(app.pool, quiz.id), [])
  })

  test('consent to a wording that was never shown does not forward a participant', async () => {
    const quiz = await forwardingQuiz()
    await askedBy(quiz)
    await submit(quiz, 7)
    assert.equal((await deliveriesOf(quiz))[0]?.status, 'no_consent')
    const { consent_version } = await db
      .selectFrom('responses')
      .select('consent_version')
      .where('quiz_id', '=', quiz.id)
      .executeTakeFirstOrThrow()
    assert.equal(consent_version, 0)
  })

  test('all participants with an address are forwarded unless the creator chooses the box', async () => {
    const quiz = await publishedScoreQuiz(client)
    await client.questions.update({ id: quiz.open_id, body: { is_required: false } })
    await client.quizzes.publish({ id: quiz.id })
    assert.equal((await client.quizzes.get({ id: quiz.id })).quiz.consent_mode, 'requested')
    await setForwarding(db, quiz.id, 'brevo')
    await app.client.publicQuiz.submit({
      id: quiz.id,
      body: {
        answers: { [quiz.question_id]: quiz.answer_ids[0] ?? '', [quiz.open_id]: 'lea@exemple.fr' },
        email: 'lea@exemple.fr',
        participant_uuid: randomUUID(),
      },
    })
    await app.client.publicQuiz.submit({
      id: quiz.id,
      body: {
        answers: { [quiz.question_id]: quiz.answer_ids[0] ?? '' },
      },
    })
    assert.deepEqual(
      (await deliveriesOf(quiz)).map(({ status }) => status),
      ['pending', 'no_email'],
    )
  })

  test('each forwarded participant has one delivery, which is deleted with them', async () => {
    const quiz = await forwardingQuiz()
    await askedBy(quiz)
    const body = {
      answers: { [quiz.question_id]: quiz.answer_ids[0] ?? '', [quiz.open_id]: 'lea@exemple.fr' },
      participant_uuid: randomUUID(),
      consent_version: 1,
    }
    await app.client.publicQuiz.submit({ id: quiz.id, body })
    await app.client.publicQuiz.submit({ id: quiz.id, body })
    assert.equal((await deliveriesOf(quiz)).length, 1)
    await client.participants.remove({ id: quiz.id, participantId: body.participant_uuid })
    assert.deepEqual(await deliveriesOf(quiz), [])
    assert.deepEqual(await findDifferences(app.pool, quiz.id), [])
    await submit(quiz, 1)
    await client.quizzes.remove({ id: quiz.id, permanently: '1' })
    for (const table of ['deliveries', 'delivery_counts', 'consent_texts'] as const)
      assert.deepEqual(
        await db.selectFrom(table).selectAll().where('quiz_id', '=', quiz.id).execute(),
        [],
      )
  })
})

test('the statistics count who was asked and who agreed', async () => {
  const quiz = await forwardingQuiz()
  await askedBy(quiz)
  for (const given of [1, 1, 0, undefined]) await submit(quiz, given)
  const { figures } = await client.statistics.responses({ id: quiz.id, figures: '1' })
  assert.deepEqual(figures?.consent, { nb_asked: 3, nb_agreed: 2 })
  const filtered = await client.statistics.responses({
    id: quiz.id,
    figures: '1',
    from: '2026-01-01',
  })
  assert.deepEqual(filtered.figures?.consent, { nb_asked: 3, nb_agreed: 2 })
  const other = await publishedScoreQuiz(client)
  const none = await client.statistics.responses({ id: other.id, figures: '1' })
  assert.equal(none.figures?.consent, null)
})
