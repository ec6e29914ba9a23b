import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import type { SnapshotAnswer, SnapshotQuestion } from '#domain/questionnaire/snapshot.ts'
import { dimensionScores } from '#domain/run/dimensions.ts'
import {
  enumerableDimensions,
  listRuns,
  randomLikelihoods,
} from '#domain/testing/enumerable-quizzes.ts'
import { computeDimensionOdds, type DimensionOdds, findImpossibleTiers } from './dimension-odds.ts'

type Quiz = Parameters<typeof computeDimensionOdds>[0]
type Shares = { percents: Map<number, number>; tiers: Map<string | null, number>; hidden: number }

/** Adds up the probabilities of listed runs with the rules that score them. */
const countRunByRun = (quiz: Quiz, runs: ReturnType<typeof listRuns>, id: string): Shares => {
  const shares: Shares = { percents: new Map(), tiers: new Map(), hidden: 0 }
  const add = <K>(to: Map<K, number>, key: K, share: number) =>
    to.set(key, (to.get(key) ?? 0) + share)
  for (const { replies, share } of runs ?? []) {
    const score = dimensionScores(quiz, replies).find(({ dimension_id }) => dimension_id === id)
    if (share === 0) continue
    if (!score) shares.hidden += share
    else {
      add(shares.percents, score.percent, share)
      add(shares.tiers, score.tier_id, share)
    }
  }
  return shares
}

const assertNear = (actual: number | undefined, expected: number, tolerance = 1e-12): void =>
  assert.ok(Math.abs((actual ?? 0) - expected) < tolerance, `${actual}, not ${expected}`)

const assertShares = (
  odds: DimensionOdds,
  { percents, tiers, hidden }: Shares,
  tolerance?: number,
): void => {
  for (const { percent, probability } of odds.percents)
    assertNear(percents.get(percent), probability, tolerance)
  for (const [percent, share] of percents)
    assertNear(
      odds.percents.find((candidate) => candidate.percent === percent)?.probability,
      share,
      tolerance,
    )
  for (const { id, probability } of odds.tiers) assertNear(tiers.get(id), probability, tolerance)
  assertNear(odds.no_tier_probability, tiers.get(null) ?? 0, tolerance)
  assertNear(odds.hidden_probability, hidden, tolerance)
}

describe('the odds of dimensions', () => {
  test('are equal to a count run by run on 500 random quizzes with jumps and blanks', () => {
    let [nb_quizzes, nb_hidden, nb_impossible] = [0, 0, 0]
    fc.assert(
      fc.property(enumerableDimensions, randomLikelihoods, fc.boolean(), (quiz, given, isEqual) => {
        const likelihoods = isEqual ? new Map() : given
        const runs = listRuns(quiz, likelihoods)
        fc.pre(runs !== null)
        nb_quizzes++
        const all = computeDimensionOdds(quiz, likelihoods)
        assert.deepEqual(
          all.map(({ id }) => id),
          quiz.dimensions.map(({ id }) => id),
        )
        for (const odds of all) {
          const shares = countRunByRun(quiz, runs, odds.id)
          assert.ok(odds.is_exact)
          assertShares(odds, shares)
          const sum = odds.percents.reduce((total, percent) => total + percent.probability, 0)
          assertNear(sum + odds.hidden_probability, 1)
          if (shares.hidden > 0 && shares.hidden < 1) nb_hidden++
          if (!isEqual) continue
          const impossible = findImpossibleTiers([odds]).map(({ tier_id }) => tier_id)
          const never = odds.tiers.filter(({ id }) => !shares.tiers.has(id)).map(({ id }) => id)
          assert.deepEqual(impossible, never)
          nb_impossible += never.length
        }
      }),
      { numRuns: 500, seed: 40 },
    )
    assert.equal(nb_quizzes, 500)
    assert.ok(Math.min(nb_hidden, nb_impossible) > 20, `${nb_hidden} ${nb_impossible}`)
  })

  test('are estimated within the margin if a quiz is too large to enumerate', () => {
    const limits = { max_states: 0, max_operations: 0, nb_simulated_runs: 20_000 }
    fc.assert(
      fc.property(enumerableDimensions, fc.constantFrom(0, 2_000), (quiz, max_listed_choices) => {
        const exact = computeDimensionOdds(quiz)
        const simulated = computeDimensionOdds(quiz, new Map(), { ...limits, max_listed_choices })
        for (const [rank, odds] of simulated.entries()) {
          const expected = exact[rank] as DimensionOdds
          assert.ok(!odds.is_exact && odds.margin > 0)
          assertNear(odds.hidden_probability, expected.hidden_probability, 0.02)
          for (const [at, { probability }] of odds.tiers.entries())
            assertNear(expected.tiers[at]?.probability, probability, 0.02)
        }
      }),
      { numRuns: 30, seed: 3 },
    )
  })
})

const answer = (id: string, score: number, more: Partial<SnapshotAnswer> = {}): SnapshotAnswer => ({
  id,
  text: id,
  score,
  position: 0,
  associations: [],
  ...more,
})
const question = (
  id: string,
  scores: number[],
  more: Partial<SnapshotQuestion> = {},
): SnapshotQuestion => ({
  id,
  text: id,
  type: 'multiple_choice',
  position: 0,
  global_position: 0,
  page_number: 1,
  answers: scores.map((score, rank) => answer(`${id}${rank}`, score)),
  dimension_id: 'd',
  ...more,
})
const tier = (title: string, from_percent: number, to_percent: number) => ({
  id: title,
  title,
  from_percent,
  to_percent,
  text: null,
})
const impossibleOf = (questions: SnapshotQuestion[], ...tiers: ReturnType<typeof tier>[]) =>
  findImpossibleTiers(
    computeDimensionOdds({
      questions,
      dimensions: [{ id: 'd', name: 'Santé', description: null, tiers }],
    }),
  ).map(({ title, why }) => ({ title, ...why }))

describe('a tier that no run gives has a proof', () => {
  test('between two possible percentages', () => {
    assert.deepEqual(
      impossibleOf(
        [question('q', [0, 1, 4])],
        tier('A', 0, 25),
        tier('B', 26, 99),
        tier('C', 100, 100),
      ),
      [{ title: 'B', kind: 'between', from: 26, to: 99, below: 25, above: 100 }],
    )
  })
  test('within an earlier tier, or without any percentage', () => {
    assert.deepEqual(
      impossibleOf([question('q', [0, 1])], tier('A', 0, 100), tier('B', 50, 100), tier('C', 9, 1)),
      [
        { title: 'B', kind: 'covered', by: ['A'] },
        { title: 'C', kind: 'empty', from: 9, to: 1 },
      ],
    )
  })
  test('of a dimension that every path skips', () => {
    const first = question('p', [], {
      answers: [answer('end', 0, { jump_to: 3 })],
      dimension_id: null,
    })
    assert.deepEqual(
      impossibleOf([first, question('q', [0, 1], { page_number: 2 })], tier('A', 0, 100)),
      [{ title: 'A', kind: 'hidden' }],
    )
  })
})

const LARGE: { name: string; max_choices?: null; jumpOf: (at: number, rank: number) => number }[] =
  [
    { name: 'some jumps', jumpOf: (at, rank) => (at % 10 === 5 && rank === 0 ? 3 : 0) },
    { name: 'a jump on every question', jumpOf: (at, rank) => (rank === 0 ? 2 + (at % 7) : 0) },
    {
      name: 'a jump on every answer, any number of answers',
      max_choices: null,
      jumpOf: (at, rank) => 1 + ((at * 7 + rank * 5) % 12),
    },
  ]

for (const { name, max_choices, jumpOf } of LARGE)
  test(`30 questions in 8 dimensions are computed exactly in less than 150 ms of processor time: ${name}`, () => {
    const questions = Array.from({ length: 30 }, (_, at) => {
      const scores = [0, 1, 2, 3, 5, 7, 11, 12]
      const { answers, ...one } = question(`q${at}`, scores, {
        dimension_id: `d${at % 8}`,
        page_number: at + 1,
        position: at,
        ...(at % 3 === 1 && { max_choices: 3 }),
        ...(max_choices === null && { max_choices }),
        ...(at % 3 === 2 && { is_required: false }),
      })
      const jumping = answers.map((of, rank) => {
        const distance = jumpOf(at, rank)
        return distance > 0 ? { ...of, jump_to: at + 1 + distance } : of
      })
      return { ...one, answers: jumping }
    })
    const dimensions = Array.from({ length: 8 }, (_, at) => ({
      id: `d${at}`,
      name: `D${at}`,
      description: null,
      tiers: [tier('A', 0, 33), tier('B', 34, 66), tier('C', 67, 100)],
    }))
    // Processor time, because other programs lengthen the elapsed time.
    const measure = (): number => {
      const before = process.cpuUsage()
      const odds = computeDimensionOdds({ questions, dimensions })
      const { user, system } = process.cpuUsage(before)
      assert.ok(odds.every(({ is_exact }) => is_exact))
      return (user + system) / 1_000
    }
    const fastest = Math.min(...Array.from({ length: 5 }, measure))
    assert.ok(fastest < 150, `${fastest} ms`)
  })
