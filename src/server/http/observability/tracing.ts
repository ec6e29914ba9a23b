import { AsyncLocalStorage } from 'node:async_hooks'
import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import type pg from 'pg'
import type { Config } from '#server/config/config.ts'
import type { FastPath } from '#server/http/edge/fast-path.ts'
import { runEvery } from '#server/runtime/run-every.ts'

/** A span in the JSON format of OTLP. */
export type Span = {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  kind: 2 | 3
  startTimeUnixNano: string
  endTimeUnixNano: string
  attributes: { key: string; value: { stringValue: string } | { intValue: string } }[]
  status: { code?: 2 }
}

type SpanSender = { send: (span: Span) => void; close: () => Promise<void> }

type Collector = { url: string; headers: Record<string, string>; service_name: string }

const SEND_EVERY_MS = 2_000
const MAX_SPANS_PER_REQUEST = 512
/** Maximum number of waiting spans, which bounds memory while the collector is unreachable. */
const MAX_WAITING_SPANS = 4_096
const SEND_TIMEOUT_MS = 5_000

/**
 * Creates a sender of spans to an OpenTelemetry collector (OTLP over HTTP, JSON). Spans are sent in batches, after
 * the responses.
 */
const createSpanSender = (
  { url, headers, service_name }: Collector,
  log: Pick<FastifyBaseLogger, 'warn'>,
): SpanSender => {
  let waiting: Span[] = []
  let sending: Promise<void> = Promise.resolve()
  const resource = {
    attributes: [{ key: 'service.name', value: { stringValue: service_name } }],
  }
  const post = async (spans: Span[]): Promise<void> => {
    const scopeSpans = [{ scope: { name: 'quizaine' }, spans }]
    try {
      const { ok, status } = await fetch(`${url}/v1/traces`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify({ resourceSpans: [{ resource, scopeSpans }] }),
        signal: AbortSignal.timeout(SEND_TIMEOUT_MS),
        redirect: 'error',
      })
      if (!ok) log.warn({ status, nb_spans: spans.length }, 'the collector refused spans')
    } catch (error) {
      log.warn({ err: error, nb_spans: spans.length }, 'spans were not sent')
    }
  }
  const flush = (): Promise<void> => {
    const spans = waiting
    waiting = []
    for (let begin = 0; begin < spans.length; begin += MAX_SPANS_PER_REQUEST) {
      const some = spans.slice(begin, begin + MAX_SPANS_PER_REQUEST)
      sending = sending.then(() => post(some))
    }
    return sending
  }
  const stopSending = runEvery(SEND_EVERY_MS, flush)

  return {
    send: (span) => {
      if (waiting.length < MAX_WAITING_SPANS) waiting.push(span)
    },
    close: async () => {
      await stopSending()
      await flush()
    },
  }
}

type Context = { traceId: string; spanId: string; parentSpanId: string | undefined; began: bigint }
type TracingDependencies = {
  config: NonNullable<Config['tracing']>
  pool: pg.Pool
  fast_path: FastPath
}

const SERVER = 2
const CLIENT = 3
const FAILED = { code: 2 } as const
/** Header of W3C Trace Context. */
const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/
const MAX_STATEMENT_LENGTH = 200

const id = (bytes: number): string => randomBytes(bytes).toString('hex')
/** Returns nanoseconds since 1970, never decreasing. */
const STARTED = BigInt(Date.now()) * 1_000_000n - process.hrtime.bigint()
const now = (): bigint => STARTED + process.hrtime.bigint()
const text = (key: string, stringValue: string) => ({ key, value: { stringValue } })

/**
 * Sends a span for each call and each of its SQL statements, without parameters, to an OpenTelemetry collector.
 * Loaded only if tracing is configured.
 */
export const trace = (
  app: FastifyInstance,
  { config, pool, fast_path }: TracingDependencies,
): void => {
  const sender = createSpanSender(config, app.log)
  const current = new AsyncLocalStorage<Context>()
  const contexts = new WeakMap<IncomingMessage, Context | undefined>()

  /**
   * Starts a span, unless the call is not sampled. The traceparent header of the caller decides, otherwise the sample
   * ratio.
   */
  const begin = (
    { traceparent = '' }: IncomingMessage['headers'],
    began = now(),
  ): Context | undefined => {
    const [, traceId, parentSpanId, flags] = TRACEPARENT.exec(String(traceparent)) ?? []
    const isSampled = flags
      ? (Number.parseInt(flags, 16) & 1) === 1
      : Math.random() < config.sample_ratio
    if (!isSampled) return undefined
    return { traceId: traceId ?? id(16), spanId: id(8), parentSpanId, began }
  }
  app.addHook('onRequest', (request, _reply, done) => {
    const context = begin(request.headers)
    contexts.set(request.raw, context)
    if (!context) return done()
    current.run(context, done)
  })
  fast_path.onAnswered(({ request, request_id, method, route, status, ms }) => {
    // A call answered from memory has no start time yet; its duration gives it.
    const context = contexts.has(request)
      ? contexts.get(request)
      : begin(request.headers, now() - BigInt(Math.round(ms * 1e6)))
    if (!context) return
    const { began, ...ids } = context
    sender.send({
      ...ids,
      name: `${method} ${route}`,
      kind: SERVER,
      startTimeUnixNano: String(began),
      endTimeUnixNano: String(now()),
      attributes: [
        text('http.request.method', method),
        text('http.route', route),
        {
          key: 'http.response.status_code',
          value: { intValue: String(status) },
        },
        text('quizaine.request_id', request_id),
      ],
      status: status >= 500 ? FAILED : {},
    })
  })
  app.addHook('onClose', () => sender.close())

  const sendStatementSpan = (
    context: Context,
    statement: string,
    began: bigint,
    isFailed: boolean,
  ): void => {
    const span: Span = {
      traceId: context.traceId,
      spanId: id(8),
      parentSpanId: context.spanId,
      name: statement.trim().split(/\s/, 1)[0]?.toUpperCase() ?? 'QUERY',
      kind: CLIENT,
      startTimeUnixNano: String(began),
      endTimeUnixNano: String(now()),
      attributes: [
        text('db.system.name', 'postgresql'),
        text('db.query.text', statement.slice(0, MAX_STATEMENT_LENGTH)),
      ],
      status: isFailed ? FAILED : {},
    }
    sender.send(span)
  }
  pool.on('connect', (client) => {
    const { query } = client
    Object.assign(client, {
      query: (...args: unknown[]): unknown => {
        const context = current.getStore()
        const statement = statementOf(args[0])
        if (!context || statement === undefined) return Reflect.apply(query, client, args)
        const began = now()
        const callback = args.at(-1)
        if (typeof callback === 'function') {
          const callbackWithSpan = (error: unknown, ...rest: unknown[]): void => {
            sendStatementSpan(context, statement, began, Boolean(error))
            callback(error, ...rest)
          }
          return Reflect.apply(query, client, [...args.slice(0, -1), callbackWithSpan])
        }
        const asked: unknown = Reflect.apply(query, client, args)
        if (asked instanceof Promise)
          asked.then(
            () => sendStatementSpan(context, statement, began, false),
            () => sendStatementSpan(context, statement, began, true),
          )
        return asked
      },
    })
  })
}

const statementOf = (given: unknown): string | undefined => {
  if (typeof given === 'string') return given
  const isQuery = typeof given === 'object' && given !== null && 'text' in given
  return isQuery && typeof given.text === 'string' ? given.text : undefined
}
