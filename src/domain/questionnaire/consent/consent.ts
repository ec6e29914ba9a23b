import type { QuestionType, QuizType } from '#domain/common/vocabulary.ts'
import type { Reply } from '#domain/questionnaire/quiz.ts'

/** Returns true if a question asks for an email address. Tools receive only participants with an address. */
export const hasEmailQuestion = (questions: readonly { type: QuestionType }[]): boolean =>
  questions.some(({ type }) => type === 'email')

/** Default texts next to the consent checkbox. A sondage has no result that tools could receive. */
export const DEFAULT_CONSENT_TEXTS: Record<QuizType, string> = {
  quiz: 'J’accepte que mon adresse email et mon résultat soient transmis à l’outil d’emailing de l’auteur de ce questionnaire, pour recevoir ses emails. Je pourrai me désinscrire à tout moment.',
  sondage:
    'J’accepte que mon adresse email soit transmise à l’outil d’emailing de l’auteur de ce questionnaire, pour recevoir ses emails. Je pourrai me désinscrire à tout moment.',
}

/** Default text next to the checkbox of the second consent. */
export const DEFAULT_MEASURE_TEXT =
  'J’accepte que l’ouverture des emails et les clics soient mesurés.'

/** Consents that a participant can give: to forwarding, and to measuring openings and clicks. */
export const CONSENT_KINDS = ['forwarding', 'measure'] as const
/** Consent that a participant can give. */
export type ConsentKind = (typeof CONSENT_KINDS)[number]

/** Key of the consent checkboxes among the replies of a run, whose other keys are question ids. */
export const CONSENT_FIELD = 'consent'

/** Mark before the versions of the second consent in the reply of `CONSENT_FIELD`. The mark alone says that its box was shown. */
export const MEASURE_MARK = 'm'

/** Accepted wordings of both consents; 0 for a box that stayed unticked, undefined without a box. */
export type ConsentVersions = {
  consent_version?: number | undefined
  measure_version?: number | undefined
}

const latest = (versions: string[]): number | undefined =>
  versions.length > 0 ? Math.max(...versions.map(Number)) : undefined

/** Reads the checkboxes of a run from the reply of `CONSENT_FIELD`. A version that is no number becomes NaN. */
export const readConsents = (reply: Reply | undefined): ConsentVersions => {
  const parts = reply === undefined ? [] : [reply].flat()
  const isMeasure = (part: string): boolean => part.startsWith(MEASURE_MARK)
  return {
    consent_version: latest(parts.filter((part) => !isMeasure(part))),
    measure_version: latest(parts.filter(isMeasure).map((part) => part.slice(MEASURE_MARK.length))),
  }
}
