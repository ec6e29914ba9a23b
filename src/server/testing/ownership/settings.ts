import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { findTimeZone, saveTimeZone } from '#server/account/account.store.ts'
import { findStates } from '#server/published-versions/quiz-states.store.ts'
import { findTimeZoneOfQuiz } from '#server/quizzes/quizzes.store.ts'
import { explainSlugRefusal } from '#server/quizzes/slugs.store.ts'
import { announceRemovals } from '#server/statistics/participants/retention.store.ts'
import { openLink } from '#server/statistics/statistics-links.store.ts'
import type { Proof } from './scene.ts'

const TOKYO = 'Asia/Tokyo'

/** The time zone of a creator applies to their own quizzes, links and removals only. */
export const keepsTimeZonesApart: Proof = async ({ db, me, expectUntouched }) => {
  assert.equal(await saveTimeZone(db, me.user_id, TOKYO), true)
  await expectUntouched('saveTimeZone')
  assert.equal(await findTimeZone(db, me.user_id), TOKYO)
  assert.equal(await findTimeZoneOfQuiz(db, me.quiz_id), TOKYO)
  const token_hash = createHash('sha256').update(me.quiz_id).digest()
  const opened = await openLink(db, token_hash)
  assert.deepEqual(
    [opened?.quiz_id, opened?.creator_id, opened?.time_zone],
    [me.quiz_id, me.user_id, TOKYO],
  )
  await db
    .insertInto('quarter_counts')
    .values({ quiz_id: me.quiz_id, version: 1, quarter: '2000-01-01', count: 1 })
    .execute()
  await announceRemovals(db, me.quiz_id)
  await expectUntouched('openLink and announceRemovals')
  const announced = await db
    .selectFrom('retention')
    .select(sql<string>`to_char(due_at at time zone ${TOKYO}, 'HH24:MI')`.as('time'))
    .where('quiz_id', '=', me.quiz_id)
    .executeTakeFirst()
  assert.equal(announced?.time, '03:00')
}

/** A quiz asks for consent only if its own creator has a connected tool. */
export const asksForOwnTools: Proof = async ({ db, me, other }) => {
  await db
    .updateTable('quizzes')
    .set({ consent_mode: 'box' })
    .where('id', 'in', [me.quiz_id, other.quiz_id])
    .execute()
  await db
    .updateTable('integration_connections')
    .set({ status: 'disconnected', sealed_secret: null })
    .where('id', '=', me.connection_id)
    .execute()
  const [mine] = await findStates(db, [me.quiz_id])
  assert.equal(mine?.consent, null)
  const [theirs] = await findStates(db, [other.quiz_id])
  assert.ok(theirs?.consent)
}

/** The slug of a deleted quiz is reserved for its creator. */
export const reservesOwnSlugs: Proof = async ({ db, me, other }) => {
  const slug = `ancien-${me.user_id}`
  await db
    .insertInto('former_slugs')
    .values({ slug, creator_id: me.user_id, reserved_until: sql<string>`now() + interval '1 day'` })
    .execute()
  assert.equal(await explainSlugRefusal(db, slug, me.user_id), undefined)
  assert.ok(await explainSlugRefusal(db, slug, other.user_id))
}
