import { DEFAULT_WEIGHT, MAX_WHOLE_NUMBER } from '#domain/common/vocabulary.ts'

/**
 * Returns a pasted whole number in the form that a number field accepts; null for other text. Browsers drop a
 * typographic minus and would turn −3 into 3.
 */
export const readPastedInteger = (text: string): string | null => {
  const plain = text.replaceAll(/[\s\u00a0\u202f]/g, '').replace(/^[−–]/, '-')
  return /^[+-]?\d+$/.test(plain) ? plain.replace('+', '') : null
}

/** Parses a typed score; empty or invalid text is 0 (product 3.7). */
export const readScore = (typed: string): number => readInteger(typed) ?? 0

/** Parses a typed weight, at least 0; empty text is the weight of a new association. */
export const readWeight = (typed: string): number =>
  Math.max(0, readInteger(typed) ?? DEFAULT_WEIGHT)

/** Parses a typed bound of a tier, at least 0; null for empty text (product 2.5). */
export const readThreshold = (typed: string): number | null => {
  const bound = readInteger(typed)
  return bound === null ? null : Math.max(0, bound)
}

/** Parses a typed whole number; null for empty or invalid text. */
export const readInteger = (typed: string): number | null => {
  const value = Number.parseInt(typed, 10)
  if (Number.isNaN(value)) return null
  return Math.max(-MAX_WHOLE_NUMBER, Math.min(value, MAX_WHOLE_NUMBER))
}
