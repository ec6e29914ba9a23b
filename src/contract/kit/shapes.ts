import { z } from 'zod'
import { INVITATION_STATES } from '#domain/campaigns/campaign.ts'
import {
  CONSENT_MODES,
  LIMITS,
  MAX_WHOLE_NUMBER,
  QUESTION_TYPES,
  QUIZ_MODES,
  QUIZ_STATUSES,
  QUIZ_TYPES,
} from '#domain/common/vocabulary.ts'
import { PAGE_FIELDS } from '#domain/questionnaire/fields/page-fields.ts'
import {
  ACCESS_FIELDS,
  COLOR_FIELDS,
  CONSENT_FIELDS,
  SENDER_FIELDS,
  TIE_FIELDS,
} from '#domain/questionnaire/fields/quiz-fields.ts'
import {
  ANSWER_OPTION_FIELDS,
  ENDING_FIELDS,
  OPTION_FIELDS,
} from '#domain/questionnaire/fields/row-fields.ts'
import type {
  Answer,
  Association,
  Question,
  Quiz,
  Result,
  ScoreThreshold,
  TextBlock,
} from '#domain/questionnaire/quiz.ts'
import type { Snapshot } from '#domain/questionnaire/snapshot.ts'
import { dimension, textVariant } from './dimensions.ts'
import { optionalFields, optionalShapesOf, shapesOf } from './field-shapes.ts'
import { phoneCountry, timestamp, uuid } from './fields.ts'

/** Integer within the limits of scores. */
export const wholeNumber = z.int().min(-MAX_WHOLE_NUMBER).max(MAX_WHOLE_NUMBER)
/** Position in an order, from 0. */
export const rank = z.int().min(0).max(MAX_WHOLE_NUMBER)
/** Number of a page, from 1. */
export const pageNumber = z.int().min(1).max(LIMITS.pages)
/** Bound of a score tier, from 0 (product 2.5). */
export const threshold = z.int().min(0).max(MAX_WHOLE_NUMBER)

/** Kind of questionnaire: quiz or sondage. */
export const quizType = z.enum(QUIZ_TYPES)
/** Publication state of a quiz. */
export const quizStatus = z.enum(QUIZ_STATUSES)
/** Scoring mode of a quiz; null before it is set. */
export const quizMode = z.enum(QUIZ_MODES).nullable()
/** Type of a question. */
export const questionType = z.enum(QUESTION_TYPES)

const colors = shapesOf(COLOR_FIELDS)
/** Colours of a quiz; all are optional. */
export const editableColors = z.object(optionalShapesOf(COLOR_FIELDS))
/** Editable fields of a quiz except its name. */
export const editableQuiz = editableColors.extend({
  ...optionalFields.quizPage,
  ...optionalFields.quizTies,
  ...optionalShapesOf(CONSENT_FIELDS),
  ...optionalShapesOf(SENDER_FIELDS),
})

/** Quiz as returned by the API. */
export const quiz = z
  .object({
    id: uuid,
    name: z.string(),
    type: quizType,
    status: quizStatus,
    nb_responses: z.int(),
    folder_id: uuid.nullable(),
    ...colors,
    kit_custom_field: z.string().nullable(),
    brevo_attribute_name: z.string().nullable(),
    consent_mode: z.enum(CONSENT_MODES),
    consent_text: z.string().nullable(),
    sender_name: z.string().nullable(),
    measure_consent: z.boolean(),
    measure_text: z.string().nullable(),
    ...shapesOf(PAGE_FIELDS),
    ...shapesOf(TIE_FIELDS),
    ...shapesOf(ACCESS_FIELDS),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'Quiz' }) satisfies z.ZodType<Quiz>

/** Result as returned by the API. */
export const result = z
  .object({
    id: uuid,
    quiz_id: uuid,
    name: z.string(),
    description: z.string().nullable(),
    priority_order: z.int(),
    min_score: z.int().nullable(),
    max_score: z.int().nullable(),
    ...shapesOf(ENDING_FIELDS),
    updated_at: timestamp,
  })
  .meta({ id: 'Result' }) satisfies z.ZodType<Result>

/** Association of an answer with a result and a weight. */
export const association = z
  .object({
    id: uuid,
    answer_id: uuid,
    result_id: uuid,
    weight: z.int(),
    is_checked: z.boolean(),
  })
  .meta({ id: 'Association' }) satisfies z.ZodType<Association>

/** Answer as returned by the API. */
export const answer = z
  .object({
    id: uuid,
    question_id: uuid,
    text: z.string(),
    score: z.int().nullable(),
    position: z.int(),
    ...shapesOf(ANSWER_OPTION_FIELDS),
    associations: z.array(association),
  })
  .meta({ id: 'Answer' }) satisfies z.ZodType<Answer>

/** Question as returned by the API. */
export const question = z
  .object({
    id: uuid,
    quiz_id: uuid,
    text: z.string(),
    type: questionType,
    position: z.int(),
    global_position: z.int(),
    page_number: z.int(),
    ...shapesOf(OPTION_FIELDS),
    answers: z.array(answer),
  })
  .meta({ id: 'Question' }) satisfies z.ZodType<Question>

/** Text block as returned by the API. */
export const textBlock = z
  .object({
    id: uuid,
    quiz_id: uuid,
    content: z.string(),
    global_position: z.int(),
    page_number: z.int(),
  })
  .meta({ id: 'TextBlock' }) satisfies z.ZodType<TextBlock>

/** Score range of a result. */
export const scoreThreshold = z.object({
  min_score: z.int().nullable(),
  max_score: z.int().nullable(),
}) satisfies z.ZodType<ScoreThreshold>

/** Result in a snapshot; fields with default values are omitted. */
const snapshotResult = result
  .pick({
    id: true,
    name: true,
    description: true,
    priority_order: true,
    min_score: true,
    max_score: true,
  })
  .extend(optionalFields.ending)
  .meta({ id: 'SnapshotResult' })
const snapshotAnswer = answer.pick({ id: true, text: true, score: true, position: true }).extend({
  ...optionalFields.answerExtras,
  associations: z.array(association.pick({ result_id: true, weight: true, is_checked: true })),
})

const snapshotQuestion = question
  .omit({ quiz_id: true, answers: true })
  .extend({
    ...optionalFields.questionExtras,
    answers: z.array(snapshotAnswer),
    consent: z.object({ version: z.int(), text: z.string() }).optional(),
    measure: z.object({ version: z.int(), text: z.string() }).optional(),
    // Country with which a phone question reads numbers without a country code, and the sentence that says so.
    phone: z.object({ country: phoneCountry, hint: z.string() }).optional(),
  })
  .meta({ id: 'SnapshotQuestion' })

/** Published version as visitors get it. */
export const snapshot = z.object({
  quiz: quiz
    .pick({ name: true, type: true, status: true })
    .extend({ ...colors, ...optionalFields.quizPage, ...optionalFields.quizTies })
    .meta({ id: 'SnapshotQuiz' }),
  questions: z.array(snapshotQuestion),
  text_blocks: z.array(textBlock.omit({ quiz_id: true })),
  results: z.array(snapshotResult),
  dimensions: z.array(dimension.omit({ quiz_id: true, position: true })).optional(),
  dimension_rule: z.int().optional(),
  text_variants: z.array(textVariant.omit({ quiz_id: true, position: true })).optional(),
  quiz_mode: quizMode,
}) satisfies z.ZodType<Snapshot>

/** Invitation of a person to a campaign, without the link. */
export const invitation = z.object({
  email: z.string(),
  first_name: z.string().nullable(),
  last_name: z.string().nullable(),
  group_name: z.string().nullable(),
  state: z.enum(INVITATION_STATES),
  /** Times of the states; in anonymous campaigns, whole days (UTC) except `refused_at`. */
  opened_at: timestamp.nullable(),
  started_at: timestamp.nullable(),
  replied_at: timestamp.nullable(),
  refused_at: timestamp.nullable(),
})
