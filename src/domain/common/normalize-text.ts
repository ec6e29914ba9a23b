import { cutText } from './text.ts'

/**
 * Matches a run of combining marks and captures its first 30, the maximum of the Stream-Safe Text Format (Unicode annex
 * 15). No language needs more. Halfwidth voiced marks count, because NFKC turns them into combining marks.
 */
const MARKS = /([ﾞﾟ\p{M}]{1,30})[ﾞﾟ\p{M}]*/gu

/**
 * Returns a text in a normalisation form of Unicode, by default composed letters (NFC). Only the first 30 marks of a
 * run stay, because sorting a run takes quadratic time. No other file calls `String.normalize`, as `npm run check`
 * verifies.
 */
export const normalizeText = (text: string, form?: 'NFC' | 'NFD' | 'NFKC'): string =>
  text.replace(MARKS, '$1').normalize(form)

/** Maximum number of UTF-16 units that normalisation composes into one in texts of real languages. */
const MAX_COMPOSED_UNITS = 4

/**
 * Returns the beginning of a text in composed letters (NFC), with at most `max_length` UTF-16 units. A longer text is
 * cut before it is normalised.
 */
export const normalizeWithin = (text: string, max_length: number): string =>
  cutText(normalizeText(cutText(text, max_length * MAX_COMPOSED_UNITS)), max_length)
