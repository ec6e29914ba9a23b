import { setTimeout as pause } from 'node:timers/promises'
import type { Endpoint } from '#contract/kit/endpoint.ts'
import { contractCalls } from '#server/testing/app/contract-calls.ts'
import { type Figures, findExcesses } from '../runner/limits.ts'
import type { MeasuredSite } from '../runner/measured-site.ts'
import { type Answer, send } from '../runner/requests.ts'

/** Time after which the client has seen the connections that the server closed. */
export const CLOSED_CONNECTIONS_MS = 10
const LIMITS = { loop_ms: 100, growth_mb: 64, answer_bytes: 8 * 1_048_576 }
const TIMEOUT_MS = 120_000
/** Maximum number of rounds. A cost that occurs in every round is caused by the product, not by other programs. */
const ROUNDS = 4

/** Status of a call and its measured figures. */
export type Cost = { status: number; loop_ms: number; growth_mb: number; answer_bytes: number }

/** Returns the cost of a request: the minimum of several rounds for time and memory. */
export const measureCost = async (
  site: MeasuredSite,
  makeCall: () => Promise<Answer>,
  rounds = ROUNDS,
): Promise<Cost> => {
  const cost: Cost = { status: 0, loop_ms: Infinity, growth_mb: Infinity, answer_bytes: 0 }
  for (let round = 0; round < rounds; round++) {
    if (cost.loop_ms <= LIMITS.loop_ms && cost.growth_mb <= LIMITS.growth_mb) break
    const { value, loop_ms, growth_mb } = await site.measure(makeCall)
    cost.status = value.status
    cost.answer_bytes = Math.max(cost.answer_bytes, value.bytes.length)
    cost.loop_ms = Math.min(cost.loop_ms, loop_ms)
    cost.growth_mb = Math.min(cost.growth_mb, growth_mb)
  }
  return cost
}

/** Returns true if the call failed in the product. Calls to an email tool are answered 503 on a machine without a network. */
const hasFailed = (name: string, status: number): boolean =>
  status === 0 || (status >= 500 && !(status === 503 && name.startsWith('integrations.')))

/** Returns a line for each cost that exceeds its limit, and for a failed call. */
export const findCostExcesses = (name: string, cost: Cost, limits: Figures = {}): string[] => [
  ...findExcesses(cost, { ...LIMITS, ...limits }, name),
  ...(hasFailed(name, cost.status) ? [`${name}: answered ${cost.status}`] : []),
]

const causeOf = (error: unknown): string =>
  error instanceof Error ? String(error.cause ?? error) : String(error)

/** Makes a call of the contract with an access token, from a network that only this set of attacks uses. */
export const makeContractCall = async (
  { origin }: MeasuredSite,
  { method, body_types }: Pick<Endpoint, 'method' | 'body_types'>,
  { path, token, body }: { path: string; token?: string; body?: unknown },
): Promise<Answer> => {
  const json = body === undefined ? undefined : JSON.stringify(body)
  // A connection may have been closed while this process prepared the body.
  await pause(CLOSED_CONNECTIONS_MS)
  return send(origin + path, {
    method,
    body: json,
    token,
    network: '203.0.113.40',
    timeout_ms: TIMEOUT_MS,
    headers: body_types?.[0] && body !== undefined ? { 'content-type': body_types[0] } : {},
  }).catch((error: unknown) => {
    throw new Error(`${method} ${path} was not answered: ${causeOf(error)}`)
  })
}

/** Opens a page of visitors. */
export const openPage = ({ origin }: MeasuredSite, path: string): Promise<Answer> =>
  send(origin + path, { network: '203.0.113.41', timeout_ms: TIMEOUT_MS })

/** Calls that read a quiz. */
export const READ_CALLS = contractCalls.filter(
  ([, { method, path }]) => method === 'GET' && path.includes('{id}'),
)

/** Returns the greatest figures of several calls in words, each with the name of its call. */
export const describeWorstCosts = (costs: Record<string, Cost>): string => {
  const entries = Object.entries(costs)
  const worst = (label: string, unit: string, read: (cost: Cost) => number): string => {
    const [name, cost] = entries.reduce((a, b) => (read(b[1]) > read(a[1]) ? b : a), [
      '',
      { status: 0, loop_ms: 0, growth_mb: 0, answer_bytes: 0 },
    ] as [string, Cost])
    return `${label} ${Math.round(read(cost))} ${unit}${name && ` (${name})`}`
  }
  const nb_accepted = entries.filter(([, { status }]) => status < 400).length
  return [
    `${entries.length} calls`,
    `${nb_accepted} accepted`,
    worst('event loop', 'ms', ({ loop_ms }) => loop_ms),
    worst('memory', 'MB', ({ growth_mb }) => growth_mb),
    worst('answer', 'KiB', ({ answer_bytes }) => answer_bytes / 1_024),
  ].join(', ')
}
