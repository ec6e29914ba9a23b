import { JUMP_TO_END, type Replies } from '#domain/questionnaire/quiz.ts'
import type { SnapshotAnswer, SnapshotQuestion } from '#domain/questionnaire/snapshot.ts'
import { chosenAnswers } from './replies.ts'

/**
 * Steps that a visit came to: those after `from` up to `to`, but those that its path left out. Steps that a visit
 * came to twice, on the way back, are counted once.
 */
export type Steps = { from: number; to: number; left_out?: readonly number[] | undefined }

/** The steps of a span that are not among these, ascending; null where all are. */
export const leftOutOf = (
  steps: readonly number[],
  span: { from: number; to: number },
): number[] | null => {
  const left_out = stepsIn(span).filter((step) => !steps.includes(step))
  return left_out.length > 0 ? left_out : null
}

/** The steps of a span, one by one. */
export const stepsIn = ({ from, to, left_out = [] }: Steps): number[] =>
  Array.from({ length: Math.max(0, to - from) }, (_, rank) => from + rank + 1).filter(
    (step) => !left_out.includes(step),
  )

/** Steps that are left out as the query of an address has them, after what is before it; '' for none. */
export const leftOutQuery = ({ left_out }: Steps, before: '?' | '&'): string =>
  left_out?.length ? `${before}left_out=${left_out.join('.')}` : ''

/**
 * Which pages a run leaves out: those between a page and the later one to which the first chosen answer on it
 * that leads anywhere leads. A page that is left out decides nothing. The one rule of the path, for browser and
 * server alike; `questions` are in their order.
 */
export const pagesLeftOut = (
  questions: readonly SnapshotQuestion[],
  replies: Replies,
): ((page_number: number) => boolean) => {
  const gaps: { after: number; before: number }[] = []
  let before = 0
  let decided = 0
  for (const question of questions) {
    const { page_number } = question
    if (page_number < before || page_number === decided) continue
    const jump = jumpOf(question, replies)
    if (jump === undefined) continue
    decided = page_number
    before = jump
    gaps.push({ after: page_number, before })
  }
  return (page_number) => gaps.some((gap) => gap.after < page_number && page_number < gap.before)
}

/** The page to which the chosen answers of a question lead, Infinity for the end; undefined when to the next one. */
const jumpOf = (question: SnapshotQuestion, replies: Replies): number | undefined => {
  for (const answer of question.answers.some(leads) ? chosenAnswers(question, replies) : []) {
    const to = leadsTo(answer, question)
    if (to !== undefined) return to
  }
  return undefined
}

/** The page to which an answer leads that is chosen, Infinity for the end; undefined when to the next one. */
export const leadsTo = (
  { jump_to }: SnapshotAnswer,
  { page_number }: SnapshotQuestion,
): number | undefined => {
  if (jump_to === JUMP_TO_END) return Number.POSITIVE_INFINITY
  // Only forward: a run always ends.
  return jump_to && jump_to > page_number ? jump_to : undefined
}

const leads = ({ jump_to }: SnapshotAnswer): boolean => typeof jump_to === 'number'

/** Whether any answer of these questions leads elsewhere than to the next page. */
export const hasJumps = (questions: readonly SnapshotQuestion[]): boolean =>
  questions.some(({ answers }) => answers.some(leads))

/** The questions of the pages that a run passes, in their order. */
export const questionsPassed = <Q extends SnapshotQuestion>(
  questions: readonly Q[],
  replies: Replies,
): Q[] => {
  const isLeftOut = pagesLeftOut(questions, replies)
  return questions.filter(({ page_number }) => !isLeftOut(page_number))
}

/** The index of the page that follows on the path, or comes before: `pages.length` is the end, -1 is before the first. */
export const neighbourOnPath = (
  pages: readonly { number: number }[],
  {
    page_index,
    step,
    isLeftOut,
  }: { page_index: number; step: 1 | -1; isLeftOut: (page_number: number) => boolean },
): number => {
  let index = page_index + step
  for (let page = pages[index]; page && isLeftOut(page.number); page = pages[index]) index += step
  return index
}
