/** Controls and separators of lines and paragraphs, such as ESC, U+0085 and U+2028. */
const BREAKS = /[\p{Cc}\p{Zl}\p{Zp}]+/gu

/**
 * Signs that change the direction or the order of a line, and invisible signs that no language needs inside a name.
 * Joiners and variation selectors are not in the list, because emoji, Persian and Indic words need them.
 */
const DISGUISES = /[\p{Bidi_Control}\u200b\u2060-\u2064\u206a-\u206f\ufeff\ufff9-\ufffb]+/gu

/**
 * Returns a value that is one line: a name, a label, a parameter, a number or an address. Controls and line ends become
 * a space, and signs of direction are removed. Lone surrogates become U+FFFD; outer white space is removed.
 */
export const oneLine = (text: string): string =>
  text
    .replace(/\p{Cs}/gu, '\ufffd')
    .replace(BREAKS, ' ')
    .replace(DISGUISES, '')
    .trim()
