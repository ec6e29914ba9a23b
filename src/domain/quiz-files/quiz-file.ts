import type { QuizMode } from '#domain/common/vocabulary.ts'
import {
  ANSWER_CONTENT,
  QUESTION_CONTENT,
  QUIZ_FIELDS,
  type QuizFields,
  RESULT_CONTENT,
} from '#domain/editing/changes.ts'
import { renumber } from '#domain/questionnaire/arrange.ts'
import { applyDefaults, type RowInput } from '#domain/questionnaire/defaults.ts'
import type { ImageType } from '#domain/questionnaire/images.ts'
import { modeAfterEdit } from '#domain/questionnaire/mode.ts'
import {
  ANSWER_DEFAULTS,
  type Answer,
  type Association,
  type Draft,
  ENDING_DEFAULTS,
  QUESTION_DEFAULTS,
  type Question,
  type Quiz,
  type Result,
  type TextBlock,
} from '#domain/questionnaire/quiz.ts'

/** What a quiz as a file is known by, and how much it may hold; apart, as a screen needs no more of it. */

export const QUIZ_FILE_FORMAT = 'quizaine-quiz'
/** Goes up with each field that is added: an older reader refuses the file rather than drop what it does not know. */
export const QUIZ_FILE_VERSION = 1

/** The largest file in bytes, and the most pictures in it. */
export const MAX_QUIZ_FILE_BYTES = 32 * 1_048_576
export const MAX_QUIZ_FILE_IMAGES = 100

/**
 * A quiz as a file that another account or installation reads: all that its creator wrote, with its pictures, and
 * nothing of accounts, tools and participants. Its ids name things within the file alone.
 */

/** A picture by its id in the file; `data` is in base64. */
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
export type FileAnswer = RowInput<
  Pick<Answer, (typeof ANSWER_CONTENT)[number]>,
  typeof SCORED_DEFAULTS
> & { associations: Omit<Association, 'id' | 'answer_id'>[] }
export type FileQuestion = RowInput<
  Omit<Question, 'quiz_id' | 'position' | 'answers'>,
  typeof QUESTION_DEFAULTS
> & { answers: FileAnswer[] }
type FileQuiz = Pick<Quiz, 'name' | 'type'> & {
  [Name in keyof QuizFields]?: QuizFields[Name] | undefined
}

/** Results and answers are in their order; questions and text blocks say their place. */
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

/** Short names for rows in their order: r1, r2. */
const namesOf = (rows: readonly { id: string }[], letter: string): Map<string, string> =>
  new Map(rows.map(({ id }, index) => [id, `${letter}${index + 1}`]))

export const isPictureField = (name: string): boolean => /(?:^|_)image_id$/.test(name)

/** The same row with other pictures. */
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
 * A draft as a file without its pictures' bytes; `pictures` says which stored one (`image_id`) each id of the file
 * is, in the order in which they are shown.
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

type Making = {
  createId: () => string
  /** The stored picture of each id of the file. */
  image_ids: ReadonlyMap<string, string>
}

/**
 * The draft of a new quiz with the content of a file whose references are checked (quiz-file-check.ts). What the file
 * leaves out has its default, and every id is a new one.
 */
export const draftOfFile = (quiz: Quiz, file: QuizFile, { createId, image_ids }: Making): Draft => {
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
  const said = Object.entries(file.quiz).filter(([, value]) => value !== undefined)
  return {
    quiz: {
      ...withPictures({ ...quiz, ...Object.fromEntries(said) }, pictureOf),
      tie_question_id: question_ids.get(file.quiz.tie_question_id ?? '') ?? null,
    },
    quiz_mode: modeAfterEdit(file.quiz_mode ?? null, questions),
    results,
    ...renumber({ questions, text_blocks }),
  }
}
