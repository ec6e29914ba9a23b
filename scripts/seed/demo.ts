import type { QuestionType, QuizType } from '#domain/vocabulary.ts'

/** A questionnaire of the demo, in the words a creator would use. */
export type Demo = {
  name: string
  type: QuizType
  /** 1: the middle answers are the most frequent; above, the first ones. */
  lean: number
  results: { name: string; description: string; min_score?: number; max_score?: number }[]
  pages: DemoItem[][]
}

export type DemoItem =
  | { text_block: string }
  | {
      question: string
      type: QuestionType
      /** Of a multiple-choice question. `results` names those the answer counts for. */
      answers?: { text: string; score?: number; results?: string[] }[]
      /** What participants type to an open question; an email is made from their first name. */
      typed?: string[]
    }
