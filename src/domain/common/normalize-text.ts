import { cutText } from './text.ts'

/**
 * Matches a run of more than 30 combining marks, the maximum of the Stream-Safe Text Format (Unicode annex 15). No
 * language needs more than a few. Halfwidth voiced marks count, because NFKC turns them into combining marks.
 */
const LONG_RUN = /([\p{M}\uff9e\uff9f]{30})[\p{M}\uff9e\uff9f]+/gu

/**
 * Returns a text in a normalisation form of Unicode. Only the first 30 marks of a run stay, because sorting a run takes
 * quadratic time. The only caller of `String.normalize`, as `npm run check` verifies.
 */
export const normalizeText = (text: string, form: 'NFC' | 'NFD' | 'NFKC' = 'NFC'): string =>
  text.replace(LONG_RUN, '$1').normalize(form)

/** Returns the text without accents and other combining marks. */
export const withoutMarks = (text: string): string =>
  normalizeText(text, 'NFD').replace(/\p{M}+/gu, '')

/** Maximum number of UTF-16 units that normalisation composes into one in texts of real languages. */
const MAX_COMPOSED_UNITS = 4

/**
 * Returns the beginning of a text in composed letters (NFC), with at most `max_length` UTF-16 units. A longer text is
 * cut before it is normalised.
 */
export const normalizeWithin = (text: string, max_length: number): string =>
  cutText(normalizeText(cutText(text, max_length * MAX_COMPOSED_UNITS)), max_length)
