import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import sharp from 'sharp'
import { quizFile } from '#contract/quiz-files.ts'
import { imageAddress, imagePropertiesOf } from '#domain/questionnaire/images.ts'
import type { QuizFile } from '#domain/quiz-files/quiz-file.ts'
import { answerOf, draftOf, questionOf, resultOf } from '#domain/testing/drafts.ts'
import { createHeavyWork } from '#server/heavy-work/heavy-work.ts'
import { createTestApp, type SignedUp, type TestApp } from '#server/testing/app/test-app.ts'
import { refuses } from '#server/testing/network/bodies/refusals.ts'
import { addPictures, publishFullQuiz } from '#server/testing/quizzes/full-quiz.ts'
import { createFlatPicture, uploadPicture } from '#server/testing/quizzes/pictures.ts'
import { downloadQuizFile, importQuizFile } from '#server/testing/quizzes/quiz-files.ts'
import { readyProfilsQuiz, readyScoreQuiz } from '#server/testing/quizzes/sample-quizzes.ts'
import { testInAll } from '#server/testing/test-in-all.ts'
import { writeQuizHead } from '#server/version-tasks/write-quiz-head.ts'
import { prepareQuizFile } from './write-quiz-file.ts'

const app = await createTestApp()
const elsewhere = await createTestApp()
after(async () => {
  await app.close()
  await elsewhere.close()
})

const fileOf = async (creator: SignedUp, id: string, of: TestApp = app): Promise<QuizFile> => {
  const reply = await downloadQuizFile(of, creator, id)
  assert.equal(reply.statusCode, 200, reply.body.slice(0, 300))
  return reply.json<QuizFile>()
}
const importedTo = async (of: TestApp, creator: SignedUp, payload: string): Promise<string> => {
  const reply = await importQuizFile(of, creator, payload)
  assert.equal(reply.statusCode, 201, reply.body.slice(0, 300))
  return reply.json().quiz.id
}
/** Returns a file without the bytes of its pictures, which are encoded again. */
const withoutBytes = ({ pictures, ...file }: QuizFile) => ({
  ...file,
  pictures: pictures.map(({ id, type }) => ({ id, type })),
})

describe('a complete quiz that moves to another installation', () => {
  let original: { creator: SignedUp; id: string; file: QuizFile; text: string }
  let theirs: { creator: SignedUp; id: string }
  before(async () => {
    const creator = await app.signUp()
    const { id } = await readyScoreQuiz(creator.client, 'Été : quel rythme ?')
    await publishFullQuiz(creator.client, id, await addPictures(creator.client))
    await creator.client.quizzes.update({ id, body: { kit_custom_field: 'champ-secret' } })
    const { questions } = await creator.client.questions.list({ id })
    const answers = Object.fromEntries(
      questions.map((question) => [question.id, question.answers[0]?.id ?? 'camille@exemple.fr']),
    )
    await app.client.publicQuiz.submit({ id, body: { answers } })
    const reply = await downloadQuizFile(app, creator, id)
    assert.match(
      String(reply.headers['content-disposition']),
      /^attachment; filename="Quizaine - Ete quel rythme - \d{4}-\d\d-\d\d\.json"/,
    )
    original = { creator, id, file: reply.json(), text: reply.body }
    const other = await elsewhere.signUp()
    theirs = { creator: other, id: await importedTo(elsewhere, other, reply.body) }
  })

  test('the file of a quiz matches the published schema', () => {
    assert.deepEqual(quizFile.parse(original.file), original.file)
  })

  test('the file of a quiz contains no account, tools, slug or participants', () => {
    const { creator, id, text } = original
    const said = [creator.user_id, creator.email, id, 'camille', 'champ-secret', 'mesure-', '2100-']
    for (const word of said) assert.ok(!text.includes(word), word)
  })

  test('an imported quiz equals the exported quiz and is unpublished', async () => {
    const { creator, id } = theirs
    const { quiz } = await creator.client.quizzes.get({ id })
    assert.deepEqual([quiz.status, quiz.nb_responses, quiz.slug], ['Brouillon', 0, null])
    const again = await fileOf(creator, id, elsewhere)
    assert.deepEqual(withoutBytes(again), withoutBytes(original.file))
    const { quiz: published } = await creator.client.quizzes.publish({ id })
    assert.equal(published.status, 'Publié')
  })

  test('an imported quiz has its own pictures of the same size, which count in the quota', async () => {
    const { creator, id } = theirs
    const { quiz, questions } = await creator.client.quizzes.get({ id })
    const ids = [quiz.logo_image_id, quiz.welcome_image_id, quiz.background_image_id]
    ids.push(...questions.flatMap((question) => question.answers.map((answer) => answer.image_id)))
    const kept = ids.filter((id) => id !== null)
    assert.ok(kept.length >= 3)
    assert.ok(kept.every((image_id) => !original.text.includes(image_id)))
    const [logo = ''] = kept
    const { rawPayload } = await elsewhere.raw({ url: imageAddress(logo, 400) })
    const { format, width, height } = await sharp(rawPayload).metadata()
    assert.deepEqual([format, width, height], ['webp', 320, 160])
    const { width: said } = imagePropertiesOf(quiz.welcome_image_id ?? '') ?? {}
    assert.equal(said, 1_200)
    const rows = await elsewhere.db.selectFrom('images').select('creator_id').execute()
    assert.equal(rows.length, original.file.pictures.length)
    assert.ok(rows.every(({ creator_id }) => creator_id === creator.user_id))
    assert.ok((await creator.client.images.usage()).used > 0)
  })
})

test('a quiz that is imported into the same account keeps its associations between answers and results, beside the original', async () => {
  const creator = await app.signUp()
  const { id } = await readyProfilsQuiz(creator.client)
  const before = await creator.client.drafts.get({ id })
  const file = await fileOf(creator, id)
  assert.equal(file.quiz_mode, 'profils')
  const copy = await importedTo(app, creator, JSON.stringify(file))
  assert.notEqual(copy, id)
  assert.deepEqual(await fileOf(creator, copy), file)
  assert.deepEqual(await creator.client.drafts.get({ id }), before)
  const { quizzes } = await creator.client.quizzes.list()
  assert.deepEqual(
    quizzes.map((quiz) => quiz.id),
    [copy, id],
  )
})

testInAll('an unused picture of a file is ignored', async () => {
  const creator = await app.signUp()
  const { id } = await readyScoreQuiz(creator.client)
  const file = await fileOf(creator, id)
  const data = (await createFlatPicture(40, 30).png().toBuffer()).toString('base64')
  const pictures = [{ id: 'p1', type: 'image/png', data }]
  await importedTo(app, creator, JSON.stringify({ ...file, pictures }))
  assert.equal((await creator.client.images.usage()).used, 0)
})

test('only the creator gets the file, and only signed-in creators can import', async () => {
  const creator = await app.signUp()
  const { id } = await readyScoreQuiz(creator.client)
  const stranger = await app.signUp()
  await refuses(stranger.client.quizFiles.write({ id }), 404, 'not_found')
  await refuses(app.client.quizFiles.write({ id }), 401, 'unauthorized')
  const reply = await importQuizFile(app, { access_token: 'none' }, '{}')
  assert.equal(reply.statusCode, 401)
})

testInAll('an export that could not be imported again is refused', async () => {
  const creator = await app.signUp()
  const quiz = await readyScoreQuiz(creator.client)
  const { id: image_id } = await uploadPicture(app, creator)
  const answers = Array.from({ length: 100 }, (_, index) => ({ text: `Réponse ${index}` }))
  await creator.client.questions.saveAnswers({ id: quiz.question_id, body: { answers } })
  // The quiz has one picture per answer, and one for the question.
  await sql`
    insert into images (id, creator_id, width, height, color, bytes)
    select gen_random_uuid(), creator_id, width, height, color, 0
    from images, generate_series(1, 101) where id = ${image_id}
  `.execute(app.db)
  await sql`
    update answers set image_id = numbered.id from (
      select id, row_number() over () as rank from images where bytes = 0
    ) as numbered
    where question_id = ${quiz.question_id} and rank = position + 1
  `.execute(app.db)
  await creator.client.questions.update({ id: quiz.question_id, body: { image_id } })
  const reply = await downloadQuizFile(app, creator, quiz.id)
  assert.deepEqual(
    [reply.statusCode, reply.json().error],
    [422, 'Ce questionnaire a 101 images : un fichier en contient 100 au plus'],
  )
})

testInAll('an export with too many values is refused, in a thread as well', async (t) => {
  const results = Array.from({ length: 100 }, (_, index) => resultOf(`r${index}`))
  const counts_for = Object.fromEntries(results.map(({ id }) => [id, 1]))
  const draftWith = (nb_answers: number) => {
    const answers = Array.from({ length: nb_answers }, (_, index) =>
      answerOf(`a${index}`, { counts_for }),
    )
    return draftOf({ results, questions: [questionOf('q', { answers })] })
  }
  const { head } = await prepareQuizFile(app.db, writeQuizHead(draftWith(300)))
  assert.ok(head.endsWith(']'))
  const refusal = {
    status: 422,
    message:
      'Ce questionnaire a trop de réponses et de liens avec les résultats pour tenir dans un fichier',
  }
  assert.throws(() => writeQuizHead(draftWith(400)), refusal)
  const heavyWork = createHeavyWork()
  t.after(heavyWork.close)
  const write = (nb_answers: number) =>
    heavyWork.runInThread(
      { kind: 'quiz_file', owner: 'a', size: 1 },
      'write_quiz_head',
      draftWith(nb_answers),
    )
  assert.equal((await write(300)).head, head)
  await assert.rejects(write(400), refusal)
})

testInAll('a failed import stores nothing', async () => {
  const creator = await app.signUp()
  const quiz = await readyProfilsQuiz(creator.client)
  const { id: image_id } = await uploadPicture(app, creator)
  const body = { image_id, image_alt: 'Un phare' }
  await creator.client.questions.update({ id: quiz.question_id, body })
  const file = await fileOf(creator, quiz.id)
  const { used } = await creator.client.images.usage()
  await sql`alter table associations add constraint none_more check (id is null) not valid`.execute(
    app.db,
  )
  const reply = await importQuizFile(app, creator, JSON.stringify(file))
  await sql`alter table associations drop constraint none_more`.execute(app.db)
  assert.ok(reply.statusCode >= 400)
  assert.equal((await creator.client.quizzes.list()).quizzes.length, 1)
  assert.equal((await creator.client.images.usage()).used, used)
})
