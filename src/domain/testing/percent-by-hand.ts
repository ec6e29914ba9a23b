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

const rangeByHand = (question: SnapshotQuestion): [least: number, greatest: number] => {
  const single = (listRuns({ questions: [question] }) ?? []).map(({ replies }) =>
    pointsByHand(question, replyPartsOf(replies, question)),
  )
  const all = question.is_required === false ? [...single, 0] : single
  return [Math.min(...all), Math.max(...all)]
}

/** Returns the percent of a dimension in a run that visited these questions; null for a dimension that is not shown. */
export const percentByHand = (
  visited: readonly SnapshotQuestion[],
  replies: Replies,
  dimension_id: string,
): number | null => {
  const own = visited.filter((question) => question.dimension_id === dimension_id)
  const ranges = own.map(rangeByHand)
  const least = ranges.reduce((sum, [from]) => sum + from, 0)
  const greatest = ranges.reduce((sum, [, to]) => sum + to, 0)
  if (least === greatest) return null
  const points = own.reduce(
    (sum, question) => sum + pointsByHand(question, replyPartsOf(replies, question)),
    0,
  )
  const percent = Math.floor(((points - least) * 100) / (greatest - least) + 0.5)
  return Math.min(100, Math.max(0, percent))
}
