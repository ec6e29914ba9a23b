import {
  context,
  defaultTextMapGetter,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { setGlobalErrorHandler, W3CTraceContextPropagator } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import type pg from 'pg'
import type { Config } from '#server/config/config.ts'
import type { FastPath } from '#server/http/edge/fast-path.ts'
import { traceOutgoingCalls } from './outgoing-spans.ts'

const SEND_EVERY_MS = 2_000
const MAX_SPANS_PER_REQUEST = 512
/** Maximum number of waiting spans, which bounds memory while the collector is unreachable. */
const MAX_WAITING_SPANS = 4_096
const SEND_TIMEOUT_MS = 5_000
const MAX_STATEMENT_LENGTH = 200

/** Tracing of this process. */
export type Tracing = {
  /** Sends a span for each call, and makes the call the parent of its statements and outgoing calls. */
  traceCalls: (app: FastifyInstance, fast_path: FastPath) => void
  /** Returns `attempt` in a span with a trace of its own, named after `name` and the channel. */
  traceAttempts: <
    Claimed extends { provider: string },
    Rest extends unknown[],
    Outcome extends { kind: string },
  >(
    name: string,
    attempt: (claimed: Claimed, ...rest: Rest) => Promise<Outcome>,
  ) => (claimed: Claimed, ...rest: Rest) => Promise<Outcome>
  /** Sends the waiting spans and stops. */
  close: () => Promise<void>
}

/**
 * Starts to send spans to an OpenTelemetry collector. SQL statements and outgoing calls have spans inside the span of
 * a call or an attempt. No span has values, addresses or ids of the product. Loaded only if tracing is configured.
 */
export const startTracing = (
  { url, headers, service_name, sample_ratio }: NonNullable<Config['tracing']>,
  { pool, log }: { pool: pg.Pool; log: Pick<FastifyBaseLogger, 'warn'> },
): Tracing => {
  setGlobalErrorHandler((error) => log.warn({ err: error }, 'spans were not sent'))
  const exporter = new OTLPTraceExporter({
    url: `${url}/v1/traces`,
    headers,
    timeoutMillis: SEND_TIMEOUT_MS,
  })
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': service_name }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(sample_ratio) }),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter,
        scheduledDelayMillis: SEND_EVERY_MS,
        maxExportBatchSize: MAX_SPANS_PER_REQUEST,
        maxQueueSize: MAX_WAITING_SPANS,
        exportTimeoutMillis: SEND_TIMEOUT_MS,
      }),
    ],
  })
  context.setGlobalContextManager(new AsyncLocalStorageContextManager())
  const tracer = provider.getTracer('quizaine')
  const propagator = new W3CTraceContextPropagator()
  const stopOutgoing = traceOutgoingCalls(tracer)

  pool.on('connect', (client) => {
    const { query } = client
    Object.assign(client, {
      query: (...args: unknown[]): unknown => {
        const statement = isRecording() ? statementOf(args[0]) : undefined
        if (statement === undefined) return Reflect.apply(query, client, args)
        const span = tracer.startSpan(
          statement.trim().split(/\s/, 1)[0]?.toUpperCase() ?? 'QUERY',
          {
            kind: SpanKind.CLIENT,
            attributes: {
              'db.system.name': 'postgresql',
              'db.query.text': statement.slice(0, MAX_STATEMENT_LENGTH),
            },
          },
        )
        const callback = args.at(-1)
        if (typeof callback === 'function') {
          const callbackWithSpan = (error: unknown, ...rest: unknown[]): void => {
            endSpan(span, Boolean(error))
            callback(error, ...rest)
          }
          return Reflect.apply(query, client, [...args.slice(0, -1), callbackWithSpan])
        }
        const asked: unknown = Reflect.apply(query, client, args)
        if (asked instanceof Promise)
          asked.then(
            () => endSpan(span, false),
            () => endSpan(span, true),
          )
        return asked
      },
    })
  })

  return {
    traceCalls: (app, fast_path) => {
      const spans = new WeakMap<object, Span>()
      /** Starts the span of a call. The traceparent header of the caller decides if it is sampled, otherwise the ratio. */
      const begin = (headers: object, startTime = performance.now()): Span =>
        tracer.startSpan(
          'call',
          { kind: SpanKind.SERVER, startTime },
          propagator.extract(ROOT_CONTEXT, headers, defaultTextMapGetter),
        )
      app.addHook('onRequest', (request, _reply, done) => {
        const span = begin(request.headers)
        spans.set(request.raw, span)
        context.with(trace.setSpan(context.active(), span), done)
      })
      fast_path.onAnswered(({ request, request_id, method, route, status, ms }) => {
        // A call answered from memory has no start time yet; its duration gives it.
        const span = spans.get(request) ?? begin(request.headers, performance.now() - ms)
        if (!span.isRecording()) return
        span.updateName(`${method} ${route}`)
        span.setAttributes({
          'http.request.method': method,
          'http.route': route,
          'http.response.status_code': status,
          'quizaine.request_id': request_id,
        })
        endSpan(span, status >= 500)
      })
    },
    traceAttempts:
      (name, attempt) =>
      (claimed, ...rest) =>
        tracer.startActiveSpan(
          `${name} ${claimed.provider}`,
          { kind: SpanKind.CONSUMER, root: true },
          async (span) => {
            try {
              const outcome = await attempt(claimed, ...rest)
              span.setAttribute('quizaine.outcome', outcome.kind)
              endSpan(span, false)
              return outcome
            } catch (error) {
              endSpan(span, true)
              throw error
            }
          },
        ),
    close: async () => {
      stopOutgoing()
      context.disable()
      await provider.shutdown()
    },
  }
}

/** Returns true inside a call or an attempt that is sampled and has not ended. */
const isRecording = (): boolean => trace.getActiveSpan()?.isRecording() ?? false

const endSpan = (span: Span, isFailed: boolean): void => {
  if (isFailed) span.setStatus({ code: SpanStatusCode.ERROR })
  span.end(performance.now())
}

const statementOf = (query: unknown): string | undefined => {
  if (typeof query === 'string') return query
  const isQuery = typeof query === 'object' && query !== null && 'text' in query
  return isQuery && typeof query.text === 'string' ? query.text : undefined
}
