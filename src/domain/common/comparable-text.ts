/** Returns a text for searches: without case and accents, with one kind of apostrophe and space. */
export const comparableText = (text: string): string =>
  text
    .toLowerCase()
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replaceAll('œ', 'oe')
    .replaceAll('æ', 'ae')
    .replaceAll('’', "'")
    .replace(/\s+/g, ' ')
    .trim()
