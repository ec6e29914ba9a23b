import { sql } from 'kysely'
import type { Draft, Question, Result, TextBlock } from '#domain/quiz.ts'
import type { Db } from '#server/db/database.ts'
import { loadQuiz, type QuizRow } from './quizzes.store.ts'

type Owned = { quiz_id: string; creator_id: string }

/**
 * The results of a quiz in their order: priority_order, then creation (decisions « Ties and order »).
 * The quiz's owner has been checked by the caller's transaction.
 */
export const listResults = (db: Db, quiz_id: string): Promise<Result[]> =>
  db
    .selectFrom('results')
    .select([
      'id',
      'quiz_id',
      'name',
      'description',
      'priority_order',
      'min_score',
      'max_score',
      'updated_at',
    ])
    .where('quiz_id', '=', quiz_id)
    .orderBy('priority_order')
    .orderBy('created_at')
    .orderBy('id')
    .execute()

/** Answers with their associations, written by the database as one JSON value a question. */
const answersOfQuestion = sql<Question['answers']>`coalesce((
  select json_agg(json_build_object(
    'id', answers.id,
    'question_id', answers.question_id,
    'text', answers.text,
    'score', answers.score,
    'position', answers.position,
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

/** The questions of a quiz in their order, with answers and associations, in one statement. */
export const listQuestions = (db: Db, quiz_id: string): Promise<Question[]> =>
  db
    .selectFrom('questions')
    .select(['id', 'quiz_id', 'text', 'type', 'position', 'global_position', 'page_number'])
    .select(answersOfQuestion)
    .where('quiz_id', '=', quiz_id)
    .orderBy('global_position')
    .orderBy('id')
    .execute()

/** The text blocks of a quiz in their order. */
const listTextBlocks = (db: Db, quiz_id: string): Promise<TextBlock[]> =>
  db
    .selectFrom('text_blocks')
    .select(['id', 'quiz_id', 'content', 'global_position', 'page_number'])
    .where('quiz_id', '=', quiz_id)
    .orderBy('global_position')
    .orderBy('id')
    .execute()

/** Everything of a quiz whose owner is known, beside the quiz itself. */
export const listContent = async (
  db: Db,
  quiz_id: string,
): Promise<Pick<Draft, 'questions' | 'text_blocks' | 'results'>> => ({
  questions: await listQuestions(db, quiz_id),
  text_blocks: await listTextBlocks(db, quiz_id),
  results: await listResults(db, quiz_id),
})

/** The whole draft of a quiz of the creator; 404 when absent or another's. */
export const loadDraft = async (
  db: Db,
  owned: Owned,
  lock: 'lock' | 'read' = 'read',
): Promise<Draft & Pick<QuizRow, 'published_version' | 'revision'>> => ({
  ...(await loadQuiz(db, owned, lock)),
  ...(await listContent(db, owned.quiz_id)),
})

/** Runs `read` on one state of the database, so that its queries agree with each other. */
export const readTogether = <T>(db: Db, read: (db: Db) => Promise<T>): Promise<T> =>
  db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(read)
