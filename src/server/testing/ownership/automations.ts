import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { AutomationRule } from '#domain/deliveries/automations.ts'
import { createLoadParticipantData } from '#server/deliveries/participant-data.store.ts'
import {
  clearVendorIds,
  copyAutomations,
  deleteAutomation,
  insertAutomation,
  listAutomations,
  loadAutomation,
} from '#server/quizzes/automations.store.ts'
import { loadDraft } from '#server/quizzes/draft.store.ts'
import type { Proof } from './scene.ts'

const ABSENT = { status: 404 }
const ruleFor = (result_id: string): AutomationRule => ({
  provider: 'brevo',
  result_id,
  question_id: null,
  answer_id: null,
  label_name: 'B',
  label_kind: null,
  vendor_id: null,
})

/** Automations are read, added and deleted by the creator of their quiz only, with the id of that quiz. */
export const keepsAutomationsApart: Proof = async ({ db, me, other, expectUntouched }) => {
  const creator_id = me.user_id
  const own = { quiz_id: me.quiz_id, creator_id }
  const elsewhere = { quiz_id: other.quiz_id, creator_id }
  const idsOf = async (of: typeof own) => (await listAutomations(db, of)).map(({ id }) => id)
  assert.deepEqual(await idsOf(own), [me.automation_id])
  assert.deepEqual(await idsOf(elsewhere), [])
  for (const at of [own, elsewhere]) {
    const foreign = { ...at, automation_id: other.automation_id }
    await assert.rejects(loadAutomation(db, foreign), ABSENT)
    await assert.rejects(deleteAutomation(db, foreign), ABSENT)
  }
  await assert.rejects(insertAutomation(db, elsewhere, ruleFor(other.result_id)), ABSENT)
  await expectUntouched('an automation function with an id of the other creator')

  const added = await insertAutomation(db, own, ruleFor(me.result_id))
  assert.equal((await loadAutomation(db, { ...own, automation_id: added })).label_name, 'B')
  await deleteAutomation(db, { ...own, automation_id: added })
  await expectUntouched('an automation function with own ids')
  // Both rules of the other creator differ only by vendor id, and the later one stays.
  const theirs = { quiz_id: other.quiz_id, creator_id: other.user_id }
  const twice = { ...ruleFor(other.result_id), label_name: 'A', vendor_id: '8' }
  const later = await insertAutomation(db, theirs, twice)
  await clearVendorIds(db, { user_id: creator_id, provider: 'brevo' })
  assert.deepEqual(await idsOf(theirs), [other.automation_id, later])
  await deleteAutomation(db, { ...theirs, automation_id: later })
  await expectUntouched('clearVendorIds')
  const [kept] = await listAutomations(db, own)
  assert.deepEqual([kept?.id, kept?.vendor_id], [me.automation_id, null])
}

/** Copying a quiz copies its automations only if the original belongs to the given creator. */
export const copiesOwnAutomations: Proof = async ({ db, me, other }) => {
  const original = await loadDraft(db, { quiz_id: me.quiz_id, creator_id: me.user_id })
  const copy = { ...original, quiz: { ...original.quiz, id: other.quiz_id } }
  await copyAutomations(db, { original, copy, creator_id: other.user_id })
  const listed = await listAutomations(db, { quiz_id: other.quiz_id, creator_id: other.user_id })
  assert.deepEqual(
    listed.map(({ id }) => id),
    [other.automation_id],
  )
}

/** Loading data of a participant returns undefined if the participant belongs to another quiz. */
export const readsOwnAnsweredVersions: Proof = async ({ db, me, other }) => {
  const loadParticipantData = createLoadParticipantData(db)
  const { quiz_id, participant_uuid } = me
  assert.equal(
    await loadParticipantData({ quiz_id, participant_uuid: other.participant_uuid }),
    undefined,
  )
  assert.equal(await loadParticipantData({ quiz_id: other.quiz_id, participant_uuid }), undefined)
  assert.equal(await loadParticipantData({ quiz_id, participant_uuid: randomUUID() }), undefined)
}
