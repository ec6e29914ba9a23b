import { sql } from 'kysely'
import type { Quiz } from '#domain/questionnaire/quiz.ts'
import {
  MAX_TRASHED_QUIZZES,
  TRASH_DAYS,
  TRASH_IS_FULL,
} from '#domain/questionnaire/trash/trash.ts'
import type { Db } from '#server/db/database.ts'
import { conflict, notFound } from '#server/http/edge/errors.ts'
import { nbResponses, QUIZ_COLUMNS } from './quizzes.store.ts'

type OwnedQuiz = { quiz_id: string; creator_id: string }

/** SQL condition: the quiz is in the trash and can be restored. */
const IS_TRASHED = sql<boolean>`trashed_at > now() - make_interval(days => ${TRASH_DAYS})`
/** SQL condition: the quiz was in the trash for thirty days, by the clock of the database. */
const HAS_EXPIRED = sql<boolean>`trashed_at <= now() - make_interval(days => ${TRASH_DAYS})`

/** Lists the quizzes in the trash of a creator, most recently deleted first. */
export const listTrash = (db: Db, creator_id: string): Promise<(Quiz & { trashed_at: string })[]> =>
  db
    .selectFrom('all_quizzes as quizzes')
    .select([...QUIZ_COLUMNS, nbResponses])
    .select(sql<string>`trashed_at`.as('trashed_at'))
    .where('creator_id', '=', creator_id)
    .where(IS_TRASHED)
    .orderBy('trashed_at', 'desc')
    .orderBy('id')
    .execute()

/** Returns the number of quizzes in the trash of a creator. */
export const countTrash = async (db: Db, creator_id: string): Promise<number> => {
  const { count } = await db
    .selectFrom('all_quizzes')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('creator_id', '=', creator_id)
    .where(IS_TRASHED)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Returns the number of participants of a quiz of the creator, also of one in the trash. Throws a 404 for another quiz. */
export const countParticipants = async (
  db: Db,
  { quiz_id, creator_id }: OwnedQuiz,
): Promise<number> => {
  const row = await db
    .selectFrom('all_quizzes as quizzes')
    .select(nbResponses)
    .where('id', '=', quiz_id)
    .where('creator_id', '=', creator_id)
    .executeTakeFirst()
  if (!row) throw notFound()
  return row.nb_responses
}

/**
 * Puts a quiz of the creator in the trash and holds its waiting deliveries. Throws a 404 for any other quiz, and a 409
 * if the trash is full. The lock waits for submissions in progress, so that their deliveries are held too.
 */
export const trashQuiz = (db: Db, { quiz_id, creator_id }: OwnedQuiz): Promise<void> =>
  db.transaction().execute(async (change) => {
    const lock = `trash ${creator_id}`
    await sql`select pg_advisory_xact_lock(hashtextextended(${lock}, 0))`.execute(change)
    const { rows } = await sql`
      select from quizzes where id = ${quiz_id} and creator_id = ${creator_id} for update
    `.execute(change)
    if (rows.length === 0) throw notFound()
    if ((await countTrash(change, creator_id)) >= MAX_TRASHED_QUIZZES)
      throw conflict('trash_full', TRASH_IS_FULL)
    await sql`update all_quizzes set trashed_at = now() where id = ${quiz_id}`.execute(change)
    await holdDeliveries(change, quiz_id)
  })

/**
 * Clears the due time of waiting deliveries of one quiz in the trash, or of all. Deliveries without a due time leave the
 * queue of their tool. Claims skip the trash by themselves (`claimDue`), because an attempt in progress may still end.
 */
export const holdDeliveries = async (db: Db, quiz_id: string | null = null): Promise<void> => {
  await sql`
    with held_deliveries as (
      select quiz_id, participant_uuid, connection_id from deliveries
      where status = 'pending' and next_attempt_at is not null and lease_id is null
        and (quiz_id, connection_id) in (
          select delivery_counts.quiz_id, connection_id from delivery_counts
          join all_quizzes on all_quizzes.id = delivery_counts.quiz_id
          where trashed_at is not null and delivery_counts.status = 'pending' and count > 0
            and (${quiz_id}::uuid is null or all_quizzes.id = ${quiz_id})
        )
      order by quiz_id, participant_uuid, connection_id for update
    )
    update deliveries as delivery set next_attempt_at = null from held_deliveries
    where (delivery.quiz_id, delivery.participant_uuid, delivery.connection_id)
      = (held_deliveries.quiz_id, held_deliveries.participant_uuid, held_deliveries.connection_id)
  `.execute(db)
}

/**
 * Takes a quiz of the creator out of the trash. Its waiting deliveries are due at once, and the time in the trash does not
 * count for their deadline or for that of its invitations. Changes nothing outside the trash; throws a 404 for any other quiz. Returns whether the quiz
 * was in the trash.
 */
export const restoreQuiz = (db: Db, { quiz_id, creator_id }: OwnedQuiz): Promise<boolean> =>
  db.transaction().execute(async (change) => {
    const { rows } = await sql<{ trashed_at: string | null }>`
      select trashed_at from all_quizzes
      where id = ${quiz_id} and creator_id = ${creator_id} and (trashed_at is null or ${IS_TRASHED})
      for update
    `.execute(change)
    const [row] = rows
    if (!row) throw notFound()
    if (row.trashed_at === null) return false
    await sql`
      with released_deliveries as (
        select quiz_id, participant_uuid, connection_id from deliveries
        where status = 'pending' and quiz_id = ${quiz_id} and connection_id in (
          select connection_id from delivery_counts
          where quiz_id = ${quiz_id} and status = 'pending' and count > 0
        )
        order by quiz_id, participant_uuid, connection_id for update
      )
      update deliveries as delivery set next_attempt_at = coalesce(next_attempt_at, now()),
        give_up_at = give_up_at + (now() - ${row.trashed_at}::timestamptz)
      from released_deliveries
      where (delivery.quiz_id, delivery.participant_uuid, delivery.connection_id)
        = (released_deliveries.quiz_id, released_deliveries.participant_uuid, released_deliveries.connection_id)
    `.execute(change)
    await sql`
      update invitations set give_up_at = give_up_at + (now() - ${row.trashed_at}::timestamptz)
      where quiz_id = ${quiz_id} and give_up_at is not null
    `.execute(change)
    await sql`update all_quizzes set trashed_at = null where id = ${quiz_id}`.execute(change)
    return true
  })

/** Deletes a quiz of the creator with all its data, also from the trash. Throws a 404 for any other quiz. */
export const deleteQuiz = async (db: Db, { quiz_id, creator_id }: OwnedQuiz): Promise<void> => {
  const { numDeletedRows } = await db
    .deleteFrom('all_quizzes')
    .where('id', '=', quiz_id)
    .where('creator_id', '=', creator_id)
    .executeTakeFirstOrThrow()
  if (numDeletedRows === 0n) throw notFound()
}

/** Ends the thirty days of all quizzes in the trash of a creator, and returns their number. */
export const expireTrash = async (db: Db, creator_id: string): Promise<number> => {
  const { numUpdatedRows } = await db
    .updateTable('all_quizzes')
    .set({ trashed_at: sql<string>`now() - make_interval(days => ${TRASH_DAYS})` })
    .where('creator_id', '=', creator_id)
    .where(IS_TRASHED)
    .executeTakeFirstOrThrow()
  return Number(numUpdatedRows)
}

/** Quiz whose thirty days in the trash are over. */
export type ExpiredQuiz = OwnedQuiz & { nb_responses: number }

/** Lists quizzes whose thirty days are over, the oldest first. */
export const listExpired = (db: Db, limit: number): Promise<ExpiredQuiz[]> =>
  db
    .selectFrom('all_quizzes as quizzes')
    .select(['id as quiz_id', 'creator_id', nbResponses])
    .where(HAS_EXPIRED)
    .orderBy('trashed_at')
    .orderBy('id')
    .limit(limit)
    .execute()

/** Deletes a quiz if its thirty days are over. Returns false if it was restored or deleted meanwhile. */
export const deleteExpired = async (db: Db, quiz_id: string): Promise<boolean> => {
  const { numDeletedRows } = await db
    .deleteFrom('all_quizzes')
    .where('id', '=', quiz_id)
    .where(HAS_EXPIRED)
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}
