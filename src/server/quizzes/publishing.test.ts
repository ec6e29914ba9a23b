import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { createTestApp } from '#server/testing/app/test-app.ts'
import { refusalOf } from '#server/testing/network/bodies/refusals.ts'
import {
  publishedScoreQuiz,
  readyProfilsQuiz,
  readyScoreQuiz,
  readySondage,
} from '#server/testing/quizzes/sample-quizzes.ts'

const app = await createTestApp()
after(() => app.close())
const { client } = await app.signUp()

const hasChanges = async (id: string) =>
  (await client.quizzes.hasChanges({ id })).has_unpublished_changes
const versionOf = async (id: string) =>
  (await app.client.publicQuiz.snapshot({ id })).snapshot.version
const reasons = async (id: string) =>
  (await refusalOf(client.quizzes.publish({ id }))).validation_errors

describe('the refusals of a publication (product 6.2)', () => {
  test('a publication is refused for a choice question without answers, a tier without bounds or an answer without a score', async () => {
    const { id, question_id, answer_ids, result_ids } = await readyScoreQuiz(client)
    await client.results.update({ resultId: result_ids[1] ?? '', body: { max_score: null } })
    assert.deepEqual(await reasons(id), [
      `Le résultat "Grand saut" n'a pas de palier de score défini`,
    ])
    await client.results.update({ resultId: result_ids[1] ?? '', body: { max_score: 10 } })
    await client.questions.saveAnswers({
      id: question_id,
      body: { answers: [{ id: answer_ids[0], text: 'Rempli', score: 1 }, { text: 'Libre' }] },
    })
    assert.deepEqual(await reasons(id), [
      'La réponse "Libre" de la question "Votre agenda ?" doit avoir un score',
    ])
    await client.questions.saveAnswers({ id: question_id, body: { answers: [{ text: ' ' }] } })
    assert.deepEqual(await reasons(id), [`La question "Votre agenda ?..." n'a aucune réponse`])
  })

  test('a publication is refused for an answer without a result in profile mode', async () => {
    const { id, question_id } = await readyProfilsQuiz(client)
    await client.questions.addAnswer({ id: question_id, body: { text: 'Aucune' } })
    assert.deepEqual(await reasons(id), [
      'La réponse "Aucune" de la question "Votre agenda ?" doit être associée à au moins un résultat',
    ])
  })

  test('the publication of a survey is refused without a question, but not without a result', async () => {
    const { id } = await readySondage(client)
    assert.equal((await client.quizzes.publish({ id })).quiz.status, 'Publié')
    const { quiz } = await client.quizzes.create({ body: { name: 'Vide', type: 'sondage' } })
    assert.deepEqual(await reasons(quiz.id), ['Il faut au moins une question pour publier le quiz'])
  })
})

describe('published versions', () => {
  test('versions are numbered, and a new version is created only if the content changed', async () => {
    const { id } = await publishedScoreQuiz(client)
    assert.equal(await versionOf(id), 1)
    await client.quizzes.publish({ id })
    assert.equal(await versionOf(id), 1)
    await client.quizzes.update({ id, body: { name: 'Autre' } })
    await client.quizzes.publish({ id })
    assert.equal(await versionOf(id), 2)
  })

  test('versions never change, and visitors see the last version until the next publication', async () => {
    const { id, question_id } = await publishedScoreQuiz(client)
    const frozen = await app.client.publicQuiz.snapshot({ id })
    await client.questions.update({ id: question_id, body: { text: 'Autre ?' } })
    await client.results.saveAll({ id, body: { results: [{ name: 'Un' }, { name: 'Deux' }] } })
    assert.deepEqual(await app.client.publicQuiz.snapshot({ id }), frozen)
    await client.quizzes.resetMode({ id })
    await client.quizzes.publish({ id })
    const versions = await app.db
      .selectFrom('quiz_versions')
      .select(['version', 'snapshot'])
      .where('quiz_id', '=', id)
      .orderBy('version')
      .execute()
    assert.deepEqual(
      versions.map(({ version }) => version),
      [1, 2],
    )
    assert.deepEqual({ ...versions[0]?.snapshot, version: 1 }, frozen.snapshot)
  })

  test('the current version stays current after a refused publication', async () => {
    const { id } = await publishedScoreQuiz(client)
    await client.results.saveAll({ id, body: { results: [{ name: 'Seul' }] } })
    assert.deepEqual(await reasons(id), [
      'Il faut au moins 2 résultats pour publier le quiz',
      `Le résultat "Seul" n'a pas de palier de score défini`,
    ])
    assert.equal(await versionOf(id), 1)
    assert.equal((await client.quizzes.get({ id })).quiz.status, 'Publié')
  })

  test('ten concurrent publications create one version', async () => {
    const { id } = await readyScoreQuiz(client)
    await Promise.all(Array.from({ length: 10 }, () => client.quizzes.publish({ id })))
    assert.equal(await versionOf(id), 1)
  })
})

describe('unpublished changes', () => {
  test('unpublished changes exist after an edit, but not after a publication or a manual undo', async () => {
    const { id, question_id, answer_ids } = await publishedScoreQuiz(client)
    assert.equal(await hasChanges(id), false)
    const edits: [edit: () => Promise<unknown>, undo: () => Promise<unknown>][] = [
      [
        () => client.questions.update({ id: question_id, body: { text: 'Autre ?' } }),
        () => client.questions.update({ id: question_id, body: { text: 'Votre agenda ?' } }),
      ],
      [
        () => client.questions.update({ id: question_id, body: { page_number: 3 } }),
        () => client.questions.update({ id: question_id, body: { page_number: 1 } }),
      ],
      [
        () => client.quizzes.update({ id, body: { bg_color: '#000000' } }),
        () => client.quizzes.update({ id, body: { bg_color: null } }),
      ],
      [
        () => client.quizzes.update({ id, body: { type: 'sondage' } }),
        () => client.quizzes.update({ id, body: { type: 'quiz' } }),
      ],
    ]
    for (const [edit, undo] of edits) {
      await edit()
      assert.equal(await hasChanges(id), true, edit.toString())
      await undo()
      assert.equal(await hasChanges(id), false, undo.toString())
    }
    await client.questions.removeAnswer({ id: question_id, answerId: answer_ids[0] ?? '' })
    assert.equal(await hasChanges(id), true)
    await client.quizzes.publish({ id })
    assert.equal(await hasChanges(id), false)
  })

  test('an undone edit that differs only in spelling is not an unpublished change', async () => {
    const { id, result_ids } = await readyScoreQuiz(client)
    const [low = '', high = ''] = result_ids
    await client.quizzes.update({ id, body: { bg_color: '#FFFFFF' } })
    await client.quizzes.publish({ id })
    await client.quizzes.update({ id, body: { bg_color: '#ffffff' } })
    await client.results.update({ resultId: high, body: { description: '' } })
    await client.results.update({ resultId: low, body: { priority_order: 4 } })
    await client.results.update({ resultId: high, body: { priority_order: 9 } })
    assert.equal(await hasChanges(id), false)
    await client.results.update({ resultId: high, body: { priority_order: 3 } })
    assert.equal(await hasChanges(id), true, 'another order')
  })

  test('new responses are not unpublished changes', async () => {
    const quiz = await publishedScoreQuiz(client)
    const answers = { [quiz.question_id]: quiz.answer_ids[0] ?? '', [quiz.open_id]: 'x@y.fr' }
    await app.client.publicQuiz.submit({ id: quiz.id, body: { answers } })
    assert.equal(await hasChanges(quiz.id), false)
  })
})
