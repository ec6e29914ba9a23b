import { type RawBuilder, sql } from 'kysely'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import { PUBLISHED, type QuestionType } from '#domain/common/vocabulary.ts'
import { SAVED_NAMES } from '#domain/editing/draft-fields.ts'
import type { Draft, Question, Result } from '#domain/questionnaire/quiz.ts'
import type { Snapshot } from '#domain/questionnaire/snapshot.ts'
import type { Db } from '#server/db/database.ts'
import { loadQuiz, nbResponses, QUIZ_COLUMNS, type QuizRow } from './quizzes.store.ts'

type QuizOfCreator = { quiz_id: string; creator_id: string }
/** Id of a quiz, or the column of an outer query that contains it. */
type QuizId = string | RawBuilder<string>

const resultsOf = (db: Db, quiz_id: QuizId) =>
  db
    .selectFrom('results')
    .select(['id', 'quiz_id', ...SAVED_NAMES.results, 'updated_at'])
    .where('quiz_id', '=', quiz_id)
    .orderBy('priority_order')
    .orderBy('created_at')
    .orderBy('id')

/**
 * Lists the results of a quiz by `priority_order`, then by creation (product 2.3). The caller's transaction has checked
 * the owner.
 */
export const listResults = (db: Db, quiz_id: string): Promise<Result[]> =>
  resultsOf(db, quiz_id).execute()

/** SQL expression for a JSON object with these columns of a table. */
const jsonObject = (table: string, columns: readonly string[], more: RawBuilder<unknown>[] = []) =>
  sql`json_build_object(${sql.join([
    ...columns.map((name) => sql`${sql.lit(name)}, ${sql.ref(`${table}.${name}`)}`),
    ...more,
  ])})`

const ASSOCIATION_COLUMNS = ['id', 'answer_id', 'result_id', 'weight', 'is_checked']

/** SQL expression for the answers of a question with their associations, as one JSON array. */
const answersOfQuestion = sql<Question['answers']>`coalesce((
  select json_agg(${jsonObject(
    'answers',
    ['id', 'question_id', ...SAVED_NAMES.answers],
    [
      sql`'associations', coalesce((
        select json_agg(${jsonObject('associations', ASSOCIATION_COLUMNS)} order by associations.result_id)
        from associations where associations.answer_id = answers.id
      ), '[]'::json)`,
    ],
  )} order by answers.position, answers.id)
  from answers where answers.question_id = questions.id
), '[]'::json)`.as('answers')

const questionsOf = (db: Db, quiz_id: QuizId) =>
  db
    .selectFrom('questions')
    .select(['id', 'quiz_id', ...SAVED_NAMES.questions, 'position'])
    .select(answersOfQuestion)
    .where('quiz_id', '=', quiz_id)
    .orderBy('global_position')
    .orderBy('id')

/** Lists the questions of a quiz in order, with answers and associations, in one statement. */
export const listQuestions = (db: Db, quiz_id: string): Promise<Question[]> =>
  questionsOf(db, quiz_id).execute()

/** Returns the type of a question in the draft of a quiz; undefined if the quiz has no question with this id. */
export const findQuestionType = async (
  db: Db,
  quiz_id: string,
  id: string,
): Promise<QuestionType | undefined> => {
  const row = await db
    .selectFrom('questions')
    .select('type')
    .where('quiz_id', '=', quiz_id)
    .where('id', '=', id)
    .executeTakeFirst()
  return row?.type
}

const textBlocksOf = (db: Db, quiz_id: QuizId) =>
  db
    .selectFrom('text_blocks')
    .select(['id', 'quiz_id', ...SAVED_NAMES.text_blocks])
    .where('quiz_id', '=', quiz_id)
    .orderBy('global_position')
    .orderBy('id')

const dimensionsOf = (db: Db, quiz_id: QuizId) =>
  db
    .selectFrom('dimensions')
    .select(['id', 'quiz_id', ...SAVED_NAMES.dimensions])
    .where('quiz_id', '=', quiz_id)
    .orderBy('position')
    .orderBy('id')

const textVariantsOf = (db: Db, quiz_id: QuizId) =>
  db
    .selectFrom('text_variants')
    .select(['id', 'quiz_id', ...SAVED_NAMES.text_variants])
    .where('quiz_id', '=', quiz_id)
    .orderBy('position')
    .orderBy('id')

const contentOf = (db: Db, quiz_id: QuizId) =>
  [
    jsonArrayFrom(questionsOf(db, quiz_id)).as('questions'),
    jsonArrayFrom(textBlocksOf(db, quiz_id)).as('text_blocks'),
    jsonArrayFrom(resultsOf(db, quiz_id)).as('results'),
    jsonArrayFrom(dimensionsOf(db, quiz_id)).as('dimensions'),
    jsonArrayFrom(textVariantsOf(db, quiz_id)).as('text_variants'),
  ] as const

/** Converts the timestamps that PostgreSQL writes inside JSON with a numeric offset to the format of the API. */
const withTime = (result: Result): Result => ({
  ...result,
  updated_at: new Date(result.updated_at).toISOString(),
})

/** Rows of a draft besides the quiz itself. */
type DraftRows = Omit<Draft, 'quiz' | 'quiz_mode'>

/** Returns the rows of a draft in one statement. The caller has checked the owner. */
export const listContent = async (db: Db, quiz_id: string): Promise<DraftRows> => {
  const { results, ...content } = await db
    .selectNoFrom(contentOf(db, quiz_id))
    .executeTakeFirstOrThrow()
  return { ...content, results: results.map(withTime) }
}

/** Lists the creator's published quizzes whose draft was written after its publication, the latest first. */
export const listQuizzesEditedSincePublication = async (
  db: Db,
  creator_id: string,
): Promise<string[]> => {
  // Publishing sets both times to the same moment.
  const edited = await db
    .selectFrom('quizzes')
    .innerJoin('quiz_versions', (join) =>
      join
        .onRef('quiz_versions.quiz_id', '=', 'quizzes.id')
        .onRef('quiz_versions.version', '=', 'quizzes.published_version'),
    )
    .select('quizzes.id')
    .where('creator_id', '=', creator_id)
    .where('status', '=', PUBLISHED)
    .whereRef('updated_at', '>', 'published_at')
    .orderBy('updated_at', 'desc')
    .execute()
  return edited.map(({ id }) => id)
}

/** Returns the drafts of these quizzes, as far as they are the creator's, with their published versions. */
export const listPublishedDrafts = async (
  db: Db,
  { ids, creator_id }: { ids: readonly string[]; creator_id: string },
): Promise<(Draft & { published: Snapshot })[]> => {
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom('quizzes')
    .innerJoin('quiz_versions', (join) =>
      join
        .onRef('quiz_versions.quiz_id', '=', 'quizzes.id')
        .onRef('quiz_versions.version', '=', 'quizzes.published_version'),
    )
    .select([...QUIZ_COLUMNS, 'quiz_mode', 'snapshot', nbResponses])
    .select(contentOf(db, sql.ref<string>('quizzes.id')))
    .where('quizzes.id', 'in', ids)
    .where('creator_id', '=', creator_id)
    .execute()
  return rows.map((row) => {
    const { snapshot, quiz_mode, questions, text_blocks, results, dimensions, ...others } = row
    const { text_variants, ...quiz } = others
    return {
      quiz,
      quiz_mode,
      questions,
      text_blocks,
      dimensions,
      text_variants,
      results: results.map(withTime),
      published: snapshot,
    }
  })
}

/** Loads the whole draft of a quiz of the creator. Throws a 404 if the quiz is absent or belongs to another creator. */
export const loadDraft = async (
  db: Db,
  owned: QuizOfCreator,
  lock: 'lock' | 'read' = 'read',
): Promise<Draft & Pick<QuizRow, 'published_version' | 'revision'>> => ({
  ...(await loadQuiz(db, owned, lock)),
  ...(await listContent(db, owned.quiz_id)),
})
