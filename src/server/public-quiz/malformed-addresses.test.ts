import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { createBuiltApp } from '#server/testing/app/built-app.ts'
import { postForm } from '#server/testing/network/bodies/post-form.ts'
import { publishedScoreQuiz } from '#server/testing/quizzes/sample-quizzes.ts'

/** Texts to which no mail can be sent. */
const MALFORMED = [
  ...['pas une adresse', 'jean', 'jean@', '@exemple.fr', 'jean@exemple', 'a@b@c.fr', 'a@127.0.0.1'],
  ...['jean dupont@exemple.fr', 'jean@exemple..fr', 'jean@.fr', 'jean@exemple.fr.', 'a,b@c.fr'],
  ...['françois@exemple.fr', 'jean@exem ple.fr', 'jean@[::1]', '<jean@exemple.fr>', 'a@b.1'],
  ...['mailto:jean@exemple.fr', 'jean@exemple,fr', `${'a'.repeat(250)}@exemple.fr`],
]
const FORM = 'une adresse email complète, par exemple nom@exemple.fr'
const SENTENCE = `La question "Où vous écrire ?" attend ${FORM}`

const app = await createBuiltApp()
after(() => app.close())
const { client } = await app.signUp()
const { id, question_id, answer_ids, open_id } = await publishedScoreQuiz(client)
const choice = { [question_id]: answer_ids[0] ?? '' }
const submit = async (body: object) => {
  const url = `/api/v1/quizzes/${id}/submit`
  const { statusCode, json } = await app.raw({ method: 'POST', url, body })
  return { status: statusCode, error: json().error as string }
}
const countResponses = async () => (await client.quizzes.get({ id })).quiz.nb_responses

test('a malformed address is refused with a sentence that names its question or its field', async () => {
  for (const text of MALFORMED) {
    const replied = await submit({ answers: { ...choice, [open_id]: text } })
    assert.deepEqual(replied, { status: 422, error: `Champ « answers » : ${SENTENCE}` }, text)
    if (text.length > 254) continue
    const sent = await submit({ answers: { ...choice, [open_id]: 'a@b.fr' }, email: text })
    assert.deepEqual(sent, { status: 422, error: `Champ « email » : Il faut ${FORM}` }, text)
  }
  assert.equal(await countResponses(), 0)
})

test('the page without scripts refuses a malformed address with the same sentence and keeps the reply', async () => {
  for (const participant_uuid of ['', randomUUID()]) {
    const fields = {
      ...choice,
      [open_id]: 'jean@exemple',
      ...(participant_uuid && { participant_uuid }),
    }
    const { statusCode, body } = await postForm(app.app, {
      url: `/q/${id}/resultat?version=1`,
      fields,
    })
    assert.equal(statusCode, 422)
    assert.match(body, /attend une adresse email complète, par exemple nom@exemple\.fr/)
    assert.match(body, /jean@exemple/)
  }
  assert.equal(await countResponses(), 0)
})

test('an address in any writing that mail accepts is stored', async () => {
  for (const text of [
    ' Jean@Exemple.fr ',
    'jean+test@exemple.fr',
    'jean@exämple.fr',
    "o'neil@b.ie",
  ])
    assert.equal((await submit({ answers: { ...choice, [open_id]: text } })).status, 201, text)
  assert.equal(
    (await submit({ answers: { ...choice, [open_id]: 'a@b.fr' }, email: '' })).status,
    201,
  )
  assert.equal(await countResponses(), 5)
})
