import { isBlankText } from '#domain/common/text.ts'
import { isChoice, type Replies } from '#domain/questionnaire/quiz.ts'
import type { SnapshotAnswer, SnapshotQuestion } from '#domain/questionnaire/snapshot.ts'

/** Stands for the parts that a page never shows and the rules for what it never asks, in the script of such a page (domain/run/visitor-snapshot.ts). */
const nothing = (): null => null

export const HAS_PAGE_OPTIONS = false
export const HAS_QUESTION_OPTIONS = false

/** None of its texts has an address. */
export { frenchText as linkedText } from './content/french-text.ts'

/** Its path has every page (domain/run/path.ts). */
export const pagesLeftOut = () => (): boolean => false
export const questionsPassed = <Q>(questions: Q): Q => questions

export const leftOutQuery = (): string => ''

/** Its replies are texts (domain/run/replies.ts, domain/run/replies.ts). */
export const repliesOf = Object.fromEntries
export const replyTo = (replies: Replies, question_id: string) =>
  Object.hasOwn(replies, question_id) ? (replies[question_id] ?? '') : ''
const textOf = (replies: Replies, { id }: { id: string }): string => `${replyTo(replies, id)}`
export const partsOf = (replies: Replies, question: { id: string }): string[] =>
  [textOf(replies, question)].filter((text) => !isBlankText(text))
export const chosenAnswers = (question: SnapshotQuestion, replies: Replies): SnapshotAnswer[] =>
  question.answers.filter(({ id }) => id === textOf(replies, question))
export const formatReply = (question: SnapshotQuestion, replies: Replies): string =>
  isChoice(question) ? (chosenAnswers(question, replies)[0]?.text ?? '') : textOf(replies, question)
export const fitsFields = (question: SnapshotQuestion, replies: Replies): boolean =>
  typeof replyTo(replies, question.id) === 'string' &&
  (!isChoice(question) || chosenAnswers(question, replies).length > 0)

export const createRedirect = () => ({
  isLeading: nothing,
  begin: nothing,
  leave: nothing,
  stay: nothing,
})

export {
  nothing as drawBlocks,
  nothing as fillAddress,
  nothing as fillInsertions,
  nothing as fillRichText,
  nothing as insertionsOf,
  nothing as Ahead,
  nothing as ChoiceHint,
  nothing as ClearChoice,
  nothing as Detail,
  nothing as Equals,
  nothing as Help,
  nothing as Logo,
  nothing as OtherChoice,
  nothing as Picture,
  nothing as Scale,
  nothing as blankOther,
  nothing as leftOutOf,
  nothing as limited,
  nothing as neighbourOnPath,
  nothing as otherFault,
  nothing as otherField,
  nothing as otherText,
  nothing as reachableTotals,
  nothing as replyFault,
  nothing as resultDetail,
  nothing as resultOfTieQuestion,
  nothing as scaleNumber,
  nothing as shuffled,
  nothing as takesSeveral,
  nothing as Welcome,
}
