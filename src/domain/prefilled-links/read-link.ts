import { decodeEscapes, MAX_QUERY_LENGTH } from '#domain/questionnaire/parameters.ts'
import { NOSCRIPT_PARAMETER, type PrefilledTarget, prefilledTarget } from './link-parameters.ts'

/** Parameters of an address, split into those that fill in replies and the others. */

/** A value of a prefilled link, still escaped, because its meaning depends on the type of the question. */
export type LinkValue = { target: PrefilledTarget; escaped: string }

/** Query of an address without the parameters that fill in replies. */
export type SplitQuery = {
  values: LinkValue[]
  /** Other parameters as they were sent, with `?`; '' if there are none. */
  others: string
}

/** Maximum length of an escaped name that is decoded; a name of a question has at most nine bytes for each character. */
const MAX_ESCAPED_NAME_LENGTH = 600

/** Rest of `&amp;`, which some programs write for `&`. */
const ENTITY = /^(?:amp;)+/i

/** Returns the decoded name of a parameter, of which a long one is cut. */
const nameOf = (part: string): string => {
  const [escaped = ''] = part.replace(ENTITY, '').split('=', 1)
  return decodeEscapes(escaped.slice(0, MAX_ESCAPED_NAME_LENGTH).replaceAll('+', ' '))
}

/** Maximum number of parameters that are read: one for each of 500 questions, and 100 others. */
const MAX_PARAMETERS = 600

/** Splits the query of an address, with or without `?`, and leaves out parameters beyond MAX_PARAMETERS. Never fails. */
export const splitQuery = (search: string): SplitQuery => {
  const values: LinkValue[] = []
  const others: string[] = []
  const query = search.slice(0, MAX_QUERY_LENGTH).replace(/^\?/, '')
  for (const part of query.split('&', MAX_PARAMETERS)) {
    const name = nameOf(part)
    const target = prefilledTarget(name)
    const at = part.indexOf('=')
    if (name === NOSCRIPT_PARAMETER || part === '') continue
    if (!target) others.push(part)
    else values.push({ target, escaped: at < 0 ? '' : part.slice(at + 1) })
  }
  const rest = others.join('&')
  return { values, others: rest && `?${rest}` }
}

const EMAIL = /^[^\s@]+@[^\s@]+$/
const INTERNATIONAL_NUMBER = /^\+\d/
/** Byte outside ASCII that stayed escaped, because the bytes around it are no text. */
const UNREADABLE = /%[89a-f][0-9a-f]/i

/**
 * Decodes a value. A `+` is a space, but stays in an email address and before an international number, because tools for
 * mails insert both without escapes. Bytes that are no text give ''.
 */
export const decodeLinkValue = (escaped: string): string => {
  const unspaced = decodeEscapes(escaped)
  if (unspaced === escaped && UNREADABLE.test(escaped)) return ''
  const trimmed = unspaced.trim()
  if (EMAIL.test(trimmed)) return trimmed
  const text = decodeEscapes(escaped.replaceAll('+', ' ')).trim()
  return INTERNATIONAL_NUMBER.test(trimmed) && !text.startsWith('+') ? `+${text}` : text
}

/** Signs that begin a merge tag, also escaped twice. */
const TAG_SIGN = /\{\{|\{%|%7b%7b|\*\||\[\[/i
/** Value that is one merge tag, such as `{prenom}`, `%FIRSTNAME%` or `[PRENOM]`. */
const WHOLE_TAG = /^(?:\{[^{}]*\}|%[^%\s]+%|\[[^[\]]*\]|<[^<>]*>|#[^#\s]+#)$/

/** Returns true if a tool for mails has left its merge tag in place of the value. */
export const isMergeTag = (escaped: string, text: string): boolean =>
  [escaped.trim(), text].some((form) => TAG_SIGN.test(form) || WHOLE_TAG.test(form))
