import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { json } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { pino } from 'pino'
import { createSafePost } from '#server/outbound-http/safe-post.ts'
import { createTestApp, type TestApp } from '#server/testing/app/test-app.ts'
import { buildPlayer } from '#server/testing/built-player.ts'
import { publishedScoreQuiz } from '#server/testing/quizzes/sample-quizzes.ts'
import { startTracing } from './tracing.ts'

/** Span in the JSON format of OTLP. */
type Span = {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  kind: number
  startTimeUnixNano: string
  endTimeUnixNano: string
  attributes: { key: string; value: object }[]
  status: { code?: number }
}
type Sent = {
  resourceSpans: { resource: unknown; scopeSpans: { spans: Span[] }[] }[]
}

/** A collector that stores the spans it receives. */
const handed: { authorization: unknown; path: unknown; sent: Sent }[] = []
const collector = createServer(async (request, response) => {
  const { authorization } = request.headers
  handed.push({ authorization, path: request.url, sent: (await json(request)) as Sent })
  response.end('{}')
})
const receivedSpans = (): Span[] =>
  handed.flatMap(({ sent }) =>
    sent.resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)),
  )
const collectorUrl = (): string => {
  const address = collector.address()
  assert.ok(address && typeof address === 'object')
  return `http://127.0.0.1:${address.port}`
}
const { player_folder, remove } = buildPlayer()
let t: TestApp
before(async () => {
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve))
  t = await createTestApp(
    {
      OTEL_EXPORTER_OTLP_ENDPOINT: collectorUrl(),
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Basic%20x',
      OTEL_TRACES_SAMPLER_ARG: '0',
    },
    { has_pages: true, folders: { player: player_folder, dashboard: 'dist/dashboard' } },
  )
})
after(async () => {
  await t.close()
  collector.close()
  remove()
})

const TRACE = '0af7651916cd43dd8448eb211c80319c'
const CALLER = 'b7ad6b7169203331'

test('a traced call is reported with its statements but without their values', async () => {
  const { client, access_token } = await t.signUp('secret@example.org')
  const { quiz } = await client.quizzes.create({ body: { name: 'Nom secret', type: 'quiz' } })
  const traced = await t.raw({
    url: `/api/v1/quizzes/${quiz.id}`,
    headers: { authorization: `Bearer ${access_token}`, traceparent: `00-${TRACE}-${CALLER}-01` },
  })
  assert.equal(traced.statusCode, 200)
  // A page is traced whether its route or the cache answers, if its caller asks for it.
  const published = await publishedScoreQuiz(client)
  const origin = await t.app.listen({ port: 0, host: '127.0.0.1' })
  for (const flags of ['01', '01', '00', undefined]) {
    const headers: Record<string, string> = flags
      ? { traceparent: `00-${TRACE}-${CALLER}-${flags}` }
      : {}
    const reply = await fetch(`${origin}/q/${published.id}`, { headers })
    assert.equal(reply.status, 200)
    await reply.text()
  }
  // Closing sends the waiting spans.
  await t.app.close()

  assert.ok(handed.length > 0)
  assert.ok(handed.every(({ path }) => path === '/v1/traces'))
  assert.ok(handed.every(({ authorization }) => authorization === 'Basic%20x'))
  const spans = receivedSpans()
  assert.deepEqual(new Set(spans.map(({ traceId }) => traceId)), new Set([TRACE]))
  const pages = spans.filter(({ name }) => name === 'GET /q/:id')
  assert.deepEqual(
    pages.map(({ parentSpanId }) => parentSpanId),
    [CALLER, CALLER],
  )
  for (const { startTimeUnixNano, endTimeUnixNano } of pages)
    assert.ok(BigInt(endTimeUnixNano) > BigInt(startTimeUnixNano))
  const call = spans.find(({ kind, name }) => kind === 2 && name !== 'GET /q/:id')
  assert.deepEqual([call?.name, call?.parentSpanId], ['GET /api/v1/quizzes/:id', CALLER])
  const statements = spans.filter(({ kind }) => kind === 3)
  assert.ok(statements.length > 0)
  for (const { name, parentSpanId, startTimeUnixNano, endTimeUnixNano } of statements) {
    assert.match(name, /^[A-Z]+$/)
    assert.ok([call, ...pages].some((span) => span?.spanId === parentSpanId))
    assert.ok(BigInt(endTimeUnixNano) >= BigInt(startTimeUnixNano))
  }
  assert.ok(!JSON.stringify(handed).includes(quiz.id))
})

test('an attempt of the worker is a trace with its statements and outgoing calls, without addresses', async () => {
  handed.length = 0
  const pool = new pg.Pool(t.connection)
  const tracing = startTracing(
    { url: collectorUrl(), headers: {}, service_name: 'quizaine', sample_ratio: 1 },
    { pool, log: pino({ level: 'silent' }) },
  )
  const receiver = createServer((request, response) => {
    if (request.url === '/secret-cut') return request.destroy()
    response.statusCode = request.url === '/secret-404' ? 404 : 200
    response.end()
  })
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  const address = receiver.address()
  assert.ok(address && typeof address === 'object')
  const origin = `http://127.0.0.1:${address.port}`
  const post = createSafePost({ allows_loopback: true })
  const send = tracing.traceAttempts('deliver', async (_: { provider: string }) => {
    await pool.query('select $1::text', ['secret'])
    await (await fetch(`${origin}/secret-404`)).text()
    await post({ address: `${origin}/secret`, headers: {}, body: 'secret' })
    await fetch(`${origin}/secret-cut`).catch(() => undefined)
    return { kind: 'delivered' }
  })
  const refuse = tracing.traceAttempts('erase', (_: { provider: string }) =>
    Promise.reject(new Error('secret')),
  )
  // Without a sampled parent, statements and calls have no spans.
  await pool.query('select 1')
  await (await fetch(origin)).text()
  assert.deepEqual(await send({ provider: 'webhook' }), { kind: 'delivered' })
  await assert.rejects(refuse({ provider: 'brevo' }), /secret/)
  await tracing.close()
  await pool.end()
  receiver.close()

  const spans = receivedSpans()
  assert.ok(!JSON.stringify(handed).includes('secret'))
  assert.ok(!JSON.stringify(handed).includes(String(address.port)))
  const attempt = spans.find(({ name }) => name === 'deliver webhook')
  const shown = spans.map(({ name, kind, status, parentSpanId, attributes }) => {
    const code = attributes.find(({ key }) => key === 'http.response.status_code')?.value
    return [name, kind, status.code, parentSpanId === attempt?.spanId, code]
  })
  assert.deepEqual(shown, [
    ['SELECT', 3, 0, true, undefined],
    ['GET', 3, 2, true, { intValue: 404 }],
    ['POST', 3, 0, true, { intValue: 200 }],
    ['GET', 3, 2, true, undefined],
    ['deliver webhook', 5, 0, false, undefined],
    ['erase brevo', 5, 2, false, undefined],
  ])
})
