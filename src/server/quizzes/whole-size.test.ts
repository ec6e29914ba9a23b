import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { RefusedCall } from '#contract/client/client.ts'
import { questionOf } from '#domain/testing/drafts.ts'
import { createTestApp, type SignedUp } from '#server/testing/app/test-app.ts'
import { downloadQuizFile, importQuizFile } from '#server/testing/quizzes/quiz-files.ts'

// Runs in test:all, because each of its questionnaires has the maximum size.

const app = await createTestApp()
after(() => app.close())

/** Number of answers per question and of letters per answer: 40 such questions take 90 % of the maximum size. */
const ANSWERS = 100
const ANSWER = 'Une réponse'

const questionsOf = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    id: randomUUID(),
    text: `Question ${index} ?`,
    type: 'multiple_choice' as const,
    answers: Array.from({ length: ANSWERS }, () => ({ id: randomUUID(), text: ANSWER })),
  }))
const textOf = (nb_questions: number): string =>
  [
    '# Grand quiz',
    'Type : sondage',
    '## Page 1',
    ...Array.from({ length: nb_questions }, (_, index) =>
      [`### Question ${index} ?`, ...Array.from({ length: ANSWERS }, () => `- ${ANSWER}`)].join(
        '\n',
      ),
    ),
  ].join('\n')

const refusalOf = async (call: Promise<unknown>): Promise<{ status: number; message: string }> => {
  const error = await call.then(
    () => assert.fail('The call was accepted'),
    (thrown: unknown) => thrown,
  )
  assert.ok(error instanceof RefusedCall)
  return { status: error.status, message: error.message }
}
const isTooLarge = async (call: Promise<unknown>): Promise<void> => {
  const { status, message } = await refusalOf(call)
  assert.equal(status, 422)
  assert.match(message, /^Ce questionnaire est trop grand : il dépasse de \d+\u00a0% la taille/)
}

const newSondage = async ({ client }: SignedUp): Promise<string> =>
  (await client.quizzes.create({ body: { name: 'Grand', type: 'sondage' } })).quiz.id

/** Returns a survey of 40 questions with 100 answers each. */
const largeSondage = async (me: SignedUp): Promise<string> => {
  const id = await newSondage(me)
  await me.client.questions.saveDraft({ id, body: { questions: questionsOf(40) } })
  return id
}

describe('a questionnaire above the maximum size', () => {
  let me: SignedUp
  let id: string
  before(async () => {
    me = await app.signUp()
    id = await largeSondage(me)
  })
  const countAnswers = async (): Promise<number> =>
    (await me.client.quizzes.get({ id })).answers.length

  const ways: [way: string, write: () => Promise<unknown>][] = [
    [
      'the questions of a screen',
      () => me.client.questions.saveDraft({ id, body: { questions: questionsOf(60) } }),
    ],
    [
      'one more question',
      async () => {
        for (const question of questionsOf(20))
          await me.client.questions.create({ id, body: question })
      },
    ],
    [
      'results with long texts',
      () =>
        me.client.results.saveAll({
          id,
          body: {
            results: Array.from({ length: 100 }, (_, rank) => ({
              name: `Résultat ${rank}`,
              description: '- **a** [b](http://c.fr)\n'.repeat(50),
            })),
          },
        }),
    ],
    [
      'an automatic save',
      async () => {
        const { revision } = await me.client.drafts.get({ id })
        const text_blocks = Array.from({ length: 40 }, (_, rank) => ({
          id: randomUUID(),
          content: '- a\n'.repeat(498),
          page_number: 1,
          global_position: 100 + rank,
        }))
        await me.client.drafts.save({ id, body: { based_on: revision, text_blocks } })
      },
    ],
  ]
  for (const [way, write] of ways)
    test(`a questionnaire above the maximum size is refused: ${way}`, async () => {
      await isTooLarge(write())
      const nb_answers = await countAnswers()
      // Questions are stored one by one until the first that does not fit.
      assert.ok(nb_answers < 4_500)
    })

  const nb_quizzes = async () => (await me.client.quizzes.list()).quizzes.length
  test('a text above the maximum size is refused', async () => {
    const count = await nb_quizzes()
    await isTooLarge(me.client.quizzes.importText({ body: { text: textOf(60) } }))
    assert.equal(await nb_quizzes(), count)
  })

  test('a file above the maximum size is refused', async () => {
    const count = await nb_quizzes()
    const file = (await downloadQuizFile(app, me, id)).json()
    const more = file.questions.map((question: { id: string }) => ({
      ...question,
      id: `${question.id}-2`,
    }))
    const larger = { ...file, questions: [...file.questions, ...more] }
    const reply = await importQuizFile(app, me, JSON.stringify(larger))
    assert.equal(reply.statusCode, 422)
    assert.match(reply.json().error, /^Ce questionnaire est trop grand/)
    assert.equal(await nb_quizzes(), count)
  })
})

describe('an old draft above the maximum size', () => {
  let me: SignedUp
  let id: string
  before(async () => {
    me = await app.signUp()
    id = await largeSondage(me)
    await sql`update answers set text = repeat('x', 400) where question_id in (
      select id from questions where quiz_id = ${id}
    )`.execute(app.db)
  })

  test('an old draft above the maximum size can be read but not copied', async () => {
    const { questions } = await me.client.drafts.get({ id })
    assert.equal(questions.length, 40)
    await isTooLarge(me.client.quizzes.duplicate({ id }))
  })

  test('an old draft above the maximum size cannot be published', async () => {
    const error = await me.client.quizzes.publish({ id }).catch((thrown: unknown) => thrown)
    assert.ok(error instanceof RefusedCall)
    assert.match(error.validation_errors.join('\n'), /^Ce questionnaire est trop grand/)
  })

  test('an old draft above the maximum size can be reduced step by step but cannot grow', async () => {
    const { questions } = await me.client.drafts.get({ id })
    const [first, second] = questions.map((question) => question.id)
    await me.client.questions.remove({ id: first ?? '' })
    await isTooLarge(
      me.client.questions.create({ id, body: questionOf('new', { id: randomUUID() }) }),
    )
    await me.client.questions.update({ id: second ?? '', body: { is_required: false } })
    assert.equal((await me.client.questions.list({ id })).questions.length, 39)
  })
})
