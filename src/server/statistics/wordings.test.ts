import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { OTHER } from '#domain/run/replies.ts'
import { createTestApp } from '#server/testing/app/test-app.ts'
import { refuses } from '#server/testing/network/bodies/refusals.ts'
import { publishedScoreQuiz, type SampleQuiz } from '#server/testing/quizzes/sample-quizzes.ts'

const app = await createTestApp()
after(() => app.close())
const { client } = await app.signUp()

const publishWith = async (
  { id, question_id, answer_ids, result_ids, open_id }: SampleQuiz,
  { texts, names, has_other }: { texts: string[]; names: [string, string]; has_other: boolean },
) => {
  const [low = '', high = ''] = result_ids
  await client.results.saveAll({
    id,
    body: {
      results: [
        { id: low, name: names[0] },
        { id: high, name: names[1] },
      ],
    },
  })
  const answers = texts.map((text, rank) => ({ id: answer_ids[rank] ?? '', text, score: 5 * rank }))
  const body = {
    questions: [
      {
        id: question_id,
        text: 'Votre agenda ?',
        type: 'multiple_choice' as const,
        answers,
        has_other,
      },
      { id: open_id, text: 'Où vous écrire ?', type: 'email' as const, page_number: 2 },
    ],
    score_thresholds: {
      [low]: { min_score: 0, max_score: 4 },
      [high]: { min_score: 5, max_score: 10 },
    },
  }
  await client.questions.saveDraft({ id, body })
  await client.quizzes.publish({ id })
}

test('a reworded answer is one row, and the filter of each row selects the participants that the row counts', async () => {
  const quiz = await publishedScoreQuiz(client)
  const give = async (reply: string, times: number) => {
    for (let time = 0; time < times; time++) {
      const answers = { [quiz.question_id]: reply, [quiz.open_id]: 'ada@exemple.fr' }
      await app.client.publicQuiz.submit({ id: quiz.id, body: { answers } })
    }
  }
  const [first = '', second = ''] = quiz.answer_ids
  await publishWith(quiz, {
    texts: ['Remplit', 'Autre'],
    names: ['Lent', 'Vif'],
    has_other: false,
  })
  await give(first, 4)
  await give(second, 1)
  await publishWith(quiz, { texts: ['Rempli'], names: ['Calme', 'Vif'], has_other: true })
  await give(first, 2)
  await give(`${OTHER}Parfois`, 3)
  const { stats, figures } = await client.statistics.responses({ id: quiz.id, figures: '1' })
  const lines = stats[quiz.question_id]?.answers ?? []
  assert.deepEqual(
    lines.map(({ answer_text, count }) => `${answer_text} ${count}`),
    ['Rempli 6', 'Autre 1', 'Autre 3'],
  )
  assert.deepEqual(
    lines.map(({ earlier_texts }) => earlier_texts),
    [['Remplit'], undefined, undefined],
  )
  const chosen = async (filters: { answer: string } | { result: string }) =>
    client.statistics.responses({ id: quiz.id, figures: '1', ...filters })
  const choices = figures?.choices.questions[0]?.answers.map(({ id }) => id) ?? []
  for (const { filter = '', count } of lines) {
    const { stats, figures } = await chosen({ answer: filter })
    assert.equal(figures?.nb_participants, count, filter)
    const own = stats[quiz.question_id]?.answers.filter((line) => line.count > 0)
    assert.deepEqual(
      own?.map((line) => line.filter),
      [filter],
    )
    assert.ok(choices.includes(filter))
  }
  for (const { filter = '', count, result_name } of figures?.results ?? []) {
    assert.equal((await chosen({ result: filter })).figures?.nb_participants, count, result_name)
    assert.ok(figures?.choices.results.some(({ id }) => id === filter))
  }
  assert.deepEqual(figures?.results.map(({ result_name }) => result_name).sort(), [
    ...['Calme', 'Lent', 'Vif'],
  ])
  const whole = await chosen({ answer: first })
  assert.equal(whole.figures?.nb_participants, 6, 'an id alone is of every wording')
  const [question] = figures?.choices.questions ?? []
  const wording = question?.answers.find(({ text }) => text === 'Remplit')?.id ?? ''
  const earlier = await chosen({ answer: wording })
  assert.equal(earlier.figures?.nb_participants, 4, 'one wording can still be chosen')
  await refuses(chosen({ answer: `${quiz.question_id}@1` }), 422, 'invalid')
  await refuses(chosen({ result: `${quiz.id}@1` }), 422, 'invalid')
})
