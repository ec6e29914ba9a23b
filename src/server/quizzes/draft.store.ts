import { type RawBuilder, sql } from 'kysely'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import type { QuestionType } from '#domain/common/vocabulary.ts'
import {
  DIMENSION_CONTENT,
  QUESTION_CONTENT,
  RESULT_CONTENT,
  TEXT_VARIANT_CONTENT,
} from '#domain/editing/draft-fields.ts'
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
    .select(['id', 'quiz_id', ...RESULT_CONTENT, 'priority_order', 'updated_at'])
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

/** SQL expression for the answers of a question with their associations, as one JSON array. */
const answersOfQuestion = sql<Question['answers']>`coalesce((
  select json_agg(json_build_object(
    'id', answers.id,
    'question_id', answers.question_id,
    'text', answers.text,
    'score', answers.score,
    'position', answers.position,
    'image_id', answers.image_id,
    'image_alt', answers.image_alt,
    'jump_to', answers.jump_to,
    'is_correct', answers.is_correct,
    'associations', coalesce((
      select json_agg(json_build_object(
        'id', associations.id,
        'answer_id', associations.answer_id,
        'result_id', associations.result_id,
        'weight', associations.weight,
        'is_checked', associations.is_checked
      ) order by associations.result_id)
      from associations where associations.answer_id = answers.id
    ), '[]'::json)
  ) order by answers.position, answers.id)
  from answers where answers.question_id = questions.id
), '[]'::json)`.as('answers')

const questionsOf = (db: Db, quiz_id: QuizId) =>
  db
    .selectFrom('questions')
    .select(['id', 'quiz_id', ...QUESTION_CONTENT, 'type', 'position'])
    .select(['global_position', 'page_number'])
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
    .select(['id', 'quiz_id', 'content', 'global_position', 'page_number'])
    .where('quiz_id', '=', quiz_id)
    .orderBy('global_position')
    .orderBy('id')

const dimensionsOf = (db: Db, quiz_id: QuizId) =>
  db
    .selectFrom('dimensions')
    .select(['id', 'quiz_id', ...DIMENSION_CONTENT, 'position'])
    .where('quiz_id', '=', quiz_id)
    .orderBy('position')
    .orderBy('id')

const textVariantsOf = (db: Db, quiz_id: QuizId) =>
  db
    .selectFrom('text_variants')
    .select(['id', 'quiz_id', ...TEXT_VARIANT_CONTENT, 'position'])
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
      ...{ quiz, quiz_mode, questions, text_blocks, dimensions, text_variants },
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
