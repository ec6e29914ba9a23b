import assert from 'node:assert/strict'
import { writeFields } from '#server/integrations/switches.store.ts'
import { loadDraft } from '#server/quizzes/draft.store.ts'
import {
  clearMappingKeys,
  copyMappings,
  deleteMapping,
  insertMapping,
  listMappings,
  loadMapping,
  type NewMapping,
  updateMapping,
} from '#server/quizzes/field-mappings.store.ts'
import type { Proof } from './scene.ts'

const ABSENT = { status: 404 }
const SCORE = { source: 'score', question_id: null } as const
const NEW: NewMapping = {
  provider: 'brevo',
  source: 'result',
  question_id: null,
  field_name: 'B',
  field_key: null,
  field_type: 'text',
}

/** Mappings are read, added, changed and deleted by the creator of their quiz only, with the id of that quiz. */
export const keepsMappingsApart: Proof = async ({ db, me, other, expectUntouched }) => {
  const own = { quiz_id: me.quiz_id, creator_id: me.user_id }
  const elsewhere = { quiz_id: other.quiz_id, creator_id: me.user_id }
  const idsOf = async (of: typeof own) => (await listMappings(db, of)).map(({ id }) => id)
  assert.deepEqual(await idsOf(own), [me.mapping_id])
  assert.deepEqual(await idsOf(elsewhere), [])
  for (const at of [own, elsewhere]) {
    const foreign = { ...at, mapping_id: other.mapping_id }
    await assert.rejects(loadMapping(db, foreign), ABSENT)
    await assert.rejects(updateMapping(db, foreign, SCORE), ABSENT)
    await assert.rejects(deleteMapping(db, foreign), ABSENT)
  }
  await assert.rejects(insertMapping(db, elsewhere, NEW), ABSENT)
  await expectUntouched('a mapping function with an id of the other creator')

  const added = { ...own, mapping_id: await insertMapping(db, own, NEW) }
  assert.equal((await loadMapping(db, added)).field_name, 'B')
  await updateMapping(db, added, SCORE)
  assert.equal((await loadMapping(db, added)).source, 'score')
  await deleteMapping(db, added)
  await clearMappingKeys(db, { user_id: me.user_id, provider: 'brevo' })
  const [kept] = await listMappings(db, own)
  assert.deepEqual([kept?.id, kept?.field_key, kept?.field_type], [me.mapping_id, null, 'text'])
  await expectUntouched('a mapping function with own ids')
}

/** Copying a quiz copies its mappings only if the original belongs to the given creator. */
export const copiesOwnMappings: Proof = async ({ db, me, other }) => {
  const original = await loadDraft(db, { quiz_id: me.quiz_id, creator_id: me.user_id })
  const copy = { ...original, quiz: { ...original.quiz, id: other.quiz_id } }
  await copyMappings(db, { original, copy, creator_id: other.user_id })
  const listed = await listMappings(db, { quiz_id: other.quiz_id, creator_id: other.user_id })
  assert.deepEqual(
    listed.map(({ id }) => id),
    [other.mapping_id],
  )
}

/** Found fields are stored for mappings of the given quiz only. */
export const storesOwnFields: Proof = async ({ db, me, expectUntouched, other }) => {
  const theirs = await loadMapping(db, {
    quiz_id: other.quiz_id,
    creator_id: other.user_id,
    mapping_id: other.mapping_id,
  })
  await writeFields(
    db,
    { quiz_id: me.quiz_id, provider: 'brevo' },
    {
      field_key: 'A',
      parameter_fields: {},
      provisioned_at: new Date(),
      mappings: [{ ...theirs, field_key: 'FOREIGN' }],
    },
    { id: me.connection_id, vendor_account_id: null },
  )
  await expectUntouched('writeFields')
}
