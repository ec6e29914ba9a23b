/**
 * Any visible character. Invisible ones are white space, controls, default-ignorable code points (zero-width, bidi,
 * fillers, tags) and symbols that are drawn as blanks.
 */
const VISIBLE = /[^\s\p{Cc}\p{DI}\u2800\ufff9-\ufffc\u{1d159}]/u

/** Returns true if a text has no visible character, so that it counts as missing. */
export const isBlankText = (text: string): boolean => !VISIBLE.test(text)

/** Returns true if a text has an invisible character or white space. */
export const hasInvisible = (text: string): boolean => [...text].some(isBlankText)

/** Returns the text without the white space around it; '' if the text is blank. */
export const trimText = (text: string): string => (isBlankText(text) ? '' : text.trim())

const PRINTABLE_ASCII = /^[\x21-\x7e]*$/

/** Returns true if a text has no white space and no letter outside ASCII, so that no normalisation changes it. */
export const isPrintableAscii = (text: string): boolean => PRINTABLE_ASCII.test(text)
