import type { Pictured } from './quiz.ts'
import type { Key, Keys } from './text-format-keys.ts'
import type { Line } from './text-format-lines.ts'
import { fold, Misread, quoted, unescapeText } from './text-format-signs.ts'
import { checkLength, imageId } from './text-format-values.ts'
import { LIMITS } from './vocabulary.ts'

type KeyLine = Extract<Line, { kind: 'key' }>
type ImageLine = Extract<Line, { kind: 'image' }>

/** What lines set: the quiz, a part of it, a result or a question. Each throws Misread. */
export type Target = {
  setKey: (line: KeyLine) => void
  /** A text in « > ». */
  setLong: (text: string, line: number) => void
  setPicture: (line: ImageLine) => void
  /** What was set that the whole has no use for; called at its end. */
  misplaced: () => { line: number; message: string }[]
  /** The line that gave a setting. */
  lineOf: (key: string) => number | undefined
}

type Parts<Row> = {
  row: Row
  keys: Keys<Row>
  picture?: (picture: Pictured) => void
}

/** Sets what lines say of a row, each setting once. */
export const createTarget = <Row extends object>({ row, keys, picture }: Parts<Row>): Target => {
  const given = new Map<string, number>()
  const once = (name: string, line: number): void => {
    const before = given.get(name)
    if (before !== undefined) throw new Misread(`${quoted(name)} est déjà donné ligne ${before}.`)
    given.set(name, line)
  }
  const long = [...keys.values()].find(({ kind }) => kind === 'long')
  return {
    setKey: (line) => {
      const key = keys.get(fold(line.key))
      if (!key) throw new Misread(unknownKey(line.key, [...keys.values()]))
      once(key.key, line.line)
      Object.assign(row, key.read(readValue(key.kind, line)))
    },
    setLong: (text, line) => {
      if (!long) throw new Misread('Aucun texte en « > » ne se place ici.')
      once(long.key, line)
      Object.assign(row, long.read(text))
    },
    setPicture: ({ line, alt, id }) => {
      if (!picture) throw new Misread('Aucune image en « ![…](…) » ne se place ici.')
      once('Image', line)
      picture(readPicture(alt, id))
    },
    misplaced: () =>
      [...given].flatMap(([name, line]) => {
        const only = keys.get(fold(name))?.only
        if (!only || only.holds(row)) return []
        return [{ line, message: `${quoted(name)} ${only.refusal}.` }]
      }),
    lineOf: (key) => given.get(key),
  }
}

const readValue = (kind: Key<never>['kind'], { key, value, quote }: KeyLine): string => {
  if (kind !== 'word') return quote ?? unescapeText(value)
  if (quote !== null) throw new Misread(`${quoted(key)} n’a qu’une ligne, sans « > ».`)
  if (value === '') throw new Misread(`${quoted(key)} attend une valeur.`)
  return value
}

const unknownKey = (key: string, keys: readonly { key: string }[]): string => {
  const unknown = `${quoted(key)} n’est pas prévu ici`
  if (keys.length === 0) return `${unknown}.`
  return `${unknown} : ${keys.map((one) => quoted(one.key)).join(', ')}.`
}

/** A picture of a line; « ? » in place of what it shows: not said yet. */
const readPicture = (alt: string, id: string): Pictured => ({
  image_id: imageId.read(id),
  image_alt: alt === '?' ? null : checkLength(unescapeText(alt), LIMITS.image_alt),
})
