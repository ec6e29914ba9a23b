import {
  type Encoding,
  SINGLE_BYTE_DECODERS,
  type SingleByteEncoding,
} from '#domain/imports/decode-file.ts'

/** Encoders for tests of files that spreadsheets and editors of all systems write. */

declare const TextEncoder: new () => { encode: (text: string) => Uint8Array }

/** Returns the bytes of a text. Throws if the encoding does not have one of its characters. */
export const encodeSingleBytes = (text: string, encoding: SingleByteEncoding): Uint8Array => {
  const decode = SINGLE_BYTE_DECODERS[encoding]
  const bytes = new Map(
    Array.from({ length: 256 }, (_, byte) => [decode(Uint8Array.of(byte)), byte]),
  )
  return Uint8Array.from(text, (character) => {
    const byte = bytes.get(character)
    if (byte === undefined) throw new Error(`${encoding} has no ${character}`)
    return byte
  })
}

const encodeUtf16 = (text: string, isBigEndian: boolean): Uint8Array =>
  Uint8Array.from({ length: text.length * 2 }, (_, place) => {
    const unit = text.charCodeAt(place >> 1)
    return (place % 2 === 0) === isBigEndian ? unit >> 8 : unit & 0xff
  })

const MISSING_CP850 = { œ: 'oe', Œ: 'OE', '€': 'EUR' }

/** Returns a text as people write it where an encoding lacks typographic signs. */
export const inCharactersOf = (encoding: Encoding, text: string): string =>
  encoding === 'ISO-8859-15' || encoding === 'CP850'
    ? Object.entries({
        '’': "'",
        '…': '...',
        '–': '-',
        ...(encoding === 'CP850' && MISSING_CP850),
      }).reduce((all, [sign, replacement]) => all.replaceAll(sign, replacement), text)
    : text

/** Encoder with the encoding that the product names. */
type Encoder = { encode: (text: string) => Uint8Array; encoding: Encoding }

const encodeUtf8 = (text: string): Uint8Array => new TextEncoder().encode(text)
const withMark = (text: string): string => `\ufeff${text}`
const singleBytes = (encoding: SingleByteEncoding): Encoder => ({
  encode: (text) => encodeSingleBytes(text, encoding),
  encoding,
})

/** Encoders by name, for every encoding that is read. */
export const ENCODINGS: Readonly<Record<string, Encoder>> = {
  'UTF-8': { encode: encodeUtf8, encoding: 'UTF-8' },
  'UTF-8 with a mark': { encode: (text) => encodeUtf8(withMark(text)), encoding: 'UTF-8' },
  ...Object.fromEntries(
    ['LE', 'BE'].flatMap((order) => {
      const encode = (text: string): Uint8Array => encodeUtf16(text, order === 'BE')
      return [
        [`UTF-16 ${order}`, { encode, encoding: 'UTF-16' }],
        [
          `UTF-16 ${order} with a mark`,
          { encode: (text: string) => encode(withMark(text)), encoding: 'UTF-16' },
        ],
      ]
    }),
  ),
  'Windows-1252': singleBytes('Windows-1252'),
  'Mac Roman': singleBytes('Mac Roman'),
  'ISO-8859-15': singleBytes('ISO-8859-15'),
  CP850: singleBytes('CP850'),
}
