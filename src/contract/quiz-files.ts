import { z } from 'zod'
import { LIMITS } from '#domain/common/vocabulary.ts'
import { NEW_TEXT_VARIANT } from '#domain/questionnaire/defaults.ts'
import { DIMENSION_FIELDS, TEXT_VARIANT_FIELDS } from '#domain/questionnaire/fields/row-fields.ts'
import { IMAGE_TYPES } from '#domain/questionnaire/images.ts'
import {
  type FileQuestion,
  MAX_QUIZ_FILE_BYTES,
  MAX_QUIZ_FILE_IMAGES,
  QUIZ_FILE_FORMAT,
  type QuizFile,
  READABLE_QUIZ_FILE_VERSIONS,
} from '#domain/quiz-files/quiz-file.ts'
import {
  savedAnswer,
  savedAssociation,
  savedQuestion,
  savedResult,
  savedTextBlock,
} from './drafts.ts'
import { calls } from './kit/calls.ts'
import { conditionOf, dimensionTier } from './kit/conditions.ts'
import { group } from './kit/endpoint.ts'
import { optionalFields, shapesOf } from './kit/field-shapes.ts'
import { filledText, text } from './kit/fields.ts'
import {
  editableQuiz,
  pageNumber,
  questionType,
  quiz,
  quizMode,
  quizType,
  rank,
} from './kit/shapes.ts'

/** Id within a file, without meaning outside of it. */
const fileId = filledText(100)
const pictured = { image_id: fileId.nullish() }

const fileQuiz = editableQuiz
  .extend({
    type: quizType,
    name: filledText(LIMITS.quiz_name),
    welcome_image_id: fileId.nullish(),
    logo_image_id: fileId.nullish(),
    background_image_id: fileId.nullish(),
    tie_question_id: fileId.nullish(),
    keeps_page: optionalFields.quizAccess.keeps_page,
    confirms_email: optionalFields.quizAccess.confirms_email,
  })
  .strict()

const fileResult = savedResult
  .omit({ priority_order: true })
  .extend({ ...pictured, id: fileId, name: filledText(LIMITS.result_name) })
  .strict()

const fileAnswer = savedAnswer
  .omit({ id: true, question_id: true, position: true })
  .extend({
    ...pictured,
    id: fileId.optional(),
    text: text(LIMITS.answer_text),
    associations: z
      .array(savedAssociation.omit({ answer_id: true }).extend({ result_id: fileId }).strict())
      .max(LIMITS.results)
      .default([]),
  })
  .strict()

const fileQuestion = savedQuestion
  .extend({
    ...pictured,
    id: fileId,
    dimension_id: fileId.nullish(),
    type: questionType,
    text: text(LIMITS.question_text),
    page_number: pageNumber,
    global_position: rank,
    answers: z.array(fileAnswer).max(LIMITS.answers_per_question).default([]),
  })
  .strict() satisfies z.ZodType<FileQuestion>

const dimensionFields = shapesOf(DIMENSION_FIELDS)
const fileDimension = z.strictObject({
  id: fileId,
  name: dimensionFields.name,
  description: dimensionFields.description.default(null),
  tiers: z
    .array(
      dimensionTier.extend({ id: fileId, text: dimensionTier.shape.text.default(null) }).strict(),
    )
    .max(LIMITS.tiers_per_dimension)
    .default([]),
})

const textVariantFields = shapesOf(TEXT_VARIANT_FIELDS)
const fileTextVariant = z.strictObject({
  place: textVariantFields.place,
  result_id: fileId.nullable().default(null),
  joined_by: textVariantFields.joined_by.default(NEW_TEXT_VARIANT.joined_by),
  conditions: z.array(conditionOf(fileId)).max(LIMITS.conditions_per_variant).default([]),
  text: textVariantFields.text.default(''),
  button_text: textVariantFields.button_text.default(null),
  button_url: textVariantFields.button_url.default(null),
})

const filePicture = z.strictObject({
  id: fileId,
  type: z.enum(IMAGE_TYPES),
  data: z.string().meta({ contentEncoding: 'base64' }),
})

/** Quiz file. Unknown keys are refused, because their content would be lost. */
export const quizFile = z.strictObject({
  format: z.literal(QUIZ_FILE_FORMAT),
  schema_version: z.literal([...READABLE_QUIZ_FILE_VERSIONS]),
  quiz: fileQuiz,
  quiz_mode: quizMode.optional(),
  results: z.array(fileResult).max(LIMITS.results).default([]),
  questions: z.array(fileQuestion).max(LIMITS.questions).default([]),
  text_blocks: z
    .array(savedTextBlock.omit({ id: true }).required().strict())
    .max(LIMITS.text_blocks)
    .default([]),
  dimensions: z.array(fileDimension).max(LIMITS.dimensions).default([]),
  text_variants: z.array(fileTextVariant).max(LIMITS.text_variants).default([]),
  pictures: z.array(filePicture).max(MAX_QUIZ_FILE_IMAGES).default([]),
}) satisfies z.ZodType<QuizFile>

/** Returns the JSON schema of quiz files, stored as docs/quiz-export.schema.json. */
export const quizFileSchema = (): Record<string, unknown> => ({
  ...z.toJSONSchema(quizFile, { io: 'input', unrepresentable: 'any' }),
  title: 'A quiz of Quizaine',
})

/** Export of a quiz as a file, and import as a new quiz. */
export const quizFiles = group({
  write: {
    ...calls.quizFiles.write,
    access: 'quiz_owner',
    answer: quizFile,
    summary: 'Le brouillon en fichier, images comprises (/docs/quiz-export.schema.json)',
  },
  read: {
    ...calls.quizFiles.read,
    access: 'creator',
    body: z.instanceof(Uint8Array),
    body_types: ['application/json'],
    body_json: quizFile,
    max_body_bytes: MAX_QUIZ_FILE_BYTES,
    timeout_ms: 60_000,
    answer: z.object({ quiz }),
    creates: true,
    summary: 'Créer un brouillon depuis un tel fichier, en entier ou pas du tout',
  },
})
