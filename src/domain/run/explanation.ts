import type { QuizMode } from '#domain/common/vocabulary.ts'
import { isChoice, type Replies } from '#domain/questionnaire/quiz.ts'
import {
  inResultOrder,
  type SnapshotAnswer,
  type SnapshotResult,
} from '#domain/questionnaire/snapshot.ts'
import { questionsPassed } from './path.ts'
import { chosenAnswers, formatReply } from './replies.ts'
import {
  computeResult,
  equalResults,
  PUBLIC_RULES,
  pointsOf,
  profileTotals,
  type Scorable,
  totalScore,
} from './scoring.ts'
import { resultOfTieQuestion } from './ties.ts'

type Points = { result_name: string; points: number }
/** What the reply to one question brought: its score, or points for results; `answer_text` is '' of one left blank. */
type Contribution = {
  question_text: string
  answer_text: string
  score: number | null
  points: Points[]
}
/** How near a result was: its points by profils; by score its tier, and the points that lacked or were over. */
type Standing = {
  result_name: string
  is_reached: boolean
  points: number | null
  min_score: number | null
  max_score: number | null
  distance: number | null
}
/** What settled that other results have as many points as the one given. */
type Tie = {
  /** Those others, in their order. */
  result_names: string[]
  /** The order of results, the answer to the tie question, or nothing: all were shown, the first given. */
  settled_by: 'order' | 'question' | 'all_shown'
  /** The number of the tie question, from 1, which may have left it to the order; null with another rule. */
  question_number: number | null
}
export type Explanation = {
  quiz_mode: QuizMode
  result_name: string | null
  /** The total, in score mode. */
  score: number | null
  contributions: Contribution[]
  /** Every result, the nearest first. */
  standings: Standing[]
  /** The next best result and by how much it was missed; null when there is no other, or none counts. */
  runner_up: { result_name: string; margin: number } | null
  /** Null where no other result has as many points, or none are counted. */
  tie: Tie | null
  /** Nothing matched, so the first result was given. */
  is_fallback: boolean
}

/**
 * Why these replies gave their result (spec §4 « Result computation »), from the version that was taken:
 * what the reply to every question on the path brought, and how near the other results were. It is computed by the rules that
 * gave the result, so both always agree.
 */
export const explainResult = (snapshot: Scorable, replies: Replies): Explanation => {
  const { quiz_mode, questions } = snapshot
  const result = computeResult(snapshot, replies, PUBLIC_RULES)
  const matched = computeResult(snapshot, replies, { ...PUBLIC_RULES, falls_back_to_first: false })
  const results = snapshot.quiz.type === 'quiz' ? inResultOrder(snapshot.results) : []
  const names = new Map(results.map(({ id, name }) => [id, name]))
  const score = totalScore(snapshot, replies)
  const contributions = questionsPassed(questions, replies).flatMap((question): Contribution[] => {
    if (!isChoice(question) && (score === null || !question.counts_in_score)) return []
    const chosen = chosenAnswers(question, replies)
    return [
      {
        question_text: question.text,
        answer_text: formatReply(question, replies),
        score: score === null ? null : pointsOf(question, replies),
        points: quiz_mode === 'profils' ? profilePoints(chosen, names) : [],
      },
    ]
  })
  const totals = profileTotals(snapshot, replies)
  const standings = results
    .map((one) => standingOf(one, { score, totals, quiz_mode, isReached: one.id === result?.id }))
    .sort((a, b) => nearness(b) - nearness(a))
  return {
    quiz_mode,
    result_name: result?.name ?? null,
    score,
    contributions,
    standings,
    runner_up: runnerUpOf(standings),
    tie: result && tieOf(snapshot, replies, result),
    is_fallback: result !== null && matched === null && quiz_mode !== null,
  }
}

const tieOf = (snapshot: Scorable, replies: Replies, { id }: SnapshotResult): Tie | null => {
  const equals = equalResults(snapshot, replies)
  const others = equals.filter((one) => one.id !== id)
  if (equals.length === 0 || others.length === 0) return null
  const { tie_rule, tie_question_id } = snapshot.quiz
  const rank = snapshot.questions.findIndex((question) => question.id === tie_question_id)
  const byQuestion = resultOfTieQuestion(snapshot, equals, replies) ? 'question' : 'order'
  return {
    result_names: others.map(({ name }) => name),
    settled_by: tie_rule === 'both' ? 'all_shown' : byQuestion,
    question_number: tie_rule === 'question' && rank >= 0 ? rank + 1 : null,
  }
}

/** What the chosen answers of one question give to each result, together. */
const profilePoints = (
  chosen: readonly SnapshotAnswer[],
  names: ReadonlyMap<string, string>,
): Points[] => {
  const points = new Map<string, Points>()
  for (const { result_id, weight, is_checked } of chosen.flatMap((one) => one.associations)) {
    const result_name = names.get(result_id)
    if (!is_checked || result_name === undefined) continue
    const sum = (points.get(result_id)?.points ?? 0) + weight
    points.set(result_id, { result_name, points: sum })
  }
  return [...points.values()]
}

type Reckoning = {
  score: number | null
  totals: ReadonlyMap<string, number>
  quiz_mode: QuizMode
  isReached: boolean
}

const standingOf = (
  { id, name, min_score, max_score }: SnapshotResult,
  { score, totals, quiz_mode, isReached }: Reckoning,
): Standing => ({
  result_name: name,
  is_reached: isReached,
  points: quiz_mode === 'profils' ? (totals.get(id) ?? 0) : null,
  min_score: score === null ? null : (min_score ?? PUBLIC_RULES.lowest_score),
  max_score: score === null ? null : max_score,
  distance:
    score === null
      ? null
      : Math.max(
          (min_score ?? PUBLIC_RULES.lowest_score) - score,
          score - (max_score ?? Number.POSITIVE_INFINITY),
          0,
        ),
})

/** The one reached is the nearest, whatever the others have. */
const nearness = ({ is_reached, points, distance }: Standing): number =>
  is_reached ? Number.POSITIVE_INFINITY : (points ?? -(distance ?? 0))

const runnerUpOf = (standings: readonly Standing[]): Explanation['runner_up'] => {
  const reached = standings.find(({ is_reached }) => is_reached)
  const next = standings.find(({ is_reached }) => !is_reached)
  if (!reached || !next) return null
  if (next.distance !== null) return { result_name: next.result_name, margin: next.distance }
  if (next.points === null || reached.points === null) return null
  return { result_name: next.result_name, margin: reached.points - next.points }
}
