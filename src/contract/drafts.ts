import { z } from 'zod'
import { isBlankText } from '#domain/common/text.ts'

import { LIMITS, MAX_WHOLE_NUMBER } from '#domain/common/vocabulary.ts'
import { calls } from './kit/calls.ts'
import { dimension, dimensionFields, textVariant, textVariantFields } from './kit/dimensions.ts'
import { group, MAX_SAVE_BODY_BYTES } from './kit/endpoint.ts'
import { filledText, optionalFields, text, uuid } from './kit/fields.ts'
import {
  editableQuiz,
  pageNumber,
  question,
  questionType,
  quiz,
  quizMode,
  quizType,
  rank,
  result,
  textBlock,
  threshold,
  wholeNumber,
} from './kit/shapes.ts'

const { drafts: at } = calls

/** Number of writes to a quiz, which identifies the state that an editor has loaded (docs/decisions/012). */
export const revision = z.int().min(0)
const bound = threshold.nullable().optional()
/** Maximum answers or associations of one save. The largest questionnaire has fewer. */
const MAX_SAVED_ROWS = 10_000
/** Maximum number of ids that one save deletes. */
const MAX_REMOVED_IDS = 20_000

const filledBlock = text(LIMITS.text_block).refine((content) => !isBlankText(content), {
  error: 'Ce champ ne peut pas être vide',
})

/** Result as stored and saved. */
export const savedResult = z.object({
  id: uuid,
  name: filledText(LIMITS.result_name).optional(),
  description: text(LIMITS.description).nullable().optional(),
  priority_order: rank.optional(),
  min_score: bound,
  max_score: bound,
  ...optionalFields.ending,
})
/** Question as stored and saved. */
export const savedQuestion = z.object({
  id: uuid,
  type: questionType.optional(),
  text: text(LIMITS.question_text).optional(),
  ...optionalFields.questionExtras,
  global_position: rank.optional(),
  page_number: pageNumber.optional(),
})
/** Answer as stored and saved. */
export const savedAnswer = z.object({
  id: uuid,
  question_id: uuid,
  text: text(LIMITS.answer_text).optional(),
  score: wholeNumber.nullable().optional(),
  position: rank.optional(),
  ...optionalFields.answerExtras,
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
  content: filledBlock.optional(),
  global_position: rank.optional(),
  page_number: pageNumber.optional(),
})

/** Dimension as stored and saved. */
const savedDimension = z.object({
  id: uuid,
  ...z.object(dimensionFields).partial().shape,
  position: rank.optional(),
})
/** Conditional text as stored and saved. */
const savedTextVariant = z.object({
  id: uuid,
  ...z.object(textVariantFields).partial().shape,
  position: rank.optional(),
})

/** Content of one save: new rows, and changed rows with the changed fields. */
const changes = z.object({
  quiz: editableQuiz
    .extend({
      name: filledText(LIMITS.quiz_name).optional(),
      type: quizType.optional(),
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
    ...at.get,
    access: 'creator',
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
    ...at.save,
    access: 'creator',
    body: changes.extend({ based_on: revision }),
    max_body_bytes: MAX_SAVE_BODY_BYTES,
    answer: z.object({ revision, quiz_mode: quizMode }),
    summary: 'Enregistrer ce qui diffère de la révision donnée ; 409 si le quiz a changé depuis',
  },
})
