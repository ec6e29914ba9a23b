import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import fc from 'fast-check'
import { createTestApp } from '#server/testing/app/test-app.ts'
import { refuses } from '#server/testing/network/bodies/refusals.ts'
import {
  type DimensionQuiz,
  type DimensionRun,
  percentsOfRun,
  publishDimensionQuiz,
  publishMovedDimensions,
  takeDimensionQuiz,
} from '#server/testing/quizzes/dimension-quiz.ts'
import { findDifferences } from './counters/verify-counters.store.ts'

const app = await createTestApp()
after(() => app.close())
const { client } = await app.signUp()

const randomRun = fc.record({
  version: fc.constantFrom(1 as const, 2 as const),
  way: fc.constantFrom('on' as const, 'past' as const, 'out' as const),
  several: fc.uniqueArray(fc.constantFrom('a' as const, 'b' as const, 'c' as const), {
    maxLength: 2,
  }),
  scale: fc.nat(5),
  isRemoved: fc.boolean(),
})

/** Participant with the expected percents and titles of the tiers. */
type Expected = DimensionRun & {
  participant_uuid: string
  health: number
  money: number | null
  health_tier: string
  money_tier: string | null
}

const expectedOf = (run: DimensionRun, participant_uuid: string): Expected => {
  const { health, money } = percentsOfRun(run)
  const weak = run.version === 1 ? health < 50 && 'Faible' : health < 70 && 'À revoir'
  const money_tier = (money ?? 0) <= 60 ? 'Fragile' : 'Solide'
  return {
    ...run,
    participant_uuid,
    health,
    money,
    health_tier: weak || 'Forte',
    money_tier: money === null ? null : money_tier,
  }
}

const play = async (runs: (DimensionRun & { isRemoved: boolean })[]) => {
  const quiz = await publishDimensionQuiz(client)
  await publishMovedDimensions(client, quiz)
  const left: Expected[] = []
  for (const { isRemoved, ...run } of runs) {
    const participantId = await takeDimensionQuiz(app.client, quiz, run)
    if (isRemoved) await client.participants.remove({ id: quiz.id, participantId })
    else left.push(expectedOf(run, participantId))
  }
  return { quiz, left }
}

const countBy = (values: readonly (string | null)[]): Record<string, number> =>
  Object.fromEntries(
    [...Map.groupBy(values, (value) => value)].flatMap(([value, all]) =>
      value === null ? [] : [[value, all.length]],
    ),
  )

/** Asserts that the figures of the participants under these filters equal a recount. */
const checkFigures = async (quiz: DimensionQuiz, left: readonly Expected[], tier?: string) => {
  const { figures, details } = await client.statistics.responses({
    ...{ id: quiz.id, figures: '1', limit: 500 },
    ...(tier !== undefined && { tier }),
  })
  assert.deepEqual(
    details.map(({ participant_uuid }) => participant_uuid).sort(),
    left.map(({ participant_uuid }) => participant_uuid).sort(),
  )
  for (const [id, percents, tiers] of [
    [quiz.health, left.map(({ health }) => health), left.map((one) => one.health_tier)],
    [quiz.money, left.map(({ money }) => money), left.map((one) => one.money_tier)],
  ] as const) {
    const shown = percents.flatMap((percent) => percent ?? [])
    const figure = figures?.dimensions.find((one) => one.id === id)
    if (shown.length === 0) {
      assert.equal(figure, undefined)
      continue
    }
    assert.ok(figure)
    const mean = shown.reduce((sum, percent) => sum + percent, 0) / shown.length
    const squares = shown.reduce((sum, percent) => sum + percent * percent, 0) / shown.length
    assert.equal(figure.nb_participants, shown.length)
    assert.ok(Math.abs(figure.mean - mean) < 1e-9)
    assert.ok(Math.abs(figure.deviation ** 2 - (squares - mean * mean)) < 1e-6)
    const bars = Array.from(
      { length: 10 },
      (_, bar) =>
        shown.filter((percent) => percent >= bar * 10 && (percent < bar * 10 + 10 || bar === 9))
          .length,
    )
    assert.deepEqual(figure.histogram, bars)
    const counted = figure.tiers.filter(({ count }) => count > 0)
    assert.deepEqual(
      Object.fromEntries(counted.map(({ title, count }) => [title, count])),
      countBy(tiers),
    )
    const shares = figure.tiers.reduce((sum, { percentage }) => sum + percentage, 0)
    assert.ok(Math.abs(shares - 100) < 1e-9)
  }
  return figures
}

/** Asserts that the table of the tiers of both dimensions equals a recount. */
const checkTable = async (quiz: DimensionQuiz, left: readonly Expected[]) => {
  const { table } = await client.statistics.crosstab({
    ...{ id: quiz.id, rows: quiz.health, columns: quiz.money },
  })
  assert.ok(table)
  const both = left.filter(({ money }) => money !== null)
  assert.equal(table.nb_participants, both.length)
  const isStrong = (one: Expected): boolean => one.health_tier === 'Forte'
  for (const [row, { id }] of table.rows.items.entries())
    for (const [column, { text }] of table.columns.items.entries())
      assert.equal(
        table.cells[row]?.[column],
        both.filter((one) => isStrong(one) === (id === quiz.strong) && one.money_tier === text)
          .length,
      )
}

describe('dimensions of participants', () => {
  test('for random participants of two versions, figures, filters and tables equal a recount', () =>
    fc.assert(
      fc.asyncProperty(fc.array(randomRun, { maxLength: 14 }), async (runs) => {
        const { quiz, left } = await play(runs)
        const figures = await checkFigures(quiz, left)
        assert.deepEqual(await findDifferences(app.pool, quiz.id), [])
        await checkTable(quiz, left)
        for (const { name, tiers } of figures?.dimensions ?? [])
          for (const { title, filter = '', count } of tiers) {
            const isMeant = ({ health_tier, money_tier }: Expected): boolean =>
              title === (name === 'Argent' ? money_tier : health_tier)
            const found = left.filter(isMeant)
            assert.equal(found.length, count)
            await checkFigures(quiz, found, filter)
          }
        await checkFigures(
          quiz,
          left.filter((one) => one.money_tier === 'Solide' && one.health_tier !== 'Forte'),
          `${quiz.rich},${quiz.weak}`,
        )
      }),
      { numRuns: 12, endOnFailure: true },
    ))

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
    const percents = new Map(stored.map((one) => [one.participant_uuid, one.dimension_percents]))
    assert.deepEqual(percents.get(first), [50, 40])
    assert.deepEqual(percents.get(second), [40, 50])
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
