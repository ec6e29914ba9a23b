import { parseRichText } from '#contract/parse-rich-text.ts'
import type { RichText } from '#domain/run/rich-text.ts'

/**
 * Parses texts one after the other, without a limit: for threads, and for texts that the caller has found to be short.
 */
export const parseTexts = (texts: readonly string[]): RichText[] => texts.map(parseRichText)

/** Task of a thread that parses texts. */
export const parseTextsTask = async (texts: readonly string[]): Promise<RichText[]> =>
  parseTexts(texts)
