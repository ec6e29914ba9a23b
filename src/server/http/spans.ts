import type { FastifyBaseLogger } from 'fastify'
import { every } from '#server/runtime/every.ts'

/** A span in OTLP's JSON form. */
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

export type SpanSender = { send: (span: Span) => void; close: () => Promise<void> }

type Collector = { url: string; headers: Record<string, string>; service_name: string }

const SEND_EVERY_MS = 2_000
const MOST_AT_ONCE = 512
/** Bounds memory while the collector is unreachable. */
const MOST_WAITING = 4_096
const PATIENCE_MS = 5_000

/** Sends spans to an OpenTelemetry collector (OTLP over HTTP, JSON) in batches, behind the answers. */
export const createSpanSender = (
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
        signal: AbortSignal.timeout(PATIENCE_MS),
        redirect: 'error',
      })
      if (!ok) log.warn({ status, nb_spans: spans.length }, 'the collector refused spans')
    } catch (error) {
      log.warn({ err: error, nb_spans: spans.length }, 'spans were not handed over')
    }
  }
  const flush = (): Promise<void> => {
    const spans = waiting
    waiting = []
    for (let begin = 0; begin < spans.length; begin += MOST_AT_ONCE) {
      const some = spans.slice(begin, begin + MOST_AT_ONCE)
      sending = sending.then(() => post(some))
    }
    return sending
  }
  const stopSending = every(SEND_EVERY_MS, flush)

  return {
    send: (span) => {
      if (waiting.length < MOST_WAITING) waiting.push(span)
    },
    close: async () => {
      await stopSending()
      await flush()
    },
  }
}
