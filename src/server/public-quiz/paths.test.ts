import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, test } from 'node:test'
import type { Client } from '#contract/client/client.ts'
import { findDifferences } from '#server/statistics/counters/verify-counters.store.ts'
import { createTestApp } from '#server/testing/app/test-app.ts'
import { refuses } from '#server/testing/network/bodies/refusals.ts'
import { publishPathQuiz } from '#server/testing/quizzes/path-quiz.ts'
import { publishedScoreQuiz } from '#server/testing/quizzes/sample-quizzes.ts'

/** Submissions through the API whose answers skip pages, with replies of every kind. */

const app = await createTestApp()
after(() => app.close())
const { client } = await app.signUp()

const quiz = await publishPathQuiz(client)
const { id, way, on, past, out, several, a, b, c, mail, scale } = quiz

type Answers = Parameters<Client['publicQuiz']['submit']>[0]['body']['answers']
const submit = (answers: Answers, more: { participant_uuid?: string } = {}) =>
  app.client.publicQuiz.submit({ id, body: { answers, ...more } })
const storedOf = async (participant_uuid: string, quiz_id = id) => {
  const { rows } = await app.pool.query<Record<string, unknown>>(
    `select choices, texts, score, email, is_suspect from responses
    where quiz_id = $1 and participant_uuid = $2`,
    [quiz_id, participant_uuid],
  )
  return rows[0]
}
const nbStored = async () => (await client.quizzes.get({ id })).quiz.nb_responses

describe('a submission with jumps', () => {
  test('a submission is checked, counted and stored only for the pages on its path', async () => {
    const everything = { [several]: [c, 'other: Rien '], [mail]: 'ada@exemple.fr', [scale]: '5' }
    const whole = await submit({ [way]: on, ...everything })
    assert.equal(whole.result?.name, 'Haut')
    assert.deepEqual(await storedOf(whole.participant_uuid), {
      choices: [0, 2, 3, null, 5],
      texts: ['Rien', 'ada@exemple.fr'],
      score: 10,
      email: 'ada@exemple.fr',
      is_suspect: false,
    })
    const short = await submit({ [way]: past, ...everything, [scale]: '1' })
    assert.equal(short.result?.name, 'Bas')
    assert.deepEqual(await storedOf(short.participant_uuid), {
      choices: [1, -2, null, -2, 1],
      texts: ['', ''],
      score: 3,
      email: null,
      is_suspect: false,
    })
    const ended = await submit({ [way]: out, [several]: ['x', 'x'], [scale]: '99' })
    assert.deepEqual(await storedOf(ended.participant_uuid), {
      choices: [2, -2, null, -2, -2],
      texts: ['', ''],
      score: 3,
      email: null,
      is_suspect: false,
    })
    assert.deepEqual(await findDifferences(app.pool, id), [])
  })

  test('a submission that is repeated with another path gets the first outcome', async () => {
    const participant_uuid = randomUUID()
    const first = await submit({ [way]: out }, { participant_uuid })
    const again = { [way]: on, [several]: [a, b], [mail]: 'x@y.fr', [scale]: '5' }
    assert.deepEqual(await submit(again, { participant_uuid }), first)
    assert.deepEqual(await submit({}, { participant_uuid }), first)
  })

  test('only the questions on the path of a submission make it suspect', async () => {
    const made = async (answers: Answers, elapsed_seconds: number) => {
      const { participant_uuid } = await app.client.publicQuiz.submit({
        id,
        body: { answers, elapsed_seconds },
      })
      return (await storedOf(participant_uuid))?.is_suspect
    }
    assert.equal(await made({ [way]: out }, 1), false)
    assert.equal(await made({ [way]: on, [mail]: 'x@y.fr' }, 1), true)
  })

  test('a submission with an invalid reply is refused in French and not stored', async () => {
    const before = await nbStored()
    const fine = { [way]: on, [mail]: 'x@y.fr' }
    const refused: [Answers, RegExp][] = [
      [{ ...fine, [way]: [on] }, /"Par où \?" n'accepte qu'une réponse/],
      [{ ...fine, [several]: [a, a] }, /"Lesquels \?" a deux fois la même réponse/],
      [{ ...fine, [several]: [a, b, 'other:x'] }, /accepte au plus 2 réponses/],
      [{ ...fine, [several]: [on] }, /"Lesquels \?" n'est pas proposée/],
      [{ ...fine, [several]: `other:${'x'.repeat(501)}` }, /un texte de 500 caractères au plus/],
      [{ ...fine, [scale]: '6' }, /attend un nombre entier de 1 à 5/],
      [{ ...fine, [scale]: ['1', '2'] }, /"Combien \?" n'accepte qu'une réponse/],
      [{ [way]: on, [several]: a }, /"Où vous écrire \?" n'a pas de réponse/],
      [{ ...fine, [randomUUID()]: 'x' }, /ne fait pas partie de ce questionnaire/],
    ]
    for (const [answers, message] of refused) {
      const { statusCode, body } = await app.raw({
        method: 'POST',
        url: `/api/v1/quizzes/${id}/submit`,
        body: { answers },
      })
      assert.equal(statusCode, 422, body)
      assert.match(JSON.parse(body).error, message)
    }
    const lists = { [several]: Array.from({ length: 102 }, () => a) }
    await refuses(submit({ ...fine, ...lists }), 422, 'invalid')
    assert.equal(await nbStored(), before)
  })

  test('a submission to an older version is stored with the questions of that version', async () => {
    const old = await publishedScoreQuiz(client)
    const [first = ''] = old.answer_ids
    const answers = { [old.question_id]: first, [old.open_id]: 'ada@exemple.fr' }
    const before = await app.client.publicQuiz.submit({ id: old.id, body: { answers, version: 1 } })
    await client.questions.update({
      id: old.question_id,
      body: { max_choices: null, has_other: true },
    })
    await client.questions.update({ id: old.open_id, body: { is_required: false } })
    await client.quizzes.publish({ id: old.id })
    const late = await app.client.publicQuiz.submit({ id: old.id, body: { answers, version: 1 } })
    const list = { [old.question_id]: [...old.answer_ids, 'other:Vide'] }
    const now = await app.client.publicQuiz.submit({
      id: old.id,
      body: { answers: list, version: 2 },
    })
    const both = { ...list, [old.open_id]: 'x@y.fr' }
    await refuses(
      app.client.publicQuiz.submit({ id: old.id, body: { answers: both, version: 1 } }),
      422,
      'invalid',
    )
    const stored = [before, late, now].map((run) => storedOf(run.participant_uuid, old.id))
    const asOld = { choices: [0], texts: ['ada@exemple.fr'], score: 1, email: 'ada@exemple.fr' }
    assert.deepEqual(await Promise.all(stored), [
      { ...asOld, is_suspect: false },
      { ...asOld, is_suspect: false },
      { choices: [0, 1, 2, -1], texts: ['Vide', ''], score: 6, email: null, is_suspect: false },
    ])
    const { details } = await client.statistics.responses({ id: old.id })
    assert.deepEqual(
      details
        .map((detail) => detail.answers.map(({ answer_text }) => answer_text).join(' | '))
        .sort(),
      ['Rempli | ada@exemple.fr', 'Rempli | ada@exemple.fr', 'Rempli, Libre, Autre : Vide | '],
    )
    assert.deepEqual(await findDifferences(app.pool, old.id), [])
  })
})
