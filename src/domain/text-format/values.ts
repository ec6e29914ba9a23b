import { isLinkAddress } from '#domain/common/addresses.ts'
import { trimText } from '#domain/common/text.ts'
import {
  DEFAULT_TIME_ZONE,
  fromLocalTime,
  isTimeZone,
  localTime,
} from '#domain/common/time-zone.ts'
import {
  CORNERS,
  type Corners,
  FONTS,
  type Font,
  LIMITS,
  MAX_WHOLE_NUMBER,
  QUIZ_MODES,
  QUIZ_TYPES,
} from '#domain/common/vocabulary.ts'
import { isReservedSlug, isSlug, slugReservedMessage } from '#domain/questionnaire/access.ts'
import { FAMILIES, isFamily } from '#domain/questionnaire/fonts.ts'
import { parameterNamesError } from '#domain/questionnaire/parameters.ts'
import { foldText, quoted, TextSyntaxError } from './lines.ts'

/** How the values behind « Clé : » are read and written. `read` throws Misread; null is written as no line at all. */
export type Codec<T> = { read: (text: string) => T; write: (value: T) => string | null }

/** Text of at most this many characters. */
export const words = (limit: number): Codec<string | null> => ({
  read: (text) => checkLength(text, limit),
  write: (text) => text,
})

/** The text, where it is no longer than that. */
export const checkLength = (text: string, limit: number): string => {
  if (text.length <= limit) return text
  const [length, most] = [text.length, limit].map((count) => count.toLocaleString('fr-FR'))
  throw new TextSyntaxError(`${quoted(text)} a ${length} caractères : ${most} au plus.`)
}

/** One of a closed list by its French name; `usual` is not written. */
const oneOf = <T>(names: readonly (readonly [T, string])[], usual?: T): Codec<T> => {
  const known = new Map(names.map(([value, name]) => [foldText(name), value]))
  const listed = names.map(([, name]) => quoted(name)).join(', ')
  return {
    read: (text) => {
      const folded = foldText(text)
      if (!known.has(folded))
        throw new TextSyntaxError(`${quoted(text)} n’est pas prévu : ${listed}.`)
      return known.get(folded) as T
    },
    write: (value) =>
      value === usual ? null : (names.find(([one]) => one === value)?.[1] ?? null),
  }
}

const asNamed = <T extends string>(list: readonly T[]) => list.map((one) => [one, one] as const)
export const quizType = oneOf(asNamed(QUIZ_TYPES))
/** The two that a line may name; null is none. */
export const quizMode: Codec<(typeof QUIZ_MODES)[number] | null> = {
  ...oneOf(asNamed(QUIZ_MODES)),
  write: (mode) => mode,
}
export const yesOrNo = (usual: boolean): Codec<boolean> =>
  oneOf(
    [
      [true, 'oui'],
      [false, 'non'],
    ],
    usual,
  )
export const tieRule = oneOf(
  [
    ['priority', 'priorité'],
    ['question', 'question'],
    ['both', 'les deux'],
  ] as const,
  'priority',
)
export const consentMode = oneOf(
  [
    ['box', 'case'],
    ['requested', 'annoncé'],
  ] as const,
  'box',
)

export const font = oneOf<Font>(
  FONTS.map((one) => [one, isFamily(one) ? FAMILIES[one].name : 'celle du visiteur']),
  'system',
)
const CORNER_NAMES: Record<Corners, string> = {
  square: 'droits',
  soft: 'adoucis',
  round: 'arrondis',
}
export const corners = oneOf<Corners>(
  CORNERS.map((one) => [one, CORNER_NAMES[one]]),
  'soft',
)

/** A value that a pattern fits, or what is wrong with it. */
const fitting = (pattern: RegExp, message: string): Codec<string | null> => ({
  read: (text) => {
    if (!pattern.test(text)) throw new TextSyntaxError(`${quoted(text)} : ${message}`)
    return text
  },
  write: (text) => text,
})

export const color = fitting(/^#[0-9a-fA-F]{6}$/, 'une couleur est de la forme #rrggbb.')
const uuid = fitting(
  /^[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}$/,
  'une image se désigne par son identifiant, comme dans un texte exporté.',
)
/** The id of a picture. */
export const imageId: Codec<string | null> = {
  ...uuid,
  read: (text) => uuid.read(text)?.toLowerCase() ?? null,
}

export const linkAddress: Codec<string | null> = {
  read: (text) => {
    const address = checkLength(text.trim(), LIMITS.address)
    if (!isLinkAddress(address))
      throw new TextSyntaxError(`${quoted(text)} : l’adresse doit commencer par https://`)
    return address
  },
  write: (address) => address,
}

export const slug: Codec<string | null> = {
  read: (text) => {
    if (!isSlug(text))
      throw new TextSyntaxError(
        `${quoted(text)} : une adresse a de 3 à 60 caractères, lettres minuscules sans accent, chiffres et tirets.`,
      )
    if (isReservedSlug(text)) throw new TextSyntaxError(`${slugReservedMessage(text)}.`)
    return text
  },
  write: (address) => address,
}

/** A text that is more than spaces, and has none around it. */
export const filledWords = (limit: number): Codec<string | null> => ({
  read: (text) => checkFilled(text, limit),
  write: (text) => text,
})

/** The text without the spaces around it, where it is neither blank nor too long. */
export const checkFilled = (text: string, limit: number): string => {
  const filled = trimText(text)
  if (filled === '') throw new TextSyntaxError('Il manque un texte.')
  return checkLength(filled, limit)
}

/** A whole number from `least` to `most`; Misread says `expected`. */
export const readNumber = (
  text: string,
  { least, most, expected }: { least: number; most: number; expected: string },
): number => {
  const number = /^[+\-−]?\d{1,7}$/.test(text) ? Number(text.replace('−', '-')) : Number.NaN
  if (number >= least && number <= most) return number || 0
  throw new TextSyntaxError(`${quoted(text)} : ${expected}`)
}

export const mostResponses: Codec<number | null> = {
  read: (text) =>
    readNumber(text, {
      ...{ least: 1, most: MAX_WHOLE_NUMBER },
      expected: 'un nombre de participants, par exemple « 200 ».',
    }),
  write: (number) => (number === null ? null : String(number)),
}

/** Names with commas between. */
export const parameterNames: Codec<string[]> = {
  read: (text) => {
    const names = text.split(/[\s,;]+/).filter((name) => name !== '')
    const fault = parameterNamesError(names)
    if (fault !== undefined) throw new TextSyntaxError(`${fault}.`)
    return names
  },
  write: (names) => names.join(', ') || null,
}

const MOMENT = /^(\d{2})\/(\d{2})\/(2\d{3}) (?:à )?(\d{2}):(\d{2})(?: (\S+))?$/
const ISO = /^2\d{3}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,6})?Z$/

/**
 * Codec of a moment as local time, followed by its zone unless that is Paris. A time without a zone is read in
 * `time_zone`. A moment that local time cannot express exactly is written as ISO.
 */
export const moment = (time_zone: string): Codec<string | null> => ({
  read: (text) => {
    const time = readMoment(text, time_zone)
    if (time !== undefined) return time
    throw new TextSyntaxError(
      `${quoted(text)} : une date et une heure, par exemple « 31/12/2026 18:00 ».`,
    )
  },
  write: (time) => {
    if (time === null) return null
    const [, year, month, day, clock] =
      /^(\d+)-(\d+)-(\d+) (\d+:\d+)/.exec(localTime(time, time_zone)) ?? []
    const zone = time_zone === DEFAULT_TIME_ZONE ? '' : ` ${time_zone}`
    const local = `${day}/${month}/${year} ${clock}${zone}`
    return readMoment(local, time_zone) === time ? local : time
  },
})

const readMoment = (text: string, time_zone: string): string | undefined => {
  if (ISO.test(text)) return Number.isNaN(Date.parse(text)) ? undefined : text
  const [, day, month, year, hour, minute, zone = time_zone] = MOMENT.exec(text) ?? []
  const said = `${year}-${month}-${day}T${hour}:${minute}`
  // A day that a month has not, which Date would take for one of the next.
  const time = Date.parse(`${said}Z`)
  if (Number.isNaN(time) || !new Date(time).toISOString().startsWith(said)) return undefined
  return isTimeZone(zone) ? fromLocalTime(said, zone) : undefined
}
