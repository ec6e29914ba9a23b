import {
  type ConsentMode,
  type ContactRole,
  PUBLISHED,
  type QuestionType,
  type QuizMode,
  type QuizStatus,
  type QuizType,
  type ScaleMaximum,
  type ScaleMinimum,
  type TieRule,
} from '#domain/common/vocabulary.ts'
import type { Dimension, QuestionDimension } from './dimensions.ts'
import type { QuizColors, QuizPage } from './look/quiz-page.ts'
import type { TextVariant } from './text-variants.ts'

/** Image next to a text. A null `image_alt` was never given; '' marks a decorative image. */
export type ImageFields = { image_id: string | null; image_alt: string | null }

/** Rule that chooses between results with equal totals in a quiz by profiles. */
export type QuizTies = {
  tie_rule: TieRule
  /** Multiple-choice question whose answer decides a tie, with the rule 'question'. */
  tie_question_id: string | null
}

/** Address, opening time and closing conditions, which apply at once and belong to no version. */
export type QuizOpening = {
  /** Chosen address, in addition to the address with the id. */
  slug: string | null
  /** Time from which visitors can answer; null means that they can answer at once. */
  opens_at: string | null
  closes_at: string | null
  max_responses: number | null
  closed_text: string | null
}

/** Settings of the access to a quiz, which apply at once and belong to no version. */
export type QuizAccess = QuizOpening & {
  /**
   * URL parameters that are stored with a participant, in addition to `utm_*` (domain/questionnaire/parameters.ts).
   */
  parameters: string[]
  /** True if participants get a page of their own, with their result and their rights. */
  keeps_page: boolean
  /** True if actions on this page also ask the email tools to delete or unsubscribe the person. */
  page_erases_contacts: boolean
}

/** Folder of the dashboard, which groups questionnaires of one creator. */
export type Folder = { id: string; name: string }

/** Quiz as stored, without its questions and results. */
export type Quiz = QuizColors &
  QuizPage &
  QuizAccess &
  QuizTies & {
    id: string
    name: string
    type: QuizType
    status: QuizStatus
    /** Number of stored participants, always exact (product 1.7). */
    nb_responses: number
    /** Folder of the dashboard; null means none. */
    folder_id: string | null
    kit_custom_field: string | null
    brevo_attribute_name: string | null
    consent_mode: ConsentMode
    /** Null means the default text. */
    consent_text: string | null
    created_at: string
    updated_at: string
  }

/** Result of a quiz. Results with a lower priority_order are considered first. */
export type Result = ImageFields & {
  id: string
  quiz_id: string
  name: string
  description: string | null
  priority_order: number
  min_score: number | null
  max_score: number | null
  button_text: string | null
  button_url: string | null
  /** Address to which a visitor with this result is redirected after the server has stored the answers. */
  redirect_url: string | null
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
export type AnswerOptions = ImageFields & {
  /**
   * Number of the next page if this answer is chosen, JUMP_TO_END or JUMP_TO_NOWHERE; null means the following page.
   */
  jump_to: number | null
  /** True if the answer is right. */
  is_correct: boolean
}

/** Answer that a question offers. A null score was never given; 0 is a score. */
export type Answer = AnswerOptions & {
  id: string
  question_id: string
  text: string
  score: number | null
  position: number
  associations: Association[]
}

/** Settings of a multiple-choice question. */
export type ChoiceOptions = {
  /** Maximum number of chosen answers; null means no limit. */
  max_choices: number | null
  /** True if the last choice is « Autre… », with a text field. */
  has_other: boolean
  /** True if each visitor sees the answers in another order. */
  shuffles_answers: boolean
  /** Formatted text that follows the right answers. */
  explanation: string | null
  /** True if the scores count only if exactly the right answers are chosen. */
  all_or_nothing: boolean
}

/** Place of a scale or a single choice in a grid (domain/questionnaire/grids.ts). */
export type GridOptions = {
  /** True if the question is a further row of the grid of the question before. */
  continues_grid: boolean
  /** Title of the grid that begins with this question. */
  grid_title: string | null
}

/** Range of a scale and the labels of its ends. */
export type ScaleOptions = {
  scale_min: ScaleMinimum
  scale_max: ScaleMaximum
  scale_min_label: string | null
  scale_max_label: string | null
  /** True if the number is added to the total, in a quiz by score. */
  counts_in_score: boolean
  /** True if statistics show the net promoter score of a scale from 0 to 10. Other ranges ignore it. */
  shows_recommendation: boolean
}

/** Fields of a question in addition to text, type and position. */
export type QuestionOptions = ImageFields &
  ChoiceOptions &
  ScaleOptions &
  GridOptions &
  QuestionDimension & {
    /** « Nom court »: unique name of the question in insertions, exports and email tools. */
    label: string | null
    help: string | null
    is_required: boolean
    /**
     * Part of the contact data that the reply is. Ignored if the type of the question does not fit
     * (domain/questionnaire/contact-roles.ts).
     */
    contact_role: ContactRole | null
  }

/** Question with its answers. */
export type Question = QuestionOptions & {
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

/** Text between questions. */
export type TextBlock = {
  id: string
  quiz_id: string
  content: string
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
