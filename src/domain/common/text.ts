/**
 * Matches a visible character. White space, controls, default-ignorable code points and blank symbols are invisible.
 */
const VISIBLE = /[^\s\p{Cc}\p{DI}\u2800\ufff9-\ufffc\u{1d159}]/u

/** Returns true if a text has no visible character, so that it counts as missing. */
export const isBlankText = (text: string): boolean => !VISIBLE.test(text)

/** Returns true if a text has an invisible character or white space. */
export const hasInvisible = (text: string): boolean => [...text].some(isBlankText)

/** Returns the text without the white space around it; '' if the text is blank. */
export const trimText = (text: string): string => (isBlankText(text) ? '' : text.trim())

/** Controls that other systems use as line ends: vertical tab, form feed and U+0085. */
const LINE_END_CONTROLS = /[\v\f\u0085]/g
/** Controls without a meaning in a text: all but tabs, line ends and NUL, which the contract refuses. */
const MEANINGLESS_CONTROLS = /[^\P{Cc}\0\t\n\r]/gu

/**
 * Returns the text as it is stored: without control characters such as ESC, because browsers, mail readers and
 * spreadsheets show signs in their places. Control characters that end lines become line ends.
 */
export const withoutControls = (text: string): string =>
  text.replace(LINE_END_CONTROLS, '\n').replace(MEANINGLESS_CONTROLS, '')

const PRINTABLE_ASCII = /^[\x21-\x7e]*$/

/** Returns true if a text has no white space and no letter outside ASCII, so that no normalisation changes it. */
export const isPrintableAscii = (text: string): boolean => PRINTABLE_ASCII.test(text)

/** Longest grapheme, in UTF-16 units, that is kept whole; a longer grapheme is a pile of accents and may be cut. */
const MAX_GRAPHEME_LENGTH = 32

// Old browsers have no segmenter; they keep only surrogate pairs whole.
const createSegmenter = () => (globalThis.Intl?.Segmenter ? new Intl.Segmenter('fr') : undefined)
// Marked as pure, so that a script that cuts no text leaves it out.
const segmenter = /* @__PURE__ */ createSegmenter()

/**
 * Returns the longest beginning of `text` with at most `max_length` UTF-16 units, as the contract and `maxlength`
 * count them. Never ends inside a surrogate pair, nor inside a grapheme such as an emoji or an accented letter.
 */
export const cutText = (text: string, max_length: number): string => {
  if (text.length <= max_length) return text
  // The two units after the limit show whether a grapheme crosses it.
  const start = segmenter?.segment(text.slice(0, max_length + 2)).containing(max_length)?.index
  if (start !== undefined && max_length - start <= MAX_GRAPHEME_LENGTH) return text.slice(0, start)
  const isInsidePair = (text.codePointAt(max_length - 1) ?? 0) > 0xffff
  return text.slice(0, isInsidePair ? max_length - 1 : max_length)
}

/** Returns the beginning of `text` with at most `count` characters (code points), never inside a grapheme. */
export const excerpt = (text: string, count: number): string => {
  if (text.length <= count) return text
  // A code point has at most two units, so that only the beginning of a long text is split.
  return cutText(text, [...text.slice(0, 2 * count)].slice(0, count).join('').length)
}

/** Returns `text`, or its first `count` characters (code points) at most, followed by an ellipsis. */
export const shortenText = (text: string, count: number): string => {
  const start = excerpt(text, count)
  return start === text ? text : `${start.trimEnd()}…`
}
