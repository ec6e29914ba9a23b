import { sql, type Updateable } from 'kysely'
import { DEFAULT_TIME_ZONE } from '#domain/common/time-zone.ts'
import type { ProviderName, QuizMode, QuizType } from '#domain/common/vocabulary.ts'
import { QUIZ_NAMES } from '#domain/editing/draft-fields.ts'
import { ACCESS_DEFAULTS } from '#domain/questionnaire/defaults.ts'
import type { Quiz, QuizAccess } from '#domain/questionnaire/quiz.ts'
import { IN_TRASH } from '#domain/questionnaire/trash/in-trash.ts'
import { IN_TRASH_MESSAGE } from '#domain/questionnaire/trash/trash.ts'
import type { Db } from '#server/db/database.ts'
import type { Tables } from '#server/db/tables.ts'
import { ApiError, conflict, notFound } from '#server/http/edge/errors.ts'

/** Quiz with the columns that its editor and its publication need. */
export type QuizRow = {
  quiz: Quiz
  quiz_mode: QuizMode
  published_version: number | null
  /** Number of writes to the draft (docs/decisions/012). */
  revision: number
}

/** Columns that apply at once and belong to no version. */
export const ACCESS_FIELDS = Object.keys(ACCESS_DEFAULTS) as (keyof QuizAccess)[]
/** Columns of a quiz that its creator reads. */
export const QUIZ_COLUMNS = [
  'id',
  'status',
  ...QUIZ_NAMES,
  ...ACCESS_FIELDS,
  'folder_id',
  'kit_custom_field',
  'brevo_attribute_name',
  'created_at',
  'updated_at',
] as const

/** SQL expression for the number of participants. The versions count them, so that no second counter can disagree. */
export const nbResponses = sql<number>`(
  select coalesce(sum(nb_responses), 0)::bigint from quiz_versions where quiz_id = quizzes.id
)`.as('nb_responses')

/** Lists the quizzes of a creator outside the trash, most recently changed first. */
export const listQuizzes = (db: Db, creator_id: string): Promise<Quiz[]> =>
  db
    .selectFrom('quizzes')
    .select([...QUIZ_COLUMNS, nbResponses])
    .where('creator_id', '=', creator_id)
    .orderBy('updated_at', 'desc')
    .orderBy('id', 'desc')
    .execute()

/** Returns the 404 for a quiz that is absent or belongs to another creator, or that is in the creator's own trash. */
const missingQuiz = async (
  db: Db,
  { quiz_id, creator_id }: { quiz_id: string; creator_id: string },
): Promise<ApiError> => {
  const trashed = await db
    .selectFrom('all_quizzes')
    .select('id')
    .where('id', '=', quiz_id)
    .where('creator_id', '=', creator_id)
    .executeTakeFirst()
  return trashed ? new ApiError(404, IN_TRASH, IN_TRASH_MESSAGE) : notFound()
}

/**
 * Returns one quiz of the creator. Throws a 404 if the quiz is absent, in the trash or of another creator. `lock`
 * blocks other changes until the transaction ends; visitors can still answer.
 */
export const loadQuiz = async (
  db: Db,
  { quiz_id, creator_id }: { quiz_id: string; creator_id: string },
  lock: 'lock' | 'read' = 'read',
): Promise<QuizRow> => {
  const query = db
    .selectFrom('quizzes')
    .select([...QUIZ_COLUMNS, 'quiz_mode', 'published_version', 'revision', nbResponses])
    .where('id', '=', quiz_id)
    .where('creator_id', '=', creator_id)
  const row = await (lock === 'lock' ? query.forNoKeyUpdate() : query).executeTakeFirst()
  if (!row) throw await missingQuiz(db, { quiz_id, creator_id })
  const { quiz_mode, published_version, revision, ...quiz } = row
  return { quiz, quiz_mode, published_version, revision }
}

/**
 * Returns a quiz of the creator that has versions. Throws a 404 if the quiz is absent, belongs to another
 * creator or was never published.
 */
export const loadPublished = async (
  db: Db,
  owned: { quiz_id: string; creator_id: string },
): Promise<QuizRow> => {
  const row = await loadQuiz(db, owned)
  if (row.published_version === null)
    throw notFound('Ce questionnaire n’a jamais été publié : il n’a pas encore de version')
  return row
}

/**
 * Returns the id of the quiz that contains a question of the creator. Throws a 404 if the question is absent or
 * belongs to another creator.
 */
export const loadQuizOfQuestion = async (
  db: Db,
  { question_id, creator_id }: { question_id: string; creator_id: string },
): Promise<string> => {
  const row = await db
    .selectFrom('questions')
    .innerJoin('quizzes', 'quizzes.id', 'questions.quiz_id')
    .select('questions.quiz_id')
    .where('questions.id', '=', question_id)
    .where('quizzes.creator_id', '=', creator_id)
    .executeTakeFirst()
  if (!row) throw notFound('Question introuvable')
  return row.quiz_id
}

/**
 * Returns the id of the quiz that contains a result of the creator. Throws a 404 if the result is absent or
 * belongs to another creator.
 */
export const loadQuizOfResult = async (
  db: Db,
  { result_id, creator_id }: { result_id: string; creator_id: string },
): Promise<string> => {
  const row = await db
    .selectFrom('results')
    .innerJoin('quizzes', 'quizzes.id', 'results.quiz_id')
    .select('results.quiz_id')
    .where('results.id', '=', result_id)
    .where('quizzes.creator_id', '=', creator_id)
    .executeTakeFirst()
  if (!row) throw notFound('Résultat introuvable')
  return row.quiz_id
}

/** Returns the time zone of the creator of a quiz. */
export const findTimeZoneOfQuiz = async (db: Db, quiz_id: string): Promise<string> => {
  const row = await db
    .selectFrom('quizzes')
    .innerJoin('creator_settings', 'user_id', 'creator_id')
    .select('time_zone')
    .where('quizzes.id', '=', quiz_id)
    .executeTakeFirst()
  return row?.time_zone ?? DEFAULT_TIME_ZONE
}

/** Returns true if a quiz has an anonymous campaign that takes replies. */
export const hasOpenAnonymousCampaign = async (db: Db, quiz_id: string): Promise<boolean> => {
  const row = await db
    .selectFrom('campaigns')
    .select('id')
    .where('quiz_id', '=', quiz_id)
    .where('is_anonymous', '=', true)
    .where('status', '<>', 'ended')
    .executeTakeFirst()
  return row !== undefined
}

/** Inserts an empty quiz. */
export const insertQuiz = async (
  db: Db,
  quiz: { id: string; creator_id: string; name: string; type: QuizType },
): Promise<void> => {
  await db.insertInto('quizzes').values(quiz).execute()
}

/**
 * Locks and returns a quiz of the creator. Throws a 404 for any other quiz, and a 409 if `based_on` is given
 * and is not the current revision (docs/decisions/012).
 */
export const lockQuiz = async (
  db: Db,
  owned: { quiz_id: string; creator_id: string },
  based_on: number | undefined,
): Promise<QuizRow> => {
  const row = await loadQuiz(db, owned, 'lock')
  if (based_on !== undefined && based_on !== row.revision)
    throw conflict('stale', 'Ce questionnaire a été modifié ailleurs entre-temps')
  return row
}

/** Writes columns of a quiz, sets its time of change and increments its revision. Returns the new revision. */
export const updateQuiz = async (
  db: Db,
  quiz_id: string,
  columns: Updateable<Tables['quizzes']>,
): Promise<number> => {
  const { revision } = await db
    .updateTable('quizzes')
    .set({ ...columns, updated_at: sql<string>`now()`, revision: sql<number>`revision + 1` })
    .where('id', '=', quiz_id)
    .returning('revision')
    .executeTakeFirstOrThrow()
  return revision
}

/** Clears the field keys of a quiz at these tools, so that the fields are looked up again. */
export const clearProvisionedFields = async (
  db: Db,
  quiz_id: string,
  providers: readonly ProviderName[],
): Promise<void> => {
  await db
    .updateTable('quiz_integrations')
    .set({ field_key: null, provisioned_at: null })
    .where('quiz_id', '=', quiz_id)
    .where('provider', 'in', providers)
    .execute()
}

/** Returns the creator of a quiz; also of one in the trash; undefined if the quiz does not exist. */
export const findCreator = async (db: Db, quiz_id: string): Promise<string | undefined> => {
  const row = await db
    .selectFrom('all_quizzes')
    .select('creator_id')
    .where('id', '=', quiz_id)
    .executeTakeFirst()
  return row?.creator_id
}
