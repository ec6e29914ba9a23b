const NUMBER = /^[+-]?(?:\d+(?:[.,]\d*)?|[.,]\d+)(?:e[+-]?\d{1,3})?$/i
/** Largest absolute value that is read; the sum of larger numbers would lose its units. */
const MAX_VALUE = 1e15

/** Parses a typed number with a point or a comma; null for other texts and for ambiguous ones such as 1.234,56. */
export const readNumber = (text: string): number | null => {
  const plain = text.replaceAll(/[\s\u00a0\u202f]/g, '').replace('−', '-')
  if (!NUMBER.test(plain)) return null
  const value = Number(plain.replace(',', '.'))
  return Math.abs(value) <= MAX_VALUE ? value : null
}
