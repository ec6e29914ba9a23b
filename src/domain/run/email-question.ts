import type { QuizType } from '#domain/common/vocabulary.ts'
import type { Replies } from '#domain/questionnaire/quiz.ts'
import type { Consent, Snapshot } from '#domain/questionnaire/snapshot.ts'
import { visitedQuestions } from './path.ts'
import { replyPartsOf } from './replies.ts'
import { wordingOf } from './wording/wording.ts'

/** Returns the trimmed reply to the first email question that the run visits; '' without a reply (spec §7). */
export const participantEmail = (
  { questions }: Pick<Snapshot, 'questions'>,
  replies: Replies,
  passed = visitedQuestions(questions, replies),
): string => {
  const first = passed.find(({ type }) => type === 'email')
  return first ? (replyPartsOf(replies, first)[0]?.trim() ?? '') : ''
}

/** Additions to the email question: consent checkbox and note about the result mail. */
export type EmailQuestionNotes = {
  consent: Consent | null
  /** True if the quiz sends a mail to participants. */
  is_mailed: boolean
}

/** Empty additions to the email question. */
export const NO_EMAIL_NOTES: EmailQuestionNotes = { consent: null, is_mailed: false }

const MAIL_NOTES: Record<QuizType, string> = {
  quiz: 'Vous recevrez votre résultat par email.',
  sondage: 'Vous recevrez un email de confirmation.',
}

/**
 * Returns the snapshot with checkbox and mail note at its first email question, whose reply is the participant's
 * address. Returns the same snapshot if there is nothing to add.
 */
export const addEmailNotes = (
  snapshot: Snapshot,
  { consent, is_mailed }: EmailQuestionNotes,
): Snapshot => {
  const first = snapshot.questions.find(({ type }) => type === 'email')
  if (!first || !(consent || is_mailed)) return snapshot
  const help = [first.help, is_mailed && wordingOf(snapshot.quiz, MAIL_NOTES[snapshot.quiz.type])]
    .filter(Boolean)
    .join('\n\n')
  const noted = { ...first, ...(help && { help }), ...(consent && { consent }) }
  return {
    ...snapshot,
    questions: snapshot.questions.map((question) => (question === first ? noted : question)),
  }
}
