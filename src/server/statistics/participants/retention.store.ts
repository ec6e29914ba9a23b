import { sql } from 'kysely'
import { DEFAULT_TIME_ZONE } from '#domain/common/time-zone.ts'
import type { Db } from '#server/db/database.ts'
import type { Tables } from '#server/db/tables.ts'
import { type ParticipantKey, removeResponses } from './removal.store.ts'

type Months = Tables['retention']['months']

type Retention = {
  months: Months | null
  announced: { before: string; due_at: string; nb_participants: number } | null
}

/** Returns the retention period of a quiz and the announced removal. */
export const readRetention = async (db: Db, quiz_id: string): Promise<Retention> => {
  const row = await db
    .selectFrom('retention')
    .select(['months', 'before', 'due_at'])
    // The counters per quarter give an exact number, because midnight is a limit of a quarter in every time
    // zone.
    .select(
      sql<number>`(
        select coalesce(sum(count), 0)::integer from quarter_counts
        where quarter_counts.quiz_id = retention.quiz_id and quarter < before
      )`.as('nb_participants'),
    )
    .where('quiz_id', '=', quiz_id)
    .executeTakeFirst()
  if (!row) return { months: null, announced: null }
  const { months, before, due_at, nb_participants } = row
  const announced = before && due_at ? { before, due_at, nb_participants } : null
  return { months, announced }
}

/** Sets the retention period of a quiz and cancels its announced removal. */
export const writeRetention = async (
  db: Db,
  quiz_id: string,
  months: Months | null,
): Promise<void> => {
  if (months === null) await db.deleteFrom('retention').where('quiz_id', '=', quiz_id).execute()
  else
    await db
      .insertInto('retention')
      .values({ quiz_id, months })
      .onConflict((known) =>
        known.column('quiz_id').doUpdateSet({ months, before: null, due_at: null }),
      )
      .execute()
}

/**
 * Announces the removal of participants older than the retention period, of one quiz or of all. The removal is
 * due at 3:00 on the day after tomorrow in the creator's time zone, so that the creator can change the period.
 */
export const announceRemovals = async (db: Db, quiz_id: string | null = null): Promise<void> => {
  await sql`
    update retention set
      before = aged.midnight,
      due_at = (aged.today + interval '2 days 3 hours') at time zone aged.time_zone
    from (
      select quiz_id, time_zone, today,
        (today - make_interval(months => months)) at time zone time_zone as midnight
      from (
        select quiz_id, months, time_zone, date_trunc('day', now() at time zone time_zone) as today
        from (
          select quiz_id, months, coalesce(time_zone, ${DEFAULT_TIME_ZONE}) as time_zone
          from retention join all_quizzes on all_quizzes.id = quiz_id
            left join creator_settings on user_id = creator_id
        ) as zoned
      ) as dated
    ) as aged
    where retention.quiz_id = aged.quiz_id and before is null
      and (${quiz_id}::uuid is null or retention.quiz_id = ${quiz_id})
      and exists (
        select from quarter_counts
        where quarter_counts.quiz_id = aged.quiz_id and quarter < aged.midnight and count > 0
      )
  `.execute(db)
}

/** Lists participants whose announced removal is due. */
export const listDueRemovals = async (db: Db, limit: number): Promise<ParticipantKey[]> => {
  const { rows } = await sql<ParticipantKey>`
    select responses.quiz_id, participant_uuid
    from retention join responses on responses.quiz_id = retention.quiz_id
      and responses.created_at < retention.before
    where due_at <= now()
    limit ${limit}
  `.execute(db)
  return rows
}

/**
 * Removes the participants that are still due and returns their number. The condition is checked under the lock
 * of the quiz, because the creator may have changed the period.
 */
export const applyDueRemovals = (db: Db, due: readonly ParticipantKey[]): Promise<number> =>
  removeResponses(db, due, {
    condition: sql<boolean>`exists (
      select from retention
      where retention.quiz_id = responses.quiz_id
        and due_at <= now() and responses.created_at < retention.before
    )`,
  })

/** Deletes the visits of days whose participants are removed. */
export const deleteOldVisits = async (db: Db): Promise<void> => {
  await sql`
    delete from visit_counts using retention
    where retention.quiz_id = visit_counts.quiz_id and due_at <= now()
      and quarter < before
  `.execute(db)
}

/** Clears announcements whose participants have all been removed. */
export const deleteLiftedAnnouncements = async (db: Db): Promise<void> => {
  await sql`
    update retention set before = null, due_at = null
    where due_at <= now() and not exists (
      select from responses
      where responses.quiz_id = retention.quiz_id and created_at < retention.before
    )
  `.execute(db)
}
