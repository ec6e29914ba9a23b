import type { QuestionType, QuizType } from '#domain/common/vocabulary.ts'
import type {
  ImageFields,
  QuestionOptions,
  QuizColors,
  QuizPage,
} from '#domain/questionnaire/quiz.ts'
import type { Scene } from './scenes.ts'

/** Colours, welcome, end and font of a demo; its pictures are named. */
type DemoPage = Partial<QuizColors & Omit<QuizPage, `${string}image_id` | `${string}image_alt`>> & {
  welcome_scene?: Scene
  logo_scene?: Scene
}

type DemoResult = {
  name: string
  description: string
  min_score?: number
  max_score?: number
  scene?: Scene
  button_text?: string
  button_url?: string
}

/** A questionnaire of the demo, in the words a creator would use. */
export type Demo = {
  name: string
  type: QuizType
  /** 1: the middle answers are the most frequent; above, the first ones. */
  lean: number
  page: DemoPage
  results: DemoResult[]
  pages: DemoItem[][]
}

export type DemoItem =
  | { text_block: string }
  | {
      question: string
      type: QuestionType
      /** « Nom court », by which insertions call it, and how it is asked. */
      options?: Partial<Omit<QuestionOptions, keyof ImageFields>>
      /** Of a multiple-choice question. `results` names those the answer counts for. */
      answers?: {
        text: string
        score?: number
        results?: string[]
        scene?: Scene
        jump_to?: number
      }[]
      /** What participants reply to a question without answers, or beside « Autre… »; an email is made from their first name. */
      typed?: string[]
    }
