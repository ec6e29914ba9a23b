import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { createTestApp } from '#server/testing/app/test-app.ts'
import {
  type DimensionQuiz,
  type DimensionRun,
  publishDimensionQuiz,
  takeDimensionQuiz,
} from '#server/testing/quizzes/dimension-quiz.ts'
import { findDifferences } from './counters/verify-counters.store.ts'

const app = await createTestApp()
after(() => app.close())
const { client } = await app.signUp()

/** Run on the short path, which asks for « Santé » and for the optional scale of « Argent ». */
const BLANK: Omit<DimensionRun, 'version'> = { way: 'past', several: [], scale: 0 }
const LOWEST = { ...BLANK, scale: 1 }

/** Publishes the quiz as a release did whose versions had no rule. */
const publishOlderVersion = async (): Promise<DimensionQuiz> => {
  const quiz = await publishDimensionQuiz(client)
  await app.pool.query(
    `update quiz_versions set snapshot = snapshot - 'dimension_rule' where quiz_id = $1`,
    [quiz.id],
  )
  return quiz
}

const percentsOf = async (
  quiz: DimensionQuiz,
  run: DimensionRun,
): Promise<(number | null)[] | null> => {
  const participant_uuid = await takeDimensionQuiz(app.client, quiz, run)
  const { dimension_percents } = await app.db
    .selectFrom('responses')
    .select('dimension_percents')
    .where('quiz_id', '=', quiz.id)
    .where('participant_uuid', '=', participant_uuid)
    .executeTakeFirstOrThrow()
  return dimension_percents
}

describe('the rule of percentages', () => {
  test('a dimension without an answered question has no percent, tier, mean or histogram', async () => {
    const quiz = await publishDimensionQuiz(client)
    assert.deepEqual(await percentsOf(quiz, { ...BLANK, version: 1 }), [50, null])
    assert.deepEqual(await percentsOf(quiz, { ...LOWEST, version: 1 }), [50, 0])
    const { figures, details } = await client.statistics.responses({ id: quiz.id, figures: '1' })
    const money = figures?.dimensions.find(({ id }) => id === quiz.money)
    assert.equal(money?.nb_participants, 1)
    assert.equal(money?.mean, 0)
    const shown = details.map(({ dimensions }) => dimensions.map(({ name }) => name))
    assert.deepEqual(shown, [['Santé', 'Argent'], ['Santé']])
    const { details: poor } = await client.statistics.responses({ id: quiz.id, tier: quiz.poor })
    assert.equal(poor.length, 1)
    assert.deepEqual(await findDifferences(app.pool, quiz.id), [])
  })

  test('a version of an older rule keeps its figures, and publishing again takes the new rule', async () => {
    const quiz = await publishOlderVersion()
    assert.deepEqual(await percentsOf(quiz, { ...BLANK, version: 1 }), [50, 0])
    assert.deepEqual(await percentsOf(quiz, { ...LOWEST, version: 1 }), [50, 20])

    const { has_unpublished_changes } = await client.quizzes.hasChanges({ id: quiz.id })
    assert.equal(has_unpublished_changes, true)
    await client.quizzes.publish({ id: quiz.id })
    const [newest] = (await client.versions.list({ id: quiz.id })).versions
    assert.equal(newest?.version, 2)
    assert.deepEqual(newest?.changes?.parts, ['dimension_rule'])

    assert.deepEqual(await percentsOf(quiz, { ...BLANK, version: 2 }), [50, null])
    assert.deepEqual(await percentsOf(quiz, { ...LOWEST, version: 2 }), [50, 0])
    // A visitor who began before the publication sees and stores the figures of the older rule.
    assert.deepEqual(await percentsOf(quiz, { ...BLANK, version: 1 }), [50, 0])
    assert.deepEqual(await findDifferences(app.pool, quiz.id), [])
  })
})

test('a quiz whose only points are scales of dimensions is a quiz by score, and shows its dimensions', async () => {
  const { quiz } = await client.quizzes.create({ body: { name: 'Ma roue', type: 'quiz' } })
  const { id } = quiz
  const question = { text: 'Votre sommeil ?', type: 'scale' } as const
  await client.questions.saveDraft({ id, body: { questions: [question] } })
  await client.results.saveAll({ id, body: { results: [{ name: 'Ma roue' }, { name: 'Autre' }] } })
  const draft = await client.drafts.get({ id })
  const [scale] = draft.questions
  assert.ok(scale)
  const dimension_id = crypto.randomUUID()
  await client.drafts.save({
    id,
    body: {
      based_on: draft.revision,
      dimensions: [{ id: dimension_id, name: 'Santé', description: null, tiers: [] }],
      questions: [{ id: scale.id, dimension_id }],
    },
  })
  const { quiz_mode, revision } = await client.drafts.get({ id })
  assert.equal(quiz_mode, 'score')
  const [first, second] = (await client.drafts.get({ id })).results
  assert.ok(first && second)
  await client.drafts.save({
    id,
    body: {
      based_on: revision,
      results: [
        { id: first.id, min_score: 0, max_score: 0 },
        { id: second.id, min_score: 1, max_score: 9 },
      ],
    },
  })
  await client.quizzes.publish({ id })
  const { participant_uuid, result } = await app.client.publicQuiz.submit({
    id,
    body: { answers: { [scale.id]: '4' } },
  })
  assert.equal(result?.name, 'Ma roue')
  const { details } = await client.statistics.responses({ id })
  const taken = details.find((detail) => detail.participant_uuid === participant_uuid)
  assert.deepEqual(
    taken?.dimensions.map(({ name, percent }) => [name, percent]),
    [['Santé', 40]],
  )
})
