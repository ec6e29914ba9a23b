/** What submissions and removals count (counter-families.ts). */
export type CounterTables = {
  choice_counts: {
    quiz_id: string
    version: number
    question_position: number
    answer_position: number
    count: number
  }
  result_counts: { quiz_id: string; version: number; result_position: number; count: number }
  score_counts: { quiz_id: string; score: number; count: number }
  parameter_counts: { quiz_id: string; name: string; value: string; count: number }
  quarter_counts: { quiz_id: string; version: number; quarter: string; count: number }
  duration_counts: { quiz_id: string; seconds: number; count: number }
  text_counts: {
    quiz_id: string
    question_id: string
    digest: Buffer
    text: string
    count: number
  }
}
