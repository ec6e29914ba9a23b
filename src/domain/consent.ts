import type { Consent, Snapshot } from './snapshot.ts'
import type { QuestionType } from './vocabulary.ts'

/** Whether participants give an address, without which no participant is forwarded. */
export const asksForEmail = (questions: readonly { type: QuestionType }[]): boolean =>
  questions.some(({ type }) => type === 'email')

/** The wording beside the box of a quiz that has none of its own. */
export const DEFAULT_CONSENT_TEXT =
  'J’accepte que mon adresse email et mon résultat soient transmis à l’outil d’emailing de l’auteur de ce questionnaire, pour recevoir ses emails. Je pourrai me désinscrire à tout moment.'

/** The name of the box among the replies of a run, which are otherwise named by their questions. */
export const CONSENT = 'consent'

/**
 * The snapshot with the box beside its first email question, the one whose reply is the participant's
 * address; the same where nothing is to be asked.
 */
export const askForConsent = (snapshot: Snapshot, consent: Consent | null): Snapshot => {
  const first = snapshot.questions.find(({ type }) => type === 'email')
  if (!first || !consent) return snapshot
  return {
    ...snapshot,
    questions: snapshot.questions.map((question) =>
      question === first ? { ...question, consent } : question,
    ),
  }
}
