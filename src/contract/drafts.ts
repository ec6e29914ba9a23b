import { z } from 'zod'

import { LIMITS, MAX_WHOLE_NUMBER } from '#domain/common/vocabulary.ts'
import { HEAD_FIELDS } from '#domain/questionnaire/fields/quiz-fields.ts'
import {
  ANSWER_FIELDS,
  DIMENSION_FIELDS,
  QUESTION_FIELDS,
  RESULT_FIELDS,
  TEXT_BLOCK_FIELDS,
  TEXT_VARIANT_FIELDS,
} from '#domain/questionnaire/fields/row-fields.ts'
import { calls } from './kit/calls.ts'
import { dimension, textVariant } from './kit/dimensions.ts'
import { group, MAX_SAVE_BODY_BYTES } from './kit/endpoint.ts'
import { optionalFields, optionalShapesOf } from './kit/field-shapes.ts'
import { uuid } from './kit/fields.ts'
import {
  editableQuiz,
  pageNumber,
  question,
  questionType,
  quiz,
  quizMode,
  rank,
  result,
  textBlock,
} from './kit/shapes.ts'

const { drafts: draftCalls } = calls

/** Number of writes to a quiz, which identifies the state that an editor has loaded (docs/decisions/012). */
export const revision = z.int().min(0)
/** Maximum answers or associations of one save. The largest questionnaire has fewer. */
const MAX_SAVED_ROWS = 10_000
/** Maximum number of ids that one save deletes. */
const MAX_REMOVED_IDS = 20_000

/** Result as stored and saved. */
export const savedResult = z.object({
  id: uuid,
  ...optionalShapesOf(RESULT_FIELDS),
  priority_order: rank.optional(),
})
/** Question as stored and saved. */
export const savedQuestion = z.object({
  id: uuid,
  type: questionType.optional(),
  ...optionalShapesOf(QUESTION_FIELDS),
  global_position: rank.optional(),
  page_number: pageNumber.optional(),
})
/** Answer as stored and saved. */
export const savedAnswer = z.object({
  id: uuid,
  question_id: uuid,
  ...optionalShapesOf(ANSWER_FIELDS),
  position: rank.optional(),
})
/** Association of an answer with a result. */
export const savedAssociation = z.object({
  answer_id: uuid,
  result_id: uuid,
  weight: z.int().min(0).max(MAX_WHOLE_NUMBER),
  is_checked: z.boolean(),
})
/** Text block as stored and saved. */
export const savedTextBlock = z.object({
  id: uuid,
  ...optionalShapesOf(TEXT_BLOCK_FIELDS),
  global_position: rank.optional(),
  page_number: pageNumber.optional(),
})

/** Dimension as stored and saved. */
const savedDimension = z.object({
  id: uuid,
  ...optionalShapesOf(DIMENSION_FIELDS),
  position: rank.optional(),
})
/** Conditional text as stored and saved. */
const savedTextVariant = z.object({
  id: uuid,
  ...optionalShapesOf(TEXT_VARIANT_FIELDS),
  position: rank.optional(),
})

/** Content of one save: new rows, and changed rows with the changed fields. */
const changes = z.object({
  quiz: editableQuiz
    .extend({
      ...optionalShapesOf(HEAD_FIELDS),
      ...optionalFields.quizOpening,
    })
    .default({}),
  quiz_mode: quizMode.optional(),
  results: z.array(savedResult).max(LIMITS.results).default([]),
  questions: z.array(savedQuestion).max(LIMITS.questions).default([]),
  answers: z.array(savedAnswer).max(MAX_SAVED_ROWS).default([]),
  associations: z.array(savedAssociation).max(MAX_SAVED_ROWS).default([]),
  text_blocks: z.array(savedTextBlock).max(LIMITS.text_blocks).default([]),
  dimensions: z.array(savedDimension).max(LIMITS.dimensions).default([]),
  text_variants: z.array(savedTextVariant).max(LIMITS.text_variants).default([]),
  removed: z.array(uuid).max(MAX_REMOVED_IDS).default([]),
})

/** Draft as loaded and saved by one or several editors (docs/decisions/012). */
export const drafts = group({
  get: {
    ...draftCalls.get,
    access: 'quiz_owner',
    answer: z.object({
      revision,
      quiz,
      quiz_mode: quizMode,
      results: z.array(result),
      questions: z.array(question),
      text_blocks: z.array(textBlock),
      dimensions: z.array(dimension),
      text_variants: z.array(textVariant),
    }),
    summary: 'Tout ce que l’éditeur montre d’un quiz, et la révision où il en est',
  },
  save: {
    ...draftCalls.save,
    access: 'quiz_owner',
    body: changes.extend({ based_on: revision }),
    max_body_bytes: MAX_SAVE_BODY_BYTES,
    answer: z.object({ revision, quiz_mode: quizMode }),
    summary: 'Enregistrer ce qui diffère de la révision donnée ; 409 si le quiz a changé depuis',
  },
})
