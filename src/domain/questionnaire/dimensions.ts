import { trimText } from '#domain/common/text.ts'
import type { QuizMode, QuizType } from '#domain/common/vocabulary.ts'
import type { Values } from './fields/field.ts'
import type { DIMENSION_FIELDS } from './fields/row-fields.ts'

/** Subject with a score of its own, the sum of its questions. Applies to quizzes by score. */
export type Dimension = Values<typeof DIMENSION_FIELDS> & {
  id: string
  quiz_id: string
  /** Rank among the dimensions, from 0. */
  position: number
}

/** Returns the French name of a dimension in the editor: its rank while the name is blank. */
export const nameOfDimension = (
  dimensions: readonly Pick<Dimension, 'id' | 'name'>[],
  id: string,
): string => {
  const index = dimensions.findIndex((dimension) => dimension.id === id)
  return trimText(dimensions[index]?.name ?? '') || `Dimension ${index + 1}`
}

/** Returns the dimensions that visitors see. Other questionnaires keep them in the draft only. */
export const usedDimensions = <D>({
  quiz,
  quiz_mode,
  dimensions,
}: {
  quiz: { type: QuizType }
  quiz_mode: QuizMode
  dimensions: readonly D[]
}): readonly D[] => (quiz.type === 'quiz' && quiz_mode === 'score' ? dimensions : [])

/**
 * Rule of the percentages of new versions: only answered questions count. Versions without a rule keep the figures that
 * their participants saw (docs/decisions/053).
 */
export const DIMENSION_RULE = 2

/** Names that insert the dimensions with the highest and with the lowest percentage. */
export const EXTREME_INSERTIONS = ['point fort', 'point faible'] as const
/** Returns the name that inserts the percentage of a dimension. */
export const dimensionInsertion = (name: string): string => `dimension ${name.trim()}`
/** Returns true if an insertion has the form of those of dimensions. */
export const isDimensionInsertion = (key: string): boolean =>
  key.startsWith('dimension ') || EXTREME_INSERTIONS.some((name) => name === key)
/** Returns the names that texts at the end can insert in a quiz with these dimensions. */
export const dimensionInsertionNames = (dimensions: readonly { name: string }[]): string[] =>
  dimensions.length > 0
    ? [...EXTREME_INSERTIONS, ...dimensions.map(({ name }) => dimensionInsertion(name))]
    : []

/** Frozen dimension; dimensions are sorted. */
export type SnapshotDimension = Pick<Dimension, 'id' | 'name' | 'description' | 'tiers'>

/** Returns a dimension as a version holds it. */
export const freezeDimension = ({
  id,
  name,
  description,
  tiers,
}: Dimension): SnapshotDimension => ({
  id,
  name,
  description: description || null,
  tiers,
})
