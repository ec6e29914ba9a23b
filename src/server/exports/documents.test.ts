import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { createTestApp } from '#server/testing/app/test-app.ts'
import { refuses } from '#server/testing/network/bodies/refusals.ts'
import { readPdf } from '#server/testing/pdf/read-pdf.ts'
import {
  publishReportQuiz,
  type ReportQuiz,
  submitToReportQuiz,
} from '#server/testing/quizzes/report-quiz.ts'
import { testInAll } from '#server/testing/test-in-all.ts'

// Starts early, because its tests take more than 15 s.

const app = await createTestApp()
after(() => app.close())
const { client } = await app.signUp()

const download = (url: string) => app.raw({ method: 'GET', url })
type Body = Parameters<typeof client.documents.link>[0]['body']
const wordsOf = async ({ id }: Pick<ReportQuiz, 'id'>, body: Body): Promise<string> => {
  const { url } = await client.documents.link({ id, body })
  const reply = await download(url)
  assert.equal(reply.statusCode, 200)
  return readPdf(reply.rawPayload)
}
/** Returns the names of the files in a ZIP that is not compressed, and their contents. */
const entriesOf = (zip: Buffer): { name: string; data: Buffer }[] => {
  const entries: { name: string; data: Buffer }[] = []
  const end = zip.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'))
  let at = zip.readUInt32LE(end + 16)
  for (let count = zip.readUInt16LE(end + 10); count > 0; count--) {
    const [size, length] = [zip.readUInt32LE(at + 24), zip.readUInt16LE(at + 28)]
    const name = zip.subarray(at + 46, at + 46 + length).toString()
    const local = zip.readUInt32LE(at + 42)
    const start = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28)
    entries.push({ name, data: zip.subarray(start, start + size) })
    at += 46 + length + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32)
  }
  return entries
}

describe('the documents of a creator', () => {
  test('a creator gets the report and the certificate of one participant, each link once', async () => {
    const quiz = await publishReportQuiz(client)
    const { participant_uuid } = await submitToReportQuiz(app.client, quiz)
    assert.match(await wordsOf(quiz, { file: 'report', participant_uuid }), /Grand saut/)
    assert.match(await wordsOf(quiz, { file: 'certificate', participant_uuid }), /Numéro : /)
    const { url } = await client.documents.link({
      id: quiz.id,
      body: { file: 'report', participant_uuid },
    })
    assert.equal((await download(url)).statusCode, 200)
    assert.equal((await download(url)).statusCode, 403)
  })

  test('another creator gets a 404, for the quiz and for a participant of another quiz', async () => {
    const [quiz, other] = [await publishReportQuiz(client), await publishReportQuiz(client)]
    const { participant_uuid } = await submitToReportQuiz(app.client, quiz)
    const stranger = await app.signUp()
    const files: Body[] = [
      { file: 'report', participant_uuid },
      { file: 'zip' },
      { file: 'report_preview' },
    ]
    for (const body of files)
      await refuses(stranger.client.documents.link({ id: quiz.id, body }), 404, 'not_found')
    const foreign = { id: other.id, body: { file: 'report' as const, participant_uuid } }
    await refuses(client.documents.link(foreign), 404, 'not_found')
    const { url } = await client.documents.link({ id: quiz.id, body: { file: 'zip' } })
    assert.equal((await download(url.replace(quiz.id, other.id))).statusCode, 404)
  })

  test('the ZIP has the documents of the filtered participants, newest first, named after them', async () => {
    const quiz = await publishReportQuiz(client)
    for (const [rank, name] of ['Ada', 'Léa', 'Zoé/..'].entries())
      await submitToReportQuiz(app.client, quiz, { rank: Math.min(rank, 1), name })
    const link = await client.documents.link({ id: quiz.id, body: { file: 'zip' } })
    assert.equal(link.nb_participants, 3)
    assert.match(link.file_name, /^Rapports - Gestes qui sauvent - .*\.zip$/)
    const { rawPayload, headers } = await download(link.url)
    assert.equal(headers['content-type'], 'application/zip')
    const entries = entriesOf(rawPayload)
    assert.deepEqual(
      entries.map(({ name }) => name),
      [
        '001 - Rapport - Zoé ...pdf',
        '001 - Attestation - Zoé ...pdf',
        '002 - Rapport - Léa.pdf',
        '002 - Attestation - Léa.pdf',
        '003 - Rapport - Ada.pdf',
      ],
    )
    for (const { name, data } of entries)
      assert.match(await readPdf(data), /Gestes qui sauvent/, name)
    const [, answer = ''] = quiz.answer_ids
    const filtered = await client.documents.link({ id: quiz.id, body: { file: 'zip', answer } })
    assert.equal(filtered.nb_participants, 2)
  })

  test('a ZIP of chosen participants has only their documents, without those of erased participants', async () => {
    const quiz = await publishReportQuiz(client)
    const uuids: string[] = []
    for (const name of ['Ada', 'Léa', 'Zoé'])
      uuids.push((await submitToReportQuiz(app.client, quiz, { name })).participant_uuid)
    const body = { file: 'zip' as const, participant_uuids: uuids.slice(0, 2) }
    const { url, nb_participants } = await client.documents.link({ id: quiz.id, body })
    assert.equal(nb_participants, 2)
    await client.participants.remove({ id: quiz.id, participantId: uuids[0] ?? '' })
    const names = entriesOf((await download(url)).rawPayload).map(({ name }) => name)
    assert.deepEqual(names, ['001 - Rapport - Léa.pdf', '001 - Attestation - Léa.pdf'])
  })

  testInAll('the ZIP contains the participants that match the search and the filters', async () => {
    const quiz = await publishReportQuiz(client)
    const people = [
      ['Ada', 'ada@exemple.fr', 0],
      ['Léa', 'lea@exemple.fr', 1],
      ['Léo', 'leo@exemple.fr', 1],
    ] as const
    for (const [name, email, rank] of people)
      await submitToReportQuiz(app.client, quiz, { name, email, rank })
    const [weak = '', strong = ''] = quiz.answer_ids
    const searches: [search: string, answer: string | undefined, names: string[]][] = [
      ['LÉ', undefined, ['Léo', 'Léa']],
      ['lea@', undefined, ['Léa']],
      ['  ', undefined, ['Léo', 'Léa', 'Ada']],
      ['exemple.fr', weak, ['Ada']],
      ['l', strong, ['Léo', 'Léa']],
    ]
    for (const [search, answer, names] of searches) {
      const body = { file: 'zip' as const, search, ...(answer && { answer }) }
      const { url, nb_participants } = await client.documents.link({ id: quiz.id, body })
      assert.equal(nb_participants, names.length, search)
      const { details } = await client.statistics.responses({ id: quiz.id, search, answer })
      assert.deepEqual(
        details.map(({ first_name }) => first_name),
        names,
      )
      const files = entriesOf((await download(url)).rawPayload).map(({ name }) => name)
      const reports = files.filter((name) => name.includes('Rapport'))
      assert.deepEqual(
        reports.map((name) => name.replace(/^\d+ - Rapport - |\.pdf$/g, '')),
        names,
      )
    }
    const nobody = { id: quiz.id, body: { file: 'zip' as const, search: 'personne' } }
    await refuses(client.documents.link(nobody), 404, 'not_found')
    const stranger = await app.signUp()
    await refuses(
      stranger.client.documents.link({ ...nobody, body: { file: 'zip', search: 'Léa' } }),
      ...([404, 'not_found'] as const),
    )
  })

  testInAll(
    'clients who leave during a ZIP leave neither a held download nor a database connection',
    async () => {
      const quiz = await publishReportQuiz(client)
      for (let rank = 0; rank < 8; rank++) await submitToReportQuiz(app.client, quiz)
      const origin = await app.app.listen({ port: 0, host: '127.0.0.1' })
      const order = { id: quiz.id, body: { file: 'zip' as const } }
      // A creator may have two downloads at once.
      for (let left = 0; left < 5; left++) {
        const { url } = await waitFor(() => client.documents.link(order))
        const abort = new AbortController()
        const answer = await fetch(origin + url, { signal: abort.signal })
        const { value } = (await answer.body?.getReader().read()) ?? {}
        assert.ok(value && value.length > 0)
        abort.abort()
      }
      const { url } = await waitFor(() => client.documents.link(order))
      const whole = await waitFor(async () => {
        const answer = await fetch(origin + url)
        assert.equal(answer.status, 200)
        return Buffer.from(await answer.arrayBuffer())
      })
      assert.equal(entriesOf(whole).length, 16)
      const { pool } = app
      await waitFor(async () => assert.equal(pool.idleCount, pool.totalCount))
      assert.equal(pool.waitingCount, 0)
    },
  )

  /** Letters of a script for which no font is installed. */
  const UNDRAWABLE = '𞤀𞤣𞤢𞤥'

  test('a certificate whose name no font can write is refused in a sentence that names the participant', async () => {
    const quiz = await publishReportQuiz(client)
    const { participant_uuid } = await submitToReportQuiz(app.client, quiz, { name: UNDRAWABLE })
    const order = { id: quiz.id, body: { file: 'certificate' as const, participant_uuid } }
    await assert.rejects(client.documents.link(order), {
      status: 422,
      code: 'undrawable_name',
      message: new RegExp(`^L’attestation de ${UNDRAWABLE} n’a pas été créée`),
    })
    assert.match(await wordsOf(quiz, { file: 'report', participant_uuid }), /\[…\] remplace/)
  })

  testInAll(
    'the order of a ZIP names the people whose names cannot be written, and the ZIP lists their certificates',
    async () => {
      const quiz = await publishReportQuiz(client)
      for (const name of ['王小明', UNDRAWABLE, 'Ada'])
        await submitToReportQuiz(app.client, quiz, { name })
      const link = await client.documents.link({ id: quiz.id, body: { file: 'zip' } })
      assert.deepEqual(link.undrawable_names, [UNDRAWABLE])
      const entries = entriesOf((await download(link.url)).rawPayload)
      assert.deepEqual(
        entries.map(({ name }) => name),
        [
          ...['001 - Rapport - Ada.pdf', '001 - Attestation - Ada.pdf'],
          `002 - Rapport - ${UNDRAWABLE}.pdf`,
          ...['003 - Rapport - 王小明.pdf', '003 - Attestation - 王小明.pdf'],
          'Documents non créés.txt',
        ],
      )
      const list = String(entries.at(-1)?.data)
      assert.match(list, new RegExp(`002 - Attestation - ${UNDRAWABLE} : L’attestation de`))
      assert.match(await readPdf(entries[4]?.data ?? Buffer.alloc(0)), /王小明/)
    },
  )

  testInAll('the order of a preview says how many pages the certificate has', async () => {
    const lines = Array.from({ length: 240 }, (_, rank) => `- ${rank % 10}`).join('\n')
    for (const [certificate_text, isLong] of [
      ['Bravo {{nom}}', false],
      [lines, true],
    ] as const) {
      const quiz = await publishReportQuiz(client, { certificate_text })
      const body = { file: 'certificate_preview' as const }
      const { nb_pages } = await client.documents.link({ id: quiz.id, body })
      assert.equal((nb_pages ?? 0) > 1, isLong, `${nb_pages} pages`)
      const report = { file: 'report_preview' as const }
      assert.equal((await client.documents.link({ id: quiz.id, body: report })).nb_pages, null)
    }
  })

  test('an order without participants is refused', async () => {
    const quiz = await publishReportQuiz(client)
    await refuses(client.documents.link({ id: quiz.id, body: { file: 'zip' } }), 404, 'not_found')
    await refuses(client.documents.link({ id: quiz.id, body: { file: 'report' } }), 422, 'invalid')
  })

  test('the preview shows the draft with sample replies and stores nothing', async () => {
    const quiz = await publishReportQuiz(client)
    const { revision } = await client.drafts.get({ id: quiz.id })
    await client.drafts.save({
      id: quiz.id,
      body: { based_on: revision, quiz: { certificate_title: 'Diplôme' } },
    })
    assert.match(await wordsOf(quiz, { file: 'report_preview' }), /Vos réponses .*Votre agenda \?/)
    const words = await wordsOf(quiz, { file: 'certificate_preview' })
    assert.match(words, /Diplôme .*XXXX-XXXX-XXXX-XXXX/)
    assert.equal((await app.pool.query('select from certificates')).rows.length, await nbStored())
  })
})

/** Repeats a call until the call succeeds, for at most ten seconds. Then throws the last error. */
const waitFor = async <T>(call: () => Promise<T>): Promise<T> => {
  const until = Date.now() + 10_000
  for (;;)
    try {
      return await call()
    } catch (error) {
      if (Date.now() > until) throw error
      await wait(20)
    }
}

const nbStored = async (): Promise<number> =>
  (
    await app.pool.query(
      'select from certificates join responses using (quiz_id, participant_uuid)',
    )
  ).rows.length
