import type { QuizMode } from '#domain/common/vocabulary.ts'
import {
  ANSWER_NAMES,
  DIMENSION_NAMES,
  QUESTION_NAMES,
  QUIZ_NAMES,
  RESULT_NAMES,
  TEXT_VARIANT_NAMES,
} from '#domain/editing/draft-fields.ts'
import {
  ANSWER_DEFAULTS,
  ENDING_DEFAULTS,
  QUESTION_DEFAULTS,
} from '#domain/questionnaire/defaults.ts'
import type { Dimension } from '#domain/questionnaire/dimensions.ts'
import { applyDefaults, type RowInput } from '#domain/questionnaire/fields/apply-defaults.ts'
import type { ImageType } from '#domain/questionnaire/images.ts'
import { modeAfterEdit } from '#domain/questionnaire/mode.ts'
import { renumber } from '#domain/questionnaire/pages.ts'
import type {
  Answer,
  Association,
  Draft,
  Question,
  Quiz,
  Result,
  TextBlock,
} from '#domain/questionnaire/quiz.ts'
import { replaceConditionIds, type TextVariant } from '#domain/questionnaire/text-variants.ts'
import { idsOfFile, namesInFile } from './references.ts'

/**
 * Exchange format of a quiz. Another account or installation can read the file, which holds all content and images
 * but no accounts, tools and participants. Ids are valid only within the file.
 */

/** Value of `format`, which identifies the file type. */
export const QUIZ_FILE_FORMAT = 'quizaine-quiz'
/**
 * Version of the format, increased with each new field, so that older readers refuse the file instead of dropping
 * fields.
 */
export const QUIZ_FILE_VERSION = 4
/**
 * Versions that can be read. Version 1 has no dimensions and no conditional texts. Version 2 adds these, and version 3
 * adds grids, right answers, reports, certificates and the pages of participants. Version 4 adds the confirmation of
 * addresses.
 */
export const READABLE_QUIZ_FILE_VERSIONS = [1, 2, 3, QUIZ_FILE_VERSION] as const

/** Maximum size of a file, in bytes. */
export const MAX_QUIZ_FILE_BYTES = 32 * 1_048_576
/** Maximum number of images in a file. */
export const MAX_QUIZ_FILE_IMAGES = 100

/** Image with its id in the file and its base64 data. */
export type FilePicture = { id: string; type: ImageType; data: string }

const RESULT_DEFAULTS = {
  description: null,
  min_score: null,
  max_score: null,
  ...ENDING_DEFAULTS,
}
const SCORED_DEFAULTS = { score: null, ...ANSWER_DEFAULTS }

type FileResult = RowInput<
  Omit<Result, 'quiz_id' | 'priority_order' | 'updated_at'>,
  typeof RESULT_DEFAULTS
>
/** Answer in a file. */
export type FileAnswer = RowInput<
  Pick<Answer, (typeof ANSWER_NAMES)[number]>,
  typeof SCORED_DEFAULTS
> & {
  /** Name to which conditions refer. */
  id?: string | undefined
  associations: Omit<Association, 'id' | 'answer_id'>[]
}
/** Question in a file. */
export type FileQuestion = RowInput<
  Omit<Question, 'quiz_id' | 'position' | 'answers'>,
  typeof QUESTION_DEFAULTS
> & { answers: FileAnswer[] }
/**
 * Fields of the quiz in a file. The page of the participant and the confirmation of addresses apply at once, but belong
 * to the content.
 */
const FILE_QUIZ_NAMES = [...QUIZ_NAMES, 'keeps_page', 'confirms_email'] as const
type FileQuiz = Pick<Quiz, 'name' | 'type'> & {
  [Name in (typeof FILE_QUIZ_NAMES)[number]]?: Quiz[Name] | undefined
}

/** Dimension in a file. */
export type FileDimension = Pick<Dimension, 'id' | (typeof DIMENSION_NAMES)[number]>
/** Conditional text in a file. */
type FileTextVariant = Pick<TextVariant, (typeof TEXT_VARIANT_NAMES)[number]>

/** Content of a file. Questions and text blocks have positions; other lists are in their order. */
export type QuizFile = {
  format: typeof QUIZ_FILE_FORMAT
  schema_version: (typeof READABLE_QUIZ_FILE_VERSIONS)[number]
  quiz: FileQuiz
  quiz_mode?: QuizMode | undefined
  results: FileResult[]
  questions: FileQuestion[]
  text_blocks: Omit<TextBlock, 'id' | 'quiz_id'>[]
  dimensions: FileDimension[]
  text_variants: FileTextVariant[]
  pictures: FilePicture[]
}

/** Returns true if a field holds an image id. */
export const isPictureField = (name: string): boolean => /(?:^|_)image_id$/.test(name)

/** Returns the row with replaced image ids. */
const withPictures = <Row extends object>(row: Row, pictureOf: (id: string) => string): Row => {
  const fields = Object.entries(row).map(([name, value]) => [
    name,
    isPictureField(name) && typeof value === 'string' ? pictureOf(value) : value,
  ])
  return Object.fromEntries(fields) as Row
}

const pick = <Row extends object, Name extends keyof Row>(
  row: Row,
  names: readonly Name[],
): Pick<Row, Name> => Object.fromEntries(names.map((name) => [name, row[name]])) as Pick<Row, Name>

/**
 * Returns a draft as a file without image data. The returned `pictures` maps the ids of the file to stored images: those
 * of results come before those of questions.
 */
export const fileOfDraft = (
  draft: Draft,
): { file: Omit<QuizFile, 'pictures'>; pictures: { id: string; image_id: string }[] } => {
  const { quiz, quiz_mode, results, questions, text_blocks, dimensions, text_variants } = draft
  const nameOf = namesInFile(draft)
  const pictures = new Map<string, string>()
  const pictureOf = (id: string): string => {
    const name = pictures.get(id) ?? `p${pictures.size + 1}`
    pictures.set(id, name)
    return name
  }
  const rank = new Map(results.map(({ id }, index) => [id, index]))
  const rankOf = ({ result_id }: { result_id: string }): number => rank.get(result_id) ?? 0
  const file = {
    format: QUIZ_FILE_FORMAT,
    schema_version: QUIZ_FILE_VERSION,
    quiz: {
      ...withPictures(pick(quiz, FILE_QUIZ_NAMES), pictureOf),
      tie_question_id: quiz.tie_question_id && nameOf(quiz.tie_question_id, 'question_id'),
    },
    quiz_mode,
    results: results.map((result) =>
      withPictures(
        { id: nameOf(result.id, 'result_id'), ...pick(result, RESULT_NAMES) },
        pictureOf,
      ),
    ),
    questions: questions.map((question) => ({
      ...withPictures(
        {
          id: nameOf(question.id, 'question_id'),
          ...pick(question, ['type', 'page_number', 'global_position', ...QUESTION_NAMES]),
          dimension_id: question.dimension_id && nameOf(question.dimension_id, 'dimension_id'),
        },
        pictureOf,
      ),
      answers: question.answers.map((answer) => ({
        id: nameOf(answer.id, 'answer_id'),
        ...withPictures(pick(answer, ANSWER_NAMES), pictureOf),
        associations: answer.associations
          .toSorted((a, b) => rankOf(a) - rankOf(b))
          .map(({ result_id, weight, is_checked }) => ({
            result_id: nameOf(result_id, 'result_id'),
            weight,
            is_checked,
          })),
      })),
    })),
    text_blocks: text_blocks.map((block) =>
      pick(block, ['content', 'page_number', 'global_position']),
    ),
    dimensions: dimensions.map((dimension) => ({
      id: nameOf(dimension.id, 'dimension_id'),
      ...pick(dimension, DIMENSION_NAMES),
      tiers: dimension.tiers.map((tier) => ({ ...tier, id: nameOf(tier.id, 'tier_id') })),
    })),
    text_variants: text_variants.map((variant) => ({
      ...pick(variant, TEXT_VARIANT_NAMES),
      result_id: variant.result_id && nameOf(variant.result_id, 'result_id'),
      conditions: variant.conditions.map((condition) => replaceConditionIds(condition, nameOf)),
    })),
  } satisfies Omit<QuizFile, 'pictures'>
  return { file, pictures: [...pictures].map(([image_id, id]) => ({ id, image_id })) }
}

type DraftOptions = {
  createId: () => string
  /** Stored image of each id in the file. */
  image_ids: ReadonlyMap<string, string>
}

/**
 * Returns the draft of a new quiz with the content of a checked file (quiz-file-check.ts). Omitted fields get their
 * defaults, and all ids are new.
 */
export const draftOfFile = (
  quiz: Quiz,
  file: QuizFile,
  { createId, image_ids }: DraftOptions,
): Draft => {
  const quiz_id = quiz.id
  const pictureOf = (id: string): string => image_ids.get(id) ?? id
  const idOf = idsOfFile(createId)
  const results = file.results.map((result, priority_order) =>
    applyDefaults<Result, typeof RESULT_DEFAULTS>(
      {
        ...withPictures(result, pictureOf),
        id: idOf(result.id, 'result_id'),
        quiz_id,
        priority_order,
        updated_at: '',
      },
      undefined,
      RESULT_DEFAULTS,
    ),
  )
  const answerOf = (question_id: string, file_answer: FileAnswer, position: number): Answer => {
    const id = file_answer.id === undefined ? createId() : idOf(file_answer.id, 'answer_id')
    const associations = file_answer.associations.map((link) => ({
      ...link,
      id: createId(),
      answer_id: id,
      result_id: idOf(link.result_id, 'result_id'),
    }))
    return applyDefaults<Answer, typeof SCORED_DEFAULTS>(
      { ...withPictures(file_answer, pictureOf), id, question_id, position, associations },
      undefined,
      SCORED_DEFAULTS,
    )
  }
  const questions = file.questions.map((file_question, position) => {
    const id = idOf(file_question.id, 'question_id')
    const dimension_id =
      file_question.dimension_id && idOf(file_question.dimension_id, 'dimension_id')
    const answers = file_question.answers.map((answer, index) => answerOf(id, answer, index))
    return applyDefaults<Question, typeof QUESTION_DEFAULTS>(
      { ...withPictures(file_question, pictureOf), id, quiz_id, position, dimension_id, answers },
      undefined,
      QUESTION_DEFAULTS,
    )
  })
  const text_blocks = file.text_blocks.map((block) => ({ ...block, id: createId(), quiz_id }))
  const dimensions = file.dimensions.map((file_dimension, position) => ({
    ...file_dimension,
    id: idOf(file_dimension.id, 'dimension_id'),
    quiz_id,
    position,
    tiers: file_dimension.tiers.map((tier) => ({ ...tier, id: idOf(tier.id, 'tier_id') })),
  }))
  const text_variants = file.text_variants.map((file_variant, position) => ({
    ...file_variant,
    id: createId(),
    quiz_id,
    position,
    result_id: file_variant.result_id && idOf(file_variant.result_id, 'result_id'),
    conditions: file_variant.conditions.map((condition) => replaceConditionIds(condition, idOf)),
  }))
  const quiz_fields = Object.entries(file.quiz).filter(([, value]) => value !== undefined)
  return {
    quiz: {
      ...withPictures({ ...quiz, ...Object.fromEntries(quiz_fields) }, pictureOf),
      tie_question_id:
        (file.quiz.tie_question_id && idOf(file.quiz.tie_question_id, 'question_id')) ?? null,
    },
    quiz_mode: modeAfterEdit(file.quiz_mode ?? null, questions),
    results,
    dimensions,
    text_variants,
    ...renumber({ questions, text_blocks }),
  }
}
