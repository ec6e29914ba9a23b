import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Replies } from '#domain/questionnaire/quiz.ts'
import type { SnapshotResult } from '#domain/questionnaire/snapshot.ts'
import { visitedQuestions } from '#domain/run/path.ts'
import { chosenAnswers, replyPartsOf } from '#domain/run/replies.ts'
import { replyErrors } from '#domain/run/reply-errors.ts'
import {
  computeResult,
  PUBLIC_RULES,
  profileTotals,
  type Scorable,
  totalScore,
} from '#domain/run/scoring.ts'
import {
  enumerableQuizzes,
  listRuns,
  type Run,
  randomLikelihoods,
} from '#domain/testing/enumerable-quizzes.ts'
import { type GivenLikelihoods, type Odds, oddsOf } from './odds.ts'

/** Returns the results with the highest total, reduced to those that the tie question favours. */
const equalsOf = (counted: Scorable, replies: Replies): SnapshotResult[] => {
  const totals = profileTotals(counted, replies)
  const most = Math.max(...counted.results.map(({ id }) => totals.get(id) ?? -1))
  const equals = counted.results.filter(({ id }) => totals.get(id) === most)
  const { tie_rule, tie_question_id } = counted.quiz
  const settling =
    tie_rule === 'question'
      ? visitedQuestions(counted.questions, replies).filter(({ id }) => id === tie_question_id)
      : []
  const favoured = settling
    .flatMap((question) => chosenAnswers(question, replies))
    .flatMap(({ associations }) => associations.filter(({ is_checked }) => is_checked))
    .map(({ result_id }) => result_id)
  const first = equals.filter(({ id }) => favoured.includes(id))
  return first.length > 0 ? first : equals
}

const tiersOf = (counted: Scorable, total: number): SnapshotResult[] =>
  counted.results.filter(
    ({ min_score, max_score }) => (min_score ?? 0) <= total && total <= (max_score ?? total),
  )

/** Returns the result of a run, and true if another result is tied with it. */
const endOf = (
  counted: Scorable,
  replies: Replies,
): { id: string | undefined; is_tie: boolean } => {
  const matching =
    counted.quiz_mode === 'score'
      ? tiersOf(counted, totalScore(counted, replies) ?? 0)
      : equalsOf(counted, replies)
  return { id: matching[0]?.id, is_tie: matching.length > 1 }
}

/** Computes the odds run by run. */
const recount = (counted: Scorable, runs: readonly Run[]) => {
  const shares = new Map<string, number>()
  const totals = new Map<number, number>()
  const increase = <K>(of: Map<K, number>, key: K, by: number): void => {
    if (by > 0) of.set(key, (of.get(key) ?? 0) + by)
  }
  const other = { tie: 0, no_match: 0 }
  for (const { replies, share } of runs) {
    const { id, is_tie } = endOf(counted, replies)
    increase(shares, id ?? counted.results[0]?.id ?? '', share)
    if (is_tie) other.tie += share
    if (!id) other.no_match += share
    if (counted.quiz_mode === 'score') increase(totals, totalScore(counted, replies) ?? 0, share)
    const rules = { ...PUBLIC_RULES, falls_back_to_first: false }
    assert.equal(computeResult(counted, replies, rules)?.id, id)
  }
  return { shares, totals, ...other }
}

const assertNear = (odds: Odds, counted: Scorable, runs: readonly Run[], most: number): void => {
  const expected = recount(counted, runs)
  const near = (actual: number, wanted: number, what: string): void =>
    assert.ok(Math.abs(actual - wanted) < most, `${what}: ${actual}, not ${wanted}`)
  for (const { id, probability } of odds.results)
    near(probability, expected.shares.get(id) ?? 0, id)
  near(odds.tie, expected.tie, 'tie')
  near(odds.no_match, expected.no_match, 'no match')
  for (const { total, probability } of odds.totals)
    near(probability, expected.totals.get(total) ?? 0, `total ${total}`)
  if (odds.is_exact)
    assert.deepEqual(
      odds.totals.map(({ total }) => total),
      [...expected.totals.keys()].sort((a, b) => a - b),
    )
}

const assertExamples = (odds: Odds, counted: Scorable): void => {
  for (const { id, probability, example } of odds.results) {
    assert.equal(example !== null, probability > 0)
    if (!example) continue
    assert.equal(endOf(counted, example).id ?? counted.results[0]?.id, id)
    // Texts stay empty in examples.
    const errors = replyErrors(counted, { ...textsOf(counted), ...example })
    assert.deepEqual(errors, [])
  }
}

const textsOf = ({ questions }: Scorable): Replies =>
  Object.fromEntries(questions.filter(({ type }) => type === 'text').map(({ id }) => [id, 'Texte']))

/** Checks a property for each questionnaire whose runs can be listed. */
const assertAlways = (
  counted: Scorable,
  given: GivenLikelihoods,
  assertOdds: (runs: readonly Run[]) => void,
): void => {
  const runs = listRuns(counted, given)
  fc.pre(runs !== null)
  assertOdds(runs ?? [])
}

test('odds equal those of all runs, counted one by one', () => {
  fc.assert(
    fc.property(enumerableQuizzes, (counted) =>
      assertAlways(counted, new Map(), (runs) => {
        const odds = oddsOf(counted)
        assert.ok(odds?.is_exact)
        assertNear(odds, counted, runs, 1e-12)
        assertExamples(odds, counted)
        assert.equal(odds.nb_combinations, nbDifferent(counted, runs))
      }),
    ),
    { numRuns: 2_000 },
  )
})

/** Returns the number of runs that differ on visited pages. */
const nbDifferent = ({ questions }: Scorable, runs: readonly Run[]): number =>
  new Set(
    runs.map(({ replies }) =>
      JSON.stringify(
        visitedQuestions(questions, replies).map((question) => [
          question.id,
          replyPartsOf(replies, question),
        ]),
      ),
    ),
  ).size

test('odds with the likelihoods of participants equal those of all weighted runs', () => {
  fc.assert(
    fc.property(enumerableQuizzes, randomLikelihoods, (counted, given) =>
      assertAlways(counted, given, (runs) => {
        const odds = oddsOf(counted, given)
        assert.ok(odds?.is_exact)
        assertNear(odds, counted, runs, 1e-12)
        assertExamples(odds, counted)
      }),
    ),
    { numRuns: 500 },
  )
})

const DRAWN = { most_states: 0, most_work: 0, nb_draws: 20_000 }

for (const [name, most_choices] of [
  ['the replies to several questions at once', 2_000],
  ['a reply answer by answer', 0],
] as const)
  test(`simulated odds are within their margin, ${name}`, () => {
    let nb_near = 0
    let nb = 0
    fc.assert(
      fc.property(enumerableQuizzes, randomLikelihoods, (counted, given) =>
        assertAlways(counted, given, (runs) => {
          const odds = oddsOf(counted, given, { ...DRAWN, most_choices })
          assert.ok(odds)
          if (odds.is_exact) return
          // Three times the margin is practically never exceeded by chance.
          assertNear(odds, counted, runs, 3 * odds.margin)
          assertExamples(odds, counted)
          const { shares } = recount(counted, runs)
          for (const { id, probability } of odds.results) {
            nb++
            if (Math.abs(probability - (shares.get(id) ?? 0)) <= odds.margin) nb_near++
          }
        }),
      ),
      { numRuns: 150, seed: 7 },
    )
    assert.ok(nb > 100)
    assert.ok(nb_near / nb > 0.93, `${nb_near} of ${nb}`)
  })

test('many questions, whose most likely run has a probability below the smallest double', () => {
  const questions = Array.from({ length: 400 }, (_, position): Scorable['questions'][number] => ({
    ...{ id: `q${position}`, text: 'Q', type: 'multiple_choice', page_number: 1 },
    ...{ position, global_position: position },
    answers: Array.from({ length: 10 }, (_, rank) => ({
      ...{ id: `q${position}a${rank}`, text: 'A', position: rank, associations: [] },
      score: rank === 0 ? 1 : 0,
    })),
  }))
  const tier = (from: number, to: number, rank: number): SnapshotResult => ({
    ...{ id: `r${rank}`, name: 'R', description: null, priority_order: rank },
    ...{ min_score: from, max_score: to },
  })
  const quiz = { name: '', type: 'quiz', status: 'Brouillon' } as const
  const colors = { bg_color: null, text_color: null, accent_color: null }
  const odds = oddsOf({
    quiz: { ...quiz, ...colors, button_color: null, button_text_color: null },
    quiz_mode: 'score',
    questions,
    results: [tier(0, 399, 0), tier(400, 400, 1)],
  })
  assert.ok(odds?.is_exact)
  const [, rare] = odds.results
  assert.ok(rare && rare.probability > 0 && rare.probability < 1e-300)
  assert.ok(Object.values(rare.example ?? {}).every((reply) => `${reply}`.endsWith('a0')))
  assert.equal(odds.nb_combinations, null)
})
