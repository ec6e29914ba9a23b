import { isBlankText } from '#domain/common/text.ts'
import { isChoice, type Replies } from '#domain/questionnaire/quiz.ts'
import type { SnapshotAnswer, SnapshotQuestion } from '#domain/questionnaire/snapshot.ts'

/**
 * Stands for the components and rules that a lighter player script leaves out (vite.player.config.ts lists them). Each
 * page gets the lightest script that it can use (`playerKindOf` in domain/run/player-kind.ts). absent.test.ts proves
 * that these rules give the results of the real rules.
 */
const renderNothing = (): null => null

/** False in the script of a plain page (content/has-page-options.ts). */
export const HAS_PAGE_OPTIONS = false
/** False in the scripts of pages without question options (content/has-question-options.ts). */
export const HAS_QUESTION_OPTIONS = false

/** Texts of a plain page have no addresses to link. */
export { tiePunctuation as linkedText } from '#domain/common/french-spacing.ts'

/** Returns a test that skips no page, because the path of such a page has every page (domain/run/path.ts). */
export const createIsPageSkipped = () => (): boolean => false
/** Returns all questions, because the path skips none. */
export const visitedQuestions = <Q>(questions: Q): Q => questions

/** Returns an empty query, because the path skips no step. */
export const skippedStepsQuery = (): string => ''

/** Returns the replies of a form, of which each is one text (domain/run/replies.ts). */
export const repliesOf = Object.fromEntries
/** Returns the reply to a question; '' without a reply. */
export const replyTo = (replies: Replies, question_id: string) =>
  Object.hasOwn(replies, question_id) ? (replies[question_id] ?? '') : ''
const textOf = (replies: Replies, { id }: { id: string }): string => `${replyTo(replies, id)}`
/** Returns the reply as a list; empty for a blank reply. */
export const replyPartsOf = (replies: Replies, question: { id: string }): string[] =>
  [textOf(replies, question)].filter((text) => !isBlankText(text))
/** Returns the chosen answer as a list; empty without a choice. */
export const chosenAnswers = (question: SnapshotQuestion, replies: Replies): SnapshotAnswer[] =>
  question.answers.filter(({ id }) => id === textOf(replies, question))
/** Returns the reply as text. */
export const formatReply = (question: SnapshotQuestion, replies: Replies): string =>
  isChoice(question) ? (chosenAnswers(question, replies)[0]?.text ?? '') : textOf(replies, question)
/** Returns true if the fields of the question can show the reply. */
export const canShowReply = (question: SnapshotQuestion, replies: Replies): boolean =>
  typeof replyTo(replies, question.id) === 'string' &&
  (!isChoice(question) || chosenAnswers(question, replies).length > 0)

export {
  renderNothing as createRedirect,
  renderNothing as renderBlocks,
  renderNothing as fillAddress,
  renderNothing as fillInsertions,
  renderNothing as fillRichText,
  renderNothing as insertionsOf,
  renderNothing as NextSteps,
  renderNothing as ChoiceHint,
  renderNothing as ClearChoice,
  renderNothing as ResultBreakdown,
  renderNothing as TiedResults,
  renderNothing as Help,
  renderNothing as Logo,
  renderNothing as OtherChoice,
  renderNothing as Picture,
  renderNothing as Scale,
  renderNothing as findBlankOther,
  renderNothing as skippedStepsOf,
  renderNothing as fullBoxProps,
  renderNothing as adjacentPageIndex,
  renderNothing as maxChoicesOf,
  renderNothing as missingTextError,
  renderNothing as otherField,
  renderNothing as otherText,
  renderNothing as reachableTotals,
  renderNothing as replyFault,
  renderNothing as resultDetail,
  renderNothing as resultOfTieQuestion,
  renderNothing as scaleNumber,
  renderNothing as scaleOf,
  renderNothing as shuffled,
  renderNothing as canChooseSeveral,
  renderNothing as Welcome,
}
