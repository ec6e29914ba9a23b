import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { refuses } from '#server/testing/refusals.ts'
import { publishedScoreQuiz, type Ready } from '#server/testing/sample-quizzes.ts'
import { createTestApp } from '#server/testing/test-app.ts'

const app = await createTestApp()
after(() => app.close())
const { client } = await app.signUp()

const submit = (quiz: Ready, choice: 0 | 1, text: string) =>
  app.client.taking.submit({
    id: quiz.id,
    body: {
      answers: { [quiz.question_id]: quiz.answer_ids[choice] ?? '', [quiz.open_id]: text },
    },
  })
const linesOf = async (quiz: Ready, question_id: string) =>
  (await client.statistics.responses({ id: quiz.id })).stats[question_id]?.answers.map((line) => [
    line.answer_text,
    line.count,
    line.percentage,
  ])

test('nobody yet: empty, not an error', async () => {
  const { id } = await publishedScoreQuiz(client)
  assert.deepEqual(await client.statistics.responses({ id }), {
    stats: {},
    details: [],
    next_cursor: null,
  })
})

test('every answer has its line, zero included; percentages have one decimal', async () => {
  const quiz = await publishedScoreQuiz(client)
  for (const name of ['a', 'b', 'c']) await submit(quiz, 0, `${name}@exemple.fr`)
  assert.deepEqual(await linesOf(quiz, quiz.question_id), [
    ['Rempli', 3, 100],
    ['Libre', 0, 0],
  ])
  assert.deepEqual(await linesOf(quiz, quiz.open_id), [
    ['a@exemple.fr', 1, 33.3],
    ['b@exemple.fr', 1, 33.3],
    ['c@exemple.fr', 1, 33.3],
  ])
})

test('an open question: its ten most frequent texts, then the others as one', async () => {
  const quiz = await publishedScoreQuiz(client)
  const texts = ['z', 'z', 'z', ...Array.from('abcdefghijkl')]
  for (const text of texts) await submit(quiz, 1, text)
  const lines = (await linesOf(quiz, quiz.open_id)) ?? []
  assert.deepEqual(lines[0], ['z', 3, 20])
  assert.equal(lines.length, 11)
  assert.deepEqual(lines.at(-1), ['Autres réponses', 3, 20])
})

test('texts are those the participant saw, whatever is edited later', async () => {
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
    ['Bien rempli', 1, 50],
    ['Libre', 0, 0],
    ['Rempli', 1, 50],
  ])
  await client.questions.remove({ id: quiz.question_id })
  await client.quizzes.publish({ id: quiz.id })
  const { details, stats } = await client.statistics.responses({ id: quiz.id })
  assert.equal(stats[quiz.question_id]?.question_text, 'Votre agenda ?')
  assert.deepEqual(
    details.map(({ answers }) => answers[0]?.answer_text),
    ['Bien rempli', 'Rempli'],
  )
})

test('participants come newest first, page by page, each once', async () => {
  const quiz = await publishedScoreQuiz(client)
  const arrived: string[] = []
  for (let rank = 0; rank < 7; rank++)
    arrived.push((await submit(quiz, 0, `${rank}@exemple.fr`)).participant_uuid)
  // Several may have come within the same microsecond.
  await app.db
    .updateTable('responses')
    .set({ created_at: '2026-01-01T00:00:00Z' })
    .where('quiz_id', '=', quiz.id)
    .where('participant_uuid', 'in', arrived.slice(0, 4))
    .execute()
  const seen: string[] = []
  let cursor: string | undefined
  do {
    const page = await client.statistics.responses({ id: quiz.id, limit: 2, cursor })
    assert.ok(page.details.length <= 2)
    seen.push(...page.details.map(({ participant_uuid }) => participant_uuid))
    cursor = page.next_cursor ?? undefined
  } while (cursor)
  assert.deepEqual([...seen].sort(), [...arrived].sort())
  assert.deepEqual(seen.slice(0, 3), arrived.slice(4).reverse())
})

test('a participant has date, email, result and answers', async () => {
  const quiz = await publishedScoreQuiz(client)
  await submit(quiz, 1, 'camille@exemple.fr')
  const [participant] = (await client.statistics.responses({ id: quiz.id })).details
  assert.ok(Date.parse(participant?.created_at ?? ''))
  assert.deepEqual(
    [participant?.email, participant?.final_result_name, participant?.answers],
    [
      'camille@exemple.fr',
      'Grand saut',
      [
        { question_text: 'Votre agenda ?', answer_text: 'Libre' },
        { question_text: 'Où vous écrire ?', answer_text: 'camille@exemple.fr' },
      ],
    ],
  )
})

test('limits and cursors that are none are refused; another’s quiz is not there', async () => {
  const { id } = await publishedScoreQuiz(client)
  for (const limit of [0, 501, 1.5])
    await refuses(client.statistics.responses({ id, limit }), 422, 'invalid')
  for (const cursor of ['x', Buffer.from('hier personne').toString('base64url')])
    await refuses(client.statistics.responses({ id, cursor }), 422, 'invalid')
  const stranger = (await app.signUp()).client
  await refuses(stranger.statistics.responses({ id }), 404, 'not_found')
  await refuses(app.client.statistics.responses({ id }), 401, 'unauthorized')
})
