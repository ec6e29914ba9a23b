import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, test } from 'node:test'
import type { Client } from '#contract/client/client.ts'
import type { Replies } from '#domain/questionnaire/quiz.ts'
import { createTestApp } from '#server/testing/app/test-app.ts'
import { refuses } from '#server/testing/network/bodies/refusals.ts'
import {
  publishedScoreQuiz,
  publishSample,
  readyScoreQuiz,
  readySondage,
  type SampleQuiz,
} from '#server/testing/quizzes/sample-quizzes.ts'

const app = await createTestApp()
after(() => app.close())
const { client } = await app.signUp()

type DryRun = Parameters<Client['dryRuns']['get']>[0]
type Subject = Omit<DryRun, 'id'>
const read = (id: string, subject: Subject) => client.dryRuns.get({ id, ...subject })
/** Returns both numbers and the addresses of the list. */
const summaryOf = async (id: string, subject: Subject) => {
  const { nb_participants, nb_matching, participants } = await read(id, subject)
  return [nb_matching, nb_participants, participants.map(({ email }) => email)]
}
/** Stores a wording of the consent box as the participant's choice; 0 for a declined consent. */
const setConsent = (participant_uuid: string, consent_version: number | null) =>
  app.db
    .updateTable('responses')
    .set({ consent_version })
    .where('participant_uuid', '=', participant_uuid)
    .execute()

type Arrival = { email?: string; choice?: 0 | 1; version?: number; consent?: number | null }
const arrive = async (
  quiz: SampleQuiz,
  { email = '', choice = 0, consent, version }: Arrival,
): Promise<string> => {
  const answers = { [quiz.question_id]: quiz.answer_ids[choice] ?? '', [quiz.open_id]: email }
  const body = { answers, ...(version !== undefined && { version }) }
  const { participant_uuid } = await app.client.publicQuiz.submit({ id: quiz.id, body })
  if (consent !== undefined) await setConsent(participant_uuid, consent)
  return participant_uuid
}
/** Publishes a quiz whose email question may be left blank. */
const optionalAddressQuiz = async (ready = readyScoreQuiz(client)): Promise<SampleQuiz> => {
  const quiz = await ready
  await client.questions.update({ id: quiz.open_id, body: { is_required: false } })
  return publishSample(client, Promise.resolve(quiz))
}

describe('the dry run of a rule', () => {
  test('a rule concerns participants with the result or the answer, an address and no declined consent', async () => {
    const quiz = await optionalAddressQuiz()
    const { id, question_id, answer_ids, result_ids } = quiz
    await arrive(quiz, { email: 'a@exemple.fr' })
    await arrive(quiz, { email: 'b@exemple.fr', choice: 1 })
    await arrive(quiz, { email: 'c@exemple.fr', consent: 1 })
    await arrive(quiz, { email: 'declined@exemple.fr', consent: 0 })
    await arrive(quiz, { choice: 0 })
    const result = { result_id: result_ids[0] }
    const answer = { question_id, answer_id: answer_ids[0] }
    const expected = [2, 5, ['c@exemple.fr', 'a@exemple.fr']]
    assert.deepEqual(await summaryOf(id, result), expected)
    assert.deepEqual(await summaryOf(id, answer), expected)
    assert.deepEqual(await summaryOf(id, { result_id: result_ids[1] }), [1, 5, ['b@exemple.fr']])
    // With the box, participants who were never asked did not agree.
    await client.quizzes.update({ id, body: { consent_mode: 'box' } })
    assert.deepEqual(await summaryOf(id, result), [1, 5, ['c@exemple.fr']])
  })

  test('a rule concerns participants of older versions after its answer and its result were deleted', async () => {
    const quiz = await publishedScoreQuiz(client)
    const { id, question_id, answer_ids, result_ids } = quiz
    await arrive(quiz, { email: 'first@exemple.fr' })
    await client.questions.saveAnswers({
      id: question_id,
      body: {
        answers: [
          { id: answer_ids[1] ?? '', text: 'Tout à fait libre', score: 5 },
          { text: 'Autrement', score: 6 },
        ],
      },
    })
    await client.results.remove({ id, resultId: result_ids[0] ?? '' })
    const whole = { min_score: 0, max_score: 10 }
    await client.results.update({ resultId: result_ids[1] ?? '', body: whole })
    const { result } = await client.results.create({ id, body: { name: 'Ailleurs' } })
    const above = { min_score: 11, max_score: 20 }
    await client.results.update({ resultId: result.id, body: above })
    await client.quizzes.publish({ id })
    await arrive(quiz, { email: 'second@exemple.fr', choice: 1 })
    await arrive(quiz, { email: 'late@exemple.fr', version: 1 })
    const both = ['late@exemple.fr', 'first@exemple.fr']
    const answer = { question_id, answer_id: answer_ids[0] }
    assert.deepEqual(await summaryOf(id, answer), [2, 3, both])
    assert.deepEqual(await summaryOf(id, { result_id: result_ids[0] }), [2, 3, both])
    const reworded = { question_id, answer_id: answer_ids[1] }
    assert.deepEqual(await summaryOf(id, reworded), [1, 3, ['second@exemple.fr']])
  })

  test('a subject that no version has concerns nobody', async () => {
    const quiz = await publishedScoreQuiz(client)
    const { id, question_id, open_id, answer_ids } = quiz
    await arrive(quiz, { email: 'a@exemple.fr' })
    const { result } = await client.results.create({ id, body: { name: 'Pas encore publié' } })
    const nobody = [0, 1, []]
    assert.deepEqual(await summaryOf(id, { result_id: result.id }), nobody)
    assert.deepEqual(await summaryOf(id, { result_id: randomUUID() }), nobody)
    assert.deepEqual(await summaryOf(id, { question_id, answer_id: randomUUID() }), nobody)
    const elsewhere = { question_id: open_id, answer_id: answer_ids[0] }
    assert.deepEqual(await summaryOf(id, elsewhere), nobody)
    assert.deepEqual(await summaryOf(id, { question_id, answer_id: question_id }), nobody)
    assert.deepEqual(await summaryOf(id, { source: 'question', question_id: randomUUID() }), nobody)
  })

  test('a quiz without participants, published or not, has an empty dry run', async () => {
    for (const quiz of [await readyScoreQuiz(client), await publishedScoreQuiz(client)]) {
      const { id, result_ids } = quiz
      assert.deepEqual(await summaryOf(id, { result_id: result_ids[0] }), [0, 0, []])
      assert.deepEqual(await summaryOf(id, { source: 'score' }), [0, 0, []])
    }
  })

  test('a sondage has rules for answers, and no participant with a result or a score', async () => {
    const quiz = await publishSample(client, readySondage(client))
    const { id, question_id, answer_ids } = quiz
    await arrive(quiz, { email: 'a@exemple.fr' })
    const answer = { question_id, answer_id: answer_ids[0] }
    assert.deepEqual(await summaryOf(id, answer), [1, 1, ['a@exemple.fr']])
    assert.deepEqual(await summaryOf(id, { source: 'result' }), [0, 1, []])
    assert.deepEqual(await summaryOf(id, { source: 'score' }), [0, 1, []])
  })

  test('a list continues by its cursor, newest first, without gaps or repetitions', async () => {
    const quiz = await publishedScoreQuiz(client)
    const { id, result_ids } = quiz
    const emails = Array.from({ length: 45 }, (_, rank) => `p${rank}@exemple.fr`)
    for (const email of emails) await arrive(quiz, { email })
    const result_id = result_ids[0]
    const listed: string[] = []
    const sizes: number[] = []
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const page = await read(id, { result_id, cursor })
      sizes.push(page.participants.length)
      assert.equal(page.nb_matching, 45)
      listed.push(...page.participants.map(({ email }) => email))
      cursor = page.next_cursor
    }
    assert.deepEqual(listed, emails.toReversed())
    assert.deepEqual(sizes, [20, 20, 5])
  })
})

describe('the dry run of a mapping', () => {
  test('a mapping lists the value, address and name of each participant who has a value', async () => {
    const { quiz } = await client.quizzes.create({ body: { name: 'Coordonnées', type: 'quiz' } })
    const { id } = quiz
    const [first, day, choice, email] = Array.from({ length: 4 }, () => randomUUID())
    await client.results.saveAll({
      id,
      body: {
        results: [
          { name: 'Bas', min_score: 0, max_score: 9 },
          { name: 'Haut', min_score: 10, max_score: 20 },
        ],
      },
    })
    const [yes, no] = [randomUUID(), randomUUID()]
    await client.questions.saveDraft({
      id,
      body: {
        quiz_mode: 'score',
        questions: [
          {
            id: first,
            text: 'Prénom',
            type: 'text',
            contact_role: 'first_name',
            is_required: false,
          },
          { id: day, text: 'Le jour ?', type: 'date', is_required: false },
          {
            id: choice,
            text: 'Lesquels ?',
            type: 'multiple_choice',
            is_required: false,
            max_choices: 2,
            has_other: true,
            answers: [
              { id: yes, text: 'Oui', score: 1 },
              { id: no, text: 'Non', score: 2 },
            ],
          },
          { id: email, text: 'Email', type: 'email' },
        ],
      },
    })
    await client.quizzes.publish({ id })
    const submit = (address: string, replies: Replies) =>
      app.client.publicQuiz.submit({
        id,
        body: { answers: { [email ?? '']: address, ...replies } },
      })
    await submit('blank@exemple.fr', {})
    await submit('camille@exemple.fr', {
      [first ?? '']: 'Camille',
      [day ?? '']: '2026-03-09',
      [choice ?? '']: [yes, 'other:à part'],
    })
    const valuesOf = async (subject: Subject) =>
      (await read(id, subject)).participants.map(({ name, value }) => [name, value])
    assert.deepEqual(await valuesOf({ source: 'question', question_id: first }), [
      ['Camille', 'Camille'],
    ])
    assert.deepEqual(await valuesOf({ source: 'question', question_id: day }), [
      ['Camille', '09/03/2026'],
    ])
    assert.deepEqual(await valuesOf({ source: 'question', question_id: choice }), [
      ['Camille', 'Oui; Autre : à part'],
    ])
    assert.deepEqual(await valuesOf({ source: 'score' }), [
      ['Camille', '1'],
      [null, '0'],
    ])
    assert.deepEqual(await valuesOf({ source: 'result' }), [
      ['Camille', 'Bas'],
      [null, 'Bas'],
    ])
    assert.deepEqual(await valuesOf({ question_id: choice, answer_id: yes }), [['Camille', null]])
    assert.deepEqual(await valuesOf({ question_id: choice, answer_id: no }), [])
  })

  test('a mapping of many participants is counted in the background, and listed at once', async () => {
    const quiz = await publishedScoreQuiz(client)
    const { id } = quiz
    await arrive(quiz, { email: 'a@exemple.fr' })
    // The counter alone decides where participants are counted.
    await app.db
      .updateTable('quiz_versions')
      .set({ nb_responses: 60_000 })
      .where('quiz_id', '=', id)
      .execute()
    const asked = { source: 'score', async: '1' } as const
    const first = await read(id, asked)
    assert.deepEqual([first.nb_matching, first.nb_participants], [null, 60_000])
    assert.deepEqual(first.as_of, { counted_at: null })
    assert.equal(first.participants[0]?.email, 'a@exemple.fr')
    const waited = await read(id, { source: 'score' })
    assert.deepEqual([waited.nb_matching, waited.as_of], [1, undefined])
    assert.deepEqual(await read(id, asked), waited)
    // Another consent mode is another selection.
    await client.quizzes.update({ id, body: { consent_mode: 'box' } })
    assert.equal((await read(id, asked)).nb_matching, null)
    assert.equal((await read(id, { source: 'score' })).nb_matching, 0)
  })
})

test('a dry run without one subject, or with a foreign cursor, is refused', async () => {
  const { id, result_ids, question_id } = await publishedScoreQuiz(client)
  const [result_id] = result_ids
  const refused: Subject[] = [{}, { question_id }, { result_id, question_id }]
  for (const subject of refused) await refuses(read(id, subject), 422, 'invalid')
  await refuses(read(id, { result_id, cursor: 'abc' }), 422, 'invalid')
  const other = await app.signUp()
  await refuses(other.client.dryRuns.get({ id, result_id }), 404, 'not_found')
})
