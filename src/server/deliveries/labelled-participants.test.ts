import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { testEveryFakeVariant } from '#server/testing/app/fake-variant-tests.ts'
import { createOutboxApp } from '#server/testing/app/outbox-app.ts'
import {
  ANSWER_LABEL,
  createLabelledQuizzes,
  RESULT_LABEL,
} from '#server/testing/quizzes/labelled-quizzes.ts'

// Runs in test:all, because it repeats its rule with each fault of each tool.

const app = await createOutboxApp()
after(() => app.close())
const { fakes, submitParticipant, finishDeliveries } = app
const { createLabelledQuiz, readLabels } = createLabelledQuizzes(app)

testEveryFakeVariant(app, ({ systemio, brevo }) => {
  test('the panel of a participant lists assigned and refused tags and lists', async () => {
    const creator = await app.connectCreator()
    const quiz = await createLabelledQuiz(creator)
    const { participant_uuid } = await submitParticipant(quiz, 'lea@exemple.fr', 0)
    await finishDeliveries(2_000)
    const at = { id: quiz.id, participantId: participant_uuid }
    const { participant } = await creator.client.participants.explain(at)
    const takesMore = {
      convertkit: true,
      systemio: systemio.max_tags > 0,
      brevo: brevo.max_lists > 0,
    }
    assert.equal(participant.deliveries.length, 3)
    for (const { provider, labels, reason } of participant.deliveries) {
      assert.ok(provider in takesMore)
      const hasLabels = takesMore[provider as keyof typeof takesMore]
      assert.deepEqual(labels.toSorted(), hasLabels ? [ANSWER_LABEL, RESULT_LABEL] : [], provider)
      assert.equal(reason === null, hasLabels, `${reason}`)
    }
  })

  test('a participant of an earlier version gets the label of a result that was deleted later', async () => {
    const creator = await app.connectCreator()
    const quiz = await createLabelledQuiz(creator, ['convertkit'])
    fakes.convertkit.fail({ mode: 'before', status: 503 })
    await submitParticipant(quiz, 'tot@exemple.fr', 0)
    await app.worker.drain()
    await creator.client.results.remove({ id: quiz.id, resultId: quiz.result_ids[0] ?? '' })
    await finishDeliveries(20_000)
    const both = [ANSWER_LABEL, RESULT_LABEL]
    assert.deepEqual(readLabels(creator, 'convertkit'), { 'tot@exemple.fr': both })
  })

  test('a tag deleted at the tool is created again with the next participant', async () => {
    const creator = await app.connectCreator()
    const quiz = await createLabelledQuiz(creator, ['convertkit', 'systemio'])
    await submitParticipant(quiz, 'a@exemple.fr', 0)
    await finishDeliveries(2_000)
    fakes.convertkit.accountOf(creator.account).tags.clear()
    fakes.systemio.accountOf(creator.account).tags.clear()
    await submitParticipant(quiz, 'b@exemple.fr', 0)
    await finishDeliveries(2_000)
    const both = [ANSWER_LABEL, RESULT_LABEL]
    assert.deepEqual(readLabels(creator, 'convertkit')['b@exemple.fr'], both)
    const expected = systemio.max_tags > 0 ? both : []
    assert.deepEqual(readLabels(creator, 'systemio')['b@exemple.fr'], expected)
  })

  test('a late result replaced by a newer result assigns no labels', async () => {
    const creator = await app.connectCreator()
    const quiz = await createLabelledQuiz(creator, ['convertkit'])
    fakes.convertkit.fail({ mode: 'before', status: 503 })
    await submitParticipant(quiz, 'lea@exemple.fr', 0)
    await app.worker.drain()
    await submitParticipant(quiz, 'lea@exemple.fr', 1)
    await finishDeliveries(20_000)
    assert.deepEqual(readLabels(creator, 'convertkit'), { 'lea@exemple.fr': [] })
  })
})

test
