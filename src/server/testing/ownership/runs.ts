import assert from 'node:assert/strict'
import { findTestResponse, forgetTestsOf, isOwner } from '#server/taking/test-responses.store.ts'
import {
  findTestRun,
  listAimed,
  listConnectedTools,
  listTestRuns,
} from '#server/test-runs/test-runs.store.ts'
import type { Proof } from './scene.ts'

/** A test run is opened, read and erased by its quiz's creator alone. */
export const keepsTestRunsApart: Proof = async ({ db, me, other, expectUntouched }) => {
  const own = { quiz_id: me.quiz_id, creator_id: me.user_id }
  assert.equal(await isOwner(db, own), true)
  assert.equal(await isOwner(db, { ...own, quiz_id: other.quiz_id }), false)
  assert.equal(await isOwner(db, { ...own, creator_id: other.user_id }), false)

  const idsOf = (rows: readonly { id: string }[]): string[] => rows.map(({ id }) => id)
  assert.deepEqual(idsOf(await listTestRuns(db, me.quiz_id)), [me.test_run_id])
  const mixed = { quiz_id: me.quiz_id, run_id: other.test_run_id }
  assert.equal(await findTestRun(db, mixed), undefined)
  assert.equal(
    await findTestResponse(db, { quiz_id: me.quiz_id, participant_uuid: other.test_run_id }),
    undefined,
  )
  assert.deepEqual(await listAimed(db, mixed), [])
  const aimed = await listAimed(db, { quiz_id: me.quiz_id, run_id: me.test_run_id })
  assert.deepEqual(
    aimed.map(({ connection_id }) => connection_id).sort(),
    [me.connection_id, me.webhook_id].sort(),
  )
  const tools = await listConnectedTools(db, me.user_id)
  assert.deepEqual(
    tools.map(({ connection_id }) => connection_id),
    [me.connection_id],
  )

  const person = { creator_id: me.user_id, email: other.participant_email }
  await forgetTestsOf(db, person)
  await expectUntouched("the other's person")
  assert.equal((await listTestRuns(db, me.quiz_id)).length, 1)
  await forgetTestsOf(db, { ...person, email: me.participant_email })
  await expectUntouched("one's own person")
  assert.equal((await listTestRuns(db, me.quiz_id)).length, 0)
}
