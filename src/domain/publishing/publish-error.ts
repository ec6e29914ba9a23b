/** Reason why a draft cannot be published, with the ids of its subject, so that a screen can lead there. */
export type PublishError = {
  message: string
  question_id?: string
  answer_id?: string
  result_id?: string
  text_block_id?: string
  text_variant_id?: string
  dimension_id?: string
  /** Tier of the dimension. */
  tier_id?: string
  /** Field of the named row, or of the quiz. */
  field?: string
}

/** Maximum characters of a quoted text in the message of an error. */
export const EXCERPT_CHARACTERS = 40
