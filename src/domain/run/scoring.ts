import type { QuizPage, Replies } from '#domain/questionnaire/quiz.ts'
import {
  inResultOrder,
  type Snapshot,
  type SnapshotAnswer,
  type SnapshotQuestion,
  type SnapshotResult,
} from '#domain/questionnaire/snapshot.ts'
import { isInTier, PUBLIC_LOWEST_SCORE, tierOf } from '#domain/questionnaire/tiers.ts'
import { isRight } from '#domain/run/corrections/is-right.ts'
import { visitedQuestions } from './path.ts'
import { chosenAnswers, scaleNumber } from './replies.ts'
import { resultOfTieQuestion } from './ties.ts'

/**
 * Rules by which replies give a result. `domain/odds/scoring-scheme.ts` implements these rules a second time for millions of
 * simulated runs, so that a change here needs a change there.
 */

/** Rules that differ between preview and public page (product 4.4, 4.7). */
export type ScoringRules = {
  /** Lower bound of a tier without min_score. */
  lowest_score: number
  /** True if the first result is given when no result matches. */
  falls_back_to_first: boolean
}

/** Differences between preview and public page (product 4.4, 4.7, 8.3, 8.5). */
export type PlayerRules = ScoringRules & {
  /** True if every blank required question blocks « Suivant », and not only multiple-choice questions. */
  needs_every_answer: boolean
  /** True if a quiz with a single page also has a progress bar. */
  always_shows_progress: boolean
}

/** Rules of the preview. */
export const PREVIEW_RULES: PlayerRules = {
  lowest_score: Number.NEGATIVE_INFINITY,
  falls_back_to_first: false,
  needs_every_answer: false,
  always_shows_progress: false,
}
/** Rules of the public page. */
export const PUBLIC_RULES: PlayerRules = {
  lowest_score: PUBLIC_LOWEST_SCORE,
  falls_back_to_first: true,
  needs_every_answer: true,
  always_shows_progress: true,
}

type RankedResult = Pick<SnapshotResult, 'id' | 'priority_order' | 'min_score' | 'max_score'>
/** Parts of a snapshot from which the result is computed. */
export type ScoredQuiz<R = SnapshotResult> = Pick<Snapshot, 'quiz_mode' | 'questions'> & {
  quiz: Omit<Snapshot['quiz'], keyof QuizPage>
  results: R[]
}

/**
 * Returns the result of a run; null for a sondage, or if nothing matches and the rules have no fallback (product 4.7).
 * The first result by priority_order wins a tie, unless the tie question decides. `score` is a known `totalScore`.
 */
export const computeResult = <R extends RankedResult>(
  snapshot: ScoredQuiz<R>,
  replies: Replies,
  rules: ScoringRules,
  score = totalScore(snapshot, replies),
): R | null => {
  if (snapshot.quiz.type === 'sondage') return null
  const results = inResultOrder(snapshot.results)
  const first = results[0] ?? null
  if (!snapshot.quiz_mode) return first
  const match =
    score === null
      ? resultOfProfile(snapshot, results, replies)
      : resultOfScore(results, score, rules)
  return match ?? (rules.falls_back_to_first ? first : null)
}

/**
 * Returns all results that the end shows, the result of `computeResult` first. Tied results follow if the tie rule is
 * 'both'; empty without a result.
 */
export const shownResults = <R extends RankedResult>(
  snapshot: ScoredQuiz<R>,
  replies: Replies,
  rules: ScoringRules,
): R[] => {
  const result = computeResult(snapshot, replies, rules)
  if (!result) return []
  const tied = snapshot.quiz.tie_rule === 'both' ? tiedResults(snapshot, replies) : []
  return tied.length > 0 ? tied : [result]
}

/**
 * Returns the results with the highest total in a quiz by profiles, in their order. Several results are a tie; empty
 * without a match and for other quizzes.
 */
export const tiedResults = <R extends RankedResult>(
  snapshot: ScoredQuiz<R>,
  replies: Replies,
): R[] =>
  snapshot.quiz.type === 'quiz' && snapshot.quiz_mode === 'profils'
    ? best(inResultOrder(snapshot.results), profileTotals(snapshot, replies))
    : []

/** Returns the points of the chosen answers and counting scales; null unless the version is a quiz by score. */
export const totalScore = (
  snapshot: ScoredQuiz<unknown>,
  replies: Replies,
  passed = visitedQuestions(snapshot.questions, replies),
): number | null =>
  snapshot.quiz.type === 'quiz' && snapshot.quiz_mode === 'score'
    ? passed.reduce((sum, question) => sum + pointsOf(question, replies), 0)
    : null

/** Returns the sum of weights by result id, only for results that a chosen answer is associated with. */
export const profileTotals = (
  snapshot: ScoredQuiz<unknown>,
  replies: Replies,
): Map<string, number> => {
  const totals = new Map<string, number>()
  for (const { associations } of answersOf(snapshot, replies)) {
    for (const { result_id, weight, is_checked } of associations) {
      if (is_checked) totals.set(result_id, (totals.get(result_id) ?? 0) + weight)
    }
  }
  return totals
}

/** Returns the points of the reply to one question. With `all_or_nothing`, only the right reply has points. */
export const pointsOf = (question: SnapshotQuestion, replies: Replies): number => {
  if (question.counts_in_score) return scaleNumber(question, replies) ?? 0
  if (question.all_or_nothing && !isRight(question, replies)) return 0
  return chosenAnswers(question, replies).reduce((sum, { score }) => sum + (score ?? 0), 0)
}

const answersOf = (
  { questions }: Pick<Snapshot, 'questions'>,
  replies: Replies,
): SnapshotAnswer[] =>
  visitedQuestions(questions, replies).flatMap((question) => chosenAnswers(question, replies))

/** Returns the first of the sorted results whose tier contains a total; undefined if no tier does. */
export const resultOfScore = <R extends RankedResult>(
  results: readonly R[],
  total: number,
  rules: ScoringRules,
): R | undefined => results.find((result) => isInTier(tierOf(result, rules.lowest_score), total))

const resultOfProfile = <R extends RankedResult>(
  snapshot: ScoredQuiz<R>,
  results: readonly R[],
  replies: Replies,
): R | undefined => {
  const tied = best(results, profileTotals(snapshot, replies))
  return resultOfTieQuestion(snapshot, tied, replies) ?? tied[0]
}

/** Returns the results with the highest total; empty if no result has a total. */
const best = <R extends RankedResult>(
  results: readonly R[],
  totals: ReadonlyMap<string, number>,
): R[] => {
  const greatest = Math.max(...results.map(({ id }) => totals.get(id) ?? Number.NEGATIVE_INFINITY))
  return results.filter(({ id }) => totals.get(id) === greatest)
}
