import { isPassed, NEXT, nameOf, type Way, wayAfter, wayAt } from './odds-walk.ts'
import { leadsTo } from './path.ts'
import { isChoice } from './quiz.ts'
import { mostChoices, scaleOf } from './replies.ts'
import type { SnapshotQuestion } from './snapshot.ts'

/**
 * How many runs there are that differ in an answer, a number of a scale or in what is left blank of these; typed texts
 * make no difference. Null beyond the whole numbers that are exact.
 */
export const nbCombinations = (questions: readonly SnapshotQuestion[]): number | null => {
  let runs = new Map([[nameOf(NEXT), { way: NEXT, count: 1 }]])
  for (const question of questions) {
    const { page_number } = question
    const replies = repliesByPage(question)
    const after: typeof runs = new Map()
    const add = (way: Way, count: number): void => {
      const name = nameOf(way)
      after.set(name, { way, count: (after.get(name)?.count ?? 0) + count })
    }
    for (const { way: before, count } of runs.values()) {
      const way = wayAt(before, page_number)
      if (!isPassed(way, page_number)) add(way, count)
      else
        for (const [leads_to, nb_replies] of replies)
          add(wayAfter(way, { leads_to }, page_number), count * nb_replies)
    }
    runs = after
  }
  const count = [...runs.values()].reduce((sum, one) => sum + one.count, 0)
  return count <= Number.MAX_SAFE_INTEGER ? count : null
}

/** How many replies a question takes, by the page they lead to; null is the next. */
const repliesByPage = (question: SnapshotQuestion): Map<number | null, number> => {
  const blank = question.is_required === false ? 1 : 0
  if (question.type === 'scale') {
    const { from, to } = scaleOf(question)
    return new Map([[null, to - from + 1 + blank]])
  }
  if (!isChoice(question)) return new Map([[null, 1]])
  const { answers, has_other } = question
  const most = mostChoices(question)
  const leading = answers
    .map((answer) => leadsTo(answer, question))
    .filter((to) => to !== undefined)
  const nb_still = answers.length + (has_other ? 1 : 0) - leading.length
  // A question without any answer is passed as it is.
  const nb_next = nbSets(nb_still, most) - 1 + blank || (leading.length > 0 ? 0 : 1)
  const counts = new Map<number | null, number>(nb_next > 0 ? [[null, nb_next]] : [])
  for (const [rank, to] of leading.entries()) {
    // Of those that lead anywhere the first decides.
    const nb_beside = nb_still + leading.length - rank - 1
    counts.set(to, (counts.get(to) ?? 0) + nbSets(nb_beside, most - 1))
  }
  return counts
}

/** How many sets there are of at most so many of these, the empty one among them. */
const nbSets = (count: number, most: number): number => {
  /** By size: Pascal's triangle, since products would lose digits before their quotients are small again. */
  const sets = [1]
  for (let nb = 1; nb <= count; nb++)
    for (let size = Math.min(nb, most); size > 0; size--)
      sets[size] = (sets[size] ?? 0) + (sets[size - 1] ?? 0)
  return sets.reduce((sum, one) => sum + one, 0)
}
