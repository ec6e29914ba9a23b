/**
 * What grows with participants. `quiz_id` leads every key of these tables, and none points to a row of
 * another quiz, so that they can be spread by it (docs/scale.md).
 */
export const GROWING_TABLES = [
  'responses',
  'text_counts',
  'deliveries',
  'delivery_attempts',
  'rare_answers',
] as const

export type GrowingTable = (typeof GROWING_TABLES)[number]
