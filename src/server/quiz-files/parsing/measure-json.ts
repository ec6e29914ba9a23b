import { MAX_IMAGE_FILE_BYTES } from '#domain/questionnaire/images.ts'
import { MAX_QUIZ_FILE_IMAGES } from '#domain/quiz-files/quiz-file.ts'

/**
 * Limits of the JSON of a quiz file. The largest questionnaire has 60,000 values and 2 MiB without pictures.
 * Scanning a text within these limits takes 0.1 s at most.
 */
const MAX_DEPTH = 16
/** Maximum number of JSON values in a quiz file. */
export const MAX_FILE_VALUES = 150_000
const MAX_OBJECT_KEYS = 1_000
const MAX_KEY_BYTES = 100
/** Maximum size of a quiz file in bytes without the data of its pictures. */
export const MAX_CONTENT_BYTES = 8 * 1_048_576
/**
 * Size in bytes above which a string is treated as picture data. The longest text has 5,000 characters of at
 * most six bytes each.
 */
export const MIN_PICTURE_BYTES = 32_768
/**
 * Maximum size of one string in bytes. The largest allowed picture takes less in base64, so that a slightly
 * larger picture still gets the error message of a picture.
 */
const MAX_STRING_BYTES = 1.5 * MAX_IMAGE_FILE_BYTES

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const COLON = 0x3a
const isOpening = (byte: number): boolean => byte === 0x5b || byte === 0x7b
const isClosing = (byte: number): boolean => byte === 0x5d || byte === 0x7d
const isSpace = (byte: number | undefined): boolean => byte !== undefined && byte <= 0x20

/** Limit that a JSON text exceeds. */
type Excess = 'depth' | 'values' | 'keys' | 'key' | 'content'

/**
 * Returns the index of the closing quote of the string at `start`; the length of the text if the string is not
 * closed.
 */
const endOfString = (bytes: Buffer, start: number): number => {
  for (let quote = bytes.indexOf(QUOTE, start + 1); quote !== -1; ) {
    let nb_escapes = 0
    while (bytes[quote - 1 - nb_escapes] === BACKSLASH) nb_escapes++
    if (nb_escapes % 2 === 0) return quote
    quote = bytes.indexOf(QUOTE, quote + 1)
  }
  return bytes.length
}

const isKey = (bytes: Buffer, end: number): boolean => {
  let next = end + 1
  while (isSpace(bytes[next])) next++
  return bytes[next] === COLON
}

/**
 * Measures a JSON text before it is parsed. Returns the number of values, the size without picture data, and
 * the first exceeded limit. The scan stops at that limit.
 */
export const measureJson = (
  bytes: Buffer,
): { nb_values: number; content_bytes: number; excess: Excess | undefined } => {
  let nb_values = 1
  let content_bytes = 0
  let nb_pictures = 0
  let depth = 0
  /** Number of members of each open list or object, outermost first. */
  const members = new Int32Array(MAX_DEPTH + 2)
  const stopAt = (excess: Excess | undefined) => ({ nb_values, content_bytes, excess })
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index] ?? 0
    content_bytes++
    if (byte === QUOTE) {
      const end = endOfString(bytes, index)
      const length = end - index
      const isPicture = length > MIN_PICTURE_BYTES
      if (isPicture) nb_pictures++
      else content_bytes += length
      if (nb_pictures > MAX_QUIZ_FILE_IMAGES || length > MAX_STRING_BYTES) return stopAt('content')
      if (isKey(bytes, end)) {
        if (length > MAX_KEY_BYTES) return stopAt('key')
        members[depth] = (members[depth] ?? 0) + 1
        if ((members[depth] ?? 0) > MAX_OBJECT_KEYS) return stopAt('keys')
      }
      index = end
    } else if (byte === COMMA) nb_values++
    else if (isOpening(byte)) {
      nb_values++
      if (++depth > MAX_DEPTH) return stopAt('depth')
      members[depth] = 0
    } else if (isClosing(byte) && depth > 0) depth--
    if (nb_values > MAX_FILE_VALUES) return stopAt('values')
    if (content_bytes > MAX_CONTENT_BYTES) return stopAt('content')
  }
  return stopAt(undefined)
}
