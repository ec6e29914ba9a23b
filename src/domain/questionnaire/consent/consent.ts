import type { QuestionType, QuizType } from '#domain/common/vocabulary.ts'

/** Returns true if a question asks for an email address. Tools receive only participants with an address. */
export const hasEmailQuestion = (questions: readonly { type: QuestionType }[]): boolean =>
  questions.some(({ type }) => type === 'email')

/** Default texts next to the consent checkbox. A sondage has no result that tools could receive. */
export const DEFAULT_CONSENT_TEXTS: Record<QuizType, string> = {
  quiz: 'J’accepte que mon adresse email et mon résultat soient transmis à l’outil d’emailing de l’auteur de ce questionnaire, pour recevoir ses emails. Je pourrai me désinscrire à tout moment.',
  sondage:
    'J’accepte que mon adresse email soit transmise à l’outil d’emailing de l’auteur de ce questionnaire, pour recevoir ses emails. Je pourrai me désinscrire à tout moment.',
}

/** Key of the consent checkbox among the replies of a run, whose other keys are question ids. */
export const CONSENT_FIELD = 'consent'
