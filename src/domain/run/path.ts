import { JUMP_TO_END, type Replies } from '#domain/questionnaire/quiz.ts'
import type { SnapshotAnswer, SnapshotQuestion } from '#domain/questionnaire/snapshot.ts'
import { chosenAnswers } from './replies.ts'

/** Path of a run through the pages of a questionnaire. */

/**
 * Steps that a visit reached: after `from` up to `to`, without the steps that its path skipped. Steps reached again
 * on the way back count once.
 */
export type VisitedSteps = { from: number; to: number; left_out?: readonly number[] | undefined }

/** Returns the steps of a span that are not in `steps`, ascending; null if all are. */
export const skippedStepsOf = (
  steps: readonly number[],
  span: { from: number; to: number },
): number[] | null => {
  const left_out = stepsIn(span).filter((step) => !steps.includes(step))
  return left_out.length > 0 ? left_out : null
}

/** Returns the steps of a span in ascending order. */
export const stepsIn = ({ from, to, left_out = [] }: VisitedSteps): number[] =>
  Array.from({ length: Math.max(0, to - from) }, (_, rank) => from + rank + 1).filter(
    (step) => !left_out.includes(step),
  )

/** Returns the skipped steps as a query parameter that begins with `before`; '' if there are none. */
export const skippedStepsQuery = ({ left_out }: VisitedSteps, before: '?' | '&'): string =>
  left_out?.length ? `${before}left_out=${left_out.join('.')}` : ''

/**
 * Returns a function that tells whether a run skips a page. The first chosen answer with a jump decides for its page,
 * and the pages before its target are skipped. Browser and server share this rule; `questions` must be sorted.
 */
export const createIsPageSkipped = (
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

/** Returns the page to which the chosen answers lead, Infinity for the end; undefined for the following page. */
const jumpOf = (question: SnapshotQuestion, replies: Replies): number | undefined => {
  for (const answer of question.answers.some(hasJump) ? chosenAnswers(question, replies) : []) {
    const to = jumpTargetOf(answer, question)
    if (to !== undefined) return to
  }
  return undefined
}

/** Returns the page to which an answer leads, Infinity for the end; undefined for the following page. */
export const jumpTargetOf = (
  { jump_to }: SnapshotAnswer,
  { page_number }: SnapshotQuestion,
): number | undefined => {
  if (jump_to === JUMP_TO_END) return Number.POSITIVE_INFINITY
  // Only forward jumps count, so that every run ends.
  return jump_to && jump_to > page_number ? jump_to : undefined
}

const hasJump = ({ jump_to }: SnapshotAnswer): boolean => typeof jump_to === 'number'

/**
 * Returns true if any answer stores a jump, even one that has no effect. The layout of stored replies depends on this
 * value, so it must not become stricter.
 */
export const hasJumps = (questions: readonly SnapshotQuestion[]): boolean =>
  questions.some(({ answers }) => answers.some(hasJump))

/** Returns the questions of the pages that a run visits, in their order. */
export const visitedQuestions = <Q extends SnapshotQuestion>(
  questions: readonly Q[],
  replies: Replies,
): Q[] => {
  const isSkipped = createIsPageSkipped(questions, replies)
  return questions.filter(({ page_number }) => !isSkipped(page_number))
}

/**
 * Returns the index of the next or previous page on the path. `pages.length` means the end, -1 means before the first
 * page.
 */
export const adjacentPageIndex = (
  pages: readonly { number: number }[],
  {
    page_index,
    step,
    isSkipped,
  }: { page_index: number; step: 1 | -1; isSkipped: (page_number: number) => boolean },
): number => {
  let index = page_index + step
  for (let page = pages[index]; page && isSkipped(page.number); page = pages[index]) index += step
  return index
}
