import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { createTestApp } from '#server/testing/app/test-app.ts'
import { refusalOf } from '#server/testing/network/bodies/refusals.ts'
import { publishedScoreQuiz, readyScoreQuiz } from '#server/testing/quizzes/sample-quizzes.ts'

const app = await createTestApp()
after(() => app.close())
const { client } = await app.signUp()

const PARTICIPANTS = 40
const POINTS = [0, 1, 2, 3]

/** Publishes a score quiz with three questions; the score of each answer is its rank. */
const threeQuestions = async () => {
  const { quiz } = await client.quizzes.create({ body: { name: 'Trois', type: 'quiz' } })
  const { id } = quiz
  const results = ['Bas', 'Haut'].map((name) => ({ id: randomUUID(), name }))
  await client.results.saveAll({ id, body: { results } })
  const questions = ['A', 'B', 'C'].map((text) => ({
    id: randomUUID(),
    text,
    type: 'multiple_choice' as const,
    answers: POINTS.map((score) => ({ id: randomUUID(), text: `${score} points`, score })),
  }))
  const [low, high] = results
  const score_thresholds = {
    [low?.id ?? '']: { min_score: 0, max_score: 4 },
    [high?.id ?? '']: { min_score: 5, max_score: 9 },
  }
  await client.questions.saveDraft({ id, body: { questions, score_thresholds } })
  await client.quizzes.publish({ id })
  return { id, questions }
}
type Asked = Awaited<ReturnType<typeof threeQuestions>>

/** Replies in which question B mostly follows A, and the last answer of C is never chosen. */
const take = async ({ id, questions }: Asked, count = PARTICIPANTS) => {
  for (let rank = 0; rank < count; rank++) {
    const ranks = [rank % 4, (rank + (rank % 5 === 0 ? 2 : 0)) % 4, (rank * 7) % 3]
    const answers = Object.fromEntries(
      questions.map((question, place) => [
        question.id,
        question.answers[ranks[place] ?? 0]?.id ?? '',
      ]),
    )
    await app.client.publicQuiz.submit({ id, body: { answers } })
  }
}

test('the alpha and the correlations equal a computation in SQL', async () => {
  const asked = await threeQuestions()
  await take(asked)
  const { rows } = await sql<{ a: number; b: number; c: number; alpha: number }>`
    with points as (
      select choices[1] as a, choices[2] as b, choices[3] as c, choices[1] + choices[2] + choices[3] as total
      from responses where quiz_id = ${asked.id}
    )
    select corr(a, total - a) as a, corr(b, total - b) as b, corr(c, total - c) as c,
      1.5 * (1 - (var_pop(a) + var_pop(b) + var_pop(c)) / var_pop(total))::float as alpha
    from points
  `.execute(app.db)
  const { quality, ...about } = await client.questionQuality.get({ id: asked.id })
  assert.deepEqual(about, { is_newest: false, nb_left_out: 0 })
  const [wanted] = rows
  const figures = [
    quality?.alpha,
    ...(quality?.questions.map((question) => question.correlation) ?? []),
  ]
  for (const [rank, figure] of [wanted?.alpha, wanted?.a, wanted?.b, wanted?.c].entries())
    assert.ok(Math.abs((figures[rank] ?? Number.NaN) - (figure ?? 0)) < 1e-9, `${rank}: ${figures}`)
  assert.deepEqual(
    quality?.questions.map(({ text, nb_asked, unused_answers }) => [
      text,
      nb_asked,
      unused_answers.map((answer) => answer.text),
    ]),
    [
      ['A', PARTICIPANTS, []],
      ['B', PARTICIPANTS, []],
      ['C', PARTICIPANTS, ['3 points']],
    ],
  )
})

test('participants of earlier versions count in the question quality if their replies fit', async () => {
  const asked = await threeQuestions()
  await take(asked)
  const [first] = asked.questions
  await client.questions.removeAnswer({
    id: first?.id ?? '',
    answerId: first?.answers[0]?.id ?? '',
  })
  await client.quizzes.publish({ id: asked.id })
  // A quarter had chosen the answer, so thirty remain.
  const { quality, nb_left_out } = await client.questionQuality.get({ id: asked.id })
  assert.equal(quality?.nb_participants, (PARTICIPANTS * 3) / 4)
  assert.equal(nb_left_out, PARTICIPANTS / 4)
})

test('too few participants or a quiz without scores give a reason instead of the question quality', async () => {
  const asked = await threeQuestions()
  await take(asked, 29)
  assert.deepEqual(await client.questionQuality.get({ id: asked.id }), {
    is_newest: false,
    nb_left_out: 0,
    quality: null,
    reason: 'too_few',
  })
  await client.quizzes.resetMode({ id: asked.id })
  await client.quizzes.publish({ id: asked.id })
  assert.equal((await client.questionQuality.get({ id: asked.id })).reason, 'no_score')
})

test('the question quality of a foreign or unpublished quiz is a 404', async () => {
  const { client: stranger } = await app.signUp()
  const { id } = await publishedScoreQuiz(client)
  const foreign = await refusalOf(stranger.questionQuality.get({ id }))
  assert.deepEqual([foreign.status, foreign.message], [404, 'Quiz introuvable'])
  const fresh = await readyScoreQuiz(client)
  assert.match(
    (await refusalOf(client.questionQuality.get({ id: fresh.id }))).message,
    /jamais été publié/,
  )
})
