/**
 * Characters that a mail's text never holds: control characters, which end a header or a line, and those that
 * change the direction of text, which can disguise an address or a file name.
 */
const INVISIBLE =
  /[\p{Cc}\u{2028}\u{2029}\u{061c}\u{200b}\u{200e}\u{200f}\u{202a}-\u{202e}\u{2060}-\u{2069}\u{feff}]+/gu

/** A piece of a line, with the spaces around it. */
export const visiblePart = (text: string): string => text.toWellFormed().replaceAll(INVISIBLE, ' ')

/** One line of text, shown as it is stored; text that a user typed stays plain words (ASVS 1.3.11). */
export const visibleText = (text: string): string => visiblePart(text).trim()
