import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { NO_CONTACT } from '#domain/run/contact/contact.ts'
import { createTestApp } from '#server/testing/app/test-app.ts'
import { refuses } from '#server/testing/network/bodies/refusals.ts'
import { publishedScoreQuiz, type SampleQuiz } from '#server/testing/quizzes/sample-quizzes.ts'

const app = await createTestApp()
after(() => app.close())
const { client } = await app.signUp()

const submit = (quiz: SampleQuiz, choice: 0 | 1, text: string) =>
  app.client.publicQuiz.submit({
    id: quiz.id,
    body: {
      answers: { [quiz.question_id]: quiz.answer_ids[choice] ?? '', [quiz.open_id]: text },
    },
  })
const linesOf = async (quiz: SampleQuiz, question_id: string) =>
  (await client.statistics.responses({ id: quiz.id })).stats[question_id]?.answers.map((line) => [
    line.answer_text,
    line.count,
    line.percentage,
  ])

test('a quiz without participants has empty figures', async () => {
  const { id } = await publishedScoreQuiz(client)
  assert.deepEqual(await client.statistics.responses({ id }), {
    stats: {},
    details: [],
    next_cursor: null,
  })
})

test('all figures of a small example are correct', async () => {
  const quiz = await publishedScoreQuiz(client)
  const given: [choice: 0 | 1, text: string][] = [
    [0, 'ada@exemple.fr'],
    [1, 'ada@exemple.fr'],
    [0, '  alan@exemple.fr '],
  ]
  const uuids: string[] = []
  for (const [choice, text] of given)
    uuids.push((await submit(quiz, choice, text)).participant_uuid)
  const { stats, details, next_cursor } = await client.statistics.responses({ id: quiz.id })
  assert.deepEqual(Object.entries(stats), [
    [
      quiz.question_id,
      {
        question_text: 'Votre agenda ?',
        answers: [
          { answer_text: 'Rempli', count: 2, percentage: 66.7, filter: quiz.answer_ids[0] },
          { answer_text: 'Libre', count: 1, percentage: 33.3, filter: quiz.answer_ids[1] },
        ],
      },
    ],
    [
      quiz.open_id,
      {
        question_text: 'Où vous écrire ?',
        answers: [
          { answer_text: 'ada@exemple.fr', count: 2, percentage: 66.7 },
          { answer_text: 'alan@exemple.fr', count: 1, percentage: 33.3 },
        ],
      },
    ],
  ])
  assert.deepEqual(
    details.map(({ created_at, ...participant }) => participant),
    [
      [uuids[2], 'alan@exemple.fr', 'Pas à pas', 'Rempli'],
      [uuids[1], 'ada@exemple.fr', 'Grand saut', 'Libre'],
      [uuids[0], 'ada@exemple.fr', 'Pas à pas', 'Rempli'],
    ].map(([participant_uuid, email, final_result_name, choice]) => ({
      participant_uuid,
      email,
      ...NO_CONTACT,
      email_confirmation: null,
      final_result_name,
      dimensions: [],
      answers: [
        { question_text: 'Votre agenda ?', answer_text: choice, choices: [choice] },
        { question_text: 'Où vous écrire ?', answer_text: email, choices: [] },
      ],
      elapsed_seconds: null,
      is_suspect: false,
      parameters: {},
    })),
  )
  assert.equal(next_cursor, null)
})

test('every answer has a row, also with zero, and percentages add up to 100', async () => {
  const quiz = await publishedScoreQuiz(client)
  for (const name of ['a', 'b', 'c']) await submit(quiz, 0, `${name}@exemple.fr`)
  assert.deepEqual(await linesOf(quiz, quiz.question_id), [
    ['Rempli', 3, 100],
    ['Libre', 0, 0],
  ])
  assert.deepEqual(await linesOf(quiz, quiz.open_id), [
    ['a@exemple.fr', 1, 33.4],
    ['b@exemple.fr', 1, 33.3],
    ['c@exemple.fr', 1, 33.3],
  ])
})

test('an open question has its ten most frequent texts and one row for the others', async () => {
  const quiz = await publishedScoreQuiz(client)
  const texts = ['z', 'z', 'z', ...Array.from('abcdefghijkl')]
  for (const text of texts) await submit(quiz, 1, `${text}@exemple.fr`)
  const lines = (await linesOf(quiz, quiz.open_id)) ?? []
  assert.deepEqual(lines[0], ['z@exemple.fr', 3, 20])
  assert.equal(lines.length, 11)
  assert.deepEqual(lines.at(-1), ['Autres réponses', 3, 20])
})

test('a corrected answer is one line with its earlier text, and each participant has the text that they saw', async () => {
  const quiz = await publishedScoreQuiz(client)
  await submit(quiz, 0, 'a@exemple.fr')
  await client.questions.saveAnswers({
    id: quiz.question_id,
    body: {
      answers: [
        { id: quiz.answer_ids[0], text: 'Bien rempli', score: 1 },
        { id: quiz.answer_ids[1], text: 'Libre', score: 5 },
      ],
    },
  })
  await client.quizzes.publish({ id: quiz.id })
  await submit(quiz, 0, 'b@exemple.fr')
  assert.deepEqual(await linesOf(quiz, quiz.question_id), [
    ['Bien rempli', 2, 100],
    ['Libre', 0, 0],
  ])
  const { stats: corrected } = await client.statistics.responses({ id: quiz.id })
  assert.deepEqual(corrected[quiz.question_id]?.answers[0]?.earlier_texts, ['Rempli'])
  await client.questions.remove({ id: quiz.question_id })
  await client.quizzes.publish({ id: quiz.id })
  const { details, stats } = await client.statistics.responses({ id: quiz.id })
  assert.equal(stats[quiz.question_id]?.question_text, 'Votre agenda ?')
  assert.deepEqual(
    details.map(({ answers }) => answers[0]?.answer_text),
    ['Bien rempli', 'Rempli'],
  )
})

test('the statistics of a foreign quiz are a 404', async () => {
  const { id } = await publishedScoreQuiz(client)
  const stranger = (await app.signUp()).client
  await refuses(stranger.statistics.responses({ id }), 404, 'not_found')
  await refuses(app.client.statistics.responses({ id }), 401, 'unauthorized')
  await client.quizzes.remove({ id })
  await refuses(client.statistics.responses({ id }), 404, 'in_trash')
})
