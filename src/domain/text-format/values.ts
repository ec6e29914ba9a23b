import { isLinkAddress } from '#domain/common/addresses.ts'
import { trimText, withoutControls } from '#domain/common/text.ts'
import {
  DEFAULT_TIME_ZONE,
  fromLocalTime,
  isTimeZone,
  localTime,
} from '#domain/common/time-zone.ts'
import { LIMITS, QUIZ_MODES, QUIZ_TYPES } from '#domain/common/vocabulary.ts'
import { cleanSenderName, senderNameError } from '#domain/mail-senders/sender-name.ts'
import { isReservedSlug, isSlug, slugReservedMessage } from '#domain/questionnaire/access.ts'
import { parameterNamesError } from '#domain/questionnaire/parameters.ts'
import { foldText, quoted, TextSyntaxError } from './lines.ts'

/** Reads and writes the value of a setting. `read` throws a TextSyntaxError; `write` returns null to omit the setting. */
export type Codec<T> = { read: (text: string) => T; write: (value: T) => string | null }

/** Returns the codec of a text with a maximum length. */
export const limitedText = (limit: number): Codec<string | null> => ({
  read: (text) => checkLength(text, limit),
  write: (text) => text,
})

/** Returns the text without control characters; throws a TextSyntaxError if it is too long. */
export const checkLength = (text: string, limit: number): string => {
  const stored = withoutControls(text)
  if (stored.length <= limit) return stored
  const [length, most] = [stored.length, limit].map((count) => count.toLocaleString('fr-FR'))
  throw new TextSyntaxError(`${quoted(text)} a ${length} caractères : ${most} au plus.`)
}

/** Returns the codec of a closed list by French names. The value `usual` is omitted. */
export const enumCodec = <T>(names: readonly (readonly [T, string])[], usual?: T): Codec<T> => {
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
      value === usual ? null : (names.find(([named]) => named === value)?.[1] ?? null),
  }
}

const asNamed = <T extends string>(list: readonly T[]) => list.map((name) => [name, name] as const)
/** Codec of the kind of a questionnaire. */
export const quizType = enumCodec(asNamed(QUIZ_TYPES))
/** Codec of the mode; a line can name one, and null is omitted. */
export const quizMode: Codec<(typeof QUIZ_MODES)[number] | null> = {
  ...enumCodec(asNamed(QUIZ_MODES)),
  write: (mode) => mode,
}
/** Returns the codec of a yes/no setting. The value `usual` is omitted. */
export const yesOrNo = (usual: boolean): Codec<boolean> =>
  enumCodec(
    [
      [true, 'oui'],
      [false, 'non'],
    ],
    usual,
  )
/** Returns the codec of a text that must match a pattern. */
const fitting = (pattern: RegExp, message: string): Codec<string | null> => ({
  read: (text) => {
    if (!pattern.test(text)) throw new TextSyntaxError(`${quoted(text)} : ${message}`)
    return text
  },
  write: (text) => text,
})

/** Codec of a #rrggbb colour. */
export const color = fitting(/^#[0-9a-fA-F]{6}$/, 'une couleur est de la forme #rrggbb.')
const uuid = fitting(
  /^[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}$/,
  'une image se désigne par son identifiant, comme dans un texte exporté.',
)
/** Codec of an image id. */
export const imageId: Codec<string | null> = {
  ...uuid,
  read: (text) => uuid.read(text)?.toLowerCase() ?? null,
}

/** Codec of a link address in https. */
export const linkAddressCodec: Codec<string | null> = {
  read: (text) => {
    const address = checkLength(text.trim(), LIMITS.address)
    if (!isLinkAddress(address))
      throw new TextSyntaxError(`${quoted(text)} : l’adresse doit commencer par https://`)
    return address
  },
  write: (address) => address,
}

/** Codec of a slug. */
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

/** Codec of the name of a sender. */
export const senderName: Codec<string | null> = {
  read: (text) => {
    const name = checkLength(cleanSenderName(text), LIMITS.sender_name)
    const error = senderNameError(name)
    if (error !== undefined) throw new TextSyntaxError(`${quoted(name)} : ${error}.`)
    return name || null
  },
  write: (name) => name || null,
}

/** Returns the codec of a text that is trimmed and must not be blank. */
export const filledText = (limit: number): Codec<string | null> => ({
  read: (text) => checkFilled(text, limit),
  write: (text) => text,
})

/** Returns the trimmed text; throws a TextSyntaxError if it is blank or too long. */
export const checkFilled = (text: string, limit: number): string => {
  const filled = trimText(withoutControls(text))
  if (filled === '') throw new TextSyntaxError('Il manque un texte.')
  return checkLength(filled, limit)
}

/** Returns a whole number from `least` to `most`; throws a TextSyntaxError with `expected` otherwise. */
export const readNumber = (
  text: string,
  { least, most, expected }: { least: number; most: number; expected: string },
): number => {
  const number = /^[+\-−]?\d{1,7}$/.test(text) ? Number(text.replace('−', '-')) : Number.NaN
  if (number >= least && number <= most) return number || 0
  throw new TextSyntaxError(`${quoted(text)} : ${expected}`)
}

/** Codec of the declared parameters, separated by commas. */
export const parameterNames: Codec<string[]> = {
  read: (text) => {
    const names = text.split(/[\s,;]+/).filter((name) => name !== '')
    const error = parameterNamesError(names)
    if (error !== undefined) throw new TextSyntaxError(`${error}.`)
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
  const local = `${year}-${month}-${day}T${hour}:${minute}`
  // JavaScript may read a day that a month does not have as a day of the next month.
  const time = Date.parse(`${local}Z`)
  if (Number.isNaN(time) || !new Date(time).toISOString().startsWith(local)) return undefined
  return isTimeZone(zone) ? fromLocalTime(local, zone) : undefined
}
