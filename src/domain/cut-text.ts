/** The beginning of a text, never with half of a character that takes two places: an address cannot be written of one. */
export const cutText = (text: string, most: number): string =>
  text.slice(0, most).replace(/[\uD800-\uDBFF]$/, '')
