import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { RefusedCall } from '#contract/client/client.ts'
import { pickByRun } from '#domain/testing/pick-by-run.ts'
import { createTestApp } from '#server/testing/app/test-app.ts'
import { publishedScoreQuiz, readyScoreQuiz } from '#server/testing/quizzes/sample-quizzes.ts'

// Runs in test:all, because it lets calls race.

const app = await createTestApp()
after(() => app.close())
const creator = await app.signUp()
const rival = await app.signUp()
const { client } = creator

const rounds = Array.from({ length: pickByRun({ daily: 2, all: 8 }) }, (_, round) => round)
/** Number of rows with which two concurrent saves meet halfway. */
const MANY = 400
/** Returns the questions of a sample quiz before any save. */
const SAMPLE = 'Votre agenda ?,Où vous écrire ?'

/** Returns the status of each concurrent call; 0 for a success. */
const together = async (calls: readonly Promise<unknown>[]): Promise<number[]> => {
  const outcomes = await Promise.allSettled(calls)
  return outcomes.map((outcome) => {
    if (outcome.status === 'fulfilled') return 0
    assert.ok(outcome.reason instanceof RefusedCall, String(outcome.reason))
    return outcome.reason.status
  })
}
const textQuestions = (texts: string, ids: readonly string[]) => ({
  questions: ids.map((id, rank) => ({ id, text: `${texts}${rank}`, type: 'text' as const })),
})
const newIds = (count: number) => Array.from({ length: count }, () => randomUUID())
const textsOf = (questions: readonly { text: string }[]) => questions.map(({ text }) => text).join()

test('one of two quizzes that claim the same ids gets all of them, and the other is refused', async () => {
  const mine = await readyScoreQuiz(client)
  const theirs = await readyScoreQuiz(rival.client)
  for (const _ of rounds) {
    const ids = newIds(MANY)
    const statuses = await together([
      client.questions.saveDraft({ id: mine.id, body: textQuestions('a', ids) }),
      rival.client.questions.saveDraft({
        id: theirs.id,
        body: textQuestions('b', ids.toReversed()),
      }),
    ])
    assert.deepEqual(statuses.sort(), [0, 422])
  }
})

test('a save that claims the ids of a stored quiz never delays the saves of that quiz', async () => {
  const mine = await readyScoreQuiz(client)
  const theirs = await readyScoreQuiz(rival.client)
  const ids = newIds(MANY)
  await client.questions.saveDraft({ id: mine.id, body: textQuestions('a', ids) })
  for (const round of rounds) {
    const statuses = await together([
      client.questions.saveDraft({ id: mine.id, body: textQuestions(`${round}.`, ids) }),
      rival.client.questions.saveDraft({
        id: theirs.id,
        body: textQuestions('b', ids.toReversed()),
      }),
    ])
    assert.deepEqual(statuses, [0, 422])
  }
  assert.equal((await rival.client.questions.list({ id: theirs.id })).questions.length, 2)
})

test('a version that is published during a save equals the draft before or after the save', async () => {
  for (const _ of rounds) {
    const { id } = await readyScoreQuiz(client)
    const drafts = ['a', 'b'].map((letter) => textQuestions(letter, newIds(20)))
    const statuses = await together([
      ...drafts.map((body) => client.questions.saveDraft({ id, body })),
      client.quizzes.publish({ id }),
    ])
    assert.deepEqual(statuses, [0, 0, 0])
    const { snapshot } = await app.client.publicQuiz.snapshot({ id })
    const possible = [...drafts.map(({ questions }) => textsOf(questions)), SAMPLE]
    assert.ok(possible.includes(textsOf(snapshot.questions)), textsOf(snapshot.questions))
  }
})

test('a quiz that is saved during its deletion is deleted completely', async () => {
  for (const _ of rounds) {
    const { id } = await readyScoreQuiz(client)
    const [removed, saved] = await together([
      client.quizzes.remove({ id, permanently: '1' }),
      client.questions.saveDraft({ id, body: textQuestions('a', newIds(20)) }),
    ])
    assert.equal(removed, 0)
    assert.ok(saved === 0 || saved === 404, String(saved))
    const left = await app.db
      .selectFrom('questions')
      .select('id')
      .where('quiz_id', '=', id)
      .execute()
    assert.deepEqual(left, [])
  }
})

test('concurrent calls on a quiz during its deletion are answered or refused', async () => {
  for (const _ of rounds) {
    const { id, question_id, open_id, answer_ids, result_ids } = await publishedScoreQuiz(client)
    const [answerId = ''] = answer_ids
    const [resultId = ''] = result_ids
    const submit = () =>
      app.client.publicQuiz.submit({
        id,
        body: { answers: { [question_id]: answerId, [open_id]: 'x@y.fr' } },
      })
    const statuses = await together([
      submit(),
      client.questions.saveDraft({ id, body: textQuestions('a', newIds(20)) }),
      client.results.saveAll({ id, body: { results: [{ name: 'Un' }, { name: 'Deux' }] } }),
      client.quizzes.publish({ id }),
      client.quizzes.update({ id, body: { name: 'Autre', status: 'Brouillon' } }),
      client.quizzes.remove({ id }),
      submit(),
      client.quizzes.resetMode({ id }),
      client.quizzes.hasChanges({ id }),
      client.quizzes.get({ id }),
      client.questions.update({ id: question_id, body: { text: 'Autre ?' } }),
      client.questions.removeAnswer({ id: question_id, answerId }),
      client.results.update({ resultId, body: { name: 'Autre' } }),
      client.statistics.responses({ id }),
    ])
    const allowed = [0, 403, 404, 422]
    assert.ok(
      statuses.every((status) => allowed.includes(status)),
      statuses.join(),
    )
    assert.deepEqual(await together([client.quizzes.get({ id })]), [404])
  }
})

test('a burst of edits of one question loses only overwritten values', async () => {
  const { id, question_id } = await readyScoreQuiz(client)
  const texts = Array.from({ length: 40 }, (_, rank) => `Texte ${rank}`)
  const statuses = await together(
    texts.map((text) => client.questions.update({ id: question_id, body: { text } })),
  )
  assert.deepEqual(new Set(statuses), new Set([0]))
  const [question] = (await client.questions.list({ id })).questions
  assert.ok(texts.includes(question?.text ?? ''), question?.text)
})
