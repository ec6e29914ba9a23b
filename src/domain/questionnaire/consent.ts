import type { QuestionType, QuizType } from '#domain/common/vocabulary.ts'
import type { Consent, Snapshot } from './snapshot.ts'

/** Whether participants give an address, without which no participant is forwarded. */
export const asksForEmail = (questions: readonly { type: QuestionType }[]): boolean =>
  questions.some(({ type }) => type === 'email')

/** The wording beside the box of a quiz that has none of its own. */
export const DEFAULT_CONSENT_TEXT =
  'J’accepte que mon adresse email et mon résultat soient transmis à l’outil d’emailing de l’auteur de ce questionnaire, pour recevoir ses emails. Je pourrai me désinscrire à tout moment.'

/** The name of the box among the replies of a run, which are otherwise named by their questions. */
export const CONSENT_FIELD = 'consent'

/** What visitors find at the question for their address beside its own words. */
export type EmailQuestionNotes = {
  consent: Consent | null
  /** Whether they get a mail. */
  is_mailed: boolean
}
export const NO_EMAIL_NOTES: EmailQuestionNotes = { consent: null, is_mailed: false }

const MAIL_NOTES: Record<QuizType, string> = {
  quiz: 'Vous recevrez votre résultat par email.',
  sondage: 'Vous recevrez un email de confirmation.',
}

/**
 * The snapshot with the box and the note about the mail at its first email question, the one whose reply is the
 * participant's address; the same where there is nothing to say.
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
