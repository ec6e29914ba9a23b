import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import type { PdfDocument } from '#domain/reports/document.ts'
import { readPdf } from '#server/testing/pdf/read-pdf.ts'
import { createHeavyWork } from './heavy-work.ts'
import { JOB_LIMITS } from './job-limits.ts'

// Runs in test:all, because it measures memory.

const documentOf = (text: string): PdfDocument => ({
  title: 'Titre',
  layout: 'report',
  font: 'system',
  logo_image_id: null,
  colors: { text: '#222222', accent: '#0a5bc4' },
  parts: [{ kind: 'heading', level: 1, text }],
})
const inputOf = (text: string) => ({ document: documentOf(text), pictures: [] })
const job = { kind: 'document', owner: 'a', size: 1 } as const

const folder = mkdtempSync(join(tmpdir(), 'thread-programs-'))
after(() => rmSync(folder, { recursive: true }))
let nb_programs = 0
/** Returns a program of a thread that runs this code for each call. */
const programOf = (code: string, beginning = ''): URL => {
  const file = join(folder, `${nb_programs++}.mjs`)
  writeFileSync(file, `${beginning}\nexport default async () => {${code}}`)
  return pathToFileURL(file)
}
const SILENT = programOf('await new Promise(() => {})')
const GREEDY = programOf('const all=[];for(;;)all.push(Array(10000).fill({}))')
const withLimits = (limits: { max_ms?: number; max_heap_mb?: number }) => ({
  ...JOB_LIMITS,
  document: { ...JOB_LIMITS.document, ...limits },
})

const work = createHeavyWork()
after(work.close)

describe('functions that run in threads', () => {
  test('more documents than threads are all written', async () => {
    const texts = Array.from({ length: 6 }, (_, rank) => `Texte ${rank}`)
    const written = await Promise.all(
      texts.map((text, rank) =>
        work.runInThread({ ...job, owner: `${rank % 2}` }, 'write_pdf', inputOf(text)),
      ),
    )
    for (const [rank, pdf] of written.entries())
      assert.ok((await readPdf(Buffer.from(pdf))).includes(texts[rank] ?? ''))
  })

  test('the bytes of a file move to their thread without a copy', async () => {
    const file = new TextEncoder().encode('{}')
    const refused = work.runInThread({ ...job, kind: 'import' }, 'read_quiz_file', file)
    assert.equal(file.buffer.byteLength, 0)
    await assert.rejects(refused, { status: 422 })
  })

  test('bytes that share their memory with others stay in place', async () => {
    const memory = new TextEncoder().encode('{}{}')
    const file = memory.subarray(0, 2)
    const refused = work.runInThread({ ...job, kind: 'import' }, 'read_quiz_file', file)
    await assert.rejects(refused, { status: 422 })
    assert.deepEqual(memory, new TextEncoder().encode('{}{}'))
  })

  test('a failed call leaves its thread able to run the next one', async () => {
    const broken = { document: null as never, pictures: [] }
    await assert.rejects(work.runInThread(job, 'write_pdf', broken), /failed in a thread/)
    assert.ok((await work.runInThread(job, 'write_pdf', inputOf('Encore'))).length > 0)
  })

  test('the heap for new objects of a thread is small, because it never shrinks', async () => {
    const limits = "(await import('node:worker_threads')).resourceLimits.maxYoungGenerationSizeMb"
    const program = programOf(`return {output:${limits}}`)
    const heavy = createHeavyWork({ program })
    const young_mb: unknown = await heavy.runInThread(job, 'write_pdf', inputOf('a'))
    await heavy.close()
    assert.ok(Number(young_mb) <= 16, `${young_mb} MB`)
  })

  test('a call that takes too long ends its thread and is final', async () => {
    const heavy = createHeavyWork({ program: SILENT, limits: withLimits({ max_ms: 200 }) })
    await assert.rejects(heavy.runInThread(job, 'write_pdf', inputOf('Lent')), {
      name: 'JobLimitError',
      status: 422,
      code: 'work_limit',
      headers: {},
      message: 'Ce document demande trop de temps et n’a pas été préparé',
    })
    await heavy.close()
  })

  test('a call that exceeds its heap ends its thread and leaves the server running', async () => {
    const heavy = createHeavyWork({ program: GREEDY, limits: withLimits({ max_heap_mb: 32 }) })
    await assert.rejects(heavy.runInThread(job, 'write_pdf', inputOf('Lourd')), {
      name: 'JobLimitError',
      limit: 'memory',
    })
    await heavy.close()
  })

  test('a caller who leaves ends the thread, even if it never returns to its event loop', async () => {
    const heavy = createHeavyWork({ program: programOf('for(;;);') })
    const leave = new AbortController()
    const busy = { ...job, signal: leave.signal }
    const endless = heavy.runInThread(busy, 'write_pdf', inputOf('x'))
    setTimeout(() => leave.abort(new Error('left')), 100)
    await assert.rejects(endless, /left/)
    const processor_ms = () => process.cpuUsage().user / 1_000
    const before = processor_ms()
    await new Promise((resolve) => setTimeout(resolve, 300))
    assert.ok(processor_ms() - before < 200, `${processor_ms() - before} ms`)
    await heavy.close()
  })

  test('a call whose thread cannot start fails, and does not wait', async () => {
    const heavy = createHeavyWork({ program: programOf('', "throw new Error('broken')") })
    const calls = [1, 2].map(() => heavy.runInThread(job, 'write_pdf', inputOf('x')))
    for (const call of calls) await assert.rejects(call)
    await heavy.close()
  })

  test('a thread inside another job is counted as a thread', async () => {
    const inside = await work.run({ ...job, kind: 'import' }, () =>
      work.runInThread(job, 'write_pdf', inputOf('Dedans')),
    )
    assert.ok(inside.length > 0)
  })
})
