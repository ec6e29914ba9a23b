import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { sql } from 'kysely'
import { imageAddress } from '#domain/questionnaire/images.ts'
import { createTestApp, type SignedUp } from '#server/testing/app/test-app.ts'
import { uploadPicture } from '#server/testing/quizzes/pictures.ts'
import { readyScoreQuiz } from '#server/testing/quizzes/sample-quizzes.ts'
import { deleteUnusedImages } from './images.routes.ts'

// Runs in test:all, because it decodes many pictures.

const app = await createTestApp()
after(() => app.close())

const statusOf = async (id: string): Promise<number> =>
  (await app.raw({ method: 'GET', url: imageAddress(id, 400) })).statusCode
/** Returns whether the database has an image, bypassing the cache of the process. */
const isKept = async (id: string): Promise<boolean> => {
  const rows = await app.db
    .selectFrom('image_files')
    .selectAll()
    .where('image_id', '=', id)
    .execute()
  return rows.length > 0
}
const age = (days: number) =>
  sql`update images set used_at = now() - make_interval(days => ${days})`.execute(app.db)

/** Creates a quiz whose first question has an image with a description. */
const picturedQuiz = async (creator: SignedUp) => {
  const quiz = await readyScoreQuiz(creator.client)
  const { id: image_id } = await uploadPicture(app, creator)
  const body = { image_id, image_alt: 'Un phare' }
  await creator.client.questions.update({ id: quiz.question_id, body })
  return { ...quiz, image_id }
}

describe('the owner of an image', () => {
  test('a copied quiz keeps its image after the original quiz is deleted', async () => {
    const creator = await app.signUp()
    const { id, image_id } = await picturedQuiz(creator)
    const { quiz: copy } = await creator.client.quizzes.duplicate({ id })
    await creator.client.quizzes.remove({ id, permanently: '1' })
    const { questions } = await creator.client.questions.list({ id: copy.id })
    assert.deepEqual([questions[0]?.image_id, questions[0]?.image_alt], [image_id, 'Un phare'])
    await age(40)
    await deleteUnusedImages(app.db)
    assert.equal(await isKept(image_id), true)
  })

  test('deleting the account deletes its images', async (t) => {
    const creator = await app.signUp()
    const { image_id } = await picturedQuiz(creator)
    const stranger = await picturedQuiz(await app.signUp())
    assert.equal(await statusOf(image_id), 200)
    await creator.client.account.remove({ body: { confirmation: 'SUPPRIMER' } })
    const now = performance.now.bind(performance)
    t.mock.method(performance, 'now', () => now() + 600_001)
    assert.equal(await statusOf(image_id), 404)
    t.mock.restoreAll()
    assert.deepEqual([await isKept(image_id), await isKept(stranger.image_id)], [false, true])
    const again = await app.signUp()
    const { image_id: third } = await picturedQuiz(again)
    await app.db.deleteFrom('users').where('id', '=', again.user_id).execute()
    assert.equal(await isKept(third), false)
  })

  test('the export of an account contains its images', async () => {
    const creator = await app.signUp()
    const { image_id } = await picturedQuiz(creator)
    const { images } = await creator.client.account.exportData()
    assert.deepEqual(
      images.map(({ id, address }) => [id, address]),
      [[image_id, imageAddress(image_id, 800)]],
    )
  })
})

describe('an unused image', () => {
  test('an unused image is deleted after 30 days', async () => {
    const { id } = await uploadPicture(app, await app.signUp())
    await age(29)
    await deleteUnusedImages(app.db)
    assert.equal(await isKept(id), true)
    await age(31)
    await deleteUnusedImages(app.db)
    assert.equal(await isKept(id), false)
  })

  test('an image is kept for 30 days after its last use', async () => {
    const creator = await app.signUp()
    const { client } = creator
    const { id, question_id, answer_ids, result_ids, image_id } = await picturedQuiz(creator)
    // One upload after the other, because five at once exceed the waiting time of the decoder on a busy machine.
    const places: Awaited<ReturnType<typeof uploadPicture>>[] = []
    while (places.length < 5) places.push(await uploadPicture(app, creator))
    const [welcome, logo, background, answer, result] = places.map((image) => image.id)
    const image_alt = ''
    const [answer_id = ''] = answer_ids
    await client.quizzes.update({
      id,
      body: {
        welcome_image_id: welcome,
        welcome_image_alt: '',
        logo_image_id: logo,
        background_image_id: background,
      },
    })
    await client.questions.saveAnswers({
      id: question_id,
      body: { answers: [{ id: answer_id, text: 'Oui', score: 1, image_id: answer, image_alt }] },
    })
    const [resultId = ''] = result_ids
    await client.results.update({ resultId, body: { image_id: result, image_alt } })
    const all = [image_id, ...places.map((image) => image.id)]
    await age(40)
    await deleteUnusedImages(app.db, undefined, 2)
    for (const kept of all) assert.equal(await isKept(kept), true)

    await client.quizzes.remove({ id, permanently: '1' })
    await age(20)
    await deleteUnusedImages(app.db)
    assert.equal(await isKept(image_id), true)
    await age(31)
    await deleteUnusedImages(app.db, undefined, 2)
    for (const gone of all) assert.equal(await isKept(gone), false)
  })

  test('an image that a version still shows is not deleted', async () => {
    const creator = await app.signUp()
    const { client } = creator
    const { id, question_id, image_id } = await picturedQuiz(creator)
    await client.quizzes.publish({ id })
    await client.questions.update({ id: question_id, body: { image_id: null, image_alt: null } })
    await age(40)
    await deleteUnusedImages(app.db)
    assert.equal(await isKept(image_id), true)
    assert.equal(await statusOf(image_id), 200)
    const { rows } = await sql<{ image_ids: string[] }>`
      select image_ids from quiz_versions where quiz_id = ${id}
    `.execute(app.db)
    assert.deepEqual(rows, [{ image_ids: [image_id] }])
  })

  test('an unused image is kept if the deletion is aborted', async () => {
    const { id } = await uploadPicture(app, await app.signUp())
    await age(40)
    assert.equal(await deleteUnusedImages(app.db, AbortSignal.abort()), 0)
    assert.equal(await isKept(id), true)
  })
})
