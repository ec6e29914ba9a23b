import assert from 'node:assert/strict'
import { sql } from 'kysely'
import { CONSENT_KINDS } from '#domain/questionnaire/consent/consent.ts'
import { countMatching } from '#server/statistics/dry-runs/matching-participants.store.ts'
import {
  findConsents,
  listDeliveriesOf,
  listOutcomes,
} from '#server/statistics/participants/participant.store.ts'
import { listSorted } from '#server/statistics/participants/sorted-participants.store.ts'
import type { Proof, Scene } from './scene.ts'

const SETTLED_AT = '2026-03-01T10:00:00Z'

/** Adds the participant of `me` to the other quiz: their delivery is refused there and delivered here. */
const addParticipantToBoth = async ({ db, me, other }: Scene): Promise<void> => {
  const { participant_uuid } = me
  await db
    .insertInto('responses')
    .values({
      quiz_id: other.quiz_id,
      participant_uuid,
      version: 1,
      email: other.participant_email,
      choices: [],
      texts: [],
      consent_version: 1,
    })
    .execute()
  const sent = { participant_uuid, provider: 'brevo', created_at: SETTLED_AT } as const
  await db
    .insertInto('deliveries')
    .values([
      { ...sent, quiz_id: other.quiz_id, connection_id: other.connection_id, status: 'refused' },
      { ...sent, quiz_id: me.quiz_id, connection_id: me.connection_id, status: 'delivered' },
    ])
    .execute()
  // The attempt of the other quiz uses the connection of `me`, as if both quizzes had one creator.
  await sql`insert into delivery_attempts (quiz_id, participant_uuid, connection_id, at, outcome, ms)
    values (${other.quiz_id}, ${participant_uuid}, ${me.connection_id}, now(), 'permanent', 1)
  `.execute(db)
}

/** A sorted list contains each participant of one quiz once, with the values of that quiz. */
export const sortsOneQuiz: Proof = async (scene) => {
  await addParticipantToBoth(scene)
  const { db, me } = scene
  const asked = { condition: undefined, after: undefined, limit: 10, answeredVersions: [] }
  for (const sort of ['email', 'score', 'delivery', 'result'] as const) {
    const listed = await listSorted(db, me.quiz_id, { ...asked, sorting: { sort, order: 'asc' } })
    assert.deepEqual(
      listed.map(({ participant_uuid, email }) => [participant_uuid, email]),
      [[me.participant_uuid, me.participant_email]],
      sort,
    )
  }
  // A delivery of the other quiz must not appear here.
  await db.deleteFrom('deliveries').where('quiz_id', '=', me.quiz_id).execute()
  const sorting = { sort: 'delivery', order: 'asc' } as const
  const [unsent] = await listSorted(db, me.quiz_id, { ...asked, sorting })
  assert.equal(unsent?.value, null)
}

/** Deliveries and consent of a participant are read from one quiz, even if another quiz has the same participant. */
export const readsDeliveriesOfOneQuiz: Proof = async (scene) => {
  await addParticipantToBoth(scene)
  const { db, me, other } = scene
  const { quiz_id, participant_uuid, connection_id } = me
  const outcomes = await listOutcomes(db, quiz_id, [participant_uuid])
  assert.deepEqual(outcomes.get(participant_uuid), [
    { provider: 'brevo', connection_id, status: 'delivered' },
  ])
  const deliveries = await listDeliveriesOf(db, quiz_id, { participant_uuid, consent_version: 1 })
  assert.deepEqual(
    deliveries.map((delivery) => [
      delivery.connection_id,
      delivery.status,
      delivery.last_attempt_at,
    ]),
    [[connection_id, 'delivered', null]],
  )
  await db
    .insertInto('consent_texts')
    .values(CONSENT_KINDS.map((kind) => ({ quiz_id: other.quiz_id, kind, version: 2, text: 'B' })))
    .execute()
  const asked = { consent_version: 2, measure_version: 2, participant_uuid }
  const given = { is_given: true, withdrawn_at: null, wording: null }
  assert.deepEqual(await findConsents(db, quiz_id, asked), {
    consent: given,
    measure_consent: given,
  })
}

/** A dry run counts the participants of one quiz, even if another quiz has the same participant. */
export const countsMatchingOfOneQuiz: Proof = async (scene) => {
  await addParticipantToBoth(scene)
  const { db, me, other } = scene
  assert.equal(await countMatching(db, me.quiz_id, sql`true`), 1)
  assert.equal(await countMatching(db, other.quiz_id, sql`true`), 2)
}
