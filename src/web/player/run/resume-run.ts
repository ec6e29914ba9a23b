import { CONSENT_FIELD } from '#domain/questionnaire/consent/consent.ts'
import type { Replies } from '#domain/questionnaire/quiz.ts'
import type { SnapshotQuestion } from '#domain/questionnaire/snapshot.ts'
import { replyFault, replyPartsOf, replyTo } from '#domain/run/replies.ts'
import type { RichSnapshot } from '#domain/run/rich-text.ts'
import { nextRun, type Run, type RunContext } from './run.ts'

/** Returns true if the fields of a question can show a reply, also with too many choices or too long a text. */
const canShowReply = (question: SnapshotQuestion, replies: Replies): boolean => {
  const fault = replyFault(question, replies)
  return !fault || fault === 'too_many' || fault === 'too_long'
}

/**
 * Returns a saved run adapted to the current questionnaire. Replies that its fields cannot show are dropped, and the
 * run goes back to the first page that lacks an answer. A finished run keeps the result that was shown.
 */
export const resumeRun = (
  context: RunContext,
  before: Run,
  isShowable: (question: SnapshotQuestion, replies: Replies) => boolean = canShowReply,
): Run => {
  const replies = selectReplies(context.snapshot, before.replies, isShowable)
  const { page_index } = before
  return nextRun(context, { ...before, replies, page_index: 0 }, { kind: 'go', page_index })
}

const selectReplies = (
  { questions }: RichSnapshot,
  replies: Replies,
  isShowable: (question: SnapshotQuestion, replies: Replies) => boolean,
): Replies => ({
  // The consent reply is also kept for an unticked box, whose value is empty.
  ...(CONSENT_FIELD in replies && { [CONSENT_FIELD]: replyTo(replies, CONSENT_FIELD) }),
  ...Object.fromEntries(
    questions
      .filter(
        (question) => replyPartsOf(replies, question).length > 0 && isShowable(question, replies),
      )
      .map(({ id }) => [id, replyTo(replies, id)]),
  ),
})
