import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Client } from '#contract/client/client.ts'
import { createTestApp } from '#server/testing/app/test-app.ts'
import { refusalOf, refuses } from '#server/testing/network/bodies/refusals.ts'
import {
  readyProfilsQuiz,
  readyScoreQuiz,
  type SampleQuiz,
} from '#server/testing/quizzes/sample-quizzes.ts'

// Runs in test:all, because it repeats its rule for every call of the contract.

const app = await createTestApp()
after(() => app.close())
const { client } = await app.signUp()
const stranger = await app.signUp()

const stored = async (client: Client, id: string) => [
  await client.quizzes.get({ id }),
  await client.questions.unified({ id }),
]
const firstOf = (ids: readonly string[]): string => ids[0] ?? ''
const choice = { text: 'Neuf', type: 'multiple_choice' as const }
/** Placed first, so that inserting it would move all other items. */
const first = { ...choice, global_position: 0 }

/** Returns one id of each kind in a quiz. */
const idsOf = async (client: Client, { id, question_id, answer_ids, result_ids }: SampleQuiz) => {
  const { text_blocks } = await client.questions.unified({ id })
  const { answer_results } = await client.quizzes.get({ id })
  return {
    quiz: id,
    question: question_id,
    answer: firstOf(answer_ids),
    result: firstOf(result_ids),
    text_block: text_blocks[0]?.id ?? '',
    association: answer_results[0]?.id ?? '',
  }
}
const withTextBlock = async (client: Client): Promise<SampleQuiz> => {
  const quiz = await readyProfilsQuiz(client)
  const { id } = quiz
  const { questions } = await client.questions.unified({ id })
  const text_blocks = [{ content: 'Bonjour', global_position: 9 }]
  await client.questions.saveDraft({ id, body: { questions, text_blocks } })
  return quiz
}
type Kinds = Awaited<ReturnType<typeof idsOf>>

/** Calls that take the id of a new item, with the id of an existing item. */
const claims = (
  { id }: SampleQuiz,
  other_id: string,
  taken: string,
): Record<string, () => Promise<unknown>> => ({
  'results.create': () => client.results.create({ id, body: { id: taken, name: 'x' } }),
  'results.saveAll': () =>
    client.results.saveAll({ id, body: { results: [{ name: 'a' }, { id: taken, name: 'x' }] } }),
  'questions.create': () => client.questions.create({ id, body: { id: taken, ...first } }),
  'questions.create, an answer': () =>
    client.questions.create({ id, body: { ...first, answers: [{ id: taken, text: 'x' }] } }),
  'questions.addAnswer': () =>
    client.questions.addAnswer({ id: other_id, body: { id: taken, text: 'x', position: 0 } }),
  'questions.saveAnswers': () =>
    client.questions.saveAnswers({ id: other_id, body: { answers: [{ id: taken, text: 'x' }] } }),
  'questions.saveDraft, a block': async () => {
    const { questions } = await client.questions.unified({ id })
    const text_blocks = [{ id: taken, content: 'x' }]
    await client.questions.saveDraft({ id, body: { questions, text_blocks } })
  },
})
const refusesClaim = async (what: string, claim: () => Promise<unknown>): Promise<void> => {
  const { status, code } = await refusalOf(claim(), what)
  assert.deepEqual([status, code], [422, 'invalid'], what)
}
/** Ids that a call may use, because they have its kind and belong to its list. */
const OWN: Record<string, keyof Kinds | undefined> = {
  'results.saveAll': 'result',
  'questions.saveDraft, a block': 'text_block',
}

describe('an id in a body that belongs to another item', () => {
  let mine: SampleQuiz
  let theirs: SampleQuiz
  let other_id: string
  before(async () => {
    mine = await withTextBlock(client)
    theirs = await withTextBlock(stranger.client)
    const { question } = await client.questions.create({ id: mine.id, body: choice })
    other_id = question.id
  })
  const refusesEach = async (kinds: Kinds, own: typeof OWN) => {
    const before = [await stored(client, mine.id), await stored(stranger.client, theirs.id)]
    for (const [kind, taken] of Object.entries(kinds)) {
      assert.ok(taken, kind)
      for (const [name, claim] of Object.entries(claims(mine, other_id, taken)))
        if (own[name] !== kind) await refusesClaim(`${name} ${kind}`, claim)
    }
    const now = [await stored(client, mine.id), await stored(stranger.client, theirs.id)]
    assert.deepEqual(now, before)
  }

  test('a body with an existing id of the same quiz is refused and changes nothing', async () =>
    refusesEach(await idsOf(client, mine), OWN))
  test('a body with an existing id of another creator’s quiz is refused and changes nothing', async () =>
    refusesEach(await idsOf(stranger.client, theirs), {}))

  test('an association with another quiz’s result is refused and changes nothing', async () => {
    const before = await stored(client, mine.id)
    const answers = [{ text: 'x', associations: [{ result_id: firstOf(theirs.result_ids) }] }]
    const { id, question_id } = mine
    await refuses(
      client.questions.saveAnswers({ id: question_id, body: { answers } }),
      422,
      'invalid',
    )
    await refuses(client.questions.create({ id, body: { ...choice, answers } }), 422, 'invalid')
    const [answer = { text: '' }] = answers
    await refuses(client.questions.addAnswer({ id: question_id, body: answer }), 422, 'invalid')
    assert.deepEqual(await stored(client, mine.id), before)
  })
})

describe('a path that combines ids of different quizzes', () => {
  test('a path with a result of another quiz or an answer of another question is a 404', async () => {
    const [mine, second] = [await readyScoreQuiz(client), await readyScoreQuiz(client)]
    const theirs = await readyScoreQuiz(stranger.client)
    for (const other of [second, theirs]) {
      const [resultId, answerId] = [firstOf(other.result_ids), firstOf(other.answer_ids)]
      await refuses(client.results.remove({ id: mine.id, resultId }), 404, 'not_found')
      const question_id = mine.question_id
      await refuses(client.questions.removeAnswer({ id: question_id, answerId }), 404, 'not_found')
    }
    const counts = async (client: Client, id: string) => {
      const { results, answers } = await client.quizzes.get({ id })
      return [results.length, answers.length]
    }
    assert.deepEqual(await counts(client, second.id), [2, 2])
    assert.deepEqual(await counts(stranger.client, theirs.id), [2, 2])
  })
})
