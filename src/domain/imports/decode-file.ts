import { plausibilityOf } from './latin-plausibility.ts'

/** Decodes files of text that creators choose. Spreadsheets of Windows and macOS still write other encodings than UTF-8. */

/** Encoding that a file of text was written in. */
export type Encoding = 'UTF-8' | 'UTF-16' | SingleByteEncoding

/** Encoding with one byte for each character. */
export type SingleByteEncoding = 'Windows-1252' | 'Mac Roman' | 'ISO-8859-15' | 'CP850'

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

/** Characters 128 to 255 of « CSV (MS-DOS) », which the decoder of browsers does not know. */
const CP850 =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u00ad±‗¾¶§÷¸°¨·¹³²■\u00a0'

const readWindows = (bytes: Uint8Array): string => decodeAs('windows-1252', bytes, false) ?? ''
const readCp850 = (bytes: Uint8Array): string => {
  const windows = readWindows(Uint8Array.from(CP850, (_, place) => 128 + place))
  const characters = new Map(Array.from(CP850, (character, place) => [windows[place], character]))
  return readWindows(bytes).replaceAll(/[^\0-\x7f]/g, (sign) => characters.get(sign) ?? sign)
}

/**
 * Decoders of the encodings with one byte for each character. If texts are equally plausible, the first decoder is
 * chosen.
 */
export const SINGLE_BYTE_DECODERS: Readonly<
  Record<SingleByteEncoding, (bytes: Uint8Array) => string>
> = {
  'Windows-1252': readWindows,
  'Mac Roman': (bytes) => decodeAs('macintosh', bytes, false) ?? '',
  'ISO-8859-15': (bytes) => decodeAs('iso-8859-15', bytes, false) ?? '',
  CP850: readCp850,
}

/** Returns true if plausibility as CP850 is at least 2 and that of the best other encoding is below 1. */
const isCp850 = (plausibility: number, other = -1): boolean => plausibility >= 2 && other < 1

const readSingleBytes = (bytes: Uint8Array): DecodedFile => {
  if (bytes.some((byte) => byte < 9 || (byte > 13 && byte < 32))) return { refusal: 'binary' }
  let best: { text: string; encoding: Encoding; plausibility: number } | undefined
  for (const [encoding, decode] of Object.entries(SINGLE_BYTE_DECODERS)) {
    const text = decode(bytes)
    const plausibility = plausibilityOf(text)
    const isRefused = encoding === 'CP850' && !isCp850(plausibility, best?.plausibility)
    if (isRefused || plausibility < 0 || plausibility <= (best?.plausibility ?? -1)) continue
    best = { text, encoding: encoding as SingleByteEncoding, plausibility }
  }
  return best ? { text: best.text, encoding: best.encoding } : { refusal: 'unknown' }
}

/**
 * Pairs of signs that are valid in UTF-8 by chance: « ’é » after a letter in Mac Roman, and « É » before a no-break space in
 * Windows-1252. As UTF-8 they are Armenian or rare letters, which no language writes directly after these letters.
 */
const CHANCE_UTF8 = /[A-Za-z][\u0540-\u057f]|[A-Z][\u01e0\u0220\u0260\u02a0]/g
const BEYOND_ASCII = /[^\0-\x7f]/

/** Returns the bytes of a text in an encoding with one byte for each character; undefined if it lacks a character. */
const encodeSingleBytes = (
  text: string,
  decode: (bytes: Uint8Array) => string,
): Uint8Array | undefined => {
  const all = Uint8Array.from({ length: 256 }, (_, byte) => byte)
  const bytes = new Map(Array.from(decode(all), (character, byte) => [character, byte]))
  const encoded = Uint8Array.from(text, (character) => bytes.get(character) ?? 0)
  return encoded.includes(0) ? undefined : encoded
}

/** Encodings in which spreadsheets open UTF-8 without a mark, and from which they store the wrong text in UTF-8 again. */
const MISREAD_ENCODINGS = ['Windows-1252', 'Mac Roman'] as const

/** Letters that « É » and the sign after it give by chance, as in « CITÉ… ». */
const RARE_LATIN = /[\u0180-\u02ff]/

/** Returns a text that was encoded twice, such as « BÃ©nÃ©vole », as it was meant; other texts as they are. */
const undoSecondEncoding = (text: string): string => {
  if (!BEYOND_ASCII.test(text)) return text
  for (const encoding of MISREAD_ENCODINGS) {
    const encoded = encodeSingleBytes(text, SINGLE_BYTE_DECODERS[encoding])
    const meant = encoded && decodeAs('utf-8', encoded, false)
    if (meant === undefined || RARE_LATIN.test(meant)) continue
    if (plausibilityOf(meant) > plausibilityOf(text)) return meant
  }
  return text
}

/** Returns a text in UTF-8, or its text in another encoding if all its signs beyond ASCII are valid in UTF-8 by chance. */
const readUtf8 = (text: string, bytes: Uint8Array): DecodedFile => {
  const isChance = BEYOND_ASCII.test(text) && !BEYOND_ASCII.test(text.replaceAll(CHANCE_UTF8, ''))
  const other = isChance ? readSingleBytes(bytes) : undefined
  return other && 'text' in other ? other : { text: undoSecondEncoding(text), encoding: 'UTF-8' }
}

const startsWith = (bytes: Uint8Array, ...start: number[]): boolean =>
  start.every((byte, index) => bytes[index] === byte)

/**
 * Decodes a file of text without its byte order mark: UTF-8, UTF-16 in both orders, Windows-1252, Mac Roman, ISO-8859-15
 * or CP850. `isCut` is true for the beginning of a file, which may end inside a character.
 */
export const decodeFile = (bytes: Uint8Array, isCut = false): DecodedFile => {
  if (startsWith(bytes, 0xff, 0xfe, 0, 0) || startsWith(bytes, 0, 0, 0xfe, 0xff))
    return { refusal: 'utf_32' }
  if (startsWith(bytes, 0xff, 0xfe)) return readUtf16(bytes, 'little', isCut)
  if (startsWith(bytes, 0xfe, 0xff)) return readUtf16(bytes, 'big', isCut)
  const order = byteOrderOf(bytes)
  if (order) return readUtf16(bytes, order, isCut)
  const text = decodeAs('utf-8', bytes, isCut)
  return text === undefined ? readSingleBytes(bytes) : readUtf8(text, bytes)
}
