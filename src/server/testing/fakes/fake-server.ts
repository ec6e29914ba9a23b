import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Clock, createClock } from './clock.ts'
import { type JournalEntry, maskSecretHeaders, maskSecrets } from './journal.ts'

/** Request as a fake vendor receives it. */
export type FakeRequest = {
  method: string
  path: string
  query: URLSearchParams
  /** Query as sent. Needed because decoding turns a raw + into a space. */
  raw_query: string
  headers: IncomingHttpHeaders
  text: string
  /** Decoded path parameters by name. */
  params: Record<string, string>
  address: string
  /** Records in the journal that the vendor ignores a part of the input. */
  note: (text: string) => void
}

/** Answer of a fake. A text body is sent unchanged, any other body as JSON. */
export type FakeReply = { status: number; body?: unknown; headers?: Record<string, string> }
/** Fault that applies to the next matching calls. */
export type Fault = {
  method?: string
  /** Path prefix or pattern of matching calls. Every path matches by default. */
  path?: string | RegExp
  /** Number of calls that fail; 1 by default. */
  times?: number
  /** Status of the answer. Without a status, the connection is closed. */
  status?: number
  body?: unknown
  headers?: Record<string, string>
  delay_ms?: number
  /** 'before': not processed. 'after' and 'hang': processed, the normal answer is not sent. 'slow': answered late. */
  mode: 'before' | 'after' | 'hang' | 'slow'
}

const isMatching = (fault: Fault, { method, path }: FakeRequest): boolean => {
  if (fault.method && fault.method !== method) return false
  if (fault.path === undefined) return true
  return typeof fault.path === 'string' ? path.startsWith(fault.path) : fault.path.test(path)
}

/** Creates an ordered list of faults. A fault ends after `times` uses. */
const createFaults = () => {
  const left: { fault: Fault; times: number }[] = []
  return {
    add: (fault: Fault): void => {
      left.push({ fault, times: fault.times ?? 1 })
    },
    clear: (): void => {
      left.length = 0
    },
    take: (request: FakeRequest): Fault | undefined => {
      const rule = left.find(({ fault, times }) => times > 0 && isMatching(fault, request))
      if (rule) rule.times -= 1
      return rule?.fault
    },
  }
}

/** Returns the answer of a fault. Undefined means that the connection is closed. */
const readFaultReply = ({ status, body, headers }: Fault): FakeReply | undefined =>
  status === undefined ? undefined : { status, body, ...(headers && { headers }) }

type Handler = (request: FakeRequest) => FakeReply
export type Routes = Record<`${string} /${string}`, Handler>

/** Routes and state of a fake vendor. */
export type Vendor = {
  routes: Routes
  /** Returns the answer to an unknown path (404) or method (405). */
  unknown: (status: 404 | 405) => FakeReply
  /** Returns the whole state of the fake as JSON data. */
  state: () => unknown
  switches: object
}

/** Port, and true if the clock of the fake flows. */
export type FakeOptions = { port?: number; flows?: boolean }

/** Running fake with its controls for tests. */
export type Fake = {
  origin: string
  clock: Clock
  journal: JournalEntry[]
  fail: (fault: Fault) => void
  /** Removes the remaining faults. */
  heal: () => void
  close: () => Promise<void>
}

/** Starts a fake vendor on this machine. Throws if NODE_ENV is `production`. */
export const startFake = async (
  createVendor: (clock: Clock) => Vendor,
  { port = 0, flows = false }: FakeOptions,
): Promise<Fake> => {
  if (process.env.NODE_ENV === 'production') throw new Error('A fake has no place in production')
  const clock = createClock({ flows })
  const faults = createFaults()
  const journal: JournalEntry[] = []
  const vendor = createVendor(clock)
  const control = createControlRoutes({ vendor, clock, faults, journal })

  const server = createServer(async (incoming, response) => {
    const url = new URL(incoming.url ?? '/', 'http://fake')
    const notes: string[] = []
    let text = ''
    for await (const part of incoming) text += String(part)
    const request: FakeRequest = {
      method: incoming.method ?? 'GET',
      path: url.pathname,
      query: url.searchParams,
      raw_query: url.search.slice(1),
      headers: incoming.headers,
      text,
      params: {},
      address: incoming.socket.remoteAddress ?? '',
      note: (said) => notes.push(said),
    }
    if (request.path.startsWith('/__fake')) return send(response, control(request))
    const entry: JournalEntry = {
      at: clock.now(),
      method: request.method,
      path: request.path,
      query: maskSecrets(request.raw_query),
      headers: maskSecretHeaders(incoming.headers),
      body: maskSecrets(text),
      status: null,
      notes,
    }
    journal.push(entry)
    const fault = faults.take(request)
    const done = fault?.mode === 'before' ? undefined : answer(vendor, request)
    if (fault?.delay_ms) await new Promise((resolve) => setTimeout(resolve, fault.delay_ms))
    if (fault?.mode === 'hang') return
    const isLost = fault?.mode === 'before' || fault?.mode === 'after'
    const reply = isLost ? readFaultReply(fault) : done
    if (!reply) return incoming.socket.destroy()
    entry.status = reply.status
    send(response, reply)
  })
  // Idle connections are never closed, because a slow client could reuse a connection at that moment.
  server.keepAliveTimeout = 0
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    origin,
    clock,
    journal,
    fail: faults.add,
    heal: faults.clear,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const answer = (vendor: Vendor, request: FakeRequest): FakeReply => {
  const found = findRoutes(vendor.routes, request.path)
  const route = found.find(({ method }) => method === request.method)
  if (!route) return vendor.unknown(found.length > 0 ? 405 : 404)
  request.params = route.params
  return route.handle(request)
}

const findRoutes = (routes: Routes, path: string) =>
  Object.entries(routes).flatMap(([key, handle]) => {
    const [method = '', pattern = ''] = key.split(' ')
    const names = pattern.match(/(?<=:)\w+/g) ?? []
    const found = new RegExp(`^${pattern.replaceAll(/:\w+/g, '([^/]+)')}$`).exec(path)
    if (!found) return []
    const params = names.map((name, at) => [name, decodeURIComponent(found[at + 1] ?? '')])
    return [{ method, handle, params: Object.fromEntries(params) as Record<string, string> }]
  })

const send = (response: ServerResponse, { status, body, headers = {} }: FakeReply): void => {
  const isText = typeof body === 'string'
  const type = isText ? 'text/plain; charset=utf-8' : 'application/json'
  response.writeHead(status, { ...(body !== undefined && { 'content-type': type }), ...headers })
  response.end(isText || body === undefined ? body : JSON.stringify(body))
}

/** Returns the JSON object of a body. Undefined if the body is not a JSON object. */
export const parseJsonBody = ({
  text,
}: Pick<FakeRequest, 'text'>): Record<string, unknown> | undefined => {
  try {
    const value: unknown = JSON.parse(text)
    return isRecord(value) ? value : undefined
  } catch {
    return undefined
  }
}

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Records unknown properties of a body in the journal, because the vendor ignores them. */
export const noteUnknown = (
  { note }: FakeRequest,
  body: Record<string, unknown>,
  known: readonly string[],
): void => {
  for (const name of Object.keys(body).filter((key) => !known.includes(key)))
    note(`unknown property ${name}`)
}

type ControlRequest = {
  vendor: Vendor
  clock: Clock
  faults: ReturnType<typeof createFaults>
  journal: JournalEntry[]
}

/** Returns a handler for the routes below `/__fake`: state, journal, clock, faults and switches. */
const createControlRoutes =
  ({ vendor, clock, faults, journal }: ControlRequest) =>
  (request: FakeRequest): FakeReply => {
    const body = parseJsonBody(request) ?? {}
    switch (`${request.method} ${request.path}`) {
      case 'GET /__fake/state':
        return { status: 200, body: vendor.state() }
      case 'GET /__fake/journal':
        return { status: 200, body: journal }
      case 'POST /__fake/advance':
        clock.advance(Number(body.ms))
        return { status: 204 }
      case 'POST /__fake/faults':
        faults.add(body as Fault)
        return { status: 204 }
      case 'POST /__fake/heal':
        faults.clear()
        return { status: 204 }
      case 'POST /__fake/switches':
        Object.assign(vendor.switches, body)
        return { status: 200, body: vendor.switches }
      default:
        return { status: 404 }
    }
  }
