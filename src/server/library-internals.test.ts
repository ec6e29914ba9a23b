import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect, createServer as createTcpServer, type Socket } from 'node:net'
import { after, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { z } from 'zod'
import { createPipelineLimit } from '#server/http/edge/http-server.ts'
import { Canvas } from '#server/reports/pdf/canvas.ts'
import { findTestServer } from '#server/testing/app/test-server.ts'

/**
 * Parts of Node.js and of libraries that are not documented. A test that fails after an update names the file that relies
 * on the part.
 */

const { server: database, stop } = await findTestServer()
after(stop)

test('node:net shows the bytes of a write that the operating system has not accepted', async () => {
  const server = createTcpServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const client = connect((server.address() as { port: number }).port, '127.0.0.1').pause()
  const [socket]: Socket[] = await once(server, 'connection')
  socket?.write(Buffer.alloc(64 * 1_048_576))
  const { _handle } = socket as Socket & { _handle?: { writeQueueSize?: unknown } }
  const size = _handle?.writeQueueSize
  client.destroy()
  socket?.destroy()
  server.close()
  assert.ok(
    typeof size === 'number' && size > 0,
    'socket._handle.writeQueueSize is gone: `queueBytes` in http/edge/http-server.ts must measure the unsent bytes in another way, or slow readers are cut off',
  )
})

test('node:http creates the errors of waiting requests between the first and the last close listener', async () => {
  const isTooDeep = createPipelineLimit()
  const stacks: string[] = []
  const server = createServer((request, response) => {
    request.on('error', ({ stack = '' }) => stacks.push(stack))
    isTooDeep(request, response)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const client = connect((server.address() as { port: number }).port, '127.0.0.1')
  client.on('error', () => undefined)
  client.write('GET / HTTP/1.1\r\nhost: a\r\n\r\n'.repeat(10))
  await once(client.resume(), 'close')
  server.close()
  await pause(0)
  assert.ok(stacks.length > 0, 'node:http no longer creates an error for each waiting request')
  assert.deepEqual(
    stacks.filter((stack) => stack.includes('\n    at ')),
    [],
    'node:http creates its errors at another time: `closeCheaply` in http/edge/http-server.ts no longer omits stack traces',
  )
  assert.ok(Error.stackTraceLimit > 0, '`closeCheaply` must restore Error.stackTraceLimit')
})

test('pdfkit shows the open structure element, its subset and its fonts', () => {
  const canvas = new Canvas({ title: 'Titre', font: 'system', layout: 'report' })
  const pdf = canvas.pdf as unknown as Record<string, unknown>
  let element: unknown
  canvas.element(canvas.root, 'P', (open) => {
    canvas.paragraph(open, 'Span', ['Bonjour'], { size: 11, weight: 400, color: '#000000' })
    open.add(() => {
      element = pdf._currentStructureElement
    })
  })
  canvas.root.end()
  assert.ok(
    element,
    'pdfkit no longer has `_currentStructureElement`: links of PDFs lose their place (`currentElement` in reports/pdf/canvas.ts)',
  )
  assert.equal(
    typeof pdf.subset,
    'number',
    'pdfkit no longer has `subset`: fonts would get an incomplete CIDSet (`#embedFonts` in reports/pdf/canvas.ts)',
  )
  const fonts = Object.values((pdf._fontFamilies ?? {}) as Record<string, Record<string, unknown>>)
  assert.ok(
    fonts.length > 0 &&
      fonts.every(
        ({ finalize, unicode }) => finalize instanceof Function && Array.isArray(unicode),
      ),
    'pdfkit no longer has `_fontFamilies` with `finalize` and `unicode`: see `#embedFonts` in reports/pdf/canvas.ts',
  )
})

test('pg names the error of an answer that does not arrive in time', async () => {
  const client = new pg.Client({ ...database.connection, query_timeout: 50 })
  await client.connect()
  await assert.rejects(
    client.query('select pg_sleep(0.5)'),
    /^Error: Query read timeout/,
    'pg words its timeout in another way: `NO_ANSWER` in db/kysely-pool.ts no longer finds stalled connections',
  )
  await client.end()
})

test('pg stops the time limit of a stream when its callback is called', async () => {
  const client = new pg.Client({ ...database.connection, query_timeout: 50 })
  await client.connect()
  const timed = Object.assign(new pg.Query('select 1'), { callback: () => undefined })
  const { callback } = timed
  client.query(timed)
  assert.notEqual(
    timed.callback,
    callback,
    'pg no longer ends its query timeout in `callback`: `copyLines` in exports/copy-pages.ts must end the timeout itself',
  )
  timed.callback()
  await client.end()
})

test('zod describes a schema in `_zod.def`', () => {
  const { def } = (z.string().max(3) as z.core.$ZodTypes)._zod
  assert.ok(
    def.type === 'string' && def.checks?.length === 1,
    'zod describes its schemas in another way: http/edge/validation.ts and validate-in-pieces.ts read `_zod.def`',
  )
})
