import {
  type ConsentMode,
  PUBLISHED,
  type QuestionType,
  type QuizMode,
  type QuizStatus,
  type QuizType,
} from './vocabulary.ts'

/** The five colours a creator may set; null means the default of the screen (spec §9). */
export type QuizColors = {
  bg_color: string | null
  text_color: string | null
  button_color: string | null
  button_text_color: string | null
  accent_color: string | null
}

export type Quiz = QuizColors & {
  id: string
  name: string
  type: QuizType
  status: QuizStatus
  /** Stored participants, exact at every moment (decisions « nb_responses »). */
  nb_responses: number
  kit_custom_field: string | null
  brevo_attribute_name: string | null
  consent_mode: ConsentMode
  /** Null: the product's own wording. */
  consent_text: string | null
  created_at: string
  updated_at: string
}

/** An ending of a quiz. A lower priority_order is considered first. */
export type Result = {
  id: string
  quiz_id: string
  name: string
  description: string | null
  priority_order: number
  min_score: number | null
  max_score: number | null
  updated_at: string
}

/** Links one answer to one result; it counts only while is_checked. */
export type Association = {
  id: string
  answer_id: string
  result_id: string
  weight: number
  is_checked: boolean
}

/** A choice the creator offers. A null score was never given; 0 is a score. */
export type Answer = {
  id: string
  question_id: string
  text: string
  score: number | null
  position: number
  associations: Association[]
}

export type Question = {
  id: string
  quiz_id: string
  text: string
  type: QuestionType
  /** Rank among the questions, from 0. */
  position: number
  /** Rank among questions and text blocks together, from 0. */
  global_position: number
  page_number: number
  answers: Answer[]
}

export type TextBlock = {
  id: string
  quiz_id: string
  content: string
  global_position: number
  page_number: number
}

export type ScoreThreshold = { min_score: number | null; max_score: number | null }

/** Everything a creator edits; it exists whether or not a version is published. */
export type Draft = {
  quiz: Quiz
  quiz_mode: QuizMode
  questions: Question[]
  text_blocks: TextBlock[]
  results: Result[]
}

/** What a visitor gives: question id → chosen answer id, or typed text. */
export type Replies = Record<string, string>

/** True when visitors can take the quiz (spec §4). */
export const isPublished = (quiz: { status: QuizStatus }): boolean => quiz.status === PUBLISHED

/** True for a questionnaire that computes no result (decisions « Sondage »). */
export const isSondage = (quiz: { type: QuizType }): boolean => quiz.type === 'sondage'

/** True for a question that offers answers; every other one takes text. */
export const isChoice = (question: { type: QuestionType }): boolean =>
  question.type === 'multiple_choice'
