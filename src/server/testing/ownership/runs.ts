import assert from 'node:assert/strict'
import {
  deleteTrialResponsesOf,
  findTrialResponse,
  isOwner,
} from '#server/responses/trial-responses.store.ts'
import {
  findTrialRun,
  listConnectedTools,
  listTrialDestinations,
  listTrialRuns,
} from '#server/trial-runs/trial-runs.store.ts'
import type { Proof } from './scene.ts'

/** Trial runs are read and deleted by the creator of their quiz only. */
export const keepsTrialRunsApart: Proof = async ({ db, me, other, expectUntouched }) => {
  const own = { quiz_id: me.quiz_id, creator_id: me.user_id }
  assert.equal(await isOwner(db, own), true)
  assert.equal(await isOwner(db, { ...own, quiz_id: other.quiz_id }), false)
  assert.equal(await isOwner(db, { ...own, creator_id: other.user_id }), false)

  const idsOf = (rows: readonly { id: string }[]): string[] => rows.map(({ id }) => id)
  assert.deepEqual(idsOf(await listTrialRuns(db, me.quiz_id)), [me.trial_run_id])
  const mixed = { quiz_id: me.quiz_id, run_id: other.trial_run_id }
  assert.equal(await findTrialRun(db, mixed), undefined)
  assert.equal(
    await findTrialResponse(db, { quiz_id: me.quiz_id, participant_uuid: other.trial_run_id }),
    undefined,
  )
  assert.deepEqual(await listTrialDestinations(db, mixed), [])
  const destinations = await listTrialDestinations(db, {
    quiz_id: me.quiz_id,
    run_id: me.trial_run_id,
  })
  assert.deepEqual(
    destinations.map(({ connection_id }) => connection_id).sort(),
    [me.connection_id, me.webhook_id].sort(),
  )
  const tools = await listConnectedTools(db, me.user_id)
  assert.deepEqual(
    tools.map(({ connection_id }) => connection_id),
    [me.connection_id],
  )

  const person = { creator_id: me.user_id, email: other.participant_email }
  await deleteTrialResponsesOf(db, person)
  await expectUntouched('deleteTrialResponsesOf with an address of the other quiz')
  assert.equal((await listTrialRuns(db, me.quiz_id)).length, 1)
  await deleteTrialResponsesOf(db, { ...person, email: me.participant_email })
  await expectUntouched('deleteTrialResponsesOf')
  assert.equal((await listTrialRuns(db, me.quiz_id)).length, 0)
}
