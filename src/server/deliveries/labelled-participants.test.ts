import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { underEveryPosition } from '#server/testing/app/fake-variant-tests.ts'
import { createOutboxApp } from '#server/testing/app/outbox-app.ts'
import {
  createLabelledQuizzes,
  OF_ANSWER,
  OF_RESULT,
} from '#server/testing/quizzes/labelled-quizzes.ts'

const app = await createOutboxApp()
after(() => app.close())
const { fakes, take, finish } = app
const { ruledQuiz, labelled } = createLabelledQuizzes(app)

underEveryPosition(app, ({ systemio, brevo }) => {
  test('the panel of a participant lists assigned and refused tags and lists', async () => {
    const creator = await app.connect()
    const quiz = await ruledQuiz(creator)
    const { participant_uuid } = await take(quiz, 'lea@exemple.fr', 0)
    await finish(2_000)
    const at = { id: quiz.id, participantId: participant_uuid }
    const { participant } = await creator.client.participants.explain(at)
    const takesMore = {
      convertkit: true,
      systemio: systemio.most_tags > 0,
      brevo: brevo.most_lists > 0,
    }
    assert.equal(participant.deliveries.length, 3)
    for (const { provider, labels, reason } of participant.deliveries) {
      assert.ok(provider in takesMore)
      const hasLabels = takesMore[provider as keyof typeof takesMore]
      assert.deepEqual(labels.toSorted(), hasLabels ? [OF_ANSWER, OF_RESULT] : [], provider)
      assert.equal(reason === null, hasLabels, `${reason}`)
    }
  })

  test('a participant of an earlier version gets the label of a result that was deleted later', async () => {
    const creator = await app.connect()
    const quiz = await ruledQuiz(creator, ['convertkit'])
    fakes.convertkit.fail({ mode: 'before', status: 503 })
    await take(quiz, 'tot@exemple.fr', 0)
    await app.worker.drain()
    await creator.client.results.remove({ id: quiz.id, resultId: quiz.result_ids[0] ?? '' })
    await finish(20_000)
    const both = [OF_ANSWER, OF_RESULT]
    assert.deepEqual(labelled(creator, 'convertkit'), { 'tot@exemple.fr': both })
  })

  test('a tag deleted at the tool is created again with the next participant', async () => {
    const creator = await app.connect()
    const quiz = await ruledQuiz(creator, ['convertkit', 'systemio'])
    await take(quiz, 'a@exemple.fr', 0)
    await finish(2_000)
    fakes.convertkit.accountOf(creator.account).tags.clear()
    fakes.systemio.accountOf(creator.account).tags.clear()
    await take(quiz, 'b@exemple.fr', 0)
    await finish(2_000)
    const both = [OF_ANSWER, OF_RESULT]
    assert.deepEqual(labelled(creator, 'convertkit')['b@exemple.fr'], both)
    const expected = systemio.most_tags > 0 ? both : []
    assert.deepEqual(labelled(creator, 'systemio')['b@exemple.fr'], expected)
  })

  test('a late result replaced by a newer result assigns no labels', async () => {
    const creator = await app.connect()
    const quiz = await ruledQuiz(creator, ['convertkit'])
    fakes.convertkit.fail({ mode: 'before', status: 503 })
    await take(quiz, 'lea@exemple.fr', 0)
    await app.worker.drain()
    await take(quiz, 'lea@exemple.fr', 1)
    await finish(20_000)
    assert.deepEqual(labelled(creator, 'convertkit'), { 'lea@exemple.fr': [] })
  })
})

test
