import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import {
  countKeys,
  deleteKey,
  deleteKeys,
  findKey,
  insertKey,
  listKeys,
  markKeyUsed,
} from '#server/auth/api-keys/api-keys.store.ts'
import type { Proof } from './scene.ts'

/** API key functions find, list, mark and delete keys of one account only. */
export const keepsKeysApart: Proof = async ({ db, me, other, expectUntouched }) => {
  const { user_id, key_id } = me
  assert.deepEqual(
    (await listKeys(db, user_id)).map(({ id }) => id),
    [key_id],
  )
  assert.equal(await countKeys(db, user_id), 1)
  assert.equal((await findKey(db, me.key_hash))?.user_id, user_id)
  assert.equal(await findKey(db, Buffer.alloc(32)), undefined)
  await markKeyUsed(db, key_id)
  await expectUntouched('markKeyUsed')
  const added = { id: randomUUID(), user_id, name: 'B', scope: 'lecture' as const }
  await insertKey(db, { ...added, key_hash: Buffer.alloc(32, 1), expires_in_days: 30 })
  await expectUntouched('insertKey')
  assert.equal(await deleteKey(db, { id: other.key_id, user_id }), false)
  await expectUntouched('deleteKey with a key of the other creator')
  assert.equal(await deleteKey(db, { id: key_id, user_id }), true)
  await expectUntouched('deleteKey')
  assert.equal(await countKeys(db, user_id), 1)
  await deleteKeys(db, user_id)
  await expectUntouched('deleteKeys')
  assert.deepEqual(await listKeys(db, user_id), [])
}
