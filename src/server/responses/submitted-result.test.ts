import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { UNPUBLISHED } from '#domain/common/vocabulary.ts'
import { RUN_SECRET } from '#server/testing/app/own-pages.ts'
import { createTestApp } from '#server/testing/app/test-app.ts'

const app = await createTestApp()
after(() => app.close())
const { client } = await app.signUp()

type Result = { name: string; min_score?: number; max_score?: number }
/** Score of an answer, or its weight for each result by rank. */
type Value = number | Record<number, number>

/** Publishes a quiz with these results and one choice question per list of answers. */
const publishedQuiz = async (results: Result[], questions: Value[][]) => {
  const { quiz } = await client.quizzes.create({ body: { name: 'Essai', type: 'quiz' } })
  const { id } = quiz
  const stored = await client.results.saveAll({ id, body: { results } })
  const result_ids = stored.results.map((result) => result.id)
  const sent = questions.map((values, rank) => ({
    id: randomUUID(),
    text: `Question ${rank}`,
    type: 'multiple_choice' as const,
    answers: values.map((value, index) => ({
      id: randomUUID(),
      text: `Réponse ${index}`,
      ...(typeof value === 'number'
        ? { score: value }
        : {
            associations: Object.entries(value).map(([result, weight]) => ({
              result_id: result_ids[Number(result)],
              weight,
              is_checked: true,
            })),
          }),
    })),
  }))
  const open = { id: randomUUID(), text: 'Un mot ?', type: 'text' as const }
  const asked = sent.length > 0 ? sent : [open]
  await client.questions.saveDraft({ id, body: { questions: asked } })
  await client.quizzes.publish({ id })
  /** Returns the name of the result for the answers with these ranks. */
  const take = async (...ranks: number[]): Promise<string | undefined> => {
    const answers = Object.fromEntries([
      ...sent.map((question, index) => [question.id, question.answers[ranks[index] ?? 0]?.id]),
      ...(sent.length > 0 ? [] : [[open.id, 'Bonjour']]),
    ])
    return (await app.client.publicQuiz.submit({ id, body: { answers } })).result?.name
  }
  return { id, result_ids, take }
}

describe('results by score (product 4.4)', () => {
  test('by score, the scores of all questions are added', async () => {
    const { take } = await publishedQuiz(
      [
        { name: 'Peu', min_score: 0, max_score: 5 },
        { name: 'Assez', min_score: 6, max_score: 6 },
        { name: 'Beaucoup', min_score: 7, max_score: 100 },
      ],
      [
        [0, 5],
        [1, 2],
      ],
    )
    assert.deepEqual(
      [await take(0, 0), await take(1, 0), await take(1, 1)],
      ['Peu', 'Assez', 'Beaucoup'],
    )
  })

  test('by score, the first of overlapping tiers in priority_order wins', async () => {
    const tier = { min_score: 0, max_score: 10 }
    const { id, result_ids, take } = await publishedQuiz(
      [
        { name: 'Un', ...tier },
        { name: 'Deux', ...tier },
      ],
      [[3, 4]],
    )
    assert.equal(await take(0), 'Un')
    const [one = '', two = ''] = result_ids
    await client.results.update({ resultId: one, body: { priority_order: 2 } })
    await client.results.update({ resultId: two, body: { priority_order: 1 } })
    assert.equal(await take(0), 'Un', 'an edit changes nothing before it is published')
    await client.quizzes.publish({ id })
    assert.equal(await take(0), 'Deux')
  })

  test('a score outside all tiers gives the first result', async () => {
    const { take } = await publishedQuiz(
      [
        { name: 'Un', min_score: 5, max_score: 6 },
        { name: 'Deux', min_score: 0, max_score: 1 },
      ],
      [[3, -4, 1, 7]],
    )
    assert.deepEqual([await take(0), await take(1), await take(3)], ['Un', 'Un', 'Un'])
    assert.equal(await take(2), 'Deux')
  })
})

describe('results by profils', () => {
  const results = [{ name: 'Un' }, { name: 'Deux' }, { name: 'Trois' }]

  test('by profils, the weights of all questions are added', async () => {
    const { take } = await publishedQuiz(results, [
      [{ 0: 3 }, { 1: 2 }],
      [{ 0: 1 }, { 1: 2, 2: 1 }],
    ])
    assert.deepEqual([await take(0, 1), await take(1, 1), await take(1, 0)], ['Un', 'Deux', 'Deux'])
  })

  test('by profils, the first of tied results in priority_order wins', async () => {
    const { id, result_ids, take } = await publishedQuiz(results, [[{ 1: 1, 2: 1 }, { 0: 1 }]])
    assert.equal(await take(0), 'Deux')
    await client.results.update({ resultId: result_ids[2] ?? '', body: { priority_order: 0 } })
    await client.results.update({ resultId: result_ids[0] ?? '', body: { priority_order: 2 } })
    await client.quizzes.publish({ id })
    assert.equal(await take(0), 'Trois')
  })
})

test('a quiz without mode gives the first result', async () => {
  const { take } = await publishedQuiz([{ name: 'Un' }, { name: 'Deux' }], [])
  assert.equal(await take(), 'Un')
})

test('the shown result is the stored and counted result', async () => {
  const { id, take } = await publishedQuiz(
    [
      { name: 'Peu', min_score: 0, max_score: 1 },
      { name: 'Beaucoup', min_score: 2, max_score: 3 },
    ],
    [[0, 1, 2, 3]],
  )
  const shown: (string | undefined)[] = []
  for (const rank of [0, 3, 1, 2, 2]) shown.push(await take(rank))
  const { details } = await client.statistics.responses({ id })
  assert.deepEqual(details.map(({ final_result_name }) => final_result_name).reverse(), shown)
  assert.deepEqual(
    details.map(({ answers }) => answers[0]?.answer_text).reverse(),
    [0, 3, 1, 2, 2].map((rank) => `Réponse ${rank}`),
  )
})

describe('the description of a result', () => {
  const TYPED =
    '**Bravo** {{prénom}}, {{score}} points.\n\n- [La suite](https://exemple.fr/{{prénom}})'
  const saidTo = (name: string): string => `Bravo ${name}, 3 points.\n- La suite`

  /** Publishes a quiz with two tied results and equal descriptions, and returns a submission. */
  const describedQuiz = async () => {
    const { quiz } = await client.quizzes.create({ body: { name: 'Essai', type: 'quiz' } })
    const { id } = quiz
    const tier = { min_score: 0, max_score: 10, description: TYPED }
    const results = ['Un', 'Deux'].map((name) => ({ ...tier, name }))
    await client.results.saveAll({ id, body: { results } })
    const [choice_id, name_id, answer_id] = [randomUUID(), randomUUID(), randomUUID()]
    const answers = [{ id: answer_id, text: 'Oui', score: 3 }]
    const questions = [
      { id: name_id, type: 'text' as const, text: 'Prénom ?', label: 'prénom' },
      { id: choice_id, type: 'multiple_choice' as const, text: 'Un choix ?', answers },
    ]
    await client.questions.saveDraft({ id, body: { questions } })
    await client.quizzes.publish({ id })
    const bodyOf = (name: string, participant_uuid: string = randomUUID()) => ({
      participant_uuid,
      run_secret: RUN_SECRET,
      answers: { [choice_id]: answer_id, [name_id]: name },
    })
    return { id, bodyOf }
  }

  test('the description of a result is answered unchanged and as plain text with filled insertions', async () => {
    const { id, bodyOf } = await describedQuiz()
    const { result } = await app.client.publicQuiz.submit({ id, body: bodyOf('Camille') })
    assert.equal(result?.name, 'Un')
    assert.equal(result?.description, TYPED)
    assert.equal(result?.description_text, saidTo('Camille'))
  })

  test('a repeated participant with the secret of the run gets the first description, whatever has changed', async () => {
    const { id, bodyOf } = await describedQuiz()
    const { participant_uuid } = await app.client.publicQuiz.submit({ id, body: bodyOf('Camille') })
    const others = [
      bodyOf('Dominique', participant_uuid),
      { participant_uuid, run_secret: RUN_SECRET, answers: {} },
    ]
    const submitAgain = async () => {
      for (const body of others) {
        const { result } = await app.client.publicQuiz.submit({ id, body })
        assert.equal(result?.description_text, saidTo('Camille'))
      }
    }
    await submitAgain()
    await client.results.saveAll({ id, body: { results: [{ name: 'Autre' }, { name: 'Encore' }] } })
    await client.quizzes.update({ id, body: { status: UNPUBLISHED } })
    await submitAgain()
  })

  test('a trial run gets the same description, also when repeated', async () => {
    const { id, bodyOf } = await describedQuiz()
    const { url } = await client.trialRuns.link({ id })
    const token = new URL(url).searchParams.get('test') ?? ''
    const body = bodyOf('Camille')
    for (const sent of [body, { ...body, answers: {} }]) {
      const { result } = await app.client.trialRuns.submit({ id, token, body: sent })
      assert.equal(result?.description_text, saidTo('Camille'))
    }
  })
})
