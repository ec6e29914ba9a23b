import { type Field, namesOf } from '#domain/questionnaire/fields/field.ts'
import {
  CONSENT_FIELDS,
  OPENING_FIELDS,
  QUIZ_FIELDS,
  SAVED_QUIZ_FIELDS,
  SENDER_FIELDS,
} from '#domain/questionnaire/fields/quiz-fields.ts'
import {
  ANSWER_FIELDS,
  DIMENSION_FIELDS,
  QUESTION_FIELDS,
  RESULT_FIELDS,
  TEXT_BLOCK_FIELDS,
  TEXT_VARIANT_FIELDS,
} from '#domain/questionnaire/fields/row-fields.ts'
import type {
  Quiz,
  QuizColors,
  QuizOpening,
  QuizPage,
  QuizTies,
} from '#domain/questionnaire/quiz.ts'

/**
 * Names of the fields that a creator edits, by kind of row. This file exports data only, because the browser's build
 * replaces it by its values (vite.config.ts).
 */

/** Fields of the quiz itself that a creator edits. */
export type QuizFields = Pick<
  Quiz,
  'name' | 'type' | keyof typeof CONSENT_FIELDS | keyof typeof SENDER_FIELDS
> &
  QuizColors &
  QuizPage &
  QuizTies

/** Fields of the quiz itself that a save stores: those of a version, and those that apply at once. */
export type SavedQuizFields = QuizFields & QuizOpening

/** Names of the quiz fields that a quiz file contains. */
export const QUIZ_NAMES = namesOf(QUIZ_FIELDS)
/** Names of the quiz fields that a save stores and that visitors see at once. */
export const OPENING_NAMES = namesOf(OPENING_FIELDS)
/** Names of the quiz fields that visitors see at once, without a publication. */
export const IMMEDIATE_NAMES: readonly (keyof SavedQuizFields)[] = [
  ...OPENING_NAMES,
  ...namesOf(CONSENT_FIELDS),
  ...namesOf(SENDER_FIELDS),
]
/** Names of the quiz fields that a creator edits. */
export const SAVED_QUIZ_NAMES = namesOf(SAVED_QUIZ_FIELDS)
/** Names of the fields of a result that a creator edits, except its place. A merge compares them. */
export const RESULT_NAMES = namesOf(RESULT_FIELDS)
/** Names of the fields of a question that a creator edits, except its place. A merge compares them. */
export const QUESTION_NAMES = namesOf(QUESTION_FIELDS)
/** Names of the fields of an answer that a creator edits, except its place. A merge compares them. */
export const ANSWER_NAMES = namesOf(ANSWER_FIELDS)
/** Names of the fields of a dimension that a creator edits, except its place. A merge compares them. */
export const DIMENSION_NAMES = namesOf(DIMENSION_FIELDS)
/** Names of the fields of a conditional text that a creator edits, except its rank. A merge compares them. */
export const TEXT_VARIANT_NAMES = namesOf(TEXT_VARIANT_FIELDS)
/** Names of the fields of rows that a save stores, with the places. */
export const SAVED_NAMES = {
  results: [...RESULT_NAMES, 'priority_order'],
  questions: [...QUESTION_NAMES, 'type', 'global_position', 'page_number'],
  answers: [...ANSWER_NAMES, 'position'],
  text_blocks: [...namesOf(TEXT_BLOCK_FIELDS), 'global_position', 'page_number'],
  dimensions: [...DIMENSION_NAMES, 'position'],
  text_variants: [...TEXT_VARIANT_NAMES, 'position'],
} as const
/** Steps of the editor with the quiz fields that are not on the step of their settings. */
export const FIELD_STEPS = Object.fromEntries(
  Object.entries<Field>(SAVED_QUIZ_FIELDS).flatMap(([name, { step }]) =>
    step ? [[name, step]] : [],
  ),
)
