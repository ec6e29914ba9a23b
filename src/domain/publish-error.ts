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

/** The first `length` characters, never half of one. */
export const excerpt = (text: string, length: number): string => {
  if (text.length <= length) return text
  // A character takes two places at most; to take a whole text apart for its beginning would be slow.
  return [...text.slice(0, 2 * length)].slice(0, length).join('')
}
