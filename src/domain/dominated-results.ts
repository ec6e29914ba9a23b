import { checkedLinks } from './odds-outcomes.ts'
import { isChoice } from './quiz.ts'
import { reachableTotals } from './reachable-totals.ts'
import type { Scorable } from './scoring.ts'
import type { SnapshotAnswer, SnapshotQuestion, SnapshotResult } from './snapshot.ts'

/** What keeps a result from ever coming out; `is_ahead`: it has more in every run, not only as much. */
export type Dominator = { result: SnapshotResult; is_ahead: boolean }

/**
 * The first of the other results, which are in their order, that has more in every run than the one at `index`; else the
 * first that has as much at least and wins every tie with it; null where neither can be said.
 */
export const dominatorOf = (
  { quiz, questions }: Pick<Scorable, 'quiz' | 'questions'>,
  results: readonly SnapshotResult[],
  index: number,
): Dominator | null => {
  const { id } = results[index] as SnapshotResult
  const leads = results.map((other) =>
    other.id === id ? Number.POSITIVE_INFINITY : mostAhead(questions, id, other.id),
  )
  const ahead = results.find((_, at) => (leads[at] as number) < 0)
  if (ahead) return { result: ahead, is_ahead: true }
  // One that only a weight of 0 leads to is a result still, beside another to which nothing has led.
  const hasNoWeight = linksTo(questions, id).some(({ weight }) => weight === 0)
  if (quiz.tie_rule === 'question' || hasNoWeight) return null
  const equal = results.find((_, at) => at < index && leads[at] === 0)
  return equal ? { result: equal, is_ahead: false } : null
}

/** How much more than another a result has in the run where it has most more; below 0 when it never has as much. */
const mostAhead = (
  questions: readonly SnapshotQuestion[],
  id: string,
  other_id: string,
): number => {
  const difference = (answer: SnapshotAnswer): number =>
    weightOf(answer, id) - weightOf(answer, other_id)
  return reachableTotals(
    questions.map((question) => ({
      ...question,
      counts_in_score: false,
      answers: question.answers.map((answer) => ({ ...answer, score: difference(answer) })),
    })),
  ).to
}

const weightOf = (answer: SnapshotAnswer, id: string): number =>
  checkedLinks(answer).reduce(
    (sum, { result_id, weight }) => (result_id === id ? sum + weight : sum),
    0,
  )

const linksTo = (questions: readonly SnapshotQuestion[], id: string) =>
  questions
    .filter(isChoice)
    .flatMap(({ answers }) => answers.flatMap(checkedLinks))
    .filter(({ result_id }) => result_id === id)
