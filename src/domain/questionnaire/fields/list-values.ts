/** Values of fields that hold a list. */

/** Range of percentages of a dimension, both ends included, with its title and formatted text. */
export type DimensionTier = {
  id: string
  from_percent: number
  to_percent: number
  title: string
  text: string | null
}

/** Condition of a text. A condition on a question that was not on the path of the run does not hold. */
export type Condition =
  | { kind: 'answer_chosen' | 'answer_not_chosen'; question_id: string; answer_id: string }
  | { kind: 'scale_at_least' | 'scale_at_most'; question_id: string; number: number }
  /** Both ends are included; null means no bound. */
  | { kind: 'total_between'; from: number | null; to: number | null }
  | { kind: 'dimension_tier'; dimension_id: string; tier_id: string }
  /** All shown dimensions have one percentage; also if only one is shown. */
  | { kind: 'dimensions_equal' }
  | { kind: 'result'; result_id: string }
