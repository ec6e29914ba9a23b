import { isChoice } from '#domain/questionnaire/quiz.ts'
import type { SnapshotQuestion } from '#domain/questionnaire/snapshot.ts'
import { jumpTargetOf } from '#domain/run/path.ts'
import { maxChoicesOf, scaleOf } from '#domain/run/replies.ts'
import { createByPath, forEachMove } from './path-states.ts'

/**
 * Returns the number of runs that differ in an answer, a scale number or a blank reply; texts do not count. Null above
 * the largest integer that a number can hold exactly.
 */
export const countCombinations = (questions: readonly SnapshotQuestion[]): number | null => {
  let counts = createByPath(1)
  for (const question of questions) {
    const after: typeof counts = new Map()
    forEachMove(counts, question.page_number, repliesByPage(question), (nb_runs, path, replies) => {
      const value = (after.get(path.key)?.value ?? 0) + nb_runs * (replies?.count ?? 1)
      after.set(path.key, { path, value })
    })
    counts = after
  }
  const count = [...counts.values()].reduce((sum, { value }) => sum + value, 0)
  return count <= Number.MAX_SAFE_INTEGER ? count : null
}

/** Replies to a question with a common target page; null for the following page. */
type RepliesOfPage = { target_page: number | null; count: number }

/** Returns the number of replies to a question by target page. */
const repliesByPage = (question: SnapshotQuestion): RepliesOfPage[] => {
  const blank = question.is_required === false ? 1 : 0
  if (question.type === 'scale') {
    const { from, to } = scaleOf(question)
    return [{ target_page: null, count: to - from + 1 + blank }]
  }
  if (!isChoice(question)) return [{ target_page: null, count: 1 }]
  const { answers, has_other } = question
  const max_answers = maxChoicesOf(question)
  const jumps = answers
    .map((answer) => jumpTargetOf(answer, question))
    .filter((to) => to !== undefined)
  const nb_without_jump = answers.length + (has_other ? 1 : 0) - jumps.length
  // A required question without answers counts as one reply, so that the product is not 0.
  const nb_next =
    countSubsets(nb_without_jump, max_answers) - 1 + blank || (jumps.length > 0 ? 0 : 1)
  const counts = new Map<number | null, number>(nb_next > 0 ? [[null, nb_next]] : [])
  for (const [rank, to] of jumps.entries()) {
    // The first chosen answer with a jump decides.
    const nb_beside = nb_without_jump + jumps.length - rank - 1
    counts.set(to, (counts.get(to) ?? 0) + countSubsets(nb_beside, max_answers - 1))
  }
  return [...counts].map(([target_page, count]) => ({ target_page, count }))
}

/** Returns the number of subsets of `count` elements with at most `max_size` elements, including the empty set. */
const countSubsets = (count: number, max_size: number): number => {
  /** Row of Pascal's triangle by size, because factorials would lose precision. */
  const sets = [1]
  for (let nb = 1; nb <= count; nb++)
    for (let size = Math.min(nb, max_size); size > 0; size--)
      sets[size] = (sets[size] ?? 0) + (sets[size - 1] ?? 0)
  return sets.reduce((sum, count) => sum + count, 0)
}
