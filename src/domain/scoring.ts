import { questionsPassed } from './path.ts'
import type { QuizPage, Replies } from './quiz.ts'
import { chosenAnswers, scaleNumber } from './replies.ts'
import {
  inResultOrder,
  type Snapshot,
  type SnapshotAnswer,
  type SnapshotQuestion,
  type SnapshotResult,
} from './snapshot.ts'

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
 * fallback (spec §4). Results are considered by priority_order; the first wins a tie.
 */
export const computeResult = <R extends Ranked>(
  snapshot: Scorable<R>,
  replies: Replies,
  rules: ScoringRules,
): R | null => {
  if (snapshot.quiz.type === 'sondage') return null
  const results = inResultOrder(snapshot.results)
  const first = results[0] ?? null
  if (!snapshot.quiz_mode) return first
  const match =
    snapshot.quiz_mode === 'score'
      ? resultOfScore(results, sumOfPoints(snapshot, replies), rules)
      : resultOfProfile(results, profileTotals(snapshot, replies))
  return match ?? (rules.falls_back_to_first ? first : null)
}

/** The points of the chosen answers and of the scales that count; null unless the version is a quiz by score. */
export const totalScore = (snapshot: Scorable<unknown>, replies: Replies): number | null =>
  snapshot.quiz.type === 'quiz' && snapshot.quiz_mode === 'score'
    ? sumOfPoints(snapshot, replies)
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

const sumOfPoints = ({ questions }: Pick<Snapshot, 'questions'>, replies: Replies): number =>
  questionsPassed(questions, replies).reduce(
    (sum, question) => sum + pointsOf(question, replies),
    0,
  )

const answersOf = (
  { questions }: Pick<Snapshot, 'questions'>,
  replies: Replies,
): SnapshotAnswer[] =>
  questionsPassed(questions, replies).flatMap((question) => chosenAnswers(question, replies))

const resultOfScore = <R extends Ranked>(
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
  results: readonly R[],
  totals: ReadonlyMap<string, number>,
): R | undefined => {
  const totalOf = ({ id }: R): number => totals.get(id) ?? 0
  // A sort keeps the order of equals.
  return results.filter(({ id }) => totals.has(id)).sort((a, b) => totalOf(b) - totalOf(a))[0]
}
