import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import {
  deleteFolder,
  deleteFolders,
  insertFolder,
  listFolders,
  putInFolder,
  renameFolder,
} from '#server/folders/folders.store.ts'
import type { Proof } from './scene.ts'

/** Folder functions find, rename, fill and delete folders of one creator only. */
export const keepsFoldersApart: Proof = async ({ db, me, other, expectUntouched }) => {
  const { user_id: creator_id, folder_id, quiz_id } = me
  const theirs = { folder_id: other.folder_id, creator_id }
  assert.deepEqual(
    (await listFolders(db, creator_id)).map(({ id }) => id),
    [folder_id],
  )
  await insertFolder(db, { id: randomUUID(), creator_id, name: 'B' })
  await expectUntouched('insertFolder')
  assert.equal(await renameFolder(db, { ...theirs, name: 'C' }), false)
  assert.equal(await renameFolder(db, { folder_id, creator_id, name: 'C' }), true)
  await expectUntouched('renameFolder')
  assert.equal(await putInFolder(db, { quiz_id, ...theirs }), false)
  assert.equal(await putInFolder(db, { quiz_id: other.quiz_id, creator_id, folder_id }), false)
  assert.equal(
    await putInFolder(db, { quiz_id: other.quiz_id, creator_id, folder_id: null }),
    false,
  )
  assert.equal(await putInFolder(db, { quiz_id, creator_id, folder_id }), true)
  await expectUntouched('putInFolder')
  assert.equal(await deleteFolder(db, theirs), false)
  assert.equal(await deleteFolder(db, { folder_id, creator_id }), true)
  await deleteFolders(db, creator_id)
  await expectUntouched('deleteFolder and deleteFolders')
}
