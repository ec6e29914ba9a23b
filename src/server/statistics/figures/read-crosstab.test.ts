import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { createTestApp } from '#server/testing/app/test-app.ts'
import { refuses } from '#server/testing/network/bodies/refusals.ts'
import { publishEventSondage } from '#server/testing/quizzes/event-sondage.ts'
import { publishedScoreQuiz } from '#server/testing/quizzes/sample-quizzes.ts'

const app = await createTestApp()
after(() => app.close())
const { client } = await app.signUp()

test('a crosstab counts results by answers and answers by results', async () => {
  const quiz = await publishedScoreQuiz(client)
  const { id, question_id, answer_ids, open_id } = quiz
  for (const rank of [0, 1, 1])
    await app.client.publicQuiz.submit({
      id,
      body: { answers: { [question_id]: answer_ids[rank] ?? '', [open_id]: 'ada@exemple.fr' } },
    })
  const { table } = await client.statistics.crosstab({ id, rows: 'result', columns: question_id })
  const rows = {
    question_id: null,
    dimension_id: null,
    text: 'Résultat',
    takes_several: false,
    items: [
      { id: quiz.result_ids[0], text: 'Pas à pas', count: 1 },
      { id: quiz.result_ids[1], text: 'Grand saut', count: 2 },
    ],
  }
  const columns = {
    question_id,
    dimension_id: null,
    text: 'Votre agenda ?',
    takes_several: false,
    items: [
      { id: answer_ids[0], text: 'Rempli', count: 1 },
      { id: answer_ids[1], text: 'Libre', count: 2 },
    ],
  }
  const cells = [
    [1, 0],
    [0, 2],
  ]
  assert.deepEqual(table, { rows, columns, cells, nb_participants: 3 })
  const turned = await client.statistics.crosstab({ id, rows: question_id, columns: 'result' })
  assert.deepEqual(turned.table, { rows: columns, columns: rows, cells, nb_participants: 3 })
})

test('a crosstab counts multiple choices, « Autre », a scale and missing replies', async () => {
  const quiz = await publishEventSondage(client)
  const blank = { comes: true, themes: [], other: '', note: -1, day: '', word: 'Oui' }
  await quiz.submitBefore(blank)
  await quiz.submit({ ...blank, themes: [0, 2], other: 'Le café', note: 10 })
  await quiz.submit({ ...blank, themes: [0], note: 3 })
  await quiz.submit({ ...blank, themes: [1] })
  await quiz.submit({ ...blank, comes: false, themes: [1], note: 0 })
  const { id, themes, note } = quiz
  const { table } = await client.statistics.crosstab({ id, rows: themes, columns: note })
  assert.ok(table)
  assert.equal(table.nb_participants, 2)
  assert.equal(table.rows.takes_several, true)
  assert.deepEqual(
    table.rows.items.map(({ text, count }) => [text, count]),
    [
      ['Vente', 2],
      ['Gestion, compta', 0],
      ['Site', 1],
      ['Autre', 1],
    ],
  )
  assert.deepEqual(
    table.cells.map((line) => [line[3], line[10]]),
    [
      [1, 1],
      [0, 0],
      [0, 1],
      [0, 1],
    ],
  )
  assert.equal(table.columns.items[10]?.id, `${note}:10`)
  const filtered = await client.statistics.crosstab({
    id,
    rows: themes,
    columns: note,
    answer: `${note}:10`,
  })
  assert.equal(filtered.table?.nb_participants, 1)
  // A survey has no results.
  const none = await client.statistics.crosstab({ id, rows: 'result', columns: note })
  assert.deepEqual(
    [none.table?.rows.items, none.table?.cells, none.table?.nb_participants],
    [[], [], 0],
  )
})

describe('the refusals of a crosstab', () => {
  test('a crosstab is refused for unknown questions, questions without choices, or two equal questions', async () => {
    const { id, question_id, answer_ids, open_id } = await publishedScoreQuiz(client)
    const other = await publishedScoreQuiz(client)
    const answers = { [question_id]: answer_ids[0] ?? '', [open_id]: 'ada@exemple.fr' }
    await app.client.publicQuiz.submit({ id, body: { answers } })
    for (const [rows, columns] of [
      ['result', 'result'],
      [question_id, question_id],
      ['result', open_id],
      ['result', other.question_id],
      [other.question_id, 'result'],
      ['result', 'x'.repeat(10_000)],
      ['', question_id],
    ] as const)
      await refuses(client.statistics.crosstab({ id, rows, columns }), 422, 'invalid')
  })

  test('a crosstab is refused for a foreign quiz', async () => {
    const { id, question_id } = await publishedScoreQuiz(client)
    const { client: stranger } = await app.signUp()
    const asked = { id, rows: 'result', columns: question_id }
    await refuses(stranger.statistics.crosstab(asked), 404, 'not_found')
  })
})
