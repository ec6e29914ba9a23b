import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from 'node:http'
import { createTimings, type Timings } from './timings.ts'

/** An answer that needs nobody: bytes in memory, and the header lines that go with them. */
export type Ready = {
  /** The address as the metrics name it. */
  route: string
  etag: string
  bytes: Buffer
  /** As `writeHead` takes them: name, value, name, value… */
  headers: string[]
  /** The same with the length, for an answer that is sent whole. */
  whole_headers: string[]
}

/** What a GET is answered with at once; undefined leaves it to the routes. */
type Lane = (request: IncomingMessage, url: string) => Ready | undefined

export type FastLane = {
  open: (lane: Lane) => void
  /** From now on everything goes through the routes, which end connections. */
  close: () => void
  /** What it answered. */
  timings: Timings
  /** `refuse` comes before every answer: true where it has answered. */
  createServer: (
    routes: RequestListener,
    options: ServerOptions & {
      refuse?: (request: IncomingMessage, response: ServerResponse) => boolean
    },
  ) => Server
}

/**
 * Answers what thousands ask for or send at the same time before the framework sees it: the same answers
 * as the routes give, in half the time. What is not at hand, or out of the ordinary, goes through the routes.
 */
export const createFastLane = (): FastLane => {
  const timings = createTimings()
  let lane: Lane | undefined
  const count = (kind: { method: string; route: string; status: number }, started: number) =>
    timings.count(kind, (performance.now() - started) / 1_000)

  return {
    open: (opened) => {
      lane = opened
    },
    close: () => {
      lane = undefined
    },
    timings,
    createServer: (routes, { refuse, ...options }) =>
      createServer(options, (request, response) => {
        if (refuse?.(request, response)) return
        const started = performance.now()
        const ready = request.method === 'GET' ? lane?.(request, request.url ?? '') : undefined
        const known = request.headers['if-none-match']
        const isKnown = known === ready?.etag
        // Another validator, or a list of them, is for the routes to read.
        if (!ready || (known !== undefined && !isKnown)) return routes(request, response)
        if (isKnown) response.writeHead(304, ready.headers).end()
        else response.writeHead(200, ready.whole_headers).end(ready.bytes)
        count({ method: 'GET', route: ready.route, status: isKnown ? 304 : 200 }, started)
      }),
  }
}

/** Makes an answer ready, its headers written once. */
export const makeReady = (
  headers: Record<string, string>,
  { route, etag, bytes }: Pick<Ready, 'route' | 'etag' | 'bytes'>,
): Ready => {
  const lines = Object.entries({ ...headers, etag }).flat()
  const length = ['content-length', String(bytes.length)]
  return { route, etag, bytes, headers: lines, whole_headers: [...lines, ...length] }
}
