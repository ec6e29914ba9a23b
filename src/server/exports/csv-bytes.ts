const TAB = 9
export const NEW_LINE = 10
export const RETURN = 13
const SPACE = 32
const QUOTE = 34
export const COMMA = 44
export const ZERO = 48
export const NINE = 57
const SEMICOLON = 59
export const CAPITAL_N = 78
export const BACKSLASH = 92
export const CLOSING_BRACE = 125
/** Byte of the boolean `t`. */
export const TRUE = 116
const DELETE = 127
const FORMULA_SIGNS = [...'=+-@'].map((sign) => sign.charCodeAt(0))
/** Length of the longest word that a spreadsheet converts: FALSE. */
export const MAX_SPREADSHEET_WORD = 5
/** Returns true for the byte of a digit from 0 to 9. */
export const isDigit = (byte: number): boolean => byte >= ZERO && byte <= NINE
/**
 * Returns true for a byte that numbers, amounts and dates may begin and end with. For example, `(12,50)` is a
 * negative amount.
 */
export const isValueEnd = (byte: number): boolean =>
  byte >= DELETE || isDigit(byte) || VALUE_ENDS.has(byte)
const VALUE_ENDS = new Set([...".,:;/()%$'+-eEhH"].map((letter) => letter.charCodeAt(0)))

/** Kinds of bytes: copied as they are, examined further, or end of a field. */
export const PLAIN = 0
export const UNUSUAL = 1
const END = 2

export const KINDS = new Uint8Array(256).fill(UNUSUAL, 0, SPACE)
for (const byte of [QUOTE, COMMA, SEMICOLON, BACKSLASH]) KINDS[byte] = UNUSUAL
for (const byte of [TAB, NEW_LINE]) KINDS[byte] = END

/** Returns true for a byte that requires further examination at the beginning or end of a text. */
export const isUnusualEnd = (byte: number): boolean =>
  byte <= SPACE || byte >= DELETE || FORMULA_SIGNS.includes(byte)
