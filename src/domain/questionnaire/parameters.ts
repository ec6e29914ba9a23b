import { cutText, isBlankText } from '#domain/common/text.ts'

/** The parameters of an address that every quiz stores: where a participant came from. */
export const UTM_NAMES = [
  'utm_source',
  'utm_medium',
  'utm_campaign',
  'utm_term',
  'utm_content',
] as const

/** What is stored of the address that a participant opened the quiz at, by name. */
export type ParameterValues = Readonly<Record<string, string>>

/** How many names a quiz may declare beside those of UTM_NAMES. */
export const MAX_DECLARED_PARAMETERS = 10
export const TOO_MANY_PARAMETERS = `${MAX_DECLARED_PARAMETERS} paramètres au plus`
const LONGEST_NAME = 40
/** Of a value as it is stored. */
export const MAX_PARAMETER_LENGTH = 200
/** Of an address's query as it is read; a server refuses longer addresses. */
export const MAX_QUERY_LENGTH = 32_768

const NAME = new RegExp(`^[a-z0-9_]{1,${LONGEST_NAME}}$`)
/** Names that are part of every object. */
const MAGIC: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype'])
/** What the page's own addresses say; one of them is a secret. */
const OWN: ReadonlySet<string> = new Set(['embed', 'test'])

/** True for a name that every quiz stores. */
export const isUtm = (name: string): boolean => (UTM_NAMES as readonly string[]).includes(name)

/** True for a name that is stored without being declared, or that a quiz may declare. */
export const isParameterName = (name: string): boolean => NAME.test(name) && !MAGIC.has(name)

/** Why a quiz may not declare this name; undefined when it may. */
const nameFault = (name: string): string | undefined => {
  if (!NAME.test(name))
    return `De 1 à ${LONGEST_NAME} caractères : lettres minuscules sans accent, chiffres et _`
  if (name.startsWith('utm_')) return 'Les paramètres utm_ sont enregistrés sans être déclarés'
  return MAGIC.has(name) || OWN.has(name) ? `Le nom « ${name} » est réservé` : undefined
}

/** Why a quiz may not declare these names; undefined when it may. */
export const parameterNamesError = (names: readonly string[]): string | undefined => {
  if (names.length > MAX_DECLARED_PARAMETERS) return TOO_MANY_PARAMETERS
  const twice = names.find((name, rank) => names.indexOf(name) < rank)
  if (twice !== undefined) return `Le paramètre « ${twice} » est déjà dans la liste`
  const fault = names.map((name) => [name, nameFault(name)] as const).find(([, said]) => said)
  return fault && `« ${fault[0]} » : ${fault[1]}`
}

/** Line ends, characters that are not seen, and those that turn the direction of what follows. */
const UNSEEN = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]+/gu

/**
 * A value as it is stored; '' of one that says nothing. An address may hold anything, and no participant is refused for
 * it: what cannot be seen becomes a space, and what is too long is cut.
 */
export const parameterValue = (given: string): string =>
  cutText(given.toWellFormed().replaceAll(UNSEEN, ' ').trim(), MAX_PARAMETER_LENGTH).trim()

/**
 * What is stored of the names and values that came, of a name that came twice the last one: those of UTM_NAMES and those
 * declared, in this order. Null when that is nothing.
 */
export const keptParameters = (
  given: Iterable<readonly [name: string, value: string]>,
  declared: readonly string[],
): ParameterValues | null => {
  const came = new Map(given)
  const kept = [...UTM_NAMES, ...declared.filter(isParameterName)].flatMap((name) => {
    const value = parameterValue((came.get(name) ?? '').normalize())
    return isBlankText(value) ? [] : [[name, value] as const]
  })
  return kept.length === 0 ? null : Object.fromEntries(kept)
}

/** Stored parameters in the order in which they are shown: those of UTM_NAMES, then the others by name. */
export const orderedNames = (names: Iterable<string>): string[] => {
  const all = [...new Set(names)]
  const others = all.filter((name) => !isUtm(name)).sort()
  return [...UTM_NAMES.filter((name) => all.includes(name)), ...others]
}

/** The same, of one participant; none of a participant without. */
export const orderedParameters = (stored: ParameterValues | null): ParameterValues => {
  const names = orderedNames(Object.keys(stored ?? {}))
  return Object.fromEntries(names.map((name) => [name, stored?.[name] ?? '']))
}

/** Those that say nothing of a person by what they are for. */
export const utmParameters = (stored: ParameterValues | null): ParameterValues =>
  Object.fromEntries(Object.entries(orderedParameters(stored)).filter(([name]) => isUtm(name)))

const decoded = (text: string): string => {
  const spaced = text.replaceAll('+', ' ')
  try {
    return decodeURIComponent(spaced)
  } catch {
    return spaced
  }
}

/** The names and values of an address's query, with its `?` or without; whatever it holds, it can be read. */
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

/** Names and values as the query of an address, without its `?`. */
export const writeQuery = (given: Iterable<readonly [name: string, value: string]>): string =>
  [...given].map((pair) => pair.map(encodeURIComponent).join('=')).join('&')
