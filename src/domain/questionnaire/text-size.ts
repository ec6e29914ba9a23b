/** Extra bytes of each formatting sign, because formatted text takes HTML elements and time to parse. */
const SIGN_BYTES = { emphasis: 10, bracket: 50, list_item: 50, address: 75 }

/** Bytes of an insertion: an inserted reply has at most 200 characters. */
const INSERTION_BYTES = 500

const isLineEnd = (code: number): boolean =>
  code === 0x0a || code === 0x0d || code === 0x20_28 || code === 0x20_29
const isBlank = (code: number): boolean => code === 0x20 || code === 0x09
const HYPHEN = 0x2d

/** Returns the number of the list signs « - » at the start of a line, and the index after the last of them. */
const listSignsAt = (text: string, start: number): { nb_signs: number; end: number } => {
  let nb_signs = 0
  let end = start
  for (let index = start; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (isBlank(code)) continue
    if (code !== HYPHEN || !isBlank(text.charCodeAt(index + 1))) break
    nb_signs++
    index++
    end = index + 1
  }
  return { nb_signs, end }
}

/** Returns the bytes and the length of the sign at `index`. Undefined for a letter. */
const signAt = (text: string, index: number): { bytes: number; length: number } | undefined => {
  switch (text[index]) {
    case '*':
    case '_':
      return { bytes: SIGN_BYTES.emphasis, length: 1 }
    case '[':
      return { bytes: SIGN_BYTES.bracket, length: 1 }
    case '@':
      return { bytes: SIGN_BYTES.address, length: 1 }
    case ':':
      return text.startsWith('//', index + 1) ? { bytes: SIGN_BYTES.address, length: 3 } : undefined
    case 'w':
    case 'W':
      return /^www\.$/i.test(text.slice(index, index + 4))
        ? { bytes: SIGN_BYTES.address, length: 4 }
        : undefined
    case '{':
      return text[index + 1] === '{' ? { bytes: INSERTION_BYTES, length: 2 } : undefined
    default:
      return undefined
  }
}

/** True if the text can have a sign. The test is much faster than the search for each sign. */
const HAS_SIGN = /[*_[@{-]|:\/\/|www\./i

/**
 * Returns the extra page bytes (`SIGN_BYTES`, `INSERTION_BYTES`) that signs and insertions cost, in addition to their
 * characters.
 */
export const textSignsSize = (text: string): number => {
  if (!HAS_SIGN.test(text)) return 0
  let size = 0
  let isLineStart = true
  for (let index = 0; index < text.length; ) {
    if (isLineStart) {
      const { nb_signs, end } = listSignsAt(text, index)
      size += nb_signs * SIGN_BYTES.list_item
      index = end
    }
    const sign = signAt(text, index)
    size += sign?.bytes ?? 0
    isLineStart = !sign && isLineEnd(text.charCodeAt(index))
    index += sign?.length ?? 1
  }
  return size
}

/** Returns the bytes of a UTF-16 unit, escaped where HTML or JSON escapes it; half of a surrogate pair counts 2. */
const bytesOfLetter = (code: number): number => {
  if (code < 0x20) return code === 0x0a ? 3 : 6
  if (code === 0x22 || code === 0x27 || code === 0x3c) return 6
  if (code === 0x26) return 5
  if (code === 0x3e) return 4
  if (code === 0x5c) return 2
  if (code < 0x80) return 1
  if (code < 0x8_00 || (code >= 0xd8_00 && code <= 0xdf_ff)) return 2
  return 3
}

/** Returns the size of a text in bytes of its page: characters, formatting signs and insertions; 0 without a text. */
export const textSize = (text: string | null | undefined): number => {
  if (!text) return 0
  let size = 0
  for (let index = 0; index < text.length; index++) size += bytesOfLetter(text.charCodeAt(index))
  return size + textSignsSize(text)
}
