import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { LIMITS } from '#domain/common/vocabulary.ts'
import { createTestApp } from '#server/testing/app/test-app.ts'
import { refuses } from '#server/testing/network/bodies/refusals.ts'

const app = await createTestApp()
after(() => app.close())

/** Returns a new creator's client with functions that make a quiz and a folder. */
const creatorWithFolders = async () => {
  const { client, user_id } = await app.signUp()
  const makeQuiz = async (name: string): Promise<string> =>
    (await client.quizzes.create({ body: { name, type: 'quiz' } })).quiz.id
  const makeFolder = async (name: string): Promise<string> =>
    (await client.folders.create({ body: { name } })).folder.id
  const foldersOfQuizzes = async () =>
    new Map((await client.quizzes.list()).quizzes.map(({ id, folder_id }) => [id, folder_id]))
  return { client, user_id, makeQuiz, makeFolder, foldersOfQuizzes }
}

describe('the folders of a creator', () => {
  test('folders are listed by name, and a quiz is put into one and taken out', async () => {
    const { client, makeQuiz, makeFolder, foldersOfQuizzes } = await creatorWithFolders()
    const [quiz_id, other_id] = [await makeQuiz('Un'), await makeQuiz('Deux')]
    const summer = await makeFolder('Été')
    const clients = await makeFolder(' Clients ')
    assert.deepEqual((await client.folders.list()).folders, [
      { id: clients, name: 'Clients' },
      { id: summer, name: 'Été' },
    ])
    const before = (await client.quizzes.get({ id: quiz_id })).quiz
    await client.folders.put({ id: quiz_id, body: { folder_id: summer } })
    const { quiz } = await client.quizzes.get({ id: quiz_id })
    assert.deepEqual(quiz, { ...before, folder_id: summer })
    assert.equal((await foldersOfQuizzes()).get(other_id), null)
    await client.folders.put({ id: quiz_id, body: { folder_id: null } })
    assert.equal((await foldersOfQuizzes()).get(quiz_id), null)
  })

  test('a deleted folder leaves its quizzes without a folder', async () => {
    const { client, makeQuiz, makeFolder, foldersOfQuizzes } = await creatorWithFolders()
    const quiz_id = await makeQuiz('Un')
    const folder_id = await makeFolder('Été')
    await client.folders.put({ id: quiz_id, body: { folder_id } })
    await client.folders.remove({ id: folder_id })
    assert.deepEqual([...(await foldersOfQuizzes())], [[quiz_id, null]])
    await refuses(client.folders.remove({ id: folder_id }), 404, 'not_found')
  })

  test('a copy is in the folder of its original', async () => {
    const { client, makeQuiz, makeFolder } = await creatorWithFolders()
    const id = await makeQuiz('Un')
    const folder_id = await makeFolder('Été')
    await client.folders.put({ id, body: { folder_id } })
    assert.equal((await client.quizzes.duplicate({ id })).quiz.folder_id, folder_id)
  })

  test('a name can be changed but not shared by two folders, whatever its case', async () => {
    const { client, makeFolder } = await creatorWithFolders()
    const summer = await makeFolder('Été')
    const winter = await makeFolder('Hiver')
    await refuses(makeFolder('ÉTÉ'), 422, 'invalid')
    const rename = (id: string, name: string) => client.folders.rename({ id, body: { name } })
    await refuses(rename(winter, 'été'), 422, 'invalid')
    assert.deepEqual(await rename(summer, 'ÉTÉ'), { folder: { id: summer, name: 'ÉTÉ' } })
    await refuses(rename(randomUUID(), 'Neuf'), 404, 'not_found')
    await refuses(makeFolder(' '), 422, 'invalid')
    await refuses(makeFolder('x'.repeat(LIMITS.folder_name + 1)), 422, 'invalid')
  })

  test('an account has a limited number of folders, also with simultaneous calls', async () => {
    const { client, user_id, makeFolder } = await creatorWithFolders()
    const rows = Array.from({ length: LIMITS.folders - 1 }, (_, index) => ({
      id: randomUUID(),
      creator_id: user_id,
      name: `Dossier ${index}`,
    }))
    await app.db.insertInto('folders').values(rows).execute()
    const made = await Promise.allSettled(['A', 'B', 'C'].map(makeFolder))
    assert.equal(made.filter(({ status }) => status === 'fulfilled').length, 1)
    await refuses(makeFolder('D'), 409, 'too_many_folders')
    assert.equal((await client.folders.list()).folders.length, LIMITS.folders)
  })

  test('folders are in the account’s export and are deleted with the account', async () => {
    const { client, user_id, makeFolder } = await creatorWithFolders()
    const id = await makeFolder('Été')
    const exported = JSON.stringify(await client.account.exportData())
    assert.ok(exported.includes(id))
    await client.account.remove({ body: { confirmation: 'SUPPRIMER' } })
    const left = await app.db
      .selectFrom('folders')
      .select('id')
      .where('creator_id', '=', user_id)
      .execute()
    assert.deepEqual(left, [])
  })
})
