import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { Db } from '#server/db/database.ts'
import { resendReturningParticipants } from '#server/deliveries/erasure-attempts.store.ts'
import {
  hasErasure,
  listErasures,
  listPageActions,
  listReachedTools,
  retryErasure,
} from '#server/erasures/erasures.store.ts'
import { requestErasures } from '#server/erasures/request-erasures.store.ts'
import type { Proof } from './scene.ts'

const LIMIT = 10
const vault = { seal: () => Buffer.alloc(1), open: () => 'x' }

/** Erasures and page actions are listed by their creator only, and erasures retried, with the id of their quiz. */
export const keepsErasuresApart: Proof = async ({ db, me, other, expectUntouched }) => {
  const creator_id = me.user_id
  const own = { quiz_id: me.quiz_id, creator_id }
  assert.deepEqual(
    (await listErasures(db, own, LIMIT)).map(({ id }) => id),
    [me.erasure_id],
  )
  const foreign = [
    { quiz_id: other.quiz_id, creator_id, erasure_id: other.erasure_id },
    { ...own, erasure_id: other.erasure_id },
    { quiz_id: other.quiz_id, creator_id, erasure_id: me.erasure_id },
  ]
  for (const at of foreign) {
    assert.equal(await hasErasure(db, at), false)
    assert.equal(await retryErasure(db, at), false)
  }
  assert.deepEqual(await listErasures(db, { quiz_id: other.quiz_id, creator_id }, LIMIT), [])
  await expectUntouched('an erasure function with an id of the other creator')
  assert.ok(await hasErasure(db, { ...own, erasure_id: me.erasure_id }))
  assert.ok(await retryErasure(db, { ...own, erasure_id: me.erasure_id }))
  await expectUntouched('retryErasure')
  for (const { quiz_id } of [me, other])
    await db
      .insertInto('page_actions')
      .values({ id: randomUUID(), quiz_id, kind: 'erased' })
      .execute()
  assert.equal((await listPageActions(db, own, LIMIT)).length, 1)
  const theirs = { quiz_id: other.quiz_id, creator_id }
  assert.deepEqual(await listPageActions(db, theirs, LIMIT), [])
}

const listDeliveriesOf = (db: Db, quiz_id: string) =>
  db.selectFrom('deliveries').selectAll().where('quiz_id', '=', quiz_id).execute()

/** Erasures reach tools of their creator only. Deliveries of other creators are not sent again. */
export const erasesOwnPeople: Proof = async ({ db, me, other, expectUntouched }) => {
  const creator_id = me.user_id
  for (const { quiz_id, participant_uuid, connection_id } of [me, other])
    await db
      .insertInto('deliveries')
      .values({
        quiz_id,
        participant_uuid,
        connection_id,
        provider: 'brevo',
        status: 'delivered',
        created_at: '2000-01-01',
      })
      .execute()
  const { quiz_id, participant_uuid } = other
  const before = await listDeliveriesOf(db, other.quiz_id)
  const participant_keys = [{ quiz_id, participant_uuid }]
  assert.deepEqual(await listReachedTools(db, { creator_id, participant_keys }), [])
  const asked = { creator_id, participant_keys, choices: { brevo: 'delete' } } as const
  await assert.rejects(requestErasures(db, vault, asked), { status: 422 })
  const email = other.participant_email
  const now = new Date()
  await resendReturningParticipants(
    db,
    { user_id: creator_id, connection_id: other.connection_id, email },
    now,
  )
  assert.deepEqual(await listDeliveriesOf(db, other.quiz_id), before)

  // Their participant has the same address, and a delivery that names my tool.
  await db
    .updateTable('responses')
    .set({ email: me.participant_email })
    .where('quiz_id', '=', quiz_id)
    .execute()
  await db
    .insertInto('deliveries')
    .values({
      quiz_id,
      participant_uuid,
      connection_id: me.connection_id,
      provider: 'brevo',
      status: 'delivered',
      created_at: '2000-01-01',
    })
    .execute()
  const disguised = await listDeliveriesOf(db, quiz_id)
  const mine = [{ quiz_id: me.quiz_id, participant_uuid: me.participant_uuid }]
  assert.equal((await listReachedTools(db, { creator_id, participant_keys: mine })).length, 1)
  await requestErasures(db, vault, {
    creator_id,
    participant_keys: mine,
    choices: { brevo: 'delete' },
  })
  assert.deepEqual(await listDeliveriesOf(db, other.quiz_id), disguised)
  await db.deleteFrom('deliveries').where('quiz_id', '=', other.quiz_id).execute()
  await db
    .updateTable('responses')
    .set({ email: other.participant_email })
    .where('quiz_id', '=', quiz_id)
    .execute()
  await expectUntouched('requestErasures')
}
