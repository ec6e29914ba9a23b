import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Replies } from '#domain/questionnaire/quiz.ts'
import type { SnapshotResult } from '#domain/questionnaire/snapshot.ts'
import { visitedQuestions } from '#domain/run/path.ts'
import { chosenAnswers, replyPartsOf } from '#domain/run/replies.ts'
import {
  computeResult,
  PUBLIC_RULES,
  profileTotals,
  type ScoredQuiz,
  totalScore,
} from '#domain/run/scoring.ts'
import { replyErrors } from '#domain/run/submission-checks.ts'
import {
  enumerableQuizzes,
  listRuns,
  type Run,
  randomLikelihoods,
} from '#domain/testing/enumerable-quizzes.ts'
import { computeOdds, type Odds } from './odds.ts'
import type { LikelihoodsByQuestion } from './run-sums.ts'

/** Returns the results with the highest total, reduced to those that the tie question favours. */
const tiedResultsOf = (quiz_content: ScoredQuiz, replies: Replies): SnapshotResult[] => {
  const totals = profileTotals(quiz_content, replies)
  const highest = Math.max(...quiz_content.results.map(({ id }) => totals.get(id) ?? -1))
  const tied = quiz_content.results.filter(({ id }) => totals.get(id) === highest)
  const { tie_rule, tie_question_id } = quiz_content.quiz
  const tieQuestions =
    tie_rule === 'question'
      ? visitedQuestions(quiz_content.questions, replies).filter(({ id }) => id === tie_question_id)
      : []
  const favoured = tieQuestions
    .flatMap((question) => chosenAnswers(question, replies))
    .flatMap(({ associations }) => associations.filter(({ is_checked }) => is_checked))
    .map(({ result_id }) => result_id)
  const favouredTied = tied.filter(({ id }) => favoured.includes(id))
  return favouredTied.length > 0 ? favouredTied : tied
}

const tiersOf = (quiz_content: ScoredQuiz, total: number): SnapshotResult[] =>
  quiz_content.results.filter(
    ({ min_score, max_score }) => (min_score ?? 0) <= total && total <= (max_score ?? total),
  )

/** Returns the result of a run, and true if another result is tied with it. */
const outcomeOf = (
  quiz_content: ScoredQuiz,
  replies: Replies,
): { id: string | undefined; is_tie: boolean } => {
  const matching =
    quiz_content.quiz_mode === 'score'
      ? tiersOf(quiz_content, totalScore(quiz_content, replies) ?? 0)
      : tiedResultsOf(quiz_content, replies)
  return { id: matching[0]?.id, is_tie: matching.length > 1 }
}

/** Computes the odds from the list of runs with the rules of scoring.ts. */
const countRunByRun = (quiz_content: ScoredQuiz, runs: readonly Run[]) => {
  const shares = new Map<string, number>()
  const totals = new Map<number, number>()
  const increase = <K>(of: Map<K, number>, key: K, by: number): void => {
    if (by > 0) of.set(key, (of.get(key) ?? 0) + by)
  }
  const other = { tie_probability: 0, no_match_probability: 0 }
  for (const { replies, share } of runs) {
    const { id, is_tie } = outcomeOf(quiz_content, replies)
    increase(shares, id ?? quiz_content.results[0]?.id ?? '', share)
    if (is_tie) other.tie_probability += share
    if (!id) other.no_match_probability += share
    if (quiz_content.quiz_mode === 'score')
      increase(totals, totalScore(quiz_content, replies) ?? 0, share)
    const rules = { ...PUBLIC_RULES, falls_back_to_first: false }
    assert.equal(computeResult(quiz_content, replies, rules)?.id, id)
  }
  return { shares, totals, ...other }
}

const assertEqualsRuns = (
  odds: Odds,
  quiz_content: ScoredQuiz,
  runs: readonly Run[],
  tolerance: number,
): void => {
  const expected = countRunByRun(quiz_content, runs)
  const assertClose = (actual: number, wanted: number, what: string): void =>
    assert.ok(Math.abs(actual - wanted) < tolerance, `${what}: ${actual}, not ${wanted}`)
  for (const { id, probability } of odds.results)
    assertClose(probability, expected.shares.get(id) ?? 0, id)
  assertClose(odds.tie_probability, expected.tie_probability, 'tie')
  assertClose(odds.no_match_probability, expected.no_match_probability, 'no match')
  for (const { total, probability } of odds.totals)
    assertClose(probability, expected.totals.get(total) ?? 0, `total ${total}`)
  if (odds.is_exact)
    assert.deepEqual(
      odds.totals.map(({ total }) => total),
      [...expected.totals.keys()].sort((a, b) => a - b),
    )
}

const assertExamples = (odds: Odds, quiz_content: ScoredQuiz): void => {
  for (const { id, probability, example } of odds.results) {
    assert.equal(example !== null, probability > 0)
    if (!example) continue
    assert.equal(outcomeOf(quiz_content, example).id ?? quiz_content.results[0]?.id, id)
    // Texts stay empty in examples.
    const errors = replyErrors(quiz_content, { ...textsOf(quiz_content), ...example })
    assert.deepEqual(errors, [])
  }
}

const textsOf = ({ questions }: ScoredQuiz): Replies =>
  Object.fromEntries(questions.filter(({ type }) => type === 'text').map(({ id }) => [id, 'Texte']))

/** Lists all runs and passes them to the assertion; skips quizzes with too many runs. */
const withAllRuns = (
  quiz_content: ScoredQuiz,
  likelihoods: LikelihoodsByQuestion,
  assertOdds: (runs: readonly Run[]) => void,
): void => {
  const runs = listRuns(quiz_content, likelihoods)
  fc.pre(runs !== null)
  assertOdds(runs ?? [])
}

test('exact odds equal the odds counted over the list of all runs', () => {
  fc.assert(
    fc.property(enumerableQuizzes, (quiz_content) =>
      withAllRuns(quiz_content, new Map(), (runs) => {
        const odds = computeOdds(quiz_content)
        assert.ok(odds?.is_exact)
        assertEqualsRuns(odds, quiz_content, runs, 1e-12)
        assertExamples(odds, quiz_content)
        assert.equal(odds.nb_combinations, countDifferentRuns(quiz_content, runs))
      }),
    ),
    { numRuns: 2_000 },
  )
})

/** Returns the number of runs that differ on visited pages. */
const countDifferentRuns = ({ questions }: ScoredQuiz, runs: readonly Run[]): number =>
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

test('exact odds with given likelihoods equal the odds counted over the weighted list of all runs', () => {
  fc.assert(
    fc.property(enumerableQuizzes, randomLikelihoods, (quiz_content, likelihoods) =>
      withAllRuns(quiz_content, likelihoods, (runs) => {
        const odds = computeOdds(quiz_content, likelihoods)
        assert.ok(odds?.is_exact)
        assertEqualsRuns(odds, quiz_content, runs, 1e-12)
        assertExamples(odds, quiz_content)
      }),
    ),
    { numRuns: 500 },
  )
})

const SIMULATED = { max_states: 0, max_operations: 0, nb_simulated_runs: 20_000 }

for (const [name, max_listed_choices] of [
  ['several questions are drawn at once', 2_000],
  ['the answers of a question are drawn in several stages', 0],
] as const)
  test(`simulated odds almost always differ from the exact odds by at most the margin when ${name}`, () => {
    let nb_within_margin = 0
    let nb = 0
    fc.assert(
      fc.property(enumerableQuizzes, randomLikelihoods, (quiz_content, likelihoods) =>
        withAllRuns(quiz_content, likelihoods, (runs) => {
          const odds = computeOdds(quiz_content, likelihoods, { ...SIMULATED, max_listed_choices })
          assert.ok(odds)
          if (odds.is_exact) return
          // Chance practically never causes an error of three margins.
          assertEqualsRuns(odds, quiz_content, runs, 3 * odds.margin)
          assertExamples(odds, quiz_content)
          const { shares } = countRunByRun(quiz_content, runs)
          for (const { id, probability } of odds.results) {
            nb++
            if (Math.abs(probability - (shares.get(id) ?? 0)) <= odds.margin) nb_within_margin++
          }
        }),
      ),
      { numRuns: 150, seed: 7 },
    )
    assert.ok(nb > 100)
    assert.ok(nb_within_margin / nb > 0.93, `${nb_within_margin} of ${nb}`)
  })

test('a result whose probability would round down to 0 keeps a probability above 0 and an example', () => {
  const questions = Array.from({ length: 400 }, (_, position): ScoredQuiz['questions'][number] => ({
    id: `q${position}`,
    text: 'Q',
    type: 'multiple_choice',
    page_number: 1,
    position,
    global_position: position,
    answers: Array.from({ length: 10 }, (_, rank) => ({
      id: `q${position}a${rank}`,
      text: 'A',
      position: rank,
      associations: [],
      score: rank === 0 ? 1 : 0,
    })),
  }))
  const tier = (from: number, to: number, rank: number): SnapshotResult => ({
    id: `r${rank}`,
    name: 'R',
    description: null,
    priority_order: rank,
    min_score: from,
    max_score: to,
  })
  const quiz = { name: '', type: 'quiz', status: 'Brouillon' } as const
  const colors = { bg_color: null, text_color: null, accent_color: null }
  const odds = computeOdds({
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
