/** Readers of values in a JSON file of unknown shape. Each reader returns an empty value for an unexpected shape. */

/** Object of a foreign file. */
export type Fields = Readonly<Record<string, unknown>>

/** Returns the value if it is an object; otherwise an empty object. */
export const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {}

/** Returns the items of a list as objects; an empty list for any other value. */
export const rowsOf = (value: unknown): Fields[] =>
  Array.isArray(value) ? value.map(fieldsOf) : []

/** Returns a text or a number as a text; '' for any other value. */
export const textOf = (value: unknown): string => {
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' ? value : ''
}

/** Returns a whole number, also from a text; null for any other value. */
export const numberOf = (value: unknown): number | null => {
  const number = typeof value === 'string' && value !== '' ? Number(value) : value
  return typeof number === 'number' && Number.isSafeInteger(number) ? number : null
}

/** Returns the value of a name in a table; undefined for names that only the prototype has, such as `constructor`. */
export const lookUp = <Value>(
  table: Readonly<Record<string, Value>>,
  name: string,
): Value | undefined => (Object.hasOwn(table, name) ? table[name] : undefined)

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  rsquo: '’',
  lsquo: '‘',
  laquo: '«',
  raquo: '»',
  hellip: '…',
  ndash: '–',
  mdash: '—',
  euro: '€',
  eacute: 'é',
  egrave: 'è',
  ecirc: 'ê',
  agrave: 'à',
  acirc: 'â',
  ccedil: 'ç',
  ocirc: 'ô',
}

const decodeEntity = (written: string, name: string): string => {
  if (!name.startsWith('#')) return lookUp(ENTITIES, name) ?? written
  const isHex = /^#x/i.test(name)
  const code = Number.parseInt(name.slice(isHex ? 2 : 1), isHex ? 16 : 10)
  const isCharacter = code > 31 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff)
  return isCharacter ? String.fromCodePoint(code) : ''
}

const BREAK = /<(?:br|\/p|\/div|\/li|\/h[1-6])\b[^<>]*>/gi
const ITEM = /<li\b[^<>]*>/gi
const TAG = /<\/?[a-z][^<>]*>/gi

/** Returns the lines of a text without HTML and control characters. */
const linesOf = (value: unknown): string[] =>
  textOf(value)
    .toWellFormed()
    .replaceAll(BREAK, '\n')
    .replaceAll(ITEM, '- ')
    .replaceAll(TAG, '')
    .replaceAll(/&(#?\w{1,8});/g, decodeEntity)
    .split(/\r\n|[\r\n\u2028\u2029]/)
    .map((line) => line.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim())

/** Returns a text on one line, without HTML. */
export const plainText = (value: unknown): string =>
  linesOf(value)
    .filter((line) => line !== '')
    .join(' ')

/** Returns a text with its lines, without HTML and without more than one blank line in a row. */
export const longText = (value: unknown): string =>
  linesOf(value)
    .join('\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim()
