/**
 * Any character except those that show nothing: white space, controls, default-ignorable code points (zero-width, bidi,
 * fillers, tags) and symbols drawn as blanks.
 */
const VISIBLE = /[^\s\p{Cc}\p{DI}\u2800\ufff9-\ufffc\u{1d159}]/u

/** True if a text shows nothing, so that it counts as not written. */
export const isBlankText = (text: string): boolean => !VISIBLE.test(text)

/** True if any character of a text shows nothing, its spaces included. */
export const hasInvisible = (text: string): boolean => [...text].some(isBlankText)

/** Returns the text without the white space around it; '' if the text is blank. */
export const trimText = (text: string): string => (isBlankText(text) ? '' : text.trim())
