import type { QuizPage, Replies } from '#domain/questionnaire/quiz.ts'
import {
  inResultOrder,
  type Snapshot,
  type SnapshotAnswer,
  type SnapshotQuestion,
  type SnapshotResult,
} from '#domain/questionnaire/snapshot.ts'
import { questionsPassed } from './path.ts'
import { chosenAnswers, scaleNumber } from './replies.ts'
import { resultOfTieQuestion } from './ties.ts'

/** What differs between the two players of spec §4 « Result computation ». */
export type ScoringRules = {
  /** What a missing min_score counts as. */
  lowest_score: number
  /** Whether the first result is given when none matches. */
  falls_back_to_first: boolean
}

/** Everything that differs between the two players (spec §2, §4, §5). */
export type PlayerRules = ScoringRules & {
  /** Whether every blank question holds « Suivant » back, or the multiple-choice ones alone. */
  needs_every_answer: boolean
  /** Whether a quiz of a single page has a progress bar too. */
  always_shows_progress: boolean
}

export const PREVIEW_RULES: PlayerRules = {
  lowest_score: Number.NEGATIVE_INFINITY,
  falls_back_to_first: false,
  needs_every_answer: false,
  always_shows_progress: false,
}
export const PUBLIC_RULES: PlayerRules = {
  lowest_score: 0,
  falls_back_to_first: true,
  needs_every_answer: true,
  always_shows_progress: true,
}

type Ranked = Pick<SnapshotResult, 'id' | 'priority_order' | 'min_score' | 'max_score'>
/** What a result is computed from, whatever else its results have. */
export type Scorable<R = SnapshotResult> = Pick<Snapshot, 'quiz_mode' | 'questions'> & {
  quiz: Omit<Snapshot['quiz'], keyof QuizPage>
  results: R[]
}

/**
 * The result of a run, or null: always for a sondage, and when nothing matches and the rules have no
 * fallback (spec §4). Results are considered by priority_order; the first wins a tie, unless by profiles the answer
 * to the tie question names another of the equals. `score` is the `totalScore`, where it is known already.
 */
export const computeResult = <R extends Ranked>(
  snapshot: Scorable<R>,
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
 * All results that the end of a run shows, the one that `computeResult` gives first: its equals follow it where ties
 * show them all. Empty when there is no result.
 */
export const shownResults = <R extends Ranked>(
  snapshot: Scorable<R>,
  replies: Replies,
  rules: ScoringRules,
): R[] => {
  const result = computeResult(snapshot, replies, rules)
  if (!result) return []
  const equals = snapshot.quiz.tie_rule === 'both' ? equalResults(snapshot, replies) : []
  return equals.length > 0 ? equals : [result]
}

/** By profiles, the results with the greatest total, in their order: several are a tie, none is no match. Empty otherwise. */
export const equalResults = <R extends Ranked>(snapshot: Scorable<R>, replies: Replies): R[] =>
  snapshot.quiz.type === 'quiz' && snapshot.quiz_mode === 'profils'
    ? best(inResultOrder(snapshot.results), profileTotals(snapshot, replies))
    : []

/** The points of the chosen answers and of the scales that count; null unless the version is a quiz by score. */
export const totalScore = (
  snapshot: Scorable<unknown>,
  replies: Replies,
  passed = questionsPassed(snapshot.questions, replies),
): number | null =>
  snapshot.quiz.type === 'quiz' && snapshot.quiz_mode === 'score'
    ? passed.reduce((sum, question) => sum + pointsOf(question, replies), 0)
    : null

/** The weights that the chosen answers give to each result, by its id: none to a result that no answer leads to. */
export const profileTotals = (
  snapshot: Scorable<unknown>,
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

/** The points that the reply to one question brings. */
export const pointsOf = (question: SnapshotQuestion, replies: Replies): number => {
  if (question.counts_in_score) return scaleNumber(question, replies) ?? 0
  return chosenAnswers(question, replies).reduce((sum, { score }) => sum + (score ?? 0), 0)
}

const answersOf = (
  { questions }: Pick<Snapshot, 'questions'>,
  replies: Replies,
): SnapshotAnswer[] =>
  questionsPassed(questions, replies).flatMap((question) => chosenAnswers(question, replies))

/** The first of the results, which are in their order, whose tier holds a total; undefined when none does. */
export const resultOfScore = <R extends Ranked>(
  results: readonly R[],
  total: number,
  rules: ScoringRules,
): R | undefined =>
  results.find(
    ({ min_score, max_score }) =>
      (min_score ?? rules.lowest_score) <= total &&
      total <= (max_score ?? Number.POSITIVE_INFINITY),
  )

const resultOfProfile = <R extends Ranked>(
  snapshot: Scorable<R>,
  results: readonly R[],
  replies: Replies,
): R | undefined => {
  const equals = best(results, profileTotals(snapshot, replies))
  return resultOfTieQuestion(snapshot, equals, replies) ?? equals[0]
}

/** The results with the greatest total; none where no answer leads to any. */
const best = <R extends Ranked>(
  results: readonly R[],
  totals: ReadonlyMap<string, number>,
): R[] => {
  const greatest = Math.max(...results.map(({ id }) => totals.get(id) ?? Number.NEGATIVE_INFINITY))
  return results.filter(({ id }) => totals.get(id) === greatest)
}
