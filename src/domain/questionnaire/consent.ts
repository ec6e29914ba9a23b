import type { QuestionType } from '#domain/common/vocabulary.ts'

/** Returns true if a question asks for an email address. Tools receive only participants with an address. */
export const hasEmailQuestion = (questions: readonly { type: QuestionType }[]): boolean =>
  questions.some(({ type }) => type === 'email')

/** Default text next to the consent checkbox. */
export const DEFAULT_CONSENT_TEXT =
  'J’accepte que mon adresse email et mon résultat soient transmis à l’outil d’emailing de l’auteur de ce questionnaire, pour recevoir ses emails. Je pourrai me désinscrire à tout moment.'

/** Key of the consent checkbox among the replies of a run, whose other keys are question ids. */
export const CONSENT_FIELD = 'consent'
