import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { UNPUBLISHED } from '#domain/common/vocabulary.ts'
import { createBuiltApp } from '#server/testing/app/built-app.ts'
import { postForm } from '#server/testing/network/bodies/post-form.ts'
import { publishDimensionQuiz } from '#server/testing/quizzes/dimension-quiz.ts'
import { publishedScoreQuiz } from '#server/testing/quizzes/sample-quizzes.ts'

const app = await createBuiltApp()
after(() => app.close())
const { client } = await app.signUp()

const post = (url: string, fields: Record<string, string>) => postForm(app.app, { url, fields })

const withdraw = async (id: string): Promise<void> => {
  await client.quizzes.update({ id, body: { status: 'Brouillon' } })
  while ((await app.client.publicQuiz.snapshot({ id })).snapshot.quiz.status !== UNPUBLISHED);
}

describe('a run without scripts whose quiz is withdrawn', () => {
  test('a run without scripts whose quiz is withdrawn shows its result at the end and is not counted', async () => {
    const { id, question_id, answer_ids, open_id } = await publishedScoreQuiz(client, 'Avant')
    await client.quizzes.update({ id, body: { name: 'Après' } })
    await client.quizzes.publish({ id })
    const fields = { [question_id]: answer_ids[0] ?? '', [open_id]: 'x@y.fr' }
    const page = await post(`/q/${id}?version=1&page=1`, fields)
    assert.match(page.body, /<title>Avant<\/title>/)
    await withdraw(id)
    const end_url = `/q/${id}/resultat?version=1`
    for (const url of [`/q/${id}?version=1&page=1`, `${end_url}9`]) {
      const answered = await post(url, fields)
      assert.equal(answered.statusCode, 404)
      assert.match(answered.body, /Ce quiz n&#39;est pas encore publié\./)
    }
    assert.equal((await post(end_url, { ...fields, [open_id]: '' })).statusCode, 404)
    const end = await post(end_url, fields)
    assert.equal(end.statusCode, 403)
    assert.match(end.body, />Pas à pas</)
    assert.match(end.body, /Vos réponses n’ont pas été transmises/)
    assert.equal((await client.quizzes.get({ id })).quiz.nb_responses, 0)
  })
  test('a run that was stored before the withdrawal shows its own result from its version', async () => {
    const { id, question_id, answer_ids, open_id } = await publishedScoreQuiz(client)
    const other = await publishedScoreQuiz(client)
    const participant = randomUUID()
    const fields = { [question_id]: answer_ids[1] ?? '', [open_id]: 'x@y.fr' }
    const query = `version=1&participant=${participant}&secret=secret-of-a-run-in-a-test`
    const stored = await post(`/q/${id}/resultat?${query}`, fields)
    assert.equal(stored.statusCode, 303)
    for (const quiz_id of [id, other.id]) {
      const { results } = await client.results.list({ id: quiz_id })
      for (const result of results)
        await client.results.update({ resultId: result.id, body: { name: 'Autre chose' } })
      await client.quizzes.publish({ id: quiz_id })
      await withdraw(quiz_id)
    }
    const end = await app.app.inject(String(stored.headers.location))
    assert.equal(end.statusCode, 200)
    assert.match(end.body, /<h1[^>]*>Grand saut<\/h1>/)
    assert.doesNotMatch(end.body, /n’ont pas été transmises/)
    for (const path of [
      `${id}/resultat?participant=${randomUUID()}&secret=secret-of-a-run-in-a-test`,
      `${id}/resultat`,
      `${other.id}/resultat?${query}`,
      `${randomUUID()}/resultat?${query}`,
      `x/resultat?${query}`,
    ])
      assert.equal((await app.app.inject(`/q/${path}`)).statusCode, 404, path)
    await client.quizzes.remove({ id })
    while ((await app.app.inject(String(stored.headers.location))).statusCode !== 404);
  })
})

/** Takes a quiz without scripts, and returns the body of its end. */
const endBodyOf = async (
  id: string,
  version: number,
  fields: Record<string, string>,
): Promise<string> => {
  const who = `participant=${randomUUID()}&secret=secret-of-a-run-in-a-test`
  const stored = await post(`/q/${id}/resultat?version=${version}&${who}`, fields)
  const end = await app.app.inject(String(stored.headers.location))
  assert.equal(end.statusCode, 200)
  return end.body
}
const textOf = (html: string): string =>
  html
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()

test('without scripts, the end lists the dimensions of the path with their tiers', async () => {
  const { id, way, past, on, several, a, scale } = await publishDimensionQuiz(client)
  const endOf = async (fields: Record<string, string>): Promise<string> => {
    const body = await endBodyOf(id, 1, fields)
    const [section = ''] = body.match(/<section class="q-dimensions".*?<\/section>/s) ?? []
    return textOf(section)
  }
  assert.equal(await endOf({ [way]: past, [scale]: '4' }), 'Santé 50 % Forte Argent 75 % Solide')
  assert.equal(
    await endOf({ [way]: on, [several]: a, [scale]: '' }),
    'Santé 0 % Faible Argent 0 % Fragile',
  )
})

test('without scripts, equal dimensions leave the strong point empty and show the text that says so', async () => {
  const { id, way, past, out, scale, result, high } = await publishDimensionQuiz(client)
  const { revision } = await client.drafts.get({ id })
  await client.drafts.save({
    id,
    body: {
      based_on: revision,
      results: [result, high].map((id) => ({ id, description: 'Fort ({{point fort}}).' })),
      text_variants: [
        {
          id: randomUUID(),
          place: 'every_result',
          text: 'Rien ne se détache',
          conditions: [{ kind: 'dimensions_equal' }],
        },
      ],
    },
  })
  await client.quizzes.publish({ id })
  const endOf = async (fields: Record<string, string>) => textOf(await endBodyOf(id, 2, fields))
  const equal = await endOf({ [way]: past, [scale]: '3' })
  assert.match(equal, /Fort\. Rien ne se détache Santé 50 % Forte Argent 50 % Fragile/)
  const different = await endOf({ [way]: past, [scale]: '4' })
  assert.match(different, /Fort \(Argent\)\. Santé 50 %/)
  const alone = await endOf({ [way]: out })
  assert.match(alone, /Fort\. Rien ne se détache Santé 100 % Forte/)
})
