import { MAX_REPLY_BYTES } from '#domain/common/vocabulary.ts'
import type { Replies } from '#domain/questionnaire/quiz.ts'
import type { Snapshot } from '#domain/questionnaire/snapshot.ts'
import { invalid } from '#server/http/edge/errors.ts'

/**
 * Throws a 422 if the typed replies of a run take more than MAX_REPLY_BYTES together, so that one submission cannot
 * store as much as its body may carry.
 */
export const refuseHeavyTexts = (texts: readonly string[]): void => {
  const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0)
  if (bytes <= MAX_REPLY_BYTES) return
  const [found, max_kb] = [bytes, MAX_REPLY_BYTES].map((count) => Math.ceil(count / 1_024))
  throw invalid(
    `Les textes font ${found} Ko en tout, et ce site en enregistre ${max_kb} Ko au plus : il faut raccourcir les plus longs`,
    'answers',
  )
}

/**
 * Throws a 422 if there are more replies than questions. The check runs before each reply is examined, so that
 * a large object of unknown keys costs little.
 */
export const refuseExtraReplies = (
  snapshot: Pick<Snapshot, 'questions'>,
  replies: Replies,
): void => {
  if (hasExtraReplies(snapshot, replies)) throw extraReplies()
}

/** Returns true if there are more replies than questions. */
export const hasExtraReplies = (
  { questions }: Pick<Snapshot, 'questions'>,
  replies: Replies,
): boolean => Object.keys(replies).length > questions.length

/** Returns the 422 of a submission with more replies than questions. */
export const extraReplies = () =>
  invalid('Il y a plus de réponses que ce questionnaire n’a de questions', 'answers')
