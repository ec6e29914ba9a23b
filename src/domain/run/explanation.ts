import type { QuizMode } from '#domain/common/vocabulary.ts'
import { questionText } from '#domain/questionnaire/grids/question-names.ts'
import { isChoice, type Replies } from '#domain/questionnaire/quiz.ts'
import {
  inResultOrder,
  type SnapshotAnswer,
  type SnapshotResult,
} from '#domain/questionnaire/snapshot.ts'
import { tierOf } from '#domain/questionnaire/tiers.ts'
import { visitedQuestions } from './path.ts'
import { chosenAnswers, formatReply } from './replies.ts'
import {
  computeResult,
  PUBLIC_RULES,
  pointsOf,
  profileTotals,
  type ScoredQuiz,
  tiedResults,
  totalScore,
} from './scoring.ts'
import { resultOfTieQuestion } from './ties.ts'

type Points = { result_name: string; points: number }
/**
 * Contribution of the reply to one question: its score, or its points for results. `answer_text` is '' without a
 * reply.
 */
type Contribution = {
  question_text: string
  answer_text: string
  score: number | null
  points: Points[]
}
/** Distance of a result: its points by profiles, or its tier and the missing or excess points by score. */
type ResultDistance = {
  result_name: string
  is_reached: boolean
  points: number | null
  min_score: number | null
  max_score: number | null
  distance: number | null
}
/** Decision between results with equal points. */
type Tie = {
  /** Other tied results, in their order. */
  result_names: string[]
  /** Decided by the order of results or by the tie question, or not at all because all results were shown. */
  settled_by: 'order' | 'question' | 'all_shown'
  /** Number of the tie question, from 1, also if the order decided; null with another rule. */
  question_number: number | null
}
/** Reasons for the result of one participant. */
export type Explanation = {
  quiz_mode: QuizMode
  result_name: string | null
  /** Total of a quiz by score. */
  score: number | null
  contributions: Contribution[]
  /** Results: the reached result first, then the nearest. */
  standings: ResultDistance[]
  /** Next best result and the points by which it was missed; null without another result or without points. */
  runner_up: { result_name: string; margin: number } | null
  /** Null if no other result has equal points. */
  tie: Tie | null
  /** True if no result matched, so that the first result was given. */
  is_fallback: boolean
}

/**
 * Explains the result of these replies (product 4.4, 4.5) with the rules that computed it. Lists the contributions of
 * visited choice questions and counting scales, and the distances of all results, the reached result first.
 */
export const explainResult = (snapshot: ScoredQuiz, replies: Replies): Explanation => {
  const { quiz_mode, questions } = snapshot
  const result = computeResult(snapshot, replies, PUBLIC_RULES)
  const matched = computeResult(snapshot, replies, { ...PUBLIC_RULES, falls_back_to_first: false })
  const results = snapshot.quiz.type === 'quiz' ? inResultOrder(snapshot.results) : []
  const names = new Map(results.map(({ id, name }) => [id, name]))
  const score = totalScore(snapshot, replies)
  const contributions = visitedQuestions(questions, replies).flatMap((question): Contribution[] => {
    if (!isChoice(question) && (score === null || !question.counts_in_score)) return []
    const chosen = chosenAnswers(question, replies)
    return [
      {
        question_text: questionText(questions, question),
        answer_text: formatReply(question, replies),
        score: score === null ? null : pointsOf(question, replies),
        points: quiz_mode === 'profils' ? profilePoints(chosen, names) : [],
      },
    ]
  })
  const totals = profileTotals(snapshot, replies)
  const standings = results
    .map((candidate) =>
      distanceOf(candidate, { score, totals, quiz_mode, isReached: candidate.id === result?.id }),
    )
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

const tieOf = (snapshot: ScoredQuiz, replies: Replies, { id }: SnapshotResult): Tie | null => {
  const tied = tiedResults(snapshot, replies)
  const others = tied.filter((candidate) => candidate.id !== id)
  if (tied.length === 0 || others.length === 0) return null
  const { tie_rule, tie_question_id } = snapshot.quiz
  const rank = snapshot.questions.findIndex((question) => question.id === tie_question_id)
  const byQuestion = resultOfTieQuestion(snapshot, tied, replies) ? 'question' : 'order'
  return {
    result_names: others.map(({ name }) => name),
    settled_by: tie_rule === 'both' ? 'all_shown' : byQuestion,
    question_number: tie_rule === 'question' && rank >= 0 ? rank + 1 : null,
  }
}

/** Returns the points that the chosen answers of one question give to each result. */
const profilePoints = (
  chosen: readonly SnapshotAnswer[],
  names: ReadonlyMap<string, string>,
): Points[] => {
  const points = new Map<string, Points>()
  for (const { result_id, weight, is_checked } of chosen.flatMap((answer) => answer.associations)) {
    const result_name = names.get(result_id)
    if (!is_checked || result_name === undefined) continue
    const sum = (points.get(result_id)?.points ?? 0) + weight
    points.set(result_id, { result_name, points: sum })
  }
  return [...points.values()]
}

type ScoringOutcome = {
  score: number | null
  totals: ReadonlyMap<string, number>
  quiz_mode: QuizMode
  isReached: boolean
}

const distanceOf = (
  { id, name, min_score, max_score }: SnapshotResult,
  { score, totals, quiz_mode, isReached }: ScoringOutcome,
): ResultDistance => ({
  result_name: name,
  is_reached: isReached,
  points: quiz_mode === 'profils' ? (totals.get(id) ?? 0) : null,
  min_score: score === null ? null : tierOf({ min_score, max_score }).from,
  max_score: score === null ? null : max_score,
  distance:
    score === null
      ? null
      : Math.max(
          tierOf({ min_score, max_score }).from - score,
          score - tierOf({ min_score, max_score }).to,
          0,
        ),
})

/** Returns the sort key of a result: the reached result is first, even if another result has more points. */
const nearness = ({ is_reached, points, distance }: ResultDistance): number =>
  is_reached ? Number.POSITIVE_INFINITY : (points ?? -(distance ?? 0))

const runnerUpOf = (standings: readonly ResultDistance[]): Explanation['runner_up'] => {
  const reached = standings.find(({ is_reached }) => is_reached)
  const next = standings.find(({ is_reached }) => !is_reached)
  if (!reached || !next) return null
  if (next.distance !== null) return { result_name: next.result_name, margin: next.distance }
  if (next.points === null || reached.points === null) return null
  return { result_name: next.result_name, margin: reached.points - next.points }
}
