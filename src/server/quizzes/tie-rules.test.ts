import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, test } from 'node:test'
import type { QuizTies } from '#domain/questionnaire/quiz.ts'
import { createBuiltApp } from '#server/testing/app/built-app.ts'
import { postForm } from '#server/testing/network/bodies/post-form.ts'
import { refusalOf } from '#server/testing/network/bodies/refusals.ts'
import { readyTiedQuiz } from '#server/testing/quizzes/sample-quizzes.ts'

const app = await createBuiltApp()
after(() => app.close())
const { client } = await app.signUp()
const stranger = await app.signUp()

type Tied = Awaited<ReturnType<typeof readyTiedQuiz>>
const tiesOf = async (id: string) => {
  const { quiz } = await client.drafts.get({ id })
  return [quiz.tie_rule, quiz.tie_question_id]
}
const saveTies = async (id: string, quiz: Partial<QuizTies>, removed: string[] = []) => {
  const { revision } = await client.drafts.get({ id })
  return client.drafts.save({ id, body: { based_on: revision, quiz, removed } })
}
const frozenTies = async (id: string) => {
  const { snapshot } = await app.client.publicQuiz.snapshot({ id })
  return Object.fromEntries(
    Object.entries(snapshot.quiz).filter(([name]) => name.startsWith('tie_')),
  )
}
/** Returns replies with a tie: each of the first two questions favours one result. */
const equalReplies = ({ question_id, answer_ids, second, open_id }: Tied) => ({
  [question_id]: answer_ids[0] ?? '',
  [second.id]: second.answer_ids[1] ?? '',
  [open_id]: 'c@exemple.fr',
})
const submit = async (quiz: Tied) => {
  const participant_uuid = randomUUID()
  const body = { answers: equalReplies(quiz), participant_uuid }
  const { result } = await app.client.publicQuiz.submit({ id: quiz.id, body })
  const { explanation } = await client.participants.explain({
    id: quiz.id,
    participantId: participant_uuid,
  })
  return { result, explanation }
}

describe('the tie rule', () => {
  test('the tie rule has a default and is saved by the autosave and by the call', async () => {
    const { id, second } = await readyTiedQuiz(client)
    assert.deepEqual(await tiesOf(id), ['priority', null])
    await saveTies(id, { tie_rule: 'question', tie_question_id: second.id })
    assert.deepEqual(await tiesOf(id), ['question', second.id])
    const { quiz } = await client.quizzes.update({ id, body: { tie_rule: 'both' } })
    assert.deepEqual([quiz.tie_rule, quiz.tie_question_id], ['both', second.id])
    await client.quizzes.update({ id, body: { tie_question_id: null } })
    assert.deepEqual(await tiesOf(id), ['both', null])
  })

  test('the tie rule accepts only a choice question of the quiz', async () => {
    const { id, open_id } = await readyTiedQuiz(client)
    const other = await readyTiedQuiz(client)
    const theirs = await readyTiedQuiz(stranger.client)
    for (const tie_question_id of [open_id, other.second.id, theirs.second.id, randomUUID(), id])
      for (const [call, field] of [
        [() => saveTies(id, { tie_rule: 'both', tie_question_id }), 'quiz.tie_question_id'],
        [
          () => client.quizzes.update({ id, body: { name: 'x', tie_question_id } }),
          'tie_question_id',
        ],
      ] as const) {
        const { status, message } = await refusalOf(call())
        assert.equal(status, 422)
        assert.ok(message.startsWith(`Champ « ${field} » : La question qui départage`), message)
      }
    assert.deepEqual(await tiesOf(id), ['priority', null])
    assert.notEqual((await client.quizzes.get({ id })).quiz.name, 'x')
  })

  test('the tie rule is reset when its question is deleted and when the mode is cleared', async () => {
    const deletions: ((quiz: Tied) => Promise<unknown>)[] = [
      ({ second }) => client.questions.remove({ id: second.id }),
      ({ id, second }) => saveTies(id, {}, [second.id]),
      ({ id }) => client.questions.saveDraft({ id, body: { questions: [] } }),
    ]
    for (const remove of deletions) {
      const quiz = await readyTiedQuiz(client)
      await saveTies(quiz.id, { tie_rule: 'question', tie_question_id: quiz.second.id })
      await remove(quiz)
      assert.deepEqual(await tiesOf(quiz.id), ['question', null])
    }
    const { id, second } = await readyTiedQuiz(client)
    await saveTies(id, { tie_rule: 'question', tie_question_id: second.id })
    await client.quizzes.resetMode({ id })
    assert.deepEqual(await tiesOf(id), ['priority', null])
  })

  test('the tie rule is copied with the copied question and exported with the account', async () => {
    const { id, second } = await readyTiedQuiz(client)
    await saveTies(id, { tie_rule: 'question', tie_question_id: second.id })
    const { quiz } = await client.quizzes.duplicate({ id })
    const { questions } = await client.drafts.get({ id: quiz.id })
    const copied = questions.find(({ text }) => text === 'Plutôt ?')
    assert.deepEqual(await tiesOf(quiz.id), ['question', copied?.id])
    assert.notEqual(copied?.id, second.id)
    const exported = await client.account.exportData()
    const row = exported.quizzes.find((candidate) => candidate.id === id) as
      | Partial<QuizTies>
      | undefined
    assert.deepEqual([row?.tie_rule, row?.tie_question_id], ['question', second.id])
  })

  test('the tie rule is part of a version, so that a change must be published', async () => {
    const { id, second } = await readyTiedQuiz(client)
    const hasChanges = async () => (await client.quizzes.hasChanges({ id })).has_unpublished_changes
    await client.quizzes.publish({ id })
    assert.deepEqual(await frozenTies(id), {})
    await saveTies(id, { tie_rule: 'both' })
    assert.deepEqual([await hasChanges(), await frozenTies(id)], [true, {}])
    await client.quizzes.publish({ id })
    assert.deepEqual([await hasChanges(), await frozenTies(id)], [false, { tie_rule: 'both' }])
    // The question has no effect with this rule.
    await saveTies(id, { tie_question_id: second.id })
    assert.equal(await hasChanges(), false)
  })

  test('a tie rule without its question cannot be published', async () => {
    const { id, second } = await readyTiedQuiz(client)
    await saveTies(id, { tie_rule: 'question' })
    const { validation_errors } = await refusalOf(client.quizzes.publish({ id }))
    assert.deepEqual(validation_errors, [
      'Choisissez la question qui départage les résultats à égalité, ou une autre règle',
    ])
    await saveTies(id, { tie_question_id: second.id })
    await client.quizzes.publish({ id })
    assert.deepEqual(await frozenTies(id), { tie_rule: 'question', tie_question_id: second.id })
  })
})

describe('a participant with tied results', () => {
  const cases = [
    ['priority', 'Pas à pas', 'order', null],
    ['question', 'Grand saut', 'question', 2],
    ['both', 'Pas à pas', 'all_shown', null],
  ] as const
  for (const [tie_rule, expected, settled_by, question_number] of cases)
    test(`a participant with tied results gets ${expected} by the rule '${tie_rule}', with an explanation`, async () => {
      const quiz = await readyTiedQuiz(client)
      await saveTies(quiz.id, { tie_rule, tie_question_id: quiz.second.id })
      await client.quizzes.publish({ id: quiz.id })
      const { result, explanation } = await submit(quiz)
      assert.deepEqual([result?.name, explanation.result_name], [expected, expected])
      const [other] = ['Pas à pas', 'Grand saut'].filter((name) => name !== expected)
      assert.deepEqual(explanation.tie, { result_names: [other], settled_by, question_number })
    })

  test('a participant with tied results sees both results without scripts and shares the first', async () => {
    const quiz = await readyTiedQuiz(client)
    const { id, result_ids } = quiz
    const [first = '', second = ''] = result_ids
    const lead = { button_text: 'Écrire', button_url: 'https://exemple.fr/a' }
    await client.results.update({ resultId: first, body: { redirect_url: 'https://exemple.fr/1' } })
    await client.results.update({
      resultId: second,
      body: { ...lead, description: '**Osez** !', redirect_url: 'https://exemple.fr/2' },
    })
    const endOf = async () => {
      const fields = equalReplies(quiz)
      const url = `/q/${id}/resultat?participant=${randomUUID()}&secret=secret-of-a-run-in-a-test`
      const { headers, statusCode } = await postForm(app.app, { url, fields })
      assert.equal(statusCode, 303)
      return (await app.app.inject(String(headers.location))).body
    }
    await client.quizzes.publish({ id })
    assert.doesNotMatch(await endOf(), /Grand saut|ex æquo/i)
    await saveTies(id, { tie_rule: 'both' })
    await client.quizzes.publish({ id })
    const end = await endOf()
    assert.match(end, /<h1[^>]*>Pas à pas<\/h1>.*<p[^>]*>Ex æquo<\/p>.*<h2[^>]*>Grand saut<\/h2>/)
    assert.match(end, /<strong>Osez<\/strong>.*href="https:\/\/exemple\.fr\/a"[^>]*>Écrire/)
    assert.match(end, /<meta http-equiv="refresh" content="5;url=https:\/\/exemple\.fr\/1">/)
    assert.doesNotMatch(end, /exemple\.fr\/2|r=2"/)
    assert.match(end, new RegExp(`href="/q/${id}\\?r=1"[^>]*>Partager mon résultat`))
  })
})
