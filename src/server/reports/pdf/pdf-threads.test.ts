import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import type { PdfDocument } from '#domain/reports/document.ts'
import { readPdf } from '#server/testing/pdf/read-pdf.ts'
import { createPdfWriter } from './pdf-threads.ts'

const documentOf = (text: string): PdfDocument => ({
  ...{ title: 'Titre', layout: 'report', font: 'system', logo_image_id: null },
  colors: { text: '#222222', accent: '#0a5bc4' },
  parts: [{ kind: 'heading', level: 1, text }],
})
const taskOf = (text: string) => ({ document: documentOf(text), pictures: [] })
/** Program of a thread that never answers. */
const SILENT = new URL(
  `data:text/javascript,import{parentPort}from'node:worker_threads';parentPort.on('message',()=>{})`,
)

const writer = createPdfWriter()
after(writer.close)

describe('the threads that write PDF documents', () => {
  test('more documents than threads are all written', async () => {
    const texts = Array.from({ length: 6 }, (_, rank) => `Texte ${rank}`)
    const written = await Promise.all(
      texts.map((text, rank) => writer.write(taskOf(text), { quiz_id: `${rank % 2}` })),
    )
    for (const [rank, pdf] of written.entries())
      assert.ok((await readPdf(pdf)).includes(texts[rank] ?? ''))
  })

  test('a failed document leaves its thread able to write the next one', async () => {
    const broken = { document: null as never, pictures: [] }
    await assert.rejects(writer.write(broken, { quiz_id: 'a' }), /was not written/)
    assert.ok((await writer.write(taskOf('Encore'), { quiz_id: 'a' })).length > 0)
  })

  test('a document that takes too long ends its thread and is refused with a time to wait', async () => {
    const slow = createPdfWriter({ max_writing_ms: 200, program: SILENT })
    const refusal = slow.write(taskOf('Lent'), { quiz_id: 'a' })
    await assert.rejects(refusal, { status: 503, headers: { 'retry-after': '10' } })
    slow.close()
  })

  test('a full queue refuses further documents of one quiz, and other quizzes still get a turn', async () => {
    const full = createPdfWriter({ program: SILENT })
    const abort = new AbortController()
    const { signal } = abort
    const write = (quiz_id: string) => full.write(taskOf('x'), { quiz_id, signal })
    const waiting = Array.from({ length: 22 }, () => write('a').catch((error: Error) => error))
    await assert.rejects(write('a'), { code: 'reports_busy' })
    const other = write('b').catch((error: Error) => error)
    abort.abort(new Error('closed'))
    for (const outcome of [...(await Promise.all(waiting)), await other])
      assert.match(String(outcome), /closed/)
    full.close()
  })
})
