import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { DEFAULT_CONSENT_TEXTS } from '#domain/questionnaire/consent/consent.ts'
import { createOutboxApp } from '#server/testing/app/outbox-app.ts'
import { setForwarding } from '#server/testing/app/store-connections.ts'
import { refuses } from '#server/testing/network/bodies/refusals.ts'
import { publishPathQuiz } from '#server/testing/quizzes/path-quiz.ts'
import { publishedScoreQuiz } from '#server/testing/quizzes/sample-quizzes.ts'

const app = await createOutboxApp()
after(() => app.close())
const { db, submitParticipant, finishDeliveries } = app
const creator = await app.connectCreator()
const { client } = creator

/** Returns one participant as the creator reads it. */
const detailOf = async (id: string, participantId: string) =>
  (await client.participants.explain({ id, participantId })).participant

describe('a participant in detail', () => {
  test('the detail of a participant has the path taken, with skipped pages but without their questions', async () => {
    const quiz = await publishPathQuiz(client)
    const answers = { [quiz.way]: quiz.past, [quiz.scale]: '' }
    const { participant_uuid } = await app.client.publicQuiz.submit({
      id: quiz.id,
      body: { answers },
    })
    const { path, answers: given, score } = await detailOf(quiz.id, participant_uuid)
    assert.deepEqual(path, [
      {
        page_number: 1,
        is_left_out: false,
        answers: [{ question_text: 'Par où ?', answer_text: 'Court', choices: ['Court'] }],
      },
      { page_number: 2, is_left_out: true, answers: [] },
      {
        page_number: 3,
        is_left_out: false,
        answers: [{ question_text: 'Combien ?', answer_text: '', choices: [] }],
      },
    ])
    assert.deepEqual(
      given,
      path.flatMap((page) => page.answers),
    )
    assert.equal(score, 2)
  })

  test('the detail of a participant has the text of the consent and the deliveries to each tool', async () => {
    const quiz = await publishedScoreQuiz(client)
    const { id } = quiz
    await client.quizzes.update({ id, body: { consent_mode: 'box' } })
    await submitParticipant(quiz, 'avant@exemple.fr')
    await setForwarding(db, id, 'brevo')
    while (
      (await app.client.publicQuiz.snapshot({ id })).snapshot.questions[1]?.consent === undefined
    );
    await submitParticipant(quiz, 'non@exemple.fr', 0, 0)
    await submitParticipant(quiz, 'refus@sans-courrier.test', 1, 1)
    await submitParticipant(quiz, 'oui@exemple.fr', 1, 1)
    await finishDeliveries()
    const { details } = await client.statistics.responses({ id, outcomes: '1' })
    assert.deepEqual(
      details
        .map(({ email, score, deliveries = [] }) => [
          ...[email, score],
          deliveries.map(({ provider, status }) => ({ provider, status })),
        ])
        .toReversed(),
      [
        ['avant@exemple.fr', 1, []],
        ['non@exemple.fr', 1, [{ provider: 'brevo', status: 'no_consent' }]],
        ['refus@sans-courrier.test', 5, [{ provider: 'brevo', status: 'refused' }]],
        ['oui@exemple.fr', 5, [{ provider: 'brevo', status: 'delivered' }]],
      ],
    )
    const read = details.map(({ participant_uuid }) => detailOf(id, participant_uuid))
    const [agreed, refused, declined, unasked] = await Promise.all(read)
    assert.deepEqual([unasked?.consent, unasked?.deliveries], [null, []])
    assert.deepEqual(declined?.consent, { is_given: false, withdrawn_at: null, wording: null })
    assert.equal(declined.deliveries[0]?.reason, 'La case n’a pas été cochée.')
    assert.equal(declined.deliveries[0].last_attempt_at, null)
    assert.equal(agreed?.consent?.is_given, true)
    const { wording } = agreed.consent
    assert.deepEqual([wording?.version, wording?.text], [1, DEFAULT_CONSENT_TEXTS.quiz])
    assert.ok(Date.parse(wording?.created_at ?? '') <= Date.now())
    assert.equal(agreed.deliveries[0]?.attempts, 1)
    assert.ok(agreed.deliveries[0].last_attempt_at)
    assert.ok(agreed.deliveries[0].settled_at)
    assert.equal(
      refused?.deliveries[0]?.reason,
      'L’adresse n’existe pas ou ne peut pas recevoir d’emails.',
    )
  })

  test('the detail of a participant is a 404 for other creators and through other quizzes', async () => {
    const quiz = await publishedScoreQuiz(client)
    const other = await publishedScoreQuiz(client)
    await submitParticipant(quiz, 'ada@exemple.fr')
    const { details } = await client.statistics.responses({ id: quiz.id })
    const participantId = details[0]?.participant_uuid ?? ''
    const { client: stranger } = await app.signUp()
    const asked = { id: quiz.id, participantId }
    await refuses(stranger.participants.explain(asked), 404, 'not_found')
    await refuses(client.participants.explain({ ...asked, id: other.id }), 404, 'not_found')
    await client.participants.remove(asked)
    await refuses(client.participants.explain(asked), 404, 'not_found')
  })
})
