import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { createTestApp } from '#server/testing/app/test-app.ts'
import { refusalOf } from '#server/testing/network/bodies/refusals.ts'
import {
  publishDimensionQuiz,
  replaceDimensions,
  takeDimensionQuiz,
} from '#server/testing/quizzes/dimension-quiz.ts'
import {
  publishedScoreQuiz,
  publishSample,
  readyScoreQuiz,
  readySondage,
  type SampleQuiz,
} from '#server/testing/quizzes/sample-quizzes.ts'

const app = await createTestApp()
after(() => app.close())
const { client } = await app.signUp()

/** Submits visitors one after the other with the answers of these ranks. */
const take = async ({ id, question_id, answer_ids, open_id }: SampleQuiz, ranks: number[]) => {
  const { snapshot } = await app.client.publicQuiz.snapshot({ id })
  const asked = new Set(snapshot.questions.map((question) => question.id))
  for (const rank of ranks) {
    const given = { [question_id]: answer_ids[rank] ?? '', [open_id]: 'a@exemple.fr' }
    const answers = Object.fromEntries(Object.entries(given).filter(([key]) => asked.has(key)))
    await app.client.publicQuiz.submit({ id, body: { answers } })
  }
}

describe('the replay of a draft', () => {
  test('the replay of a draft without changes changes no result', async () => {
    const quiz = await publishedScoreQuiz(client)
    await take(quiz, [0, 1, 1])
    assert.deepEqual(await client.replay.get({ id: quiz.id }), {
      nb_participants: 3,
      nb_replayed: 3,
      nb_lost_replies: 0,
      nb_losing: 0,
      dimensions: [],
      results: { nb_changed: 0, moves: [] },
    })
  })

  test('the replay of a draft returns the changed results and the lost replies, and stores nothing', async () => {
    const quiz = await publishedScoreQuiz(client)
    const { id, answer_ids, result_ids, question_id, open_id } = quiz
    const [low = '', high = ''] = result_ids
    await take(quiz, [0, 1, 1])
    // Submits a visitor to the second version, whose first result has another name.
    await client.results.update({ resultId: low, body: { name: 'Tout doux' } })
    await client.quizzes.publish({ id })
    await take(quiz, [0])
    const before = await client.statistics.responses({ id })
    await client.questions.removeAnswer({ id: question_id, answerId: answer_ids[1] ?? '' })
    await client.questions.remove({ id: open_id })
    await client.results.remove({ id, resultId: low })
    assert.deepEqual(await client.replay.get({ id }), {
      nb_participants: 4,
      nb_replayed: 4,
      nb_lost_replies: 6,
      nb_losing: 4,
      dimensions: [],
      results: {
        nb_changed: 2,
        moves: [
          { from: { id: low, name: 'Tout doux' }, to: { id: high, name: 'Grand saut' }, count: 2 },
        ],
      },
    })
    assert.deepEqual(await client.statistics.responses({ id }), before)
    assert.equal((await client.quizzes.hasChanges({ id })).has_unpublished_changes, true)
  })

  test('the replay of a draft returns the changed tiers, with new and deleted dimensions apart', async () => {
    const quiz = await publishDimensionQuiz(client)
    for (const way of ['past', 'past', 'out', 'on'] as const)
      await takeDimensionQuiz(app.client, quiz, { version: 1, way, several: ['c'], scale: 2 })
    const { id, health, money, weak, strong } = quiz
    const time = await replaceDimensions(client, quiz)
    const { dimensions, results } = await client.replay.get({ id })
    assert.deepEqual(results, { nb_changed: 0, moves: [] })
    const none = { nb_compared: 0, nb_changed: 0, moves: [], nb_new: 0, nb_deleted: 0 }
    assert.deepEqual(dimensions, [
      {
        ...none,
        id: health,
        name: 'Santé',
        nb_compared: 4,
        nb_changed: 2,
        moves: [
          {
            from: { kind: 'tier', id: strong, title: 'Forte' },
            to: { kind: 'tier', id: weak, title: 'À revoir' },
            count: 2,
          },
        ],
      },
      { ...none, id: time, name: 'Temps', nb_new: 3 },
      { ...none, id: money, name: 'Argent', nb_deleted: 3 },
    ])
  })

  test('the replay of a survey returns only the lost replies', async () => {
    const quiz = await publishSample(client, readySondage(client))
    await take(quiz, [0, 1])
    await client.questions.remove({ id: quiz.open_id })
    assert.deepEqual(await client.replay.get({ id: quiz.id }), {
      nb_participants: 2,
      nb_replayed: 2,
      nb_lost_replies: 2,
      nb_losing: 2,
      results: null,
      dimensions: [],
    })
  })

  test('the replay of a quiz without participants changes no result', async () => {
    const { id } = await publishedScoreQuiz(client)
    assert.equal((await client.replay.get({ id })).nb_replayed, 0)
  })

  test('the replay of a foreign or unpublished quiz is a 404', async () => {
    const { client: stranger } = await app.signUp()
    const { id } = await publishedScoreQuiz(client)
    const fresh = await readyScoreQuiz(client)
    const foreign = await refusalOf(stranger.replay.get({ id }))
    assert.deepEqual([foreign.status, foreign.message], [404, 'Quiz introuvable'])
    const never = await refusalOf(client.replay.get({ id: fresh.id }))
    assert.equal(never.status, 404)
    assert.match(never.message, /n’a jamais été publié/)
  })
})
