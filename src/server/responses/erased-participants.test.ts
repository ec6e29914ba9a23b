import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { NO_CONTACT } from '#domain/run/contact/contact.ts'
import { removeResponses } from '#server/statistics/participants/removal.store.ts'
import { createBuiltApp } from '#server/testing/app/built-app.ts'
import { openTransaction } from '#server/testing/app/open-transaction.ts'
import { createOwnPages, keepPages, RUN_SECRET } from '#server/testing/app/own-pages.ts'
import { writeVisibleParticipantToken } from '#server/testing/app/visible-links.ts'
import { publishReportQuiz, type ReportQuiz } from '#server/testing/quizzes/report-quiz.ts'
import type { Submission } from './submission-statement.ts'
import { storeSubmissions } from './submissions.store.ts'

const app = await createBuiltApp()
after(() => app.close())
const { client } = await app.signUp()
const { post } = createOwnPages(app)

const publish = async (): Promise<ReportQuiz> => {
  const quiz = await publishReportQuiz(client)
  await keepPages(client, quiz)
  return quiz
}
const submit = async (quiz: ReportQuiz, participant_uuid: string, name = 'Léa') => {
  const answers = {
    [quiz.question_id]: quiz.answer_ids[1] ?? '',
    [quiz.open_id]: 'lea@exemple.fr',
    [quiz.first_name_id]: name,
  }
  const reply = await app.raw({
    method: 'POST',
    url: `/api/v1/quizzes/${quiz.id}/submit`,
    body: { answers, participant_uuid, run_secret: RUN_SECRET },
  })
  return { status: reply.statusCode, ...reply.json() }
}
/** Submission as it reaches the statement that stores it. */
const submissionTo = ({ id, open_id }: ReportQuiz, participant_uuid: string): Submission => ({
  quiz_id: id,
  participant_uuid,
  run_secret_hash: null,
  version: 1,
  email: null,
  result_position: 0,
  score: 1,
  choices: [0],
  texts: ['Lyon', 'Léa'],
  ...NO_CONTACT,
  layout: { choice_questions: [0], text_questions: [open_id], result_names: ['Pas à pas'] },
  dimension_percents: null,
  elapsed_seconds: null,
  consent_version: null,
  measure_version: null,
  parameters: null,
  is_suspect: false,
  is_mail_refused: false,
})
const statusOf = async (url: string) => (await app.raw({ method: 'GET', url })).statusCode
const nbResponses = async ({ id }: ReportQuiz): Promise<number> =>
  (await app.pool.query('select from responses where quiz_id = $1', [id])).rows.length

describe('the id of an erased participant', () => {
  type Erase = (quiz: ReportQuiz, participantId: string, own_page: string) => Promise<unknown>
  const erasures: Record<string, Erase> = {
    'by the participant': (_, __, own_page) => post(own_page, 'confirmer'),
    'by the creator': ({ id }, participantId) => client.participants.remove({ id, participantId }),
    'by address': () => client.participants.removePerson({ body: { email: 'lea@exemple.fr' } }),
    'at the end of the retention period': ({ id: quiz_id }, participant_uuid) =>
      removeResponses(app.db, [{ quiz_id, participant_uuid }]),
    'by a statement of the database': ({ id }) =>
      app.pool.query('delete from responses where quiz_id = $1', [id]),
  }
  for (const [name, erase] of Object.entries(erasures))
    test(`the id cannot be used again after an erasure ${name}, and its links show nothing`, async () => {
      const quiz = await publish()
      const participant_uuid = randomUUID()
      const { documents } = await submit(quiz, participant_uuid)
      await erase(quiz, participant_uuid, documents.own_page)
      const forged = await submit(quiz, participant_uuid, 'Nom Inventé')
      assert.deepEqual([forged.status, forged.code], [409, 'participant_erased'])
      assert.equal(await nbResponses(quiz), 0)
      const key = { quiz_id: quiz.id, participant_uuid }
      const former = writeVisibleParticipantToken(app.config.secret_key ?? '', 'reports/links', key)
      for (const url of [
        ...(Object.values(documents) as string[]),
        `/q/${quiz.id}/attestation/${former}`,
        `/q/${quiz.id}/rapport/${former}`,
      ])
        assert.equal(await statusOf(url), 404, url)
    })

  test('the id works at another quiz, and other ids work at this quiz', async () => {
    const quiz = await publish()
    const other = await publish()
    const participant_uuid = randomUUID()
    await submit(quiz, participant_uuid)
    await client.participants.remove({ id: quiz.id, participantId: participant_uuid })
    assert.equal((await submit(other, participant_uuid)).status, 201)
    assert.equal((await submit(quiz, randomUUID())).status, 201)
    assert.equal(await nbResponses(quiz), 1)
  })

  test('a submission that waits for the erasure to end is not stored, and counts nowhere', async () => {
    const quiz = await publish()
    const participant_uuid = randomUUID()
    await submit(quiz, participant_uuid)
    await using erasure = await openTransaction(app.pool, {
      text: 'select from quizzes where id = $1 for update',
      values: [quiz.id],
    })
    const waiting = storeSubmissions(app.pool, [submissionTo(quiz, participant_uuid)], '')
    await erasure.waitUntilBlocking()
    await erasure.run({ text: 'delete from responses where quiz_id = $1', values: [quiz.id] })
    await erasure.commit()
    assert.deepEqual(await waiting, [{ kind: 'erased' }])
    assert.equal(await nbResponses(quiz), 0)
  })

  test('a quiz with a limit keeps the place of an erased id for others', async () => {
    const quiz = await publish()
    const participant_uuid = randomUUID()
    await submit(quiz, participant_uuid)
    await client.participants.remove({ id: quiz.id, participantId: participant_uuid })
    await client.quizzes.update({ id: quiz.id, body: { max_responses: 1 } })
    assert.equal((await submit(quiz, participant_uuid)).status, 409)
    assert.equal((await submit(quiz, randomUUID())).status, 201)
    assert.equal((await submit(quiz, randomUUID())).code, 'quiz_full')
  })

  test('a deleted quiz leaves no digest of an id', async () => {
    const quiz = await publish()
    const participant_uuid = randomUUID()
    await submit(quiz, participant_uuid)
    await submit(quiz, randomUUID())
    await client.participants.remove({ id: quiz.id, participantId: participant_uuid })
    await client.quizzes.remove({ id: quiz.id, permanently: '1' })
    const { rows } = await app.pool.query('select from erased_participants where quiz_id = $1', [
      quiz.id,
    ])
    assert.equal(rows.length, 0)
  })
})
