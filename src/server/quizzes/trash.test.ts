import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { MAX_TRASHED_QUIZZES } from '#domain/questionnaire/trash/trash.ts'
import { findDifferences } from '#server/statistics/counters/verify-counters.store.ts'
import { openTransaction } from '#server/testing/app/open-transaction.ts'
import { createTestApp, type SignedUp } from '#server/testing/app/test-app.ts'
import { refuses } from '#server/testing/network/bodies/refusals.ts'
import { publishedScoreQuiz, type SampleQuiz } from '#server/testing/quizzes/sample-quizzes.ts'
import { createTrash } from './trash.ts'

const app = await createTestApp()
after(() => app.close())

const submit = (quiz: SampleQuiz, email = 'ada@exemple.fr') =>
  app.client.publicQuiz.submit({
    id: quiz.id,
    body: {
      answers: { [quiz.question_id]: quiz.answer_ids[0] ?? '', [quiz.open_id]: email },
      email,
    },
  })
const namesInTrash = async ({ client }: SignedUp): Promise<string[]> =>
  (await client.quizzes.list({ trash: '1' })).quizzes.map(({ name }) => name)
/** Moves the deletion of a quiz into the past. */
const age = (id: string, days: number) =>
  app.pool.query(
    'update all_quizzes set trashed_at = now() - make_interval(days => $2) where id = $1',
    [id, days],
  )
const countRows = async (id: string): Promise<number> => {
  const { rows } = await app.pool.query<{ count: string }>(
    `select (select count(*) from all_quizzes where id = $1)
      + (select count(*) from quiz_versions where quiz_id = $1)
      + (select count(*) from responses where quiz_id = $1) as count`,
    [id],
  )
  return Number(rows[0]?.count)
}
/** Creates the trash of a second process, whose maintenance the tests run. */
const createOwnTrash = () => {
  const expired: string[] = []
  const errors: unknown[] = []
  const trash = createTrash({
    db: app.db,
    patient_db: app.db,
    heavyWork: { run: (_job, task) => task(new AbortController().signal) },
    log: { error: (...line: unknown[]) => void errors.push(line) },
    onExpired: async (id) => void expired.push(id),
  })
  after(trash.close)
  return { trash, expired, errors }
}

describe('a quiz in the trash', () => {
  test('is missing everywhere, and returns with everything', async () => {
    const creator = await app.signUp()
    const { client } = creator
    const quiz = await publishedScoreQuiz(client)
    const { id } = quiz
    await client.quizzes.update({ id, body: { slug: `retour-${id.slice(-12)}` } })
    await submit(quiz)
    const { quiz: before } = await client.quizzes.get({ id })
    const figures = await client.statistics.responses({ id })
    const { token } = (await client.statisticsLinks.create({ id })).link

    await client.quizzes.remove({ id })
    for (const call of [
      () => client.quizzes.get({ id }),
      () => client.drafts.get({ id }),
      () => client.quizzes.publish({ id }),
      () => client.quizzes.duplicate({ id }),
      () => client.quizzes.text({ id }),
      () => client.versions.list({ id }),
      () => client.statistics.responses({ id }),
      () => client.deliveries.list({ id }),
      () => client.exports.link({ id, body: { format: 'csv' } }),
      () => client.quizzes.remove({ id }),
    ])
      await assert.rejects(call(), { status: 404 })
    await refuses(app.client.publicQuiz.snapshot({ id }), 404, 'not_found')
    await refuses(submit(quiz), 404, 'not_found')
    await assert.rejects(app.client.sharedStatistics.get({ token }), { status: 404 })
    const { quizzes, nb_trashed } = await client.quizzes.list()
    assert.deepEqual([quizzes, nb_trashed], [[], 1])
    assert.deepEqual((await client.statistics.overview()).quizzes, [])
    const { quizzes: trashed } = await client.quizzes.list({ trash: '1' })
    assert.equal(trashed[0]?.nb_responses, 1)

    const { quiz: restored } = await client.trash.restore({ id })
    assert.deepEqual(restored, before)
    assert.deepEqual((await client.trash.restore({ id })).quiz, before)
    const again = await client.statistics.responses({ id })
    assert.deepEqual(again.details, figures.details)
    assert.equal((await app.client.sharedStatistics.get({ token })).quiz.name, before.name)
    await submit(quiz, 'alan@exemple.fr')
    assert.deepEqual(await findDifferences(app.pool), [])
    assert.deepEqual(await namesInTrash(creator), [])
  })

  test('tells its own creator only that it is there', async () => {
    const [mine, other] = [await app.signUp(), await app.signUp()]
    const { id } = await publishedScoreQuiz(mine.client)
    await mine.client.quizzes.remove({ id })
    await refuses(mine.client.quizzes.get({ id }), 404, 'in_trash')
    await refuses(other.client.quizzes.get({ id }), 404, 'not_found')
    await refuses(other.client.trash.restore({ id }), 404, 'not_found')
    await refuses(other.client.quizzes.remove({ id, permanently: '1' }), 404, 'not_found')
    assert.deepEqual(await namesInTrash(other), [])
    assert.deepEqual(await other.client.trash.empty(), { nb_deleted: 0 })
    assert.equal((await mine.client.quizzes.list()).nb_trashed, 1)
  })

  test('keeps its address, and its creator is told so', async () => {
    const [mine, other] = [await app.signUp(), await app.signUp()]
    const { id } = await publishedScoreQuiz(mine.client)
    const slug = `reserve-${id.slice(-12)}`
    await mine.client.quizzes.update({ id, body: { slug } })
    await mine.client.quizzes.remove({ id })
    const next = await publishedScoreQuiz(mine.client)
    const foreign = await publishedScoreQuiz(other.client)
    await assert.rejects(
      mine.client.quizzes.update({ id: next.id, body: { slug } }),
      /de votre corbeille : restaurez-le ou supprimez-le définitivement/,
    )
    await assert.rejects(mine.client.quizzes.checkSlug({ id: next.id, slug }), /de votre corbeille/)
    await assert.rejects(
      other.client.quizzes.update({ id: foreign.id, body: { slug } }),
      /est déjà prise/,
    )
    await mine.client.quizzes.remove({ id, permanently: '1' })
    const { quiz } = await mine.client.quizzes.update({ id: next.id, body: { slug } })
    assert.equal(quiz.slug, slug)
  })

  test('loses a folder that was deleted meanwhile', async () => {
    const { client } = await app.signUp()
    const { id } = await publishedScoreQuiz(client)
    const { folder } = await client.folders.create({ body: { name: 'Printemps' } })
    await client.folders.put({ id, body: { folder_id: folder.id } })
    await client.quizzes.remove({ id })
    await client.folders.remove({ id: folder.id })
    assert.equal((await client.trash.restore({ id })).quiz.folder_id, null)
  })

  test('is in the account export, and is deleted with the account', async () => {
    const { client } = await app.signUp()
    const quiz = await publishedScoreQuiz(client)
    await submit(quiz)
    await client.quizzes.remove({ id: quiz.id })
    const data = JSON.stringify(await client.account.exportData())
    assert.ok(data.includes(quiz.id) && data.includes('ada@exemple.fr'))
    await client.account.remove({ body: { confirmation: 'SUPPRIMER' } })
    assert.equal(await countRows(quiz.id), 0)
  })

  test('a submission in progress is stored before the quiz is trashed, or refused', async () => {
    const { client } = await app.signUp()
    const quiz = await publishedScoreQuiz(client)
    const lock = { text: 'select from quizzes where id = $1 for key share', values: [quiz.id] }
    const submission = await openTransaction(app.pool, lock)
    const removal = client.quizzes.remove({ id: quiz.id })
    await submission.waitUntilBlocking()
    await submission.commit()
    await removal
    await refuses(submit(quiz), 404, 'not_found')
  })
})

describe('the end of the trash', () => {
  test('quizzes are deleted after thirty days, and the others stay', async () => {
    const creator = await app.signUp()
    const [old, young] = [
      await publishedScoreQuiz(creator.client),
      await publishedScoreQuiz(creator.client),
    ]
    for (const quiz of [old, young]) {
      await submit(quiz)
      await creator.client.quizzes.remove({ id: quiz.id })
    }
    await age(old.id, 30)
    await age(young.id, 29)
    await refuses(creator.client.trash.restore({ id: old.id }), 404, 'not_found')
    const { trash, expired, errors } = createOwnTrash()
    await trash.deleteExpired()
    assert.deepEqual([expired, errors], [[old.id], []])
    assert.deepEqual([await countRows(old.id), await countRows(young.id)], [0, 3])
    await creator.client.trash.restore({ id: young.id })
  })

  test('a quiz that is restored while the job waits for it stays', async () => {
    const creator = await app.signUp()
    const { id } = await publishedScoreQuiz(creator.client)
    await creator.client.quizzes.remove({ id })
    await age(id, 30)
    const restoring = await openTransaction(app.pool, {
      text: 'update all_quizzes set trashed_at = null where id = $1',
      values: [id],
    })
    const { trash, expired } = createOwnTrash()
    const deletion = trash.deleteExpired()
    await restoring.waitUntilBlocking()
    await restoring.commit()
    await deletion
    assert.deepEqual(expired, [])
    assert.equal((await creator.client.quizzes.get({ id })).quiz.id, id)
  })

  test('two permanent deletions at once delete once, and a restoration at the same time is whole or refused', async () => {
    const { client } = await app.signUp()
    const { id } = await publishedScoreQuiz(client)
    await client.quizzes.remove({ id })
    const outcomes = await Promise.allSettled([
      client.quizzes.remove({ id, permanently: '1' }),
      client.quizzes.remove({ id, permanently: '1' }),
      client.trash.restore({ id }),
    ])
    const deleted = outcomes.slice(0, 2).filter(({ status }) => status === 'fulfilled')
    assert.equal(deleted.length, 1)
    assert.equal(await countRows(id), 0)
  })

  test('an emptied trash is empty at once, and its quizzes are deleted', async () => {
    const creator = await app.signUp()
    const quizzes = [
      await publishedScoreQuiz(creator.client),
      await publishedScoreQuiz(creator.client),
    ]
    for (const { id } of quizzes) await creator.client.quizzes.remove({ id })
    assert.deepEqual(await creator.client.trash.empty(), { nb_deleted: 2 })
    assert.deepEqual(await namesInTrash(creator), [])
    await createOwnTrash().trash.deleteExpired()
    for (const { id } of quizzes) assert.equal(await countRows(id), 0)
  })

  test('a full trash takes no quiz, which can still be deleted permanently', async () => {
    const { client, user_id } = await app.signUp()
    const { id } = await publishedScoreQuiz(client)
    await app.pool.query(
      `insert into all_quizzes (id, creator_id, name, type, trashed_at)
      select gen_random_uuid(), $1, 'Ancien', 'quiz', now() from generate_series(1, $2)`,
      [user_id, MAX_TRASHED_QUIZZES],
    )
    await refuses(client.quizzes.remove({ id }), 409, 'trash_full')
    assert.equal((await client.quizzes.get({ id })).quiz.id, id)
    const { quizzes, nb_trashed } = await client.quizzes.list({ trash: '1' })
    assert.deepEqual([quizzes.length, nb_trashed], [MAX_TRASHED_QUIZZES, MAX_TRASHED_QUIZZES])
    await client.quizzes.remove({ id, permanently: '1' })
    assert.equal(await countRows(id), 0)
    await client.trash.empty()
  })
})
