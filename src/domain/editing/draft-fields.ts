import {
  ANSWER_DEFAULTS,
  OPENING_DEFAULTS,
  PAGE_DEFAULTS,
  QUESTION_DEFAULTS,
  TIE_DEFAULTS,
} from '#domain/questionnaire/defaults.ts'
import type { Dimension } from '#domain/questionnaire/dimensions.ts'
import type { QuizColors, QuizPage } from '#domain/questionnaire/look/quiz-page.ts'
import type {
  Answer,
  Question,
  Quiz,
  QuizOpening,
  QuizTies,
  Result,
} from '#domain/questionnaire/quiz.ts'
import type { TextVariant } from '#domain/questionnaire/text-variants.ts'

/** Names of the fields that a creator edits, by kind of row. */

/** Fields of the quiz itself that a creator edits. */
export type QuizFields = Pick<Quiz, 'name' | 'type' | 'consent_mode' | 'consent_text'> &
  QuizColors &
  QuizPage &
  QuizTies

/** Fields of the quiz itself that a save stores: those of a version, and those that apply at once. */
export type SavedQuizFields = QuizFields & QuizOpening

const PAGE_FIELDS = Object.keys(PAGE_DEFAULTS) as (keyof QuizPage)[]
const TIE_FIELDS = Object.keys(TIE_DEFAULTS) as (keyof QuizTies)[]
/** Names of the quiz fields that a quiz file contains. */
export const QUIZ_FIELDS: readonly (keyof QuizFields)[] = [
  'name',
  'type',
  'bg_color',
  'text_color',
  'button_color',
  'button_text_color',
  'accent_color',
  'consent_mode',
  'consent_text',
  ...PAGE_FIELDS,
  ...TIE_FIELDS,
]
/** Names of the quiz fields that apply at once and belong to no version. */
export const OPENING_FIELDS = Object.keys(OPENING_DEFAULTS) as (keyof QuizOpening)[]
/** Names of the quiz fields that visitors see at once, without a publication. */
export const IMMEDIATE_FIELDS: readonly (keyof SavedQuizFields)[] = [
  ...OPENING_FIELDS,
  'consent_mode',
  'consent_text',
]
/** Names of the quiz fields that a creator edits. */
export const SAVED_QUIZ_FIELDS: readonly (keyof SavedQuizFields)[] = [
  ...QUIZ_FIELDS,
  ...OPENING_FIELDS,
]
/** Fields of a result that a merge compares: all fields that a creator edits, except the position. */
export const RESULT_CONTENT = [
  'name',
  'description',
  'min_score',
  'max_score',
  'image_id',
  'image_alt',
  'button_text',
  'button_url',
  'redirect_url',
] as const satisfies (keyof Result)[]
/** Fields of a question that a merge compares. */
export const QUESTION_CONTENT = [
  'text',
  ...(Object.keys(QUESTION_DEFAULTS) as (keyof typeof QUESTION_DEFAULTS)[]),
] as const satisfies (keyof Question)[]
/** Fields of an answer that a merge compares. */
export const ANSWER_CONTENT = [
  'text',
  'score',
  ...(Object.keys(ANSWER_DEFAULTS) as (keyof typeof ANSWER_DEFAULTS)[]),
] as const satisfies (keyof Answer)[]
/** Fields of a dimension that a merge compares. */
export const DIMENSION_CONTENT = [
  'name',
  'description',
  'tiers',
] as const satisfies (keyof Dimension)[]
/** Fields of a conditional text that a merge compares. */
export const TEXT_VARIANT_CONTENT = [
  'place',
  'result_id',
  'joined_by',
  'conditions',
  'text',
  'button_text',
  'button_url',
] as const satisfies (keyof TextVariant)[]
/** Fields of a saved dimension. */
export const DIMENSION_FIELDS = [...DIMENSION_CONTENT, 'position'] as const
/** Fields of a saved text variant. */
export const TEXT_VARIANT_FIELDS = [...TEXT_VARIANT_CONTENT, 'position'] as const
/** Fields of a saved result. */
export const RESULT_FIELDS = [...RESULT_CONTENT, 'priority_order'] as const
/** Fields of a saved question. */
export const QUESTION_FIELDS = [
  ...QUESTION_CONTENT,
  'type',
  'global_position',
  'page_number',
] as const
/** Fields of a saved answer. */
export const ANSWER_FIELDS = [...ANSWER_CONTENT, 'position'] as const
/** Fields of a saved text block. */
export const TEXT_BLOCK_FIELDS = ['content', 'global_position', 'page_number'] as const
