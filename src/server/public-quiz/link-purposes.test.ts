import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { hashMailbox } from '#server/quiz-mails/mail-limits.store.ts'
import { uuidBytes } from '#server/runtime/signed-links.ts'
import { createBuiltApp } from '#server/testing/app/built-app.ts'
import { keepPages } from '#server/testing/app/own-pages.ts'
import {
  writeVisibleParticipantToken,
  writeVisibleToken,
} from '#server/testing/app/visible-links.ts'
import { publishReportQuiz, submitToReportQuiz } from '#server/testing/quizzes/report-quiz.ts'

// Runs in test:all, because it repeats a flow of links and addresses in many orders.

const app = await createBuiltApp()
after(() => app.close())
const { client, user_id } = await app.signUp()
const SECRET = app.config.secret_key ?? ''

const get = (url: string) => app.raw({ method: 'GET', url })
const statusOf = async (url: string): Promise<number> => (await get(url)).statusCode
const tokenOf = (path = ''): string => path.split('/').at(-1) ?? ''
/** Path segments of the links of a participant. */
const SEGMENTS = ['rapport', 'attestation', 'ma-page'] as const

const participantOf = async (given = {}) => {
  const quiz = await publishReportQuiz(client)
  await keepPages(client, quiz)
  const { participant_uuid, documents } = await submitToReportQuiz(app.client, quiz, given)
  return { key: { quiz_id: quiz.id, participant_uuid }, documents: documents ?? {} }
}

describe('a link opens what it was made for', () => {
  test('each token opens its own address and no other address of the participant', async () => {
    const { key, documents } = await participantOf()
    const { report, certificate, own_page } = documents
    const tokens = { rapport: report, attestation: certificate, 'ma-page': own_page }
    assert.equal(new Set(Object.values(tokens).map(tokenOf)).size, 3)
    for (const made of SEGMENTS)
      for (const segment of SEGMENTS) {
        const status = await statusOf(`/q/${key.quiz_id}/${segment}/${tokenOf(tokens[made])}`)
        assert.equal(status, made === segment ? 200 : 404, `${made} at ${segment}`)
      }
  })

  test('no token contains the id of the participant or of the creator', async () => {
    const { key, documents } = await participantOf()
    const { url } = await client.trialRuns.link({ id: key.quiz_id })
    const { url: file } = await client.exports.link({
      id: key.quiz_id,
      body: { format: 'csv', choices: 'joined' },
    })
    const tokens = [
      ...Object.values(documents).map(tokenOf),
      new URL(url).searchParams.get('test') ?? '',
      new URL(file, 'http://localhost').searchParams.get('token') ?? '',
    ]
    for (const token of tokens)
      for (const part of token.split('.')) {
        const bytes = Buffer.from(part, 'base64url')
        for (const id of [key.participant_uuid, key.quiz_id, user_id])
          assert.ok(!bytes.includes(uuidBytes(id)) && !bytes.includes(id), token)
      }
  })
})

describe('links of earlier releases', () => {
  const formerOf = (key: { quiz_id: string; participant_uuid: string }) =>
    writeVisibleParticipantToken(SECRET, 'reports/links', key)

  test('a shared token still opens the certificate, and its report address says how to get the report', async () => {
    const { key } = await participantOf()
    const token = formerOf(key)
    const certificate = await get(`/q/${key.quiz_id}/attestation/${token}`)
    assert.equal(certificate.headers['content-type'], 'application/pdf')
    const report = await get(`/q/${key.quiz_id}/rapport/${token}`)
    assert.equal(report.statusCode, 410)
    assert.match(report.body, /Ce lien ne mène plus au rapport/)
    assert.match(report.body, /Ma page/)
    assert.equal(report.headers['cache-control'], 'no-store')
  })

  test('a shared token of a run without certificate opens its report, because nobody got it for another document', async () => {
    const { key } = await participantOf({ rank: 0 })
    const token = formerOf(key)
    assert.equal(await statusOf(`/q/${key.quiz_id}/rapport/${token}`), 200)
    assert.equal(await statusOf(`/q/${key.quiz_id}/attestation/${token}`), 404)
  })

  test('a shared token opens no page, and a former token of a page opens the page alone', async () => {
    const { key } = await participantOf()
    assert.equal(await statusOf(`/q/${key.quiz_id}/ma-page/${formerOf(key)}`), 404)
    const token = writeVisibleParticipantToken(SECRET, 'participant-pages/links', key)
    const page = await get(`/q/${key.quiz_id}/ma-page/${token}`)
    assert.equal(page.statusCode, 200)
    const { certificate } = (await participantOf()).documents
    assert.match(page.body, /\/rapport\/[\w-]{43}"/)
    assert.ok(!page.body.includes(token) && certificate)
    for (const segment of ['rapport', 'attestation'])
      assert.equal(await statusOf(`/q/${key.quiz_id}/${segment}/${token}`), 404)
  })

  test('a former link to unsubscribe still asks for the confirmation', async () => {
    const content = Buffer.concat([uuidBytes(user_id), hashMailbox('lea@exemple.fr')])
    const token = writeVisibleToken(SECRET, 'mails/unsubscribe', { content })
    const { statusCode, body } = await get(`/desinscription/${token}`)
    assert.equal(statusCode, 200)
    assert.match(body, /Ne plus recevoir d’emails/)
  })
})
