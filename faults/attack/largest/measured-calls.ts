import { setTimeout as pause } from 'node:timers/promises'
import type { Endpoint } from '#contract/kit/endpoint.ts'
import type { MeasuredSite } from '../measured-site.ts'

/** Time after which the client has seen the connections that the server closed. */
export const CLOSED_CONNECTIONS_MS = 10
const MAX_LOOP_MS = 100
const MAX_GROWTH_MB = 64
const MAX_ANSWER_BYTES = 8 * 1_048_576
/** Maximum number of rounds. A cost that occurs in every round is caused by the product, not by other programs. */
const ROUNDS = 4

/** Status, event-loop delay, growth of memory and size of the answer of a call. */
export type Cost = { status: number; loop_ms: number; growth_mb: number; bytes: number }

/** Returns the cost of a request: the minimum of several rounds for time and memory. */
export const costOf = async (
  site: MeasuredSite,
  send: () => Promise<{ status: number; bytes: number }>,
  rounds = ROUNDS,
): Promise<Cost> => {
  const cost: Cost = { status: 0, loop_ms: Infinity, growth_mb: Infinity, bytes: 0 }
  for (let round = 0; round < rounds; round++) {
    if (cost.loop_ms <= MAX_LOOP_MS && cost.growth_mb <= MAX_GROWTH_MB) break
    const { value, loop_ms, growth_mb } = await site.measure(send)
    cost.status = value.status
    cost.bytes = Math.max(cost.bytes, value.bytes)
    cost.loop_ms = Math.min(cost.loop_ms, loop_ms)
    cost.growth_mb = Math.min(cost.growth_mb, growth_mb)
  }
  return cost
}

/** True if the call failed in the product. Calls that ask an email tool answer 503 on a machine without a network. */
const hasFailed = (name: string, status: number): boolean =>
  status === 0 || (status >= 500 && !(status === 503 && name.startsWith('integrations.')))

/** Returns a text for each cost that exceeds its limit. */
export const excessesOf = (name: string, cost: Cost, max_bytes = MAX_ANSWER_BYTES): string[] => [
  ...(cost.loop_ms > MAX_LOOP_MS ? [`${name}: event loop ${Math.round(cost.loop_ms)} ms`] : []),
  ...(cost.growth_mb > MAX_GROWTH_MB ? [`${name}: memory ${Math.round(cost.growth_mb)} MB`] : []),
  ...(cost.bytes > max_bytes ? [`${name}: an answer of ${cost.bytes} bytes`] : []),
  ...(hasFailed(name, cost.status) ? [`${name}: answered ${cost.status}`] : []),
]

const causeOf = (error: unknown): string =>
  error instanceof Error ? String(error.cause ?? error) : String(error)

/** Sends a request of a creator from a network of its own, and reads the answer. */
export const sendRequest = async (
  { origin }: MeasuredSite,
  endpoint: Pick<Endpoint, 'method' | 'body_types'>,
  path: string,
  access_token: string,
  body?: unknown,
): Promise<{ status: number; bytes: number }> => {
  const json = body === undefined ? undefined : JSON.stringify(body)
  // A connection may have been closed while this process prepared the body.
  await pause(CLOSED_CONNECTIONS_MS)
  const response = await fetch(origin + path, {
    method: endpoint.method,
    headers: {
      authorization: `Bearer ${access_token}`,
      'x-forwarded-for': '203.0.113.40',
      ...(body !== undefined && { 'content-type': endpoint.body_types?.[0] ?? 'application/json' }),
    },
    signal: AbortSignal.timeout(120_000),
    body: json,
  }).catch((error: unknown) => {
    throw new Error(`${endpoint.method} ${path} was not answered: ${causeOf(error)}`)
  })
  const { byteLength } = await response.arrayBuffer()
  return { status: response.status, bytes: byteLength }
}

/** Returns the greatest figures of several calls in words, each with the name of its call. */
export const worstOf = (costs: Record<string, Cost>): string => {
  const entries = Object.entries(costs)
  const worst = (label: string, unit: string, read: (cost: Cost) => number): string => {
    const [name, cost] = entries.reduce((a, b) => (read(b[1]) > read(a[1]) ? b : a), [
      '',
      { status: 0, loop_ms: 0, growth_mb: 0, bytes: 0 },
    ] as [string, Cost])
    return `${label} ${Math.round(read(cost))} ${unit}${name && ` (${name})`}`
  }
  const nb_accepted = entries.filter(([, { status }]) => status < 400).length
  return [
    `${entries.length} calls`,
    `${nb_accepted} accepted`,
    worst('event loop', 'ms', ({ loop_ms }) => loop_ms),
    worst('memory', 'MB', ({ growth_mb }) => growth_mb),
    worst('answer', 'KiB', ({ bytes }) => bytes / 1_024),
  ].join(', ')
}
