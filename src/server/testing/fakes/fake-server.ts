import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Clock, createClock } from './clock.ts'
import { type JournalEntry, masked, maskedHeaders } from './journal.ts'

export type FakeRequest = {
  method: string
  path: string
  query: URLSearchParams
  /** Query as sent; a raw + differs from an encoded one. */
  raw_query: string
  headers: IncomingHttpHeaders
  text: string
  /** Decoded path parameters by name. */
  params: Record<string, string>
  address: string
  /** Records input that the vendor ignores. */
  note: (text: string) => void
}

/** Sends a text body unchanged and any other as JSON. */
export type FakeReply = { status: number; body?: unknown; headers?: Record<string, string> }
/** Fault of the next matching calls. */
export type Fault = {
  method?: string
  /** Path prefix or pattern of the fault. */
  path?: string | RegExp
  /** Number of times; once by default. */
  times?: number
  /** Status of the fault; without one the connection breaks. */
  status?: number
  body?: unknown
  headers?: Record<string, string>
  delay_ms?: number
  /**
   * 'before': not processed. 'after': processed, answer lost. 'hang': processed, never answered. 'slow': answered
   * late.
   */
  mode: 'before' | 'after' | 'hang' | 'slow'
}

const meant = (fault: Fault, { method, path }: FakeRequest): boolean => {
  if (fault.method && fault.method !== method) return false
  if (fault.path === undefined) return true
  return typeof fault.path === 'string' ? path.startsWith(fault.path) : fault.path.test(path)
}

/** Faults of a fake in order; each is removed after `times` uses. */
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
      const rule = left.find(({ fault, times }) => times > 0 && meant(fault, request))
      if (rule) rule.times -= 1
      return rule?.fault
    },
  }
}

/** Returns the answer of a fault; undefined if the connection breaks. */
const replyOf = ({ status, body, headers }: Fault): FakeReply | undefined =>
  status === undefined ? undefined : { status, body, ...(headers && { headers }) }

type Handler = (request: FakeRequest) => FakeReply
export type Routes = Record<`${string} /${string}`, Handler>

/** Definition of a fake vendor. */
export type Vendor = {
  routes: Routes
  /** Answer for an unknown path or method. */
  unknown: (status: 404 | 405) => FakeReply
  /** Returns the whole state as data. */
  state: () => unknown
  switches: object
}

export type FakeOptions = { port?: number; flows?: boolean }

/** A running fake, as tests hold it. */
export type Fake = {
  origin: string
  clock: Clock
  journal: JournalEntry[]
  fail: (fault: Fault) => void
  /** Removes the remaining faults. */
  heal: () => void
  close: () => Promise<void>
}

/** Starts a fake vendor on this machine; refuses to run in production. */
export const startFake = async (
  createVendor: (clock: Clock) => Vendor,
  { port = 0, flows = false }: FakeOptions,
): Promise<Fake> => {
  if (process.env.NODE_ENV === 'production') throw new Error('A fake has no place in production')
  const clock = createClock({ flows })
  const faults = createFaults()
  const journal: JournalEntry[] = []
  const vendor = createVendor(clock)
  const control = controlOf({ vendor, clock, faults, journal })

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
      query: masked(request.raw_query),
      headers: maskedHeaders(incoming.headers),
      body: masked(text),
      status: null,
      notes,
    }
    journal.push(entry)
    const fault = faults.take(request)
    const done = fault?.mode === 'before' ? undefined : answer(vendor, request)
    if (fault?.delay_ms) await new Promise((resolve) => setTimeout(resolve, fault.delay_ms))
    if (fault?.mode === 'hang') return
    const isLost = fault?.mode === 'before' || fault?.mode === 'after'
    const reply = isLost ? replyOf(fault) : done
    if (!reply) return incoming.socket.destroy()
    entry.status = reply.status
    send(response, reply)
  })
  // The idle timeout is long, because a slow client may use a connection that was just closed.
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

/** Returns a body as JSON; undefined if it is not JSON. */
export const jsonOf = ({
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

/** Records unknown input that a vendor ignores. */
export const noteUnknown = (
  { note }: FakeRequest,
  body: Record<string, unknown>,
  known: readonly string[],
): void => {
  for (const name of Object.keys(body).filter((key) => !known.includes(key)))
    note(`unknown property ${name}`)
}

type Controlled = {
  vendor: Vendor
  clock: Clock
  faults: ReturnType<typeof createFaults>
  journal: JournalEntry[]
}

/** Control routes of a fake: state, clock, faults and switches. */
const controlOf =
  ({ vendor, clock, faults, journal }: Controlled) =>
  (request: FakeRequest): FakeReply => {
    const body = jsonOf(request) ?? {}
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
