/** Range of percentages of a dimension, both ends included, with its title and formatted text. */
export type DimensionTier = {
  id: string
  from_percent: number
  to_percent: number
  title: string
  text: string | null
}

/** Subject with a score of its own, the sum of its questions. Applies to quizzes by score. */
export type Dimension = {
  id: string
  quiz_id: string
  name: string
  /** Formatted text. */
  description: string | null
  /** Rank among the dimensions, from 0. */
  position: number
  tiers: DimensionTier[]
}

/** Dimension to which a question belongs; null means none. */
export type QuestionDimension = { dimension_id: string | null }

/** Frozen dimension; dimensions are sorted. */
export type SnapshotDimension = Pick<Dimension, 'id' | 'name' | 'description' | 'tiers'>
