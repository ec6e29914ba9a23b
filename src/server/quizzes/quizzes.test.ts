import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { createTestApp } from '#server/testing/app/test-app.ts'
import { refusalOf, refuses } from '#server/testing/network/bodies/refusals.ts'
import { publishedScoreQuiz, readyScoreQuiz } from '#server/testing/quizzes/sample-quizzes.ts'

const app = await createTestApp()
after(() => app.close())
const { client, access_token } = await app.signUp()
const raw = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: object) =>
  app.raw({
    method,
    url: `/api/v1${path}`,
    headers: { authorization: `Bearer ${access_token}` },
    ...(body && { body }),
  })

describe('the format of the answers', () => {
  test('a creation answers 201, a deletion answers 204 without a body, and other calls answer 200', async () => {
    const created = await raw('POST', '/quizzes', { type: 'quiz' })
    assert.equal(created.statusCode, 201)
    const { quiz } = created.json<{ quiz: { id: string; name: string } }>()
    assert.equal(quiz.name, 'Nouveau Quiz')
    assert.equal((await raw('GET', `/quizzes/${quiz.id}`)).statusCode, 200)
    assert.equal((await raw('PUT', `/quizzes/${quiz.id}`, { name: 'Autre' })).statusCode, 200)
    const removed = await raw('DELETE', `/quizzes/${quiz.id}`)
    assert.deepEqual([removed.statusCode, removed.body], [204, ''])
    assert.equal((await raw('DELETE', `/quizzes/${quiz.id}`)).statusCode, 404)
  })

  test('the detail of a quiz has six keys', async () => {
    const { id, open_id, answer_ids } = await readyScoreQuiz(client)
    const detail = await client.quizzes.get({ id })
    assert.deepEqual(Object.keys(detail).sort(), [
      'answer_results',
      'answers',
      'free_fields',
      'questions',
      'quiz',
      'results',
    ])
    assert.deepEqual(
      detail.free_fields.map((question) => question.id),
      [open_id],
    )
    assert.deepEqual(
      detail.answers.map((answer) => answer.id),
      answer_ids,
    )
  })

  test('a new quiz is a draft without colours or responses', async () => {
    const { quiz } = await client.quizzes.create({ body: { name: ' Test ', type: 'sondage' } })
    const { name, type, status, nb_responses, bg_color, accent_color } = quiz
    assert.deepEqual(
      { name, type, status, nb_responses, bg_color, accent_color },
      {
        name: 'Test',
        type: 'sondage',
        status: 'Brouillon',
        nb_responses: 0,
        bg_color: null,
        accent_color: null,
      },
    )
    assert.ok(Date.parse(quiz.created_at))
  })
})

test('the list has only the creator’s quizzes, with the last changed first', async () => {
  const { client } = await app.signUp()
  assert.deepEqual(await client.quizzes.list(), { quizzes: [], nb_trashed: 0 })
  const ids: string[] = []
  for (const name of ['Un', 'Deux']) {
    const { quiz } = await client.quizzes.create({ body: { name, type: 'quiz' } })
    ids.push(quiz.id)
  }
  const names = async () => (await client.quizzes.list()).quizzes.map(({ name }) => name)
  assert.deepEqual(await names(), ['Deux', 'Un'])
  await client.quizzes.update({ id: ids[0] ?? '', body: { bg_color: '#123456' } })
  assert.deepEqual(await names(), ['Un', 'Deux'])
})

describe('the edits of a quiz', () => {
  test('an edit of a quiz changes only the given fields, and null resets a colour', async () => {
    const { id } = await readyScoreQuiz(client, 'Avant')
    await client.quizzes.update({ id, body: { bg_color: '#123456', text_color: '#FFFFFF' } })
    const { quiz } = await client.quizzes.update({ id, body: { bg_color: null } })
    assert.deepEqual([quiz.name, quiz.bg_color, quiz.text_color], ['Avant', null, '#FFFFFF'])
  })

  const wrong: [field: string, body: object][] = [
    ['name', { name: '   ' }],
    ['name', { name: 'x'.repeat(101) }],
    ['name', { name: 'a\0b' }],
    ['type', { type: 'examen' }],
    ['status', { status: 'Archivé' }],
    ['bg_color', { bg_color: 'red' }],
  ]
  for (const [field, body] of wrong)
    test(`the field ${field} is refused by name: ${JSON.stringify(body).slice(0, 40)}`, async () => {
      const { id } = await readyScoreQuiz(client)
      const before = await client.quizzes.get({ id })
      const reply = await raw('PUT', `/quizzes/${id}`, body)
      assert.equal(reply.statusCode, 422)
      assert.match(reply.json<{ error: string }>().error, new RegExp(`« ${field} »`))
      assert.deepEqual(await client.quizzes.get({ id }), before)
    })
})

describe('the status that a creator chooses in the form', () => {
  test('choosing « Publié » publishes after the same checks', async () => {
    const { quiz } = await client.quizzes.create({ body: { name: 'Vide', type: 'quiz' } })
    const { id } = quiz
    const refusal = await refusalOf(
      client.quizzes.update({ id, body: { name: 'Renommé', status: 'Publié' } }),
    )
    assert.equal(refusal.status, 422)
    assert.deepEqual(refusal.validation_errors, [
      'Il faut au moins une question pour publier le quiz',
      'Il faut au moins 2 résultats pour publier le quiz',
    ])
    assert.equal((await client.quizzes.get({ id })).quiz.name, 'Vide', 'nothing half-written')
  })

  test('choosing « Publié » publishes the changes of the same call', async () => {
    const { id } = await readyScoreQuiz(client)
    const body = { name: 'Renommé', status: 'Publié' as const }
    assert.equal((await client.quizzes.update({ id, body })).quiz.status, 'Publié')
    const { snapshot } = await app.client.publicQuiz.snapshot({ id })
    assert.deepEqual([snapshot.version, snapshot.quiz.name], [1, 'Renommé'])
  })

  test('choosing « Brouillon » withdraws the quiz and keeps the responses', async () => {
    const quiz = await publishedScoreQuiz(client)
    const { id } = quiz
    const answers = { [quiz.question_id]: quiz.answer_ids[0] ?? '', [quiz.open_id]: 'x@y.fr' }
    await app.client.publicQuiz.submit({ id, body: { answers } })
    await client.quizzes.update({ id, body: { status: 'Brouillon' } })
    const { snapshot } = await app.client.publicQuiz.snapshot({ id })
    assert.deepEqual([snapshot.quiz.status, snapshot.questions], ['Brouillon', []])
    const late = app.client.publicQuiz.submit({ id, body: { answers } })
    await refuses(late, 403, 'quiz_not_published')
    const detail = await client.quizzes.get({ id })
    assert.deepEqual([detail.quiz.status, detail.quiz.nb_responses], ['Brouillon', 1])
    await client.quizzes.update({ id, body: { status: 'Publié' } })
    assert.equal((await client.statistics.responses({ id })).details.length, 1)
  })

  test('an unchanged status publishes no edit', async () => {
    const { id } = await publishedScoreQuiz(client)
    await client.quizzes.update({ id, body: { name: 'Modifié', status: 'Publié' } })
    const { has_unpublished_changes } = await client.quizzes.hasChanges({ id })
    assert.equal(has_unpublished_changes, true)
    assert.equal((await app.client.publicQuiz.snapshot({ id })).snapshot.quiz.name, 'Quel rythme ?')
  })
})

test('deleting a quiz permanently deletes all its data', async () => {
  const quiz = await publishedScoreQuiz(client)
  await client.quizzes.remove({ id: quiz.id, permanently: '1' })
  await refuses(client.quizzes.get({ id: quiz.id }), 404, 'not_found')
  await refuses(client.questions.update({ id: quiz.question_id, body: {} }), 404, 'not_found')
  for (const table of ['questions', 'results', 'quiz_versions', 'responses'] as const) {
    const rows = await app.db
      .selectFrom(table)
      .select('quiz_id')
      .where('quiz_id', '=', quiz.id)
      .execute()
    assert.deepEqual(rows, [], table)
  }
})
