import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { NO_CHANGES } from '#domain/editing/changes.ts'
import { createTestApp } from '#server/testing/app/test-app.ts'
import { refusalOf } from '#server/testing/network/bodies/refusals.ts'
import { uploadPicture } from '#server/testing/quizzes/pictures.ts'
import { readyScoreQuiz } from '#server/testing/quizzes/sample-quizzes.ts'

// Runs in test:all, because it decodes many pictures.

const app = await createTestApp()
after(() => app.close())
const me = await app.signUp()
const other = await app.signUp()
const { client } = me
const quiz = await readyScoreQuiz(client)
const { id, question_id } = quiz
const [answer_id = ''] = quiz.answer_ids
const [result_id = ''] = quiz.result_ids
const { id: own } = await uploadPicture(app, me)
const { id: theirs } = await uploadPicture(app, other)
const nowhere = `${own.slice(0, -12)}000000000000`

const { questions, results } = await client.questions.unified({ id })
const answers = questions.find((question) => question.id === question_id)?.answers ?? []
const saveDraft = (changes: object) => async () => {
  const { revision } = await client.drafts.get({ id })
  return client.drafts.save({ id, body: { ...NO_CHANGES, based_on: revision, ...changes } })
}

/** Calls that write an image id, by name and field. */
const writing = (image_id: string): [name: string, field: string, () => Promise<unknown>][] => {
  const picture = { image_id, image_alt: 'Un phare' }
  const one = { text: 'Et là ?', ...picture }
  return [
    [
      'autosave, answer',
      'image_id',
      saveDraft({ answers: [{ id: answer_id, question_id, ...picture }] }),
    ],
    ['autosave, question', 'image_id', saveDraft({ questions: [{ id: question_id, ...picture }] })],
    ['autosave, result', 'image_id', saveDraft({ results: [{ id: result_id, ...picture }] })],
    ['autosave, welcome', 'welcome_image_id', saveDraft({ quiz: { welcome_image_id: image_id } })],
    ['autosave, logo', 'logo_image_id', saveDraft({ quiz: { logo_image_id: image_id } })],
    [
      'quiz',
      'background_image_id',
      () => client.quizzes.update({ id, body: { background_image_id: image_id } }),
    ],
    [
      'unified',
      'image_id',
      () =>
        client.questions.saveDraft({
          id,
          body: { questions: questions.map((row) => ({ ...row, ...picture })) },
        }),
    ],
    ['question', 'image_id', () => client.questions.create({ id, body: { type: 'text', ...one } })],
    [
      'question, changed',
      'image_id',
      () => client.questions.update({ id: question_id, body: picture }),
    ],
    ['answer', 'image_id', () => client.questions.addAnswer({ id: question_id, body: one })],
    [
      'answers',
      'image_id',
      () =>
        client.questions.saveAnswers({
          id: question_id,
          body: { answers: answers.map((row) => ({ ...row, ...picture })) },
        }),
    ],
    ['result', 'image_id', () => client.results.create({ id, body: { name: 'C', ...picture } })],
    [
      'result, changed',
      'image_id',
      () => client.results.update({ resultId: result_id, body: picture }),
    ],
    [
      'results',
      'image_id',
      () =>
        client.results.saveAll({
          id,
          body: { results: results.map((row) => ({ ...row, ...picture })) },
        }),
    ],
  ]
}

describe('images of another creator and unknown images', () => {
  for (const [what, image_id] of Object.entries({ theirs, nowhere }))
    for (const [name, field, write] of writing(image_id))
      test(`an image of another creator or of nobody is refused at its field and nothing is stored (${name}: ${what})`, async () => {
        const before = await client.drafts.get({ id })
        const { status, message } = await refusalOf(write(), name)
        assert.equal(status, 422)
        assert.match(message, new RegExp(`^Champ « ${field} » : Cette image n’est pas la vôtre`))
        assert.deepEqual(await client.drafts.get({ id }), before)
      })
})

describe('images of the creator', () => {
  for (const [name, , write] of writing(own))
    test(`an image of the creator is stored (${name})`, async () => {
      await write()
      assert.ok(JSON.stringify(await client.drafts.get({ id })).includes(own))
    })

  test('an existing image of a draft is saved again without a query', async () => {
    // A deleted image is refused in a draft that did not have it, and accepted in the one that did.
    await app.db.deleteFrom('images').where('id', '=', own).execute()
    await saveDraft({ results: [{ id: result_id, name: 'Autre', image_id: own }] })()
    const fresh = await readyScoreQuiz(client, 'Neuf')
    const refusal = await refusalOf(
      client.quizzes.update({ id: fresh.id, body: { logo_image_id: own } }),
    )
    assert.equal(refusal.status, 422)
  })
})
