import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { ClientRequest, IncomingMessage } from 'node:http'
import { type Span, SpanKind, SpanStatusCode, type Tracer, trace } from '@opentelemetry/api'

/** Messages of Node's channels, for requests of `fetch` and of node:http. */
type FetchMessage = { request: { method: string }; response?: { statusCode: number } }
type HttpMessage = { request: ClientRequest; response?: IncomingMessage }

/**
 * Records a span for each outgoing HTTP call inside a sampled span, until its answer begins. The span has no address,
 * because creators type some addresses. Returns the function that stops.
 */
export const traceOutgoingCalls = (tracer: Tracer): (() => void) => {
  const spans = new WeakMap<object, Span>()
  const begin = ({ request }: FetchMessage | HttpMessage): void => {
    if (!trace.getActiveSpan()?.isRecording()) return
    const { method } = request
    const attributes = { 'http.request.method': method }
    spans.set(request, tracer.startSpan(method, { kind: SpanKind.CLIENT, attributes }))
  }
  const end = (request: object, status: number | undefined): void => {
    const span = spans.get(request)
    spans.delete(request)
    if (status !== undefined) span?.setAttribute('http.response.status_code', status)
    if (status === undefined || status >= 400) span?.setStatus({ code: SpanStatusCode.ERROR })
    span?.end()
  }
  const listeners = {
    'undici:request:create': begin,
    'undici:request:headers': ({ request, response }: FetchMessage) =>
      end(request, response?.statusCode),
    'undici:request:error': ({ request }: FetchMessage) => end(request, undefined),
    'http.client.request.start': begin,
    'http.client.response.finish': ({ request, response }: HttpMessage) =>
      end(request, response?.statusCode),
    'http.client.request.error': ({ request }: HttpMessage) => end(request, undefined),
  }
  const each = Object.entries(listeners) as [string, (message: unknown) => void][]
  for (const [channel, listener] of each) subscribe(channel, listener)
  return () => {
    for (const [channel, listener] of each) unsubscribe(channel, listener)
  }
}
