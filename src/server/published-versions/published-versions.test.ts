import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { NO_NOTES } from '#domain/run/question-notes.ts'
import { createTestApp } from '#server/testing/app/test-app.ts'
import { createTestVersions } from '#server/testing/app/test-versions.ts'
import { refuses } from '#server/testing/network/bodies/refusals.ts'
import { publishedScoreQuiz, readyScoreQuiz } from '#server/testing/quizzes/sample-quizzes.ts'
import { createCompiledVersions } from './compiled-versions.ts'
import { createVersionReader } from './published-versions.ts'

const app = await createTestApp()
after(() => app.close())
const creator = await app.signUp()
const { client } = creator
const stranger = (await app.signUp()).client
const visitor = app.client

const seenBy = async (who: typeof client, id: string, preview?: '1') =>
  (await who.publicQuiz.snapshot({ id, preview })).snapshot
const ask = (id: string, headers: Record<string, string> = {}) =>
  app.raw({ url: `/api/v1/quizzes/${id}/snapshot`, headers })

const NOTHING = {
  quiz: {
    name: '',
    type: 'quiz',
    status: 'Brouillon',
    bg_color: null,
    text_color: null,
    button_color: null,
    button_text_color: null,
    accent_color: null,
  },
  questions: [],
  text_blocks: [],
  results: [],
  quiz_mode: null,
  version: null,
}

describe('a quiz that is not published', () => {
  test('an unpublished quiz is empty for visitors and complete for its creator', async () => {
    const { id } = await readyScoreQuiz(client, 'Encore secret')
    await client.quizzes.update({ id, body: { type: 'sondage', bg_color: '#123456' } })
    assert.deepEqual(await seenBy(visitor, id), NOTHING)
    const preview = await seenBy(client, id, '1')
    assert.deepEqual([preview.quiz.name, preview.quiz.type], ['Encore secret', 'sondage'])
    assert.deepEqual([preview.questions.length, preview.results.length], [2, 2])
  })

  test('a quiz is empty again for visitors after a withdrawal', async () => {
    const { id } = await publishedScoreQuiz(client)
    const { headers } = await ask(id)
    await client.quizzes.update({ id, body: { status: 'Brouillon' } })
    const now = await ask(id, { 'if-none-match': String(headers.etag) })
    assert.equal(now.statusCode, 200)
    assert.deepEqual(now.json(), { snapshot: NOTHING })
    assert.equal(now.headers['cache-control'], 'no-store')
  })
})

describe('the preview', () => {
  test('the preview is available only to the creator', async () => {
    const { id } = await publishedScoreQuiz(client, 'Publié')
    await client.quizzes.update({ id, body: { name: 'Retouché' } })
    assert.equal((await seenBy(client, id, '1')).quiz.name, 'Retouché')
    assert.equal((await seenBy(client, id)).quiz.name, 'Publié')
    await refuses(seenBy(stranger, id, '1'), 404, 'not_found')
    assert.equal((await seenBy(stranger, id)).quiz.name, 'Publié')
  })

  test('a preview without a token is the published version, and an invalid token is refused', async () => {
    const { id } = await publishedScoreQuiz(client, 'Publié')
    await client.quizzes.update({ id, body: { name: 'Retouché' } })
    assert.equal((await seenBy(visitor, id, '1')).quiz.name, 'Publié')
    const url = `/api/v1/quizzes/${id}/snapshot?preview=1`
    const forged = await app.raw({ url, headers: { authorization: 'Bearer x.y.z' } })
    assert.equal(forged.statusCode, 401)
  })

  test('the preview has no version and is never cached', async () => {
    const { id } = await publishedScoreQuiz(client)
    const reply = await app.raw({
      url: `/api/v1/quizzes/${id}/snapshot?preview=1`,
      headers: { authorization: `Bearer ${creator.access_token}` },
    })
    assert.equal(reply.json<{ snapshot: { version: unknown } }>().snapshot.version, null)
    assert.equal(reply.headers['cache-control'], 'no-store')
  })
})

describe('the published version', () => {
  test('edits do not change the published version', async () => {
    const { id, question_id, open_id, answer_ids, result_ids } = await publishedScoreQuiz(client)
    const before = (await ask(id)).body
    const [result_id = ''] = result_ids
    await client.quizzes.update({ id, body: { name: 'Autre', accent_color: '#123456' } })
    await client.results.update({ resultId: result_id, body: { name: 'Autre', max_score: 3 } })
    await client.results.remove({ id, resultId: result_ids[1] ?? '' })
    await client.questions.update({ id: question_id, body: { text: 'Votre semaine ?' } })
    await client.questions.removeAnswer({ id: question_id, answerId: answer_ids[0] ?? '' })
    await client.questions.remove({ id: open_id })
    await client.quizzes.resetMode({ id })
    assert.equal((await ask(id)).body, before)

    await client.results.create({ id, body: { name: 'Encore un' } })
    await client.quizzes.publish({ id })
    const { version, quiz, questions, results, quiz_mode } = await seenBy(visitor, id)
    assert.deepEqual([version, quiz.name, quiz_mode], [2, 'Autre', null])
    assert.deepEqual(
      questions.map(({ text, answers }) => [text, answers.map((answer) => answer.text)]),
      [['Votre semaine ?', ['Libre']]],
    )
    assert.deepEqual(
      results.map(({ name }) => name),
      ['Autre', 'Encore un'],
    )
  })

  test('the published version reveals nothing about its creator, draft or participants', async () => {
    const { id } = await publishedScoreQuiz(client)
    const { body } = await ask(id)
    assert.ok(!body.includes(creator.user_id) && !body.includes(creator.email))
    assert.doesNotMatch(body, /creator|nb_responses|kit_custom|brevo|_at"/)
  })

  test('the published version has a strong ETag that changes with the version', async () => {
    const { id } = await publishedScoreQuiz(client)
    const { headers } = await ask(id)
    const etag = String(headers.etag)
    assert.match(etag, /^"[^"]+"$/)
    assert.equal(headers['cache-control'], 'no-cache')
    assert.match(
      String(headers['cdn-cache-control']),
      /^public, max-age=5, stale-while-revalidate=5/,
    )
    for (const known of [etag, `W/${etag}`, `"autre", ${etag}`, '*']) {
      const again = await ask(id, { 'if-none-match': known })
      assert.deepEqual([again.statusCode, again.body], [304, ''], known)
      assert.equal(again.headers.etag, etag)
    }
    await client.quizzes.update({ id, body: { name: 'Autrement' } })
    assert.equal((await ask(id, { 'if-none-match': etag })).statusCode, 304)
    await client.quizzes.publish({ id })
    const changed = await ask(id, { 'if-none-match': etag })
    assert.equal(changed.statusCode, 200)
    assert.notEqual(changed.headers.etag, etag)
  })

  test('the published version is unchanged after a withdrawal and a return without edits', async () => {
    const { id } = await publishedScoreQuiz(client)
    const before = await ask(id)
    await client.quizzes.update({ id, body: { status: 'Brouillon' } })
    await client.quizzes.update({ id, body: { status: 'Publié' } })
    const now = await ask(id)
    assert.deepEqual([now.body, now.headers.etag], [before.body, before.headers.etag])
  })
})

test('an unknown or deleted quiz is a 404', async () => {
  await refuses(seenBy(visitor, '00000000-0000-4000-8000-000000000000'), 404, 'not_found')
  await refuses(seenBy(client, '00000000-0000-4000-8000-000000000000', '1'), 404, 'not_found')
  const { id } = await publishedScoreQuiz(client)
  await seenBy(visitor, id)
  await client.quizzes.remove({ id })
  await refuses(seenBy(visitor, id), 404, 'not_found')
})

test('versions are kept with their forms for visitors up to a size in memory, and the least recently used are evicted', async () => {
  const [one, other] = [await publishedScoreQuiz(client), await publishedScoreQuiz(client)]
  const { heavyWork, compiled: probe } = createTestVersions(app.db)
  const bytes = (await probe.find(one.id, 1))?.bytes ?? 0
  // There is room for one version with its form, but not for two.
  const compiled = createCompiledVersions(app.db, probe.texts, Math.floor(3.5 * bytes))
  const { ofVersion, getCachedVersion } = createVersionReader(app.db, { compiled })
  const first = await ofVersion(one.id, 1)
  assert.equal(await ofVersion(one.id, 1), first)
  assert.equal(getCachedVersion(one.id, 1), first)
  assert.equal(compiled.figures().bytes, 2 * bytes)
  const second = await ofVersion(other.id, 1)
  assert.equal(getCachedVersion(one.id, 1), undefined)
  const again = await ofVersion(one.id, 1)
  assert.notEqual(again, first)
  assert.deepEqual(again?.snapshot, first?.snapshot)
  assert.notEqual(await ofVersion(other.id, 1), second)
  assert.equal(await ofVersion(one.id, 9), undefined)
  await heavyWork.close()
})

test('a version keeps at most three forms for visitors, the newest', async () => {
  const { id } = await publishedScoreQuiz(client)
  const { heavyWork, compiled } = createTestVersions(app.db)
  const { ofVersion } = createVersionReader(app.db, { compiled })
  const notesOf = (version: number) => ({ ...NO_NOTES, consent: { text: 'Accord', version } })
  const forms = []
  for (let version = 1; version <= 4; version++)
    forms.push(await ofVersion(id, 1, notesOf(version)))
  assert.equal((await compiled.find(id, 1))?.visitor_versions.size, 3)
  assert.equal(await ofVersion(id, 1, notesOf(4)), forms[3])
  assert.notEqual(await ofVersion(id, 1, notesOf(1)), forms[0])
  await heavyWork.close()
})
