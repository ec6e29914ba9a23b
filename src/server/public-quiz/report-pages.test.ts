import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { pickByRun } from '#domain/testing/pick-by-run.ts'
import { applyRetention } from '#server/statistics/participants/retention.ts'
import { createBuiltApp } from '#server/testing/app/built-app.ts'
import { RUN_SECRET } from '#server/testing/app/own-pages.ts'
import { recountQuarters } from '#server/testing/app/recount-quarters.ts'
import { postForm } from '#server/testing/network/bodies/post-form.ts'
import { readPdf } from '#server/testing/pdf/read-pdf.ts'
import { uploadPicture } from '#server/testing/quizzes/pictures.ts'
import {
  publishReportQuiz,
  type ReportQuiz,
  submitToReportQuiz,
} from '#server/testing/quizzes/report-quiz.ts'
import { publishedScoreQuiz } from '#server/testing/quizzes/sample-quizzes.ts'
import { testInAll } from '#server/testing/test-in-all.ts'

const app = await createBuiltApp()
after(() => app.close())
const creator = await app.signUp()
const { client } = creator

const get = (url: string) => app.raw({ method: 'GET', url })
const pdfAt = async (url: string | undefined): Promise<string> => {
  const reply = await get(url ?? '')
  assert.equal(reply.statusCode, 200, reply.body.slice(0, 200))
  assert.equal(reply.headers['content-type'], 'application/pdf')
  return readPdf(reply.rawPayload)
}
const numberIn = (words: string): string => /Numéro : ([0-9A-Z-]{19})/.exec(words)?.[1] ?? ''
const nbCertificates = async ({ id }: Pick<ReportQuiz, 'id'>): Promise<number> =>
  (await app.pool.query('select from certificates where quiz_id = $1', [id])).rows.length
const documentsOf = async (quiz: ReportQuiz, given = {}) =>
  (await submitToReportQuiz(app.client, quiz, given)).documents ?? {}
const withCertificate = async (page: Parameters<typeof publishReportQuiz>[1] = {}) => {
  const quiz = await publishReportQuiz(client, page)
  const { participant_uuid, documents } = await submitToReportQuiz(app.client, quiz)
  const number = numberIn(await pdfAt(documents?.certificate))
  return { quiz, participant_uuid, documents, number }
}

describe('the documents of a participant', () => {
  test('the answer of a submission names the documents, and only if the run gives them', async () => {
    const quiz = await publishReportQuiz(client)
    assert.deepEqual(Object.keys(await documentsOf(quiz)), ['report', 'certificate'])
    assert.deepEqual(Object.keys(await documentsOf(quiz, { rank: 0 })), ['report'])
    const plain = await publishedScoreQuiz(client)
    const answers = { [plain.question_id]: plain.answer_ids[0] ?? '', [plain.open_id]: 'a@b.fr' }
    const answer = await app.client.publicQuiz.submit({ id: plain.id, body: { answers } })
    assert.deepEqual(Object.keys(answer), ['participant_uuid', 'result'])
  })

  test('a repeated submission names the same documents for the secret of its run alone', async () => {
    const quiz = await publishReportQuiz(client)
    const first = await submitToReportQuiz(app.client, quiz)
    const { id, question_id, answer_ids, open_id } = quiz
    const answers = { [question_id]: answer_ids[0] ?? '', [open_id]: 'autre@exemple.fr' }
    const { participant_uuid } = first
    const repeat = (run_secret?: string) =>
      app.client.publicQuiz.submit({ id, body: { answers, participant_uuid, run_secret } })
    assert.deepEqual((await repeat(RUN_SECRET)).documents, first.documents)
    for (const wrong of [undefined, `${RUN_SECRET}x`, participant_uuid])
      assert.deepEqual(Object.keys(await repeat(wrong)), ['participant_uuid', 'result'])
  })

  test('the report has the result and the replies, is not cached and not indexed', async () => {
    const quiz = await publishReportQuiz(client)
    const { report = '' } = await documentsOf(quiz)
    const words = await pdfAt(report)
    for (const text of ['Gestes qui sauvent', 'Grand saut', 'Votre agenda ?', 'Libre', 'Léa'])
      assert.ok(words.includes(text), text)
    const { headers } = await get(report)
    assert.equal(headers['cache-control'], 'no-store')
    assert.equal(headers['x-robots-tag'], 'noindex')
    assert.equal(headers['referrer-policy'], 'no-referrer')
    // Browsers refuse other policies in a tab that the sandbox of a frame opens.
    assert.equal(headers['cross-origin-opener-policy'], 'unsafe-none')
    assert.match(
      String(headers['content-disposition']),
      /filename="Rapport - Gestes qui sauvent - Lea.pdf"/,
    )
  })

  testInAll(
    'the report is that of the version taken, and a deleted picture is left out',
    async () => {
      const quiz = await publishReportQuiz(client)
      const { id: image_id } = await uploadPicture(app, creator)
      await client.questions.update({ id: quiz.question_id, body: { image_id, image_alt: '' } })
      await client.quizzes.publish({ id: quiz.id })
      const { report = '' } = await documentsOf(quiz)
      const { rawPayload: pictured } = await get(report)
      await client.questions.update({ id: quiz.question_id, body: { text: 'Autre question ?' } })
      await client.quizzes.publish({ id: quiz.id })
      await app.pool.query('delete from image_files where image_id = $1', [image_id])
      const { rawPayload: plain } = await get(report)
      assert.ok(pictured.length > plain.length)
      assert.equal(await readPdf(plain), await readPdf(pictured))
      assert.ok((await readPdf(plain)).includes('Votre agenda ?'))
    },
  )

  test('the end without scripts has the links, and the end of a trial run has none', async () => {
    const quiz = await publishReportQuiz(client)
    const { participant_uuid } = await submitToReportQuiz(app.client, quiz)
    const { body } = await get(
      `/q/${quiz.id}/resultat?participant=${participant_uuid}&secret=secret-of-a-run-in-a-test`,
    )
    const [, report = ''] = /href="([^"]+\/rapport\/[^"]+)"/.exec(body) ?? []
    assert.ok((await pdfAt(report)).includes('Grand saut'))
    assert.match(body, />Télécharger mon attestation \(PDF\)</)
    const { url } = await client.trialRuns.link({ id: quiz.id })
    const fields = { [quiz.question_id]: quiz.answer_ids[1] ?? '', [quiz.open_id]: 'a@b.fr' }
    const path = `/q/${quiz.id}/test/${new URL(url).searchParams.get('test')}/resultat?version=1&participant=${randomUUID()}&secret=secret-of-a-run-in-a-test`
    const { headers } = await postForm(app.app, { url: path, fields })
    const trial = await get(String(headers.location))
    assert.equal(trial.statusCode, 200)
    assert.ok(!trial.body.includes('Télécharger'), String(headers.location))
  })
})

describe('a certificate', () => {
  test('a certificate keeps its number, and its page confirms exactly what it prints', async () => {
    const { quiz, documents, number } = await withCertificate({ certificate_issuer: 'Institut' })
    assert.match(number, /^[0-9A-HJKMNP-TV-Z]{4}(-[0-9A-HJKMNP-TV-Z]{4}){3}$/)
    const words = await pdfAt(documents?.certificate)
    assert.equal(numberIn(words), number)
    assert.equal(await nbCertificates(quiz), 1)
    const page = await get(`/attestation/${number.toLowerCase()}`)
    assert.equal(page.statusCode, 200)
    assert.equal(page.headers['x-robots-tag'], 'noindex')
    const facts = Array.from(
      page.body.matchAll(/<dd dir="auto">([^<]*)<\/dd>/g),
      ([, fact]) => fact,
    )
    assert.equal(facts.length, 7)
    for (const fact of facts)
      assert.ok(
        words.includes((fact ?? '').replaceAll(/\s/g, ' ')),
        `the certificate has no ${fact}`,
      )
    for (const fact of ['Léa', 'Institut', 'Attestation de réussite'])
      assert.ok(facts.includes(fact), fact)
  })

  test('simultaneous downloads give one number', async () => {
    const quiz = await publishReportQuiz(client)
    const { certificate } = await documentsOf(quiz)
    const all = await Promise.all(Array.from({ length: 4 }, () => pdfAt(certificate)))
    assert.equal(new Set(all.map(numberIn)).size, 1)
  })

  testInAll(
    'a certificate of a participant without a name has no line for a name, nor has its page',
    async () => {
      const quiz = await publishReportQuiz(client)
      const { certificate } = await documentsOf(quiz, { name: '' })
      const { body } = await get(`/attestation/${numberIn(await pdfAt(certificate))}`)
      assert.doesNotMatch(body, /Décernée à/)
      assert.match(body, /Gestes qui sauvent/)
    },
  )

  test('a certificate is never written with another name: its participant reads why there is none', async () => {
    const quiz = await publishReportQuiz(client)
    const { certificate = '' } = await documentsOf(quiz, { name: '𞤀𞤣𞤢𞤥' })
    const { statusCode, body } = await get(certificate)
    assert.equal(statusCode, 422)
    assert.match(body, /<h1>Attestation non créée<\/h1>/)
    assert.match(await pdfAt((await documentsOf(quiz, { name: 'ﬁona' })).certificate), /fiona/)
  })

  test('a name cannot write markup into the page', async () => {
    const quiz = await publishReportQuiz(client)
    const { certificate } = await documentsOf(quiz, { name: '<img src=x onerror=alert(1)>' })
    const { body } = await get(`/attestation/${numberIn(await pdfAt(certificate))}`)
    assert.ok(!body.includes('<img') && body.includes('&lt;img'))
  })

  const MISSING = /<h1>Document introuvable<\/h1>/
  test('forged tokens, forged and cut numbers, tokens of another quiz, and documents that a run does not give get the same 404 page', async () => {
    const { quiz, documents, number } = await withCertificate()
    const other = await publishReportQuiz(client)
    const { report = '' } = documents ?? {}
    const weak = (await documentsOf(quiz, { rank: 0 })).report ?? ''
    const forged = [
      report.slice(0, -4) + (report.endsWith('AAAA') ? 'BBBB' : 'AAAA'),
      report.replace(quiz.id, other.id),
      `/q/${quiz.id}/rapport/x`,
      weak.replace('/rapport/', '/attestation/'),
      `/attestation/${number.slice(0, -1)}${number.endsWith('0') ? '1' : '0'}`,
      ...[number.slice(0, -1), number.slice(0, 9), `${number}0`].map(
        (cut) => `/attestation/${cut}`,
      ),
      '/attestation/bonjour',
    ]
    const bodies = await Promise.all(forged.map(get))
    for (const [rank, { statusCode, body }] of bodies.entries()) {
      assert.equal(statusCode, 404, forged[rank])
      assert.match(body, MISSING)
    }
    assert.equal(new Set(bodies.map(({ body }) => body)).size, 1)
  })

  testInAll('49.5 % of the points give no certificate from 50 % on, and 50 % do', async () => {
    const quiz = await publishReportQuiz(client)
    const [weak = '', strong = ''] = quiz.answer_ids
    const between = [randomUUID(), randomUUID()]
    const scores = [
      { id: weak, text: 'Rempli', score: 0 },
      { id: strong, text: 'Libre', score: 200 },
      { id: between[0], text: 'Presque', score: 99 },
      { id: between[1], text: 'Juste', score: 100 },
    ]
    await client.questions.saveAnswers({ id: quiz.question_id, body: { answers: scores } })
    const { revision } = await client.drafts.get({ id: quiz.id })
    const results = [{ id: quiz.result_ids[1] ?? '', max_score: 200 }]
    await client.drafts.save({ id: quiz.id, body: { based_on: revision, results } })
    await client.quizzes.publish({ id: quiz.id })
    const kindsAt = async (rank: number) =>
      Object.keys(await documentsOf({ ...quiz, answer_ids: between }, { rank }))
    assert.deepEqual(await kindsAt(0), ['report'])
    assert.deepEqual(await kindsAt(1), ['report', 'certificate'])
  })

  const erasures: [
    name: string,
    erase: (quiz: ReportQuiz, participant: string) => Promise<unknown>,
  ][] = [
    [
      'the erasure of the participant',
      ({ id }, participantId) => client.participants.remove({ id, participantId }),
    ],
    ['the deletion of the quiz', ({ id }) => client.quizzes.remove({ id, permanently: '1' })],
    [
      'the end of the retention period',
      async ({ id }) => {
        await app.pool.query(
          `update responses set created_at = created_at - interval '7 months' where quiz_id = $1`,
          [id],
        )
        await recountQuarters(app.pool, id)
        await client.retention.set({ id, body: { months: 6 } })
        await app.pool.query(`update retention set due_at = now() where quiz_id = $1`, [id])
        await applyRetention(app.db)
      },
    ],
    [
      'the deletion of the stored response',
      ({ id }) => app.pool.query('delete from responses where quiz_id = $1', [id]),
    ],
  ]
  for (const [name, erase] of pickByRun({ daily: erasures.slice(0, 1), all: erasures }))
    test(`${name} ends report, certificate and confirmation`, async () => {
      const { quiz, participant_uuid, documents, number } = await withCertificate()
      await erase(quiz, participant_uuid)
      for (const url of [documents?.report, documents?.certificate, `/attestation/${number}`]) {
        const { statusCode, body } = await get(url ?? '')
        assert.equal(statusCode, 404)
        assert.match(body, MISSING)
      }
      assert.equal(await nbCertificates(quiz), 0)
    })
})

test('report, certificate and confirmation disappear with a trashed quiz and return with it', async () => {
  const { quiz, documents, number } = await withCertificate()
  const statuses = async (): Promise<number[]> => {
    const found: number[] = []
    for (const url of [documents?.report, documents?.certificate, `/attestation/${number}`])
      found.push((await get(url ?? '')).statusCode)
    return found
  }
  await client.quizzes.remove({ id: quiz.id })
  assert.deepEqual(await statuses(), [404, 404, 404])
  await client.trash.restore({ id: quiz.id })
  assert.deepEqual(await statuses(), [200, 200, 200])
})
