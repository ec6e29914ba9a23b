/**
 * What no text of a mail holds: control characters, which end a header or a line; and those that turn the
 * direction of what follows, with which an address or a file passes for another.
 */
const INVISIBLE =
  /[\p{Cc}\u{2028}\u{2029}\u{061c}\u{200b}\u{200e}\u{200f}\u{202a}-\u{202e}\u{2060}-\u{2069}\u{feff}]+/gu

/** A text of one line that is read as it is stored; whatever somebody typed into it stays words (ASVS 1.3.11). */
export const visibleText = (text: string): string =>
  text.toWellFormed().replaceAll(INVISIBLE, ' ').trim()
