import type { Replies } from '#domain/questionnaire/quiz.ts'
import type { SnapshotQuestion } from '#domain/questionnaire/snapshot.ts'
import { replyPartsOf } from '#domain/run/replies.ts'
import { listRuns } from './enumerable-quizzes.ts'

/** Scores of dimensions, computed without the rules under test. */

/** Returns the points of the chosen parts of a reply. */
export const pointsByHand = (question: SnapshotQuestion, parts: readonly string[]): number => {
  if (question.type === 'scale') return question.counts_in_score ? Number(parts[0] ?? 0) : 0
  if (question.all_or_nothing) {
    const right = question.answers.filter(({ is_correct }) => is_correct).map(({ id }) => id)
    if ([...right].sort().join() !== [...parts].sort().join()) return 0
  }
  return question.answers
    .filter(({ id }) => parts.includes(id))
    .reduce((sum, { score }) => sum + (score ?? 0), 0)
}

/** Returns the points that a dimension adds for the chosen parts of a reply. A scale counts with and without a score. */
const dimensionPoints = (question: SnapshotQuestion, parts: readonly string[]): number =>
  question.type === 'scale' ? Number(parts[0]) : pointsByHand(question, parts)

const rangeByHand = (question: SnapshotQuestion): [least: number, greatest: number] => {
  const all = (listRuns({ questions: [question] }) ?? []).flatMap(({ replies }) => {
    const parts = replyPartsOf(replies, question)
    return parts.length > 0 ? dimensionPoints(question, parts) : []
  })
  return [Math.min(...all), Math.max(...all)]
}

/**
 * Returns the percent of a dimension in a run that visited these questions, of which the answered ones count. Null for a
 * dimension that is not shown.
 */
export const percentByHand = (
  visited: readonly SnapshotQuestion[],
  replies: Replies,
  dimension_id: string,
): number | null => {
  const own = visited.filter(
    (question) =>
      question.dimension_id === dimension_id &&
      question.type !== 'text' &&
      replyPartsOf(replies, question).length > 0,
  )
  const ranges = own.map(rangeByHand)
  const least = ranges.reduce((sum, [from]) => sum + from, 0)
  const greatest = ranges.reduce((sum, [, to]) => sum + to, 0)
  if (least === greatest) return null
  const points = own.reduce(
    (sum, question) => sum + dimensionPoints(question, replyPartsOf(replies, question)),
    0,
  )
  const percent = Math.floor(((points - least) * 100) / (greatest - least) + 0.5)
  return Math.min(100, Math.max(0, percent))
}
