import { comparableText } from '#domain/common/comparable-text.ts'
import { contactRoleOf } from '#domain/questionnaire/contact-roles.ts'
import { type Draft, isSondage } from '#domain/questionnaire/quiz.ts'

/** Words of the consent box, compared with the data that email tools receive. */

/** Personal data that email tools receive besides the address, in the order of a consent text. */
const SENT_PARTS = ['first_name', 'last_name', 'phone', 'result', 'replies'] as const
/** Kind of personal data that email tools receive besides the address. */
export type SentPart = (typeof SENT_PARTS)[number]

/** French name of each part, and an expression for words that announce the part, without case and accents. */
const PARTS: Record<SentPart, { name: string; words: RegExp }> = {
  first_name: { name: 'mon prénom', words: /prenom|coordonnees|\bdonnees/ },
  last_name: { name: 'mon nom', words: /\bnom\b|coordonnees|\bdonnees/ },
  phone: { name: 'mon numéro de téléphone', words: /telephone|numero|coordonnees|\bdonnees/ },
  result: { name: 'mon résultat', words: /resultat|score|profil|\bdonnees/ },
  replies: { name: 'mes réponses', words: /repons|\bdonnees/ },
}

/**
 * Returns the parts that the tools of a quiz receive. `sends_replies` is true if a field or a rule uses a reply.
 */
export const sentParts = (
  { quiz, questions }: Pick<Draft, 'quiz' | 'questions'>,
  sends_replies: boolean,
): SentPart[] => {
  const roles = new Set(questions.map(contactRoleOf))
  return SENT_PARTS.filter((part) => {
    if (part === 'result') return !isSondage(quiz)
    if (part === 'replies') return sends_replies
    return roles.has(part)
  })
}

/**
 * Returns the parts that a consent text does not announce although they are sent, and whether it announces a result that
 * a sondage does not have. `text` has at most 500 characters.
 */
export const consentGaps = (
  text: string,
  parts: readonly SentPart[],
): { missing: SentPart[]; has_false_result: boolean } => {
  const compared = comparableText(text)
  return {
    missing: parts.filter((part) => !PARTS[part].words.test(compared)),
    has_false_result: !parts.includes('result') && /\bresultat/.test(compared),
  }
}

const list = new Intl.ListFormat('fr')

/** Returns the French names of parts, such as « mon prénom et mes réponses ». */
export const sentPartNames = (parts: readonly SentPart[]): string =>
  list.format(parts.map((part) => PARTS[part].name))

/** Returns a consent text that announces the address and these parts. */
export const consentTextFor = (parts: readonly SentPart[]): string => {
  const data = list.format(['mon adresse email', ...parts.map((part) => PARTS[part].name)])
  const verb = parts.length > 0 ? 'soient transmis' : 'soit transmise'
  return `J’accepte que ${data} ${verb} à l’outil d’emailing de l’auteur de ce questionnaire, pour recevoir ses emails. Je pourrai me désinscrire à tout moment.`
}
