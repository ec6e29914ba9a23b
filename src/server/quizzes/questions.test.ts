import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { createTestApp } from '#server/testing/app/test-app.ts'
import { refuses } from '#server/testing/network/bodies/refusals.ts'
import { readyProfilsQuiz, readyScoreQuiz } from '#server/testing/quizzes/sample-quizzes.ts'

const app = await createTestApp()
after(() => app.close())
const { client } = await app.signUp()

const newQuiz = async () =>
  (await client.quizzes.create({ body: { name: 'Essai', type: 'quiz' } })).quiz.id
const order = async (id: string) =>
  (await client.questions.unified({ id })).questions.map((question) => [
    question.text,
    question.position,
    question.global_position,
    question.page_number,
  ])

describe('the smart save (product 5.6)', () => {
  test('the smart save maps temporary ids to stored ids and keeps other ids', async () => {
    const id = await newQuiz()
    const own = randomUUID()
    const saved = await client.questions.saveDraft({
      id,
      body: {
        questions: [
          { id: 'temp_q', text: 'A', type: 'multiple_choice', answers: [{ id: 'temp_a' }] },
          { id: own, text: 'B', type: 'email' },
        ],
        text_blocks: [{ id: 'temp_b', content: 'Bonjour', global_position: 0 }],
      },
    })
    assert.deepEqual(Object.keys(saved.id_map).sort(), ['temp_a', 'temp_b', 'temp_q'])
    assert.equal(saved.questions[0]?.id, saved.id_map.temp_q)
    assert.equal(saved.questions[0]?.answers[0]?.id, saved.id_map.temp_a)
    assert.equal(saved.text_blocks[0]?.id, saved.id_map.temp_b)
    assert.equal(saved.questions[1]?.id, own)
  })

  test('the smart save deletes absent items and changes nothing when repeated', async () => {
    const { id, question_id } = await readyScoreQuiz(client)
    const body = {
      questions: [{ id: question_id, text: 'Seule ?', type: 'multiple_choice' as const }],
    }
    const first = await client.questions.saveDraft({ id, body })
    assert.deepEqual(
      [first.questions.length, first.questions[0]?.answers, first.questions[0]?.text],
      [1, [], 'Seule ?'],
    )
    assert.deepEqual(await client.questions.saveDraft({ id, body }), first)
  })

  test('the smart save drops blank text blocks and stores consecutive ranks', async () => {
    const id = await newQuiz()
    await client.questions.saveDraft({
      id,
      body: {
        questions: [
          { text: 'C', type: 'text', page_number: 2, global_position: 9 },
          { text: 'A', type: 'text', page_number: 1, global_position: 4 },
          { text: 'B', type: 'text', page_number: 1, global_position: 7 },
        ],
        text_blocks: [{ content: '  ', global_position: 5 }],
      },
    })
    assert.deepEqual(await order(id), [
      ['A', 0, 0, 1],
      ['B', 1, 1, 1],
      ['C', 2, 2, 2],
    ])
    assert.deepEqual((await client.questions.unified({ id })).text_blocks, [])
  })

  test('the smart save accepts both forms of an association', async () => {
    const { id, result_ids } = await readyScoreQuiz(client)
    const [low = '', high = ''] = result_ids
    await client.quizzes.resetMode({ id })
    const { questions, quiz_mode } = await client.questions.saveDraft({
      id,
      body: {
        questions: [
          {
            text: 'A',
            type: 'multiple_choice',
            answers: [
              {
                text: 'x',
                associations: [
                  { resultId: low, weight: 3, isChecked: true },
                  { result_id: high, is_checked: false },
                ],
              },
            ],
          },
        ],
      },
    })
    assert.equal(quiz_mode, 'profils')
    const links = questions[0]?.answers[0]?.associations ?? []
    assert.deepEqual(
      new Map(links.map((link) => [link.result_id, [link.weight, link.is_checked]])),
      new Map([
        [low, [3, true]],
        [high, [1, false]],
      ]),
    )
  })

  test('the smart save stores thresholds and keeps absent thresholds', async () => {
    const { id, result_ids } = await readyScoreQuiz(client)
    const [low = '', high = ''] = result_ids
    const { score_thresholds } = await client.questions.saveDraft({
      id,
      body: { questions: [], score_thresholds: { [low]: { min_score: 2 } } },
    })
    assert.deepEqual(score_thresholds, {
      [low]: { min_score: 2, max_score: null },
      [high]: { min_score: 5, max_score: 10 },
    })
  })

  test('the smart save refuses ids of other items and writes nothing', async () => {
    const { id, question_id, answer_ids, result_ids } = await readyScoreQuiz(client)
    const other = await readyScoreQuiz(client)
    const before = await client.questions.unified({ id })
    const choice = { text: 'Neuf', type: 'multiple_choice' as const }
    const bodies = [
      { questions: [choice, { id: other.question_id, ...choice }] },
      { questions: [{ id: result_ids[0], ...choice }] },
      { questions: [choice, { ...choice, answers: [{ id: other.answer_ids[0] }] }] },
      {
        questions: [
          { ...choice, answers: [{ id: answer_ids[0] }] },
          { id: question_id, ...choice },
        ],
      },
      { questions: [{ ...choice, answers: [{ associations: [{ result_id: randomUUID() }] }] }] },
      { questions: [choice], text_blocks: [{ id: other.open_id, content: 'x' }] },
      { questions: [choice], score_thresholds: { [other.result_ids[0] ?? '']: {} } },
      { questions: [{ id: question_id, text: 'x', type: 'email' as const }] },
      {
        questions: [
          { id: 'temp_1', ...choice },
          { id: 'temp_1', ...choice },
        ],
      },
    ]
    for (const body of bodies)
      await refuses(client.questions.saveDraft({ id, body }), 422, 'invalid')
    assert.deepEqual(await client.questions.unified({ id }), before)
    assert.equal((await client.questions.list({ id: other.id })).questions.length, 2)
  })

  test('two concurrent smart saves leave the content of one of them', async () => {
    const id = await newQuiz()
    const drafts = ['a', 'b'].map((letter) => ({
      questions: Array.from({ length: 6 }, (_, rank) => ({
        id: randomUUID(),
        text: `${letter}${rank}`,
        type: 'text' as const,
      })),
    }))
    await Promise.all(drafts.map((body) => client.questions.saveDraft({ id, body })))
    const texts = (await client.questions.list({ id })).questions.map(({ text }) => text).join()
    assert.ok(drafts.some(({ questions }) => questions.map(({ text }) => text).join() === texts))
  })
})

describe('the mode of a quiz', () => {
  const answersOf = (score: number, result_id: string, is_checked: boolean) => [
    { text: 'x', score, associations: [{ result_id, is_checked }] },
  ]
  const cases: [string, number, boolean, 'score' | 'profils' | undefined, string | null][] = [
    ['a score of zero sets no mode', 0, false, undefined, null],
    ['a score sets the mode score', 3, false, undefined, 'score'],
    ['a ticked association sets the mode profils', 0, true, undefined, 'profils'],
    ['a score and an association together set the mode score', 3, true, undefined, 'score'],
    ['a save with both can choose the mode profils', 3, true, 'profils', 'profils'],
    ['a chosen mode without score or association sets no mode', 0, false, 'score', null],
  ]
  for (const [name, score, is_checked, quiz_mode, expected] of cases)
    test(name, async () => {
      const { id, result_ids } = await readyScoreQuiz(client)
      await client.quizzes.resetMode({ id })
      const answers = answersOf(score, result_ids[0] ?? '', is_checked)
      const body = {
        questions: [{ text: 'A', type: 'multiple_choice' as const, answers }],
        quiz_mode,
      }
      assert.equal((await client.questions.saveDraft({ id, body })).quiz_mode, expected)
    })

  test('only a reset clears the mode, and it also clears scores, associations and tiers', async () => {
    const { id } = await readyScoreQuiz(client)
    await client.questions.saveDraft({ id, body: { questions: [], quiz_mode: null } })
    assert.deepEqual(await client.quizzes.mode({ id }), { mode: 'score' })
    const other = await readyScoreQuiz(client)
    assert.deepEqual(await client.quizzes.resetMode({ id: other.id }), { mode: null })
    const { questions, score_thresholds } = await client.questions.unified({ id: other.id })
    assert.deepEqual(
      questions[0]?.answers.map(({ score }) => score),
      [null, null],
    )
    for (const bounds of Object.values(score_thresholds))
      assert.deepEqual(bounds, { min_score: null, max_score: null })
    const { id: profils_id } = await readyProfilsQuiz(client)
    assert.deepEqual(await client.quizzes.mode({ id: profils_id }), { mode: 'profils' })
    await client.quizzes.resetMode({ id: profils_id })
    const { answer_results } = await client.quizzes.get({ id: profils_id })
    assert.ok(answer_results.every(({ is_checked }) => !is_checked))
  })
})

describe('the calls on one question', () => {
  test('one question is added, moved and removed, and the ranks stay consecutive', async () => {
    const { id, open_id } = await readyScoreQuiz(client)
    const { question } = await client.questions.create({
      id,
      body: { text: 'Téléphone ?', type: 'phone', page_number: 1 },
    })
    assert.deepEqual((await order(id))[1], ['Téléphone ?', 1, 1, 1])
    await client.questions.update({ id: open_id, body: { page_number: 1, global_position: 0 } })
    assert.deepEqual(
      (await order(id)).map(([text]) => text),
      ['Où vous écrire ?', 'Votre agenda ?', 'Téléphone ?'],
    )
    await client.questions.remove({ id: question.id })
    assert.deepEqual(
      (await order(id)).map(([, position]) => position),
      [0, 1],
    )
  })

  test('a quiz has at most five hundred questions with a hundred answers each', async () => {
    const id = await newQuiz()
    const answers = Array.from({ length: 100 }, (_, rank) => ({ text: `R${rank}` }))
    const choice = { id: randomUUID(), type: 'multiple_choice' as const, answers }
    const others = Array.from({ length: 499 }, () => ({ text: 'Q', type: 'text' as const }))
    await client.questions.saveDraft({ id, body: { questions: [choice, ...others] } })
    await refuses(client.questions.create({ id, body: { type: 'text' } }), 422, 'invalid')
    const extra = client.questions.addAnswer({ id: choice.id, body: { text: 'De trop' } })
    await refuses(extra, 422, 'invalid')
    const { questions } = await client.questions.list({ id })
    assert.deepEqual([questions.length, questions[0]?.answers.length], [500, 100])
  })

  test('the answers of one question are added, replaced and removed', async () => {
    const { question_id, open_id, answer_ids, id } = await readyScoreQuiz(client)
    const texts = async () =>
      (await client.questions.list({ id })).questions[0]?.answers.map(({ text }) => text)
    await client.questions.addAnswer({
      id: question_id,
      body: { text: 'Entre les deux', position: 1 },
    })
    assert.deepEqual(await texts(), ['Rempli', 'Entre les deux', 'Libre'])
    await client.questions.removeAnswer({ id: question_id, answerId: answer_ids[0] ?? '' })
    assert.deepEqual(await texts(), ['Entre les deux', 'Libre'])
    await client.questions.saveAnswers({
      id: question_id,
      body: { answers: [{ text: 'Oui' }, { text: 'Non' }] },
    })
    assert.deepEqual(await texts(), ['Oui', 'Non'])
    const { answers, id_map } = await client.questions.saveAnswers({
      id: question_id,
      body: { answers: [{ id: 'temp_1', text: 'Oui' }, { text: 'Non' }] },
    })
    assert.deepEqual(id_map, { temp_1: answers[0]?.id })
    const created = await client.questions.create({
      id,
      body: { text: 'Et ?', type: 'multiple_choice', answers: [{ id: 'temp_1' }, { text: 'B' }] },
    })
    assert.deepEqual(created.id_map, { temp_1: created.question.answers[0]?.id })
    await refuses(client.questions.addAnswer({ id: open_id, body: { text: 'x' } }), 422, 'invalid')
  })
})
