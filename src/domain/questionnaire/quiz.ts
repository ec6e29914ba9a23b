import {
  PUBLISHED,
  type QuestionType,
  type QuizMode,
  type QuizStatus,
  type QuizType,
} from '#domain/common/vocabulary.ts'
import type { Dimension } from './dimensions.ts'
import type { Values } from './fields/field.ts'
import type { BUTTON_LABEL_FIELDS, PAGE_FIELDS } from './fields/page-fields.ts'
import type {
  ACCESS_FIELDS,
  COLOR_FIELDS,
  CONSENT_FIELDS,
  HEAD_FIELDS,
  OPENING_FIELDS,
  SENDER_FIELDS,
  TIE_FIELDS,
} from './fields/quiz-fields.ts'
import type {
  ANSWER_FIELDS,
  ANSWER_OPTION_FIELDS,
  IMAGE_FIELDS,
  OPTION_FIELDS,
  QUESTION_FIELDS,
  RESULT_FIELDS,
  TEXT_BLOCK_FIELDS,
} from './fields/row-fields.ts'
import type { TextVariant } from './text-variants.ts'

/** Image next to a text. A null `image_alt` was never given; '' marks a decorative image. */
export type ImageFields = Values<typeof IMAGE_FIELDS>
/** Colours of the page. Null means the default of the screen (product 1.5). */
export type QuizColors = Values<typeof COLOR_FIELDS>
/** Texts of the buttons of the public page. Null means the default text. */
export type ButtonLabels = Values<typeof BUTTON_LABEL_FIELDS>
/** Welcome screen, end screen, wording and look of a quiz. Null or blank means the default or nothing. */
export type QuizPage = Values<typeof PAGE_FIELDS>
/** Rule that chooses between results with equal totals in a quiz by profiles. */
export type QuizTies = Values<typeof TIE_FIELDS>
/** Address, opening time and closing conditions, which apply at once and belong to no version. */
export type QuizOpening = Values<typeof OPENING_FIELDS>
/** Settings of the access to a quiz, which apply at once and belong to no version. */
export type QuizAccess = Values<typeof ACCESS_FIELDS>

/** Folder of the dashboard, which groups questionnaires of one creator. */
export type Folder = { id: string; name: string }

/** Quiz as stored, without its questions and results. */
export type Quiz = Values<typeof HEAD_FIELDS> &
  QuizColors &
  QuizPage &
  QuizAccess &
  QuizTies &
  Values<typeof CONSENT_FIELDS> &
  Values<typeof SENDER_FIELDS> & {
    id: string
    status: QuizStatus
    /** Number of stored participants, always exact (product 1.7). */
    nb_responses: number
    /** Folder of the dashboard; null means none. */
    folder_id: string | null
    kit_custom_field: string | null
    brevo_attribute_name: string | null
    created_at: string
    updated_at: string
  }

/** Result of a quiz. Results with a lower priority_order are considered first. */
export type Result = Values<typeof RESULT_FIELDS> & {
  id: string
  quiz_id: string
  priority_order: number
  updated_at: string
}

/** Link of an answer to a result. Unchecked links do not count. */
export type Association = {
  id: string
  answer_id: string
  result_id: string
  weight: number
  is_checked: boolean
}

/** Value of `jump_to` that ends the questionnaire. */
export const JUMP_TO_END = 0
/** Value of `jump_to` whose page was deleted. */
export const JUMP_TO_NOWHERE = -1

/** Fields of an answer in addition to text and score. */
export type AnswerOptions = Values<typeof ANSWER_OPTION_FIELDS>

/** Answer that a question offers. */
export type Answer = Values<typeof ANSWER_FIELDS> & {
  id: string
  question_id: string
  position: number
  associations: Association[]
}

/** Fields of a question in addition to text, type and position. */
export type QuestionOptions = Values<typeof OPTION_FIELDS>

/** Question with its answers. */
export type Question = Values<typeof QUESTION_FIELDS> & {
  id: string
  quiz_id: string
  type: QuestionType
  /** Rank among the questions, from 0. */
  position: number
  /** Rank among questions and text blocks together, from 0. */
  global_position: number
  page_number: number
  answers: Answer[]
}

/** Text between questions. */
export type TextBlock = Values<typeof TEXT_BLOCK_FIELDS> & {
  id: string
  quiz_id: string
  global_position: number
  page_number: number
}

/** Range of totals that give a result; null means no bound. */
export type ScoreThreshold = { min_score: number | null; max_score: number | null }

/** Content that a creator edits. Exists whether or not a version is published. */
export type Draft = {
  quiz: Quiz
  quiz_mode: QuizMode
  questions: Question[]
  text_blocks: TextBlock[]
  results: Result[]
  dimensions: Dimension[]
  text_variants: TextVariant[]
}

/** Reply to a question: answer ids, `other:` with a text, a scale number, an ISO date or a typed text. */
export type Reply = string | string[]
/** Replies by question id. */
export type Replies = Record<string, Reply>

/** Returns true if visitors can take the quiz (product 1.3). */
export const isPublished = (quiz: { status: QuizStatus }): boolean => quiz.status === PUBLISHED

/** Returns true if the questionnaire computes no result (product 1.4). */
export const isSondage = (quiz: { type: QuizType }): boolean => quiz.type === 'sondage'

/** Returns the French noun for a questionnaire: its type, or the word for both while the type is unknown. */
export const quizNoun = (quiz?: { type: QuizType }): QuizType | 'questionnaire' =>
  quiz?.type ?? 'questionnaire'

/** Returns true if the question offers answers. All other types take text. */
export const isChoice = (question: { type: QuestionType }): boolean =>
  question.type === 'multiple_choice'
