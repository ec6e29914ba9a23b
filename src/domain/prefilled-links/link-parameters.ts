import { comparableText } from '#domain/common/comparable-text.ts'
import { type ContactRole, LIMITS } from '#domain/common/vocabulary.ts'

/** Names of the parameters of a prefilled link, whose values fill in replies. */

/** Data of a person that a link can fill in without naming a question. */
export type PrefilledRole = ContactRole | 'email'

/** Parameter of each role, as links write it. Links are also read with accents and capitals. */
export const ROLE_PARAMETERS: Record<PrefilledRole, string> = {
  first_name: 'prenom',
  last_name: 'nom',
  email: 'email',
  phone: 'telephone',
}
/** Roles in the order of their parameters. Marked as pure, so that screens of creators leave the list out. */
const ROLES = /* @__PURE__ */ Object.keys(ROLE_PARAMETERS) as PrefilledRole[]

/** Beginning of a parameter that names a question by its short name or its number. */
export const QUESTION_PREFIX = 'q.'
/** Maximum length of a name that is compared; longer names match no question. */
const MAX_NAME_LENGTH = QUESTION_PREFIX.length + LIMITS.question_label

/** Question that a parameter fills in: the one with a role, or the one with a short name or a number. */
export type PrefilledTarget = { role: PrefilledRole } | { name: string }

/**
 * Returns the question that a decoded parameter names; undefined for every other parameter. A name that no question can
 * have is `''`.
 */
export const prefilledTarget = (parameter: string): PrefilledTarget | undefined => {
  const isQuestion = parameter.slice(0, QUESTION_PREFIX.length).toLowerCase() === QUESTION_PREFIX
  const isLong = parameter.length > MAX_NAME_LENGTH
  if (isQuestion) return { name: isLong ? '' : parameter.slice(QUESTION_PREFIX.length) }
  const name = isLong ? '' : comparableText(parameter)
  const role = ROLES.find((one) => ROLE_PARAMETERS[one] === name)
  return role && { role }
}

/** Id of the element with the replies that the address of a page fills in. */
export const PREFILLED_DATA_ID = 'prefilled'

/** Replies that the address of a page fills in, for its script. */
export type PrefilledData<Replies> = {
  replies: Replies
  /** Query of the address without the values, with `?`; '' if nothing else is in it. */
  others: string
}

/** Parameter with which a browser without scripts asks for the filled form. */
export const NOSCRIPT_PARAMETER = 'noscript'

/** Returns true if the query of a page asks for a form that the server fills in. */
export const isFilledFormRequest = (query: unknown): boolean =>
  typeof query === 'object' && query !== null && NOSCRIPT_PARAMETER in query
