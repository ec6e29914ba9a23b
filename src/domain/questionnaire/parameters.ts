import { normalizeWithin } from '#domain/common/normalize-text.ts'
import { oneLine } from '#domain/common/one-line.ts'
import { cutText, isBlankText } from '#domain/common/text.ts'
import { prefilledTarget, ROLE_PARAMETERS } from '#domain/prefilled-links/link-parameters.ts'

/** URL parameters that every quiz stores, because they tell where a participant came from. */
export const UTM_NAMES = [
  'utm_source',
  'utm_medium',
  'utm_campaign',
  'utm_term',
  'utm_content',
] as const

/** Stored URL parameters of a participant, by name. */
export type ParameterValues = Readonly<Record<string, string>>

/** Maximum number of parameters that a quiz can declare in addition to UTM_NAMES. */
export const MAX_DECLARED_PARAMETERS = 10
/** Refusal of too many declared parameters. */
export const TOO_MANY_PARAMETERS = `${MAX_DECLARED_PARAMETERS} paramètres au plus`
const MAX_NAME_LENGTH = 40
/** Maximum length of a stored value. */
export const MAX_PARAMETER_LENGTH = 200
/** Maximum length of a value that is cleaned; longer than a stored value, because cleaning may shorten it. */
const MAX_READ_LENGTH = 4_000
/** Maximum length of a query string that is read; the server refuses longer addresses. */
export const MAX_QUERY_LENGTH = 32_768

const NAME = new RegExp(`^[a-z0-9_]{1,${MAX_NAME_LENGTH}}$`)
/** Property names of every JavaScript object. */
const OBJECT_PROPERTIES: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype'])
/** Parameters of our own pages, and of prefilled links; `test` holds a secret. */
const RESERVED_NAMES: ReadonlySet<string> = new Set([
  ...['embed', 'test', 'noscript'],
  ...Object.values(ROLE_PARAMETERS),
])

/** Returns true if every quiz stores this parameter. */
export const isUtm = (name: string): boolean => (UTM_NAMES as readonly string[]).includes(name)

/** Returns true if this parameter can be stored or declared. */
export const isParameterName = (name: string): boolean =>
  NAME.test(name) && !OBJECT_PROPERTIES.has(name)

/** Returns the French reason why a quiz cannot declare this name; undefined if it can. */
const nameError = (name: string): string | undefined => {
  if (!NAME.test(name))
    return `De 1 à ${MAX_NAME_LENGTH} caractères : lettres minuscules sans accent, chiffres et _`
  if (name.startsWith('utm_')) return 'Les paramètres utm_ sont enregistrés sans être déclarés'
  return OBJECT_PROPERTIES.has(name) || RESERVED_NAMES.has(name)
    ? `Le nom « ${name} » est réservé`
    : undefined
}

/** Returns the French reason why a quiz cannot declare these names; undefined if it can. */
export const parameterNamesError = (names: readonly string[]): string | undefined => {
  if (names.length > MAX_DECLARED_PARAMETERS) return TOO_MANY_PARAMETERS
  const twice = names.find((name, rank) => names.indexOf(name) < rank)
  if (twice !== undefined) return `Le paramètre « ${twice} » est déjà dans la liste`
  const error = names.map((name) => [name, nameError(name)] as const).find(([, reason]) => reason)
  return error && `« ${error[0]} » : ${error[1]}`
}

/**
 * Returns a value as stored: one line in composed letters, '' if nothing visible remains. Long values are cut, because a
 * strange address must not block a participant.
 */
export const parameterValue = (text: string): string =>
  normalizeWithin(oneLine(cutText(text, MAX_READ_LENGTH)), MAX_PARAMETER_LENGTH).trim()

/**
 * Returns the stored parameters of an address: UTM_NAMES, then declared names. The last of repeated values counts;
 * null if nothing is stored.
 */
export const storedParameters = (
  pairs: Iterable<readonly [name: string, value: string]>,
  declared: readonly string[],
): ParameterValues | null => {
  const values = new Map(pairs)
  // Prefilled links have data of a person under names that older quizzes may have declared.
  const stored = declared.filter((name) => isParameterName(name) && !prefilledTarget(name))
  const kept = [...UTM_NAMES, ...stored].flatMap((name) => {
    const value = parameterValue(values.get(name) ?? '')
    return isBlankText(value) ? [] : [[name, value] as const]
  })
  return kept.length === 0 ? null : Object.fromEntries(kept)
}

/** Returns parameter names in display order: UTM_NAMES, then the others by name. */
export const sortParameterNames = (names: Iterable<string>): string[] => {
  const all = [...new Set(names)]
  const others = all.filter((name) => !isUtm(name)).sort()
  return [...UTM_NAMES.filter((name) => all.includes(name)), ...others]
}

/** Returns the parameters of a participant in display order; empty without parameters. */
export const sortParameters = (stored: ParameterValues | null): ParameterValues => {
  const names = sortParameterNames(Object.keys(stored ?? {}))
  return Object.fromEntries(names.map((name) => [name, stored?.[name] ?? '']))
}

/** Returns the UTM parameters alone, because other parameters may identify a person. */
export const utmParameters = (stored: ParameterValues | null): ParameterValues =>
  Object.fromEntries(Object.entries(sortParameters(stored)).filter(([name]) => isUtm(name)))

/** Letters with accents in Latin-1, such as `%E9`. */
const LATIN_LETTER = /%([c-f][0-9a-f])/gi
const UTF8_CONTINUATION = /%[89ab]/i

/** Decodes escapes. Bytes that are no UTF-8 are read as Latin-1, which older tools for mails write. */
export const decodeEscapes = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    // A part of a character in UTF-8 stays as it is.
    return UTF8_CONTINUATION.test(text)
      ? text
      : text.replaceAll(LATIN_LETTER, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
  }
}

const EMAIL = /^[^\s@]+@[^\s@]+$/

/** Decodes a name or a value. A `+` is a space, except in an email address, which links often have without an escape. */
const decoded = (text: string): string => {
  const unspaced = decodeEscapes(text)
  return EMAIL.test(unspaced) ? unspaced : decodeEscapes(text.replaceAll('+', ' '))
}

/** Parses a query string, with or without `?`, into names and values. Never fails. */
export const readQuery = (query: string): [name: string, value: string][] =>
  cutText(query, MAX_QUERY_LENGTH)
    .replace(/^\?/, '')
    .split('&')
    .filter((part) => part !== '')
    .map((part) => {
      const at = part.indexOf('=')
      return at < 0
        ? [decoded(part), '']
        : [decoded(part.slice(0, at)), decoded(part.slice(at + 1))]
    })

/** Returns names and values as a query string without `?`. */
export const writeQuery = (pairs: Iterable<readonly [name: string, value: string]>): string =>
  [...pairs].map((pair) => pair.map(encodeURIComponent).join('=')).join('&')
