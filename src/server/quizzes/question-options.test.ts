import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { ANSWER_DEFAULTS, QUESTION_DEFAULTS } from '#domain/questionnaire/defaults.ts'
import { createTestApp } from '#server/testing/app/test-app.ts'
import { refusalOf } from '#server/testing/network/bodies/refusals.ts'
import { publishedScoreQuiz, readyScoreQuiz } from '#server/testing/quizzes/sample-quizzes.ts'

const app = await createTestApp()
after(() => app.close())
const { client } = await app.signUp()

const OPTIONS = {
  label: 'Agenda',
  help: '**Tout** compte',
  is_required: false,
  max_choices: null,
  has_other: true,
  shuffles_answers: true,
  counts_in_score: true,
  shows_recommendation: false,
  scale_min: 1 as const,
  scale_max: 7 as const,
  scale_min_label: 'Non',
  scale_max_label: 'Oui',
}
const pick = <T extends object, Name extends keyof T>(row: T | undefined, names: readonly Name[]) =>
  Object.fromEntries(names.map((name) => [name, row?.[name]]))
const OPTION_NAMES = Object.keys(OPTIONS) as (keyof typeof OPTIONS)[]

/** Returns the options and jumps of the first question in the draft. */
const load = async (id: string) => {
  const { questions, revision } = await client.drafts.get({ id })
  const [question] = questions
  const jumps = questions.flatMap(({ answers }) => answers.map(({ jump_to }) => jump_to))
  return { options: pick(question, OPTION_NAMES), jumps, questions, revision }
}

test('a question has default options and keeps options that a call leaves out', async () => {
  const { id, question_id } = await readyScoreQuiz(client)
  const before = await load(id)
  assert.deepEqual(before.options, pick(QUESTION_DEFAULTS, OPTION_NAMES))
  assert.deepEqual(before.jumps, [ANSWER_DEFAULTS.jump_to, ANSWER_DEFAULTS.jump_to])
  await client.questions.update({ id: question_id, body: OPTIONS })
  assert.deepEqual((await load(id)).options, OPTIONS)
  // The client knows only the fields of the specification.
  const questions = before.questions.map(
    ({ text, type, global_position, page_number, ...rest }) => ({
      id: rest.id,
      text,
      type,
      global_position,
      page_number,
      answers: rest.answers.map(({ id: answer_id, text, score }) => ({
        id: answer_id,
        text,
        score,
      })),
    }),
  )
  await client.questions.saveDraft({ id, body: { questions } })
  assert.deepEqual((await load(id)).options, OPTIONS)
  await client.drafts.save({
    id,
    body: { based_on: (await load(id)).revision, questions: [{ id: question_id, max_choices: 2 }] },
  })
  assert.deepEqual((await load(id)).options, { ...OPTIONS, max_choices: 2 })
})

test('a copy and the account export contain the options', async () => {
  const { id, question_id, answer_ids } = await readyScoreQuiz(client, 'À copier')
  await client.questions.update({ id: question_id, body: OPTIONS })
  const { revision } = await load(id)
  const answers = answer_ids.map((answer_id) => ({ id: answer_id, question_id, jump_to: 0 }))
  await client.drafts.save({ id, body: { based_on: revision, answers } })
  const { quiz } = await client.quizzes.duplicate({ id })
  const { options, jumps } = await load(quiz.id)
  assert.deepEqual([options, jumps], [OPTIONS, [0, 0]])
  const exported = await client.account.exportData()
  const question = exported.questions.find((candidate) => candidate.id === question_id)
  assert.deepEqual(pick(question as typeof OPTIONS, OPTION_NAMES), OPTIONS)
})

test('options are published, and setting a default explicitly is not a change', async () => {
  const { id, question_id, answer_ids } = await publishedScoreQuiz(client)
  const hasChanges = async () => (await client.quizzes.hasChanges({ id })).has_unpublished_changes
  await client.questions.update({ id: question_id, body: { is_required: false, scale_max: 5 } })
  assert.equal(await hasChanges(), true)
  await client.questions.update({ id: question_id, body: { is_required: true } })
  assert.equal(await hasChanges(), false)
  await client.questions.update({ id: question_id, body: { max_choices: null, help: 'Au choix' } })
  const { revision } = await load(id)
  const answers = [{ id: answer_ids[0] ?? '', question_id, jump_to: 2 }]
  await client.drafts.save({ id, body: { based_on: revision, answers } })
  await client.quizzes.publish({ id })
  assert.equal(await hasChanges(), false)
  const { snapshot } = await app.client.publicQuiz.snapshot({ id })
  const [question] = snapshot.questions
  assert.deepEqual(pick(question, ['max_choices', 'help', 'scale_max', 'is_required']), {
    max_choices: null,
    help: 'Au choix',
    scale_max: undefined,
    is_required: undefined,
  })
  assert.deepEqual(
    question?.answers.map(({ jump_to }) => jump_to),
    [2, undefined],
  )
})

describe('the target page of a jump', () => {
  /** The first answer of page 1 leads to page 2, which contains the open question. */
  const leading = async () => {
    const quiz = await readyScoreQuiz(client)
    const { revision } = await load(quiz.id)
    const answers = [{ id: quiz.answer_ids[0] ?? '', question_id: quiz.question_id, jump_to: 2 }]
    await client.drafts.save({ id: quiz.id, body: { based_on: revision, answers } })
    return quiz
  }
  /** Returns the questions with the fields of the specification only, and the open question on another page. */
  const renumbered = async (id: string, page_number: number) => {
    const { questions } = await client.questions.unified({ id })
    return questions.map(({ answers, ...question }) => ({
      ...pick(question, ['id', 'text', 'type', 'global_position']),
      type: question.type,
      page_number: question.type === 'email' ? page_number : 1,
      answers: answers.map(({ jump_to, ...answer }) => answer),
    }))
  }

  test('a jump keeps its target page in calls that do not mention it', async () => {
    const { id, open_id } = await leading()
    await client.questions.saveDraft({ id, body: { questions: await renumbered(id, 5) } })
    assert.deepEqual((await load(id)).jumps, [5, null])
    await client.questions.update({ id: open_id, body: { page_number: 3 } })
    assert.deepEqual((await load(id)).jumps, [3, null])
    const { revision } = await load(id)
    const questions = [{ id: open_id, page_number: 4 }]
    await client.drafts.save({ id, body: { based_on: revision, questions } })
    assert.deepEqual((await load(id)).jumps, [4, null])
    await client.questions.remove({ id: open_id })
    assert.deepEqual((await load(id)).jumps, [-1, null])
  })

  test('a call can change the target page of a jump', async () => {
    const { id, open_id, question_id, answer_ids } = await leading()
    const questions = (await renumbered(id, 5)).map((question) => ({
      ...question,
      answers: question.answers.map((answer) => ({ ...answer, jump_to: 2 })),
    }))
    await client.questions.saveDraft({ id, body: { questions } })
    assert.deepEqual((await load(id)).jumps, [2, 2])
    const { revision } = await load(id)
    await client.drafts.save({
      id,
      body: {
        based_on: revision,
        questions: [{ id: open_id, page_number: 2 }],
        answers: [{ id: answer_ids[1] ?? '', question_id, jump_to: 0 }],
      },
    })
    assert.deepEqual((await load(id)).jumps, [2, 0])
  })

  test('a jump without a target is refused at the publication', async () => {
    const { id, open_id } = await leading()
    await client.questions.remove({ id: open_id })
    const { validation_errors } = await refusalOf(client.quizzes.publish({ id }))
    assert.deepEqual(validation_errors, [
      'La réponse "Rempli" de la question "Votre agenda ?" mène à une page qui a été supprimée',
    ])
  })
})

test('a quiz whose only score is a scale is published', async () => {
  const { id, question_id, result_ids } = await readyScoreQuiz(client)
  await client.questions.remove({ id: question_id })
  const body = { type: 'scale', text: 'De 0 à 10 ?', counts_in_score: true } as const
  await client.questions.create({ id, body })
  await client.quizzes.publish({ id })
  const { snapshot } = await app.client.publicQuiz.snapshot({ id })
  assert.equal(snapshot.quiz_mode, 'score')
  assert.equal(snapshot.results.length, result_ids.length)
})

describe('an invalid question', () => {
  const wrong: [field: string, value: unknown][] = [
    ['max_choices', 0],
    ['max_choices', 101],
    ['max_choices', 1.5],
    ['scale_min', 3],
    ['scale_max', 6],
    ['scale_max_label', 'x'.repeat(61)],
    ['label', 'x'.repeat(61)],
    ['help', 'x'.repeat(501)],
    ['is_required', null],
    ['has_other', 'oui'],
    ['shuffles_answers', 1],
    ['counts_in_score', null],
  ]
  test('an invalid question is refused with its field and not stored', async () => {
    const { id, question_id } = await readyScoreQuiz(client)
    const { options } = await load(id)
    for (const [field, value] of wrong) {
      const body = { text: 'Autre ?', [field]: value }
      const { status, message } = await refusalOf(
        client.questions.update({ id: question_id, body }),
      )
      assert.equal(status, 422, field)
      assert.ok(message.startsWith(`Champ « ${field} »`), message)
    }
    assert.deepEqual((await load(id)).options, options)
    assert.equal((await load(id)).questions[0]?.text, 'Votre agenda ?')
  })

  test('a question with a jump beyond the maximum number of pages is refused', async () => {
    const { id, question_id, answer_ids } = await readyScoreQuiz(client)
    for (const jump_to of [-2, 101, 1.5, '2']) {
      const answers = [{ id: answer_ids[0], text: 'Rempli', jump_to: jump_to as number }]
      const saved = client.questions.saveAnswers({ id: question_id, body: { answers } })
      const { status, message } = await refusalOf(saved)
      assert.equal(status, 422, String(jump_to))
      assert.ok(message.startsWith('Champ « answers.0.jump_to »'), message)
    }
    assert.deepEqual((await load(id)).jumps, [null, null])
  })

  test('options of another question type are ignored', async () => {
    const { id, open_id } = await readyScoreQuiz(client)
    await client.questions.update({ id: open_id, body: { ...OPTIONS, label: null, help: null } })
    await client.quizzes.publish({ id })
    const { snapshot } = await app.client.publicQuiz.snapshot({ id })
    const open = snapshot.questions.find((question) => question.id === open_id)
    const frozen = Object.keys(open ?? {}).filter((name) => name in QUESTION_DEFAULTS)
    assert.deepEqual(frozen, ['is_required'])
  })
})
