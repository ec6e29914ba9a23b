import type { QuestionType, QuizType } from '#domain/common/vocabulary.ts'
import type {
  ImageFields,
  QuestionOptions,
  QuizColors,
  QuizPage,
} from '#domain/questionnaire/quiz.ts'
import type { Scene } from './scenes.ts'

/** Appearance, welcome screen and end screen of a demo. Images are given by name. */
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

/** Questionnaire of the demo. */
export type Demo = {
  name: string
  type: QuizType
  /** Distribution of the answers: 1 prefers the middle answers, higher values the first ones. */
  lean: number
  /** Whole questionnaire in the text format; page, results and answers then come from it. */
  text?: string
  page: DemoPage
  results: DemoResult[]
  pages: DemoItem[][]
}

/** Text block or question of a demo page. */
export type DemoItem =
  | { text_block: string }
  | {
      question: string
      type: QuestionType
      /** « Nom court » and options of the question. */
      options?: Partial<Omit<QuestionOptions, keyof ImageFields>>
      /** Answers of a multiple-choice question; `results` names the associated results. */
      answers?: {
        text: string
        score?: number
        results?: string[]
        scene?: Scene
        jump_to?: number
      }[]
      /** Typed replies, also for « Autre… ». Email addresses are built from the first name. */
      typed?: string[]
    }
