import type { QuestionType, QuizType } from '#domain/common/vocabulary.ts'
import type { Consent, Snapshot } from './snapshot.ts'

/** Returns true if a question asks for an email address; other participants cannot be forwarded. */
export const hasEmailQuestion = (questions: readonly { type: QuestionType }[]): boolean =>
  questions.some(({ type }) => type === 'email')

/** Default text next to the consent checkbox. */
export const DEFAULT_CONSENT_TEXT =
  'J’accepte que mon adresse email et mon résultat soient transmis à l’outil d’emailing de l’auteur de ce questionnaire, pour recevoir ses emails. Je pourrai me désinscrire à tout moment.'

/** Key of the consent checkbox among the replies of a run, whose other keys are question ids. */
export const CONSENT_FIELD = 'consent'

/** Additions to the email question: consent checkbox and note about the result mail. */
export type EmailQuestionNotes = {
  consent: Consent | null
  /** True if the quiz sends a mail to participants. */
  is_mailed: boolean
}
/** No additions to the email question. */
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
  const help = [first.help, is_mailed && MAIL_NOTES[snapshot.quiz.type]]
    .filter(Boolean)
    .join('\n\n')
  const noted = { ...first, ...(help && { help }), ...(consent && { consent }) }
  return {
    ...snapshot,
    questions: snapshot.questions.map((question) => (question === first ? noted : question)),
  }
}
