/** Decodes files of text that creators choose. Spreadsheets of Windows and macOS still write other encodings than UTF-8. */

/** Encoding that a file of text was written in. */
export type Encoding = 'UTF-8' | 'UTF-16' | 'Windows-1252' | 'Mac Roman'

/** Text of a file with its encoding, or the reason why the file is no text that can be read. */
export type DecodedFile =
  | { text: string; encoding: Encoding }
  | { refusal: 'binary' | 'unknown' | 'utf_32' }

type Decoder = { decode: (bytes: Uint8Array, options: { stream: boolean }) => string }
/** Decoder of browsers and Node. The domain is type-checked without their libraries. */
declare const TextDecoder: new (label: string, options: { fatal: boolean }) => Decoder

/**
 * Returns the text of bytes without their byte order mark; undefined if the bytes are invalid in the encoding. An
 * incomplete last character is left out if `isCut`.
 */
const decodeAs = (label: string, bytes: Uint8Array, isCut: boolean): string | undefined => {
  try {
    return new TextDecoder(label, { fatal: true }).decode(bytes, { stream: isCut })
  } catch {
    return undefined
  }
}

/** Control characters other than tabs and line breaks. */
const CONTROL = /[^\P{Cc}\t-\r]/u
const LOWER = /\p{Ll}/u
const UPPER = /\p{Lu}/u
const LETTER = /\p{L}/u
const FRENCH_LOWER = /[àâçéèêîôœùû]/
const FRENCH_UPPER = /[ÀÂÇÉÈÊÎÔŒ]/
/** Signs that a letter may follow. */
const OPENING = /[’‘“«\u00a0]/
const PUNCTUATION = /[”»…–—€°•]/

/** Returns the plausibility of a character beyond ASCII between its neighbours in a text of a Latin language. */
const plausibility = (before: string, character: string, after: string): number => {
  const rare = before > '\x7f' && LETTER.test(before) ? 3 : 0
  if (CONTROL.test(character)) return -20
  if (LOWER.test(character)) return (FRENCH_LOWER.test(character) ? 3 : 1) - rare
  if (UPPER.test(character)) {
    if (LOWER.test(before)) return -3
    return (FRENCH_UPPER.test(character) ? 2 : 1) - (LETTER.test(after) ? 0 : 1) - rare
  }
  // A no-break space after a space or at the beginning of a cell is rather a capital letter of another encoding.
  if (character === '\u00a0' && !/[\p{L}\p{N}\p{P}]/u.test(before)) return -1
  if (OPENING.test(character)) return LOWER.test(after) && !LETTER.test(before) ? 1 : 2
  if (PUNCTUATION.test(character)) return LETTER.test(after) ? -1 : 2
  return -2
}

/** Maximum number of characters beyond ASCII that tell two encodings apart. */
const MAX_SAMPLES = 50_000

/** Returns the plausibility of a text; above or equal to 0 for a text of a Latin language. */
const plausibilityOf = (text: string): number => {
  let sum = 0
  let samples = 0
  for (let index = 0; index < text.length && samples < MAX_SAMPLES; index++) {
    if (text.charCodeAt(index) < 0x80) continue
    samples++
    sum += plausibility(text[index - 1] ?? ' ', text[index] ?? '', text[index + 1] ?? ' ')
  }
  return sum
}

/** Number of bytes at the beginning of a file that tell whether it is in UTF-16. */
const ORDER_BYTES = 65_536
/** Minimum share of units below 256 in a text in UTF-16, such as spaces, digits, separators and line breaks. */
const MIN_LOW_SHARE = 0.05

/** Returns the order of the bytes of a text in UTF-16 without a mark; undefined for any other file. */
const byteOrderOf = (bytes: Uint8Array): 'little' | 'big' | undefined => {
  const nb_zeros = [0, 0]
  const beginning = bytes.subarray(0, ORDER_BYTES)
  for (const [index, byte] of beginning.entries())
    if (byte === 0) nb_zeros[index % 2] = (nb_zeros[index % 2] ?? 0) + 1
  const [even = 0, odd = 0] = nb_zeros
  const least = Math.max(1, (beginning.length / 2) * MIN_LOW_SHARE)
  if (odd >= least && even < odd * MIN_LOW_SHARE) return 'little'
  return even >= least && odd < even * MIN_LOW_SHARE ? 'big' : undefined
}

const readUtf16 = (bytes: Uint8Array, order: 'little' | 'big', isCut: boolean): DecodedFile => {
  const text = decodeAs(order === 'big' ? 'utf-16be' : 'utf-16le', bytes, isCut)
  return text === undefined || text.includes('\0')
    ? { refusal: 'binary' }
    : { text, encoding: 'UTF-16' }
}

const readSingleBytes = (bytes: Uint8Array): DecodedFile => {
  if (bytes.some((byte) => byte < 9 || (byte > 13 && byte < 32))) return { refusal: 'binary' }
  const [windows = '', mac = ''] = ['windows-1252', 'macintosh'].map((label) =>
    decodeAs(label, bytes, false),
  )
  const [of_windows, of_mac] = [plausibilityOf(windows), plausibilityOf(mac)]
  if (Math.max(of_windows, of_mac) < 0) return { refusal: 'unknown' }
  return of_windows >= of_mac
    ? { text: windows, encoding: 'Windows-1252' }
    : { text: mac, encoding: 'Mac Roman' }
}

const startsWith = (bytes: Uint8Array, ...start: number[]): boolean =>
  start.every((byte, index) => bytes[index] === byte)

/**
 * Decodes a file of text without its byte order mark: UTF-8, UTF-16 in both orders, Windows-1252 or Mac Roman. `isCut` is
 * true for the beginning of a file, which may end inside a character.
 */
export const decodeFile = (bytes: Uint8Array, isCut = false): DecodedFile => {
  if (startsWith(bytes, 0xff, 0xfe, 0, 0) || startsWith(bytes, 0, 0, 0xfe, 0xff))
    return { refusal: 'utf_32' }
  if (startsWith(bytes, 0xff, 0xfe)) return readUtf16(bytes, 'little', isCut)
  if (startsWith(bytes, 0xfe, 0xff)) return readUtf16(bytes, 'big', isCut)
  const order = byteOrderOf(bytes)
  if (order) return readUtf16(bytes, order, isCut)
  const text = decodeAs('utf-8', bytes, isCut)
  return text === undefined ? readSingleBytes(bytes) : { text, encoding: 'UTF-8' }
}
