import { normalizeText } from './normalize-text.ts'

/** Returns a text for searches: without case and accents, with one kind of apostrophe and space. */
export const comparableText = (text: string): string =>
  normalizeText(text.toLowerCase(), 'NFD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll('œ', 'oe')
    .replaceAll('æ', 'ae')
    .replaceAll('’', "'")
    .replace(/\s+/g, ' ')
    .trim()
