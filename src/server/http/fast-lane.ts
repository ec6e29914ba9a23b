import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerOptions,
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
  createServer: (routes: RequestListener, options: ServerOptions) => Server
}

/**
 * Answers what thousands ask for at the same time before the framework sees it: the same answers as
 * the routes give, from memory, in half the time. What is not at hand goes through the routes.
 */
export const createFastLane = (): FastLane => {
  const timings = createTimings()
  let lane: Lane | undefined

  return {
    open: (opened) => {
      lane = opened
    },
    close: () => {
      lane = undefined
    },
    timings,
    createServer: (routes, options) =>
      createServer(options, (request, response) => {
        const started = performance.now()
        const ready = request.method === 'GET' ? lane?.(request, request.url ?? '') : undefined
        const known = request.headers['if-none-match']
        const isKnown = known === ready?.etag
        // Another validator, or a list of them, is for the routes to read.
        if (!ready || (known !== undefined && !isKnown)) return routes(request, response)
        if (isKnown) response.writeHead(304, ready.headers).end()
        else response.writeHead(200, ready.whole_headers).end(ready.bytes)
        const status = isKnown ? 304 : 200
        const seconds = (performance.now() - started) / 1_000
        timings.count({ method: 'GET', route: ready.route, status }, seconds)
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
