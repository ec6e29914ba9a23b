/** One reason why a draft cannot be published, and what it is about, so that a screen can lead there. */
export type PublishError = {
  message: string
  question_id?: string
  answer_id?: string
  result_id?: string
  text_block_id?: string
  /** Which field of the question, of the result, or of the quiz's own page. */
  field?: string
}
