import type { QuizMode } from '#domain/common/vocabulary.ts'
import {
  ANSWER_CONTENT,
  QUESTION_CONTENT,
  QUIZ_FIELDS,
  type QuizFields,
  RESULT_CONTENT,
} from '#domain/editing/draft-fields.ts'
import {
  ANSWER_DEFAULTS,
  applyDefaults,
  ENDING_DEFAULTS,
  QUESTION_DEFAULTS,
  type RowInput,
} from '#domain/questionnaire/defaults.ts'
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
export const QUIZ_FILE_VERSION = 1

/** Maximum size of a file, in bytes. */
export const MAX_QUIZ_FILE_BYTES = 32 * 1_048_576
/** Maximum number of images in a file. */
export const MAX_QUIZ_FILE_IMAGES = 100

/** Image with its id in the file and its base64 data. */
export type FilePicture = { id: string; type: ImageType; data: string }

const RESULT_DEFAULTS = {
  ...{ description: null, min_score: null, max_score: null },
  ...ENDING_DEFAULTS,
}
const SCORED_DEFAULTS = { score: null, ...ANSWER_DEFAULTS }

type FileResult = RowInput<
  Omit<Result, 'quiz_id' | 'priority_order' | 'updated_at'>,
  typeof RESULT_DEFAULTS
>
/** Answer in a file. */
export type FileAnswer = RowInput<
  Pick<Answer, (typeof ANSWER_CONTENT)[number]>,
  typeof SCORED_DEFAULTS
> & { associations: Omit<Association, 'id' | 'answer_id'>[] }
/** Question in a file. */
export type FileQuestion = RowInput<
  Omit<Question, 'quiz_id' | 'position' | 'answers'>,
  typeof QUESTION_DEFAULTS
> & { answers: FileAnswer[] }
type FileQuiz = Pick<Quiz, 'name' | 'type'> & {
  [Name in keyof QuizFields]?: QuizFields[Name] | undefined
}

/** Content of a file. Results and answers are in their order; questions and text blocks have positions. */
export type QuizFile = {
  format: typeof QUIZ_FILE_FORMAT
  schema_version: typeof QUIZ_FILE_VERSION
  quiz: FileQuiz
  quiz_mode?: QuizMode | undefined
  results: FileResult[]
  questions: FileQuestion[]
  text_blocks: Omit<TextBlock, 'id' | 'quiz_id'>[]
  pictures: FilePicture[]
}

/** Returns short names for rows in their order: r1, r2. */
const namesOf = (rows: readonly { id: string }[], letter: string): Map<string, string> =>
  new Map(rows.map(({ id }, index) => [id, `${letter}${index + 1}`]))

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
 * Returns a draft as a file without image data. `pictures` maps the ids of the file to stored images, in the order in
 * which they are shown.
 */
export const fileOfDraft = ({
  quiz,
  quiz_mode,
  results,
  questions,
  text_blocks,
}: Draft): { file: Omit<QuizFile, 'pictures'>; pictures: { id: string; image_id: string }[] } => {
  const result_names = namesOf(results, 'r')
  const question_names = namesOf(questions, 'q')
  const resultOf = (id: string): string => result_names.get(id) ?? id
  const questionOf = (id: string): string => question_names.get(id) ?? id
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
      ...withPictures(pick(quiz, QUIZ_FIELDS), pictureOf),
      tie_question_id: quiz.tie_question_id && questionOf(quiz.tie_question_id),
    },
    quiz_mode,
    results: results.map((result) =>
      withPictures({ id: resultOf(result.id), ...pick(result, RESULT_CONTENT) }, pictureOf),
    ),
    questions: questions.map((question) => ({
      ...withPictures(
        {
          id: questionOf(question.id),
          ...pick(question, ['type', 'page_number', 'global_position', ...QUESTION_CONTENT]),
        },
        pictureOf,
      ),
      answers: question.answers.map((answer) => ({
        ...withPictures(pick(answer, ANSWER_CONTENT), pictureOf),
        associations: answer.associations
          .toSorted((a, b) => rankOf(a) - rankOf(b))
          .map(({ result_id, weight, is_checked }) => ({
            ...{ result_id: resultOf(result_id), weight, is_checked },
          })),
      })),
    })),
    text_blocks: text_blocks.map((block) =>
      pick(block, ['content', 'page_number', 'global_position']),
    ),
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
  const result_ids = new Map(file.results.map(({ id }) => [id, createId()]))
  const idOf = (id: string): string => result_ids.get(id) ?? id
  const results = file.results.map((result, priority_order) =>
    applyDefaults<Result, typeof RESULT_DEFAULTS>(
      {
        ...withPictures(result, pictureOf),
        ...{ id: idOf(result.id), quiz_id, priority_order, updated_at: '' },
      },
      undefined,
      RESULT_DEFAULTS,
    ),
  )
  const answerOf = (question_id: string, given: FileAnswer, position: number): Answer => {
    const id = createId()
    const associations = given.associations.map((link) => ({
      ...{ ...link, id: createId(), answer_id: id, result_id: idOf(link.result_id) },
    }))
    return applyDefaults<Answer, typeof SCORED_DEFAULTS>(
      { ...withPictures(given, pictureOf), id, question_id, position, associations },
      undefined,
      SCORED_DEFAULTS,
    )
  }
  const question_ids = new Map(file.questions.map(({ id }) => [id, createId()]))
  const questions = file.questions.map((given, position) => {
    const id = question_ids.get(given.id) ?? given.id
    const answers = given.answers.map((answer, index) => answerOf(id, answer, index))
    return applyDefaults<Question, typeof QUESTION_DEFAULTS>(
      { ...withPictures(given, pictureOf), id, quiz_id, position, answers },
      undefined,
      QUESTION_DEFAULTS,
    )
  })
  const text_blocks = file.text_blocks.map((block) => ({ ...block, id: createId(), quiz_id }))
  const given = Object.entries(file.quiz).filter(([, value]) => value !== undefined)
  return {
    quiz: {
      ...withPictures({ ...quiz, ...Object.fromEntries(given) }, pictureOf),
      tie_question_id: question_ids.get(file.quiz.tie_question_id ?? '') ?? null,
    },
    quiz_mode: modeAfterEdit(file.quiz_mode ?? null, questions),
    results,
    dimensions: [],
    text_variants: [],
    ...renumber({ questions, text_blocks }),
  }
}
