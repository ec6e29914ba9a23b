import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { createTestApp } from '#server/testing/app/test-app.ts'
import { refusalOf, refuses } from '#server/testing/network/bodies/refusals.ts'
import {
  publishedScoreQuiz,
  publishSample,
  readyProfilsQuiz,
  readyScoreQuiz,
  readySondage,
  type SampleQuiz,
} from '#server/testing/quizzes/sample-quizzes.ts'

const app = await createTestApp()
after(() => app.close())
const { client } = await app.signUp()
const visitor = app.client

const answersOf = (quiz: SampleQuiz, choice: 0 | 1, text = 'camille@exemple.fr') => ({
  [quiz.question_id]: quiz.answer_ids[choice] ?? '',
  [quiz.open_id]: text,
})
const submit = (quiz: SampleQuiz, choice: 0 | 1, more: Record<string, unknown> = {}) =>
  visitor.publicQuiz.submit({ id: quiz.id, body: { answers: answersOf(quiz, choice), ...more } })
const countOf = async ({ id }: SampleQuiz) => (await client.quizzes.get({ id })).quiz.nb_responses
const raw = (quiz: SampleQuiz, body: object) =>
  app.raw({ method: 'POST', url: `/api/v1/quizzes/${quiz.id}/submit`, body })

test('a participant gets a result and an id (product 9.1)', async () => {
  const quiz = await publishedScoreQuiz(client)
  const reply = await raw(quiz, { answers: answersOf(quiz, 1) })
  assert.equal(reply.statusCode, 201)
  const { participant_uuid, ...rest } = reply.json<{ participant_uuid: string }>()
  assert.deepEqual(rest, {
    result: {
      id: quiz.result_ids[1],
      name: 'Grand saut',
      description: null,
      description_text: null,
    },
  })
  assert.equal((await raw(quiz, { answers: {}, participant_uuid })).body, reply.body)
  const given = randomUUID()
  const named = await submit(quiz, 0, { participant_uuid: given.toUpperCase() })
  assert.equal(named.participant_uuid, given)
  assert.equal(named.result?.description, 'Une étape à la fois.')
})

test('a profile quiz gives the result of the chosen answers, and a survey gives none', async () => {
  const quiz = await publishSample(client, readyProfilsQuiz(client))
  assert.equal((await submit(quiz, 0)).result?.name, 'Pas à pas')
  assert.equal((await submit(quiz, 1)).result?.name, 'Grand saut')
  const sondage = await publishSample(client, readySondage(client))
  assert.equal((await submit(sondage, 0)).result, null)
  const [participant] = (await client.statistics.responses({ id: sondage.id })).details
  assert.equal(participant?.final_result_name, null)
})

describe('a repeated participant', () => {
  test('a repeated participant gets 200 with the first outcome, whatever is sent', async () => {
    const quiz = await publishedScoreQuiz(client)
    const participant_uuid = randomUUID()
    const first = await raw(quiz, { answers: answersOf(quiz, 1), participant_uuid })
    const again = await raw(quiz, { answers: answersOf(quiz, 0), participant_uuid })
    const wrong = await raw(quiz, { answers: {}, participant_uuid })
    assert.deepEqual([first.statusCode, again.statusCode, wrong.statusCode], [201, 200, 200])
    assert.equal(again.body, first.body)
    assert.equal(wrong.body, first.body)
    assert.equal(await countOf(quiz), 1)
  })

  test('a repeated participant gets the first outcome also after a withdrawal', async () => {
    const quiz = await publishedScoreQuiz(client)
    const participant_uuid = randomUUID()
    const first = await submit(quiz, 1, { participant_uuid })
    await client.quizzes.update({ id: quiz.id, body: { status: 'Brouillon' } })
    assert.deepEqual(await submit(quiz, 1, { participant_uuid }), first)
  })

  test('a repeated participant gets the first outcome with its first text also after an update', async () => {
    const quiz = await publishedScoreQuiz(client)
    const participant_uuid = randomUUID()
    const first = await submit(quiz, 1, { participant_uuid })
    const [low = '', high = ''] = quiz.result_ids
    await client.results.update({ resultId: high, body: { name: 'Élan', priority_order: 0 } })
    await client.results.update({ resultId: low, body: { priority_order: 1 } })
    await client.quizzes.publish({ id: quiz.id })
    assert.deepEqual(await submit(quiz, 0, { participant_uuid }), first)
    await client.quizzes.remove({ id: quiz.id })
    await refuses(submit(quiz, 1, { participant_uuid }), 404, 'not_found')
  })

  test('a participant counts once if sent twenty times concurrently', async () => {
    const quiz = await publishedScoreQuiz(client)
    const body = { answers: answersOf(quiz, 1), participant_uuid: randomUUID() }
    const replies = await Promise.all(Array.from({ length: 20 }, () => raw(quiz, body)))
    const statuses = replies.map(({ statusCode }) => statusCode).sort()
    assert.deepEqual(statuses, [...Array(19).fill(200), 201])
    assert.equal(new Set(replies.map((reply) => reply.body)).size, 1)
    assert.equal(await countOf(quiz), 1)
    assert.equal((await client.statistics.responses({ id: quiz.id })).details.length, 1)
  })

  test('a participant counts separately in another quiz', async () => {
    const [one, other] = [await publishedScoreQuiz(client), await publishedScoreQuiz(client)]
    const participant_uuid = randomUUID()
    await submit(one, 0, { participant_uuid })
    await submit(other, 1, { participant_uuid })
    assert.deepEqual([await countOf(one), await countOf(other)], [1, 1])
  })
})

describe('the version of a submission', () => {
  test('the version of a visitor who began before an update determines the result', async () => {
    const quiz = await publishedScoreQuiz(client)
    const { version } = (await visitor.publicQuiz.snapshot({ id: quiz.id })).snapshot
    await client.questions.remove({ id: quiz.open_id })
    await client.results.update({ resultId: quiz.result_ids[1] ?? '', body: { name: 'Élan' } })
    await client.quizzes.publish({ id: quiz.id })
    assert.equal((await submit(quiz, 1, { version })).result?.name, 'Grand saut')
    await refuses(submit(quiz, 1), 422, 'invalid')
    const now = { answers: { [quiz.question_id]: quiz.answer_ids[1] ?? '' } }
    assert.equal((await visitor.publicQuiz.submit({ id: quiz.id, body: now })).result?.name, 'Élan')
    assert.equal(await countOf(quiz), 2)
  })

  test('a version that does not exist means the current version', async () => {
    const quiz = await publishedScoreQuiz(client)
    assert.equal((await submit(quiz, 1, { version: 99 })).result?.name, 'Grand saut')
  })
})

describe('the email address of a participant', () => {
  const cases: { name: string; typed: string; email?: string | null; stored: string | null }[] = [
    { name: 'a typed email is stored', typed: ' a@b.fr ', stored: 'a@b.fr' },
    { name: 'a typed email wins', typed: 'a@b.fr', email: 'c@d.fr', stored: 'a@b.fr' },
    { name: 'a sent address may be null', typed: 'a@b.fr', email: null, stored: 'a@b.fr' },
    { name: 'a sent address may be empty', typed: 'a@b.fr', email: '', stored: 'a@b.fr' },
  ]
  const emails = async ({ id }: SampleQuiz) =>
    (await client.statistics.responses({ id })).details.map((participant) => participant.email)
  for (const { name, typed, email, stored } of cases)
    test(name, async () => {
      const quiz = await publishedScoreQuiz(client)
      const body = { answers: answersOf(quiz, 0, typed), email }
      await visitor.publicQuiz.submit({ id: quiz.id, body })
      assert.deepEqual(await emails(quiz), [stored])
      const [participant] = (await client.statistics.responses({ id: quiz.id })).details
      assert.equal(participant?.answers[1]?.answer_text, typed.trim())
    })

  test('the stored email address is the sent one without an email question, and the first of two email questions', async () => {
    const quiz = await publishedScoreQuiz(client)
    const body = { text: 'Une autre ?', type: 'email' as const, page_number: 3 }
    const { question } = await client.questions.create({ id: quiz.id, body })
    await client.quizzes.publish({ id: quiz.id })
    const two = { ...answersOf(quiz, 0, 'un@b.fr'), [question.id]: 'deux@b.fr' }
    await visitor.publicQuiz.submit({ id: quiz.id, body: { answers: two } })
    for (const id of [quiz.open_id, question.id]) await client.questions.remove({ id })
    await client.quizzes.publish({ id: quiz.id })
    const answers = { [quiz.question_id]: quiz.answer_ids[0] ?? '' }
    for (const email of [' c@d.fr ', ' ', undefined])
      await visitor.publicQuiz.submit({ id: quiz.id, body: { answers, email } })
    assert.deepEqual((await emails(quiz)).reverse(), ['un@b.fr', 'c@d.fr', null, null])
  })
})

test('a text of 10,000 characters is stored completely, and ids are case-insensitive', async () => {
  const quiz = await publishedScoreQuiz(client)
  const body = { text: 'Dites-en plus', type: 'textarea' as const, page_number: 2 }
  const { question } = await client.questions.create({ id: quiz.id, body })
  await client.quizzes.publish({ id: quiz.id })
  const text = `${'é'.repeat(9_996)}😀"\\`
  const [[choice = '', chosen = ''] = [], ...others] = Object.entries(answersOf(quiz, 0))
  const given = { [choice.toUpperCase()]: chosen, ...Object.fromEntries(others) }
  const answers = { ...given, [question.id]: text }
  assert.equal((await raw(quiz, { answers })).statusCode, 201)
  const [participant] = (await client.statistics.responses({ id: quiz.id })).details
  assert.equal(participant?.answers[2]?.answer_text, text)
})

describe('the declared duration and trap of a submission', () => {
  const signalsOf = async (quiz: SampleQuiz) =>
    app.db
      .selectFrom('responses')
      .select(['elapsed_seconds', 'is_suspect'])
      .where('quiz_id', '=', quiz.id)
      .executeTakeFirstOrThrow()
  const signs: [name: string, said: object, stored: object][] = [
    ['no duration', {}, { elapsed_seconds: null, is_suspect: false }],
    ['a null duration', { elapsed_seconds: null }, { elapsed_seconds: null, is_suspect: false }],
    ['a minute', { elapsed_seconds: 60 }, { elapsed_seconds: 60, is_suspect: false }],
    ['a duration of zero', { elapsed_seconds: 0 }, { elapsed_seconds: 0, is_suspect: true }],
    [
      'a value in the hidden field',
      { elapsed_seconds: 60, is_trapped: true },
      { elapsed_seconds: 60, is_suspect: true },
    ],
  ]
  for (const [name, said, stored] of signs)
    test(`a submission is stored and counted normally, whatever it declares: ${name}`, async () => {
      const quiz = await publishedScoreQuiz(client)
      assert.equal((await raw(quiz, { answers: answersOf(quiz, 0), ...said })).statusCode, 201)
      assert.deepEqual(await signalsOf(quiz), stored)
      assert.equal(await countOf(quiz), 1)
    })
})

test('a submission with more replies than questions is refused before the replies are checked', async () => {
  const quiz = await publishedScoreQuiz(client)
  const extra = Object.fromEntries(Array.from({ length: 900 }, () => [randomUUID(), '']))
  const reply = await raw(quiz, { answers: { ...answersOf(quiz, 0), ...extra } })
  assert.equal(reply.statusCode, 422)
  assert.match(reply.body, /plus de réponses que ce questionnaire n’a de questions/)
  assert.equal(await countOf(quiz), 0)
})

describe('refused submissions', () => {
  const wrong: [name: string, body: (quiz: SampleQuiz) => object, status: number][] = [
    ['no body', () => [], 422],
    ['no answers', () => ({}), 422],
    ['a question without an answer', (quiz) => ({ answers: { [quiz.open_id]: 'x@y.fr' } }), 422],
    ['a blank answer', (quiz) => ({ answers: answersOf(quiz, 0, ' \n') }), 422],
    [
      'an answer that is not offered',
      (quiz) => ({ answers: { ...answersOf(quiz, 0), [quiz.question_id]: randomUUID() } }),
      422,
    ],
    [
      'an unknown question',
      (quiz) => ({ answers: { ...answersOf(quiz, 0), [randomUUID()]: 'x' } }),
      422,
    ],
    [
      'the words of an answer',
      (quiz) => ({ answers: { ...answersOf(quiz, 0), [quiz.question_id]: 'Rempli' } }),
      422,
    ],
    ['an invalid question id', (quiz) => ({ answers: { ...answersOf(quiz, 0), x: 'x' } }), 422],
    ['a long text', (quiz) => ({ answers: answersOf(quiz, 0, 'x'.repeat(10_001)) }), 422],
    ['a NUL character', (quiz) => ({ answers: answersOf(quiz, 0, 'a\0b') }), 422],
    ['a lone surrogate', (quiz) => ({ answers: answersOf(quiz, 0, 'a\ud800b') }), 422],
    ['a number', (quiz) => ({ answers: { ...answersOf(quiz, 0), [quiz.open_id]: 3 } }), 422],
    ['a long email', (quiz) => ({ answers: answersOf(quiz, 0), email: 'x'.repeat(255) }), 422],
    ['an email with NUL', (quiz) => ({ answers: answersOf(quiz, 0), email: 'a\0@b.fr' }), 422],
    ['a version below 1', (quiz) => ({ answers: answersOf(quiz, 0), version: 0 }), 422],
    [
      'a participant_uuid that is none',
      (quiz) => ({ answers: answersOf(quiz, 0), participant_uuid: 'moi' }),
      422,
    ],
  ]
  for (const [name, body, status] of wrong)
    test(`a submission with ${name} is refused and changes nothing`, async () => {
      const quiz = await publishedScoreQuiz(client)
      const reply = await raw(quiz, body(quiz))
      assert.equal(reply.statusCode, status, reply.body)
      assert.equal(typeof reply.json<{ error: unknown }>().error, 'string')
      assert.equal(await countOf(quiz), 0)
    })

  test('a submission with an answer of another question, or without a required answer, names the question and changes nothing', async () => {
    const quiz = await publishedScoreQuiz(client)
    const other = await client.questions.create({
      id: quiz.id,
      body: { text: 'Et le soir ?', type: 'multiple_choice', answers: [{ text: 'Oui', score: 1 }] },
    })
    await client.quizzes.publish({ id: quiz.id })
    const { question } = other
    const [offered = ''] = question.answers.map(({ id }) => id)
    const answers = { ...answersOf(quiz, 0), [question.id]: offered }
    const refused = async (wrong: Record<string, string>) =>
      (await refusalOf(visitor.publicQuiz.submit({ id: quiz.id, body: { answers: wrong } })))
        .message
    assert.equal(
      await refused({ ...answers, [quiz.question_id]: offered }),
      'Champ « answers » : La réponse à la question "Votre agenda ?" n\'est pas proposée',
    )
    assert.equal(
      await refused(answersOf(quiz, 0)),
      'Champ « answers » : La question "Et le soir ?" n\'a pas de réponse',
    )
    assert.equal(await countOf(quiz), 0)
    await visitor.publicQuiz.submit({ id: quiz.id, body: { answers } })
    assert.equal(await countOf(quiz), 1)
  })

  test('a submission to a quiz that is unpublished, withdrawn or unknown is refused and changes nothing', async () => {
    const draft = await readyScoreQuiz(client)
    await refuses(submit(draft, 0), 403, 'quiz_not_published')
    const quiz = await publishedScoreQuiz(client)
    await client.quizzes.update({ id: quiz.id, body: { status: 'Brouillon' } })
    await refuses(submit(quiz, 0), 403, 'quiz_not_published')
    await client.quizzes.remove({ id: quiz.id })
    await refuses(submit(quiz, 0), 404, 'not_found')
    assert.equal((await refusalOf(submit(quiz, 0))).message, 'Quiz introuvable')
  })
})
