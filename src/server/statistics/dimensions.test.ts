import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { createTestApp } from '#server/testing/app/test-app.ts'
import { refuses } from '#server/testing/network/bodies/refusals.ts'
import {
  publishDimensionQuiz,
  publishMovedDimensions,
  takeDimensionQuiz,
} from '#server/testing/quizzes/dimension-quiz.ts'
import { findDifferences } from './counters/verify-counters.store.ts'

const app = await createTestApp()
after(() => app.close())
const { client } = await app.signUp()

describe('dimensions of participants', () => {
  test('a participant keeps the percents in the order of the version, and the batch may be mixed', async () => {
    const quiz = await publishDimensionQuiz(client)
    await publishMovedDimensions(client, quiz)
    const run = { way: 'past' as const, several: [], scale: 2 }
    const [first, second, third] = await Promise.all([
      takeDimensionQuiz(app.client, quiz, { ...run, version: 1 }),
      takeDimensionQuiz(app.client, quiz, { ...run, version: 2 }),
      takeDimensionQuiz(app.client, quiz, { ...run, version: 2, way: 'out' }),
    ])
    const stored = await app.db
      .selectFrom('responses')
      .select(['participant_uuid', 'dimension_percents'])
      .where('quiz_id', '=', quiz.id)
      .execute()
    const percents = new Map(
      stored.map((participant) => [participant.participant_uuid, participant.dimension_percents]),
    )
    assert.deepEqual(percents.get(first), [50, 25])
    assert.deepEqual(percents.get(second), [25, 50])
    assert.deepEqual(percents.get(third), [null, 100])
  })

  test('a reworded tier is filtered as a whole or by one title, and an unknown tier is refused', async () => {
    const quiz = await publishDimensionQuiz(client)
    await publishMovedDimensions(client, quiz)
    const run = { way: 'on' as const, several: [], scale: 0 }
    for (const version of [1, 2, 2] as const)
      await takeDimensionQuiz(app.client, quiz, { ...run, version })
    const { figures } = await client.statistics.responses({ id: quiz.id, figures: '1' })
    const choices = figures?.choices.dimensions
    assert.deepEqual(
      choices?.map(({ name, tiers }) => [name, tiers.map(({ text }) => text)]),
      [
        ['Argent', ['Fragile', 'Solide']],
        ['Forme', ['À revoir (tous les libellés)', 'Forte', 'À revoir', 'Faible']],
      ],
    )
    const nbOf = async (tier: string) =>
      (await client.statistics.responses({ id: quiz.id, tier })).details.length
    assert.equal(await nbOf(quiz.weak), 3)
    assert.equal(await nbOf(`${quiz.weak}@1`), 1)
    assert.equal(await nbOf(`${quiz.weak}@2`), 2)
    assert.equal(await nbOf(`${quiz.weak},${quiz.strong}`), 3)
    await refuses(nbOf(quiz.health), 422, 'invalid')
    await refuses(nbOf('x'), 422, 'invalid')
  })

  test('a tier and a dimension whose participants were all deleted match nobody', async () => {
    const quiz = await publishDimensionQuiz(client)
    const run = { version: 1 as const, way: 'past' as const, several: [], scale: 5 }
    const participantId = await takeDimensionQuiz(app.client, quiz, run)
    await client.participants.remove({ id: quiz.id, participantId })
    const { details } = await client.statistics.responses({ id: quiz.id, tier: quiz.rich })
    assert.deepEqual(details, [])
    const sides = { id: quiz.id, rows: quiz.money, columns: 'result' }
    assert.equal((await client.statistics.crosstab(sides)).table?.nb_participants, 0)
    assert.deepEqual(await findDifferences(app.pool, quiz.id), [])
  })
})
