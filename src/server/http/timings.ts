import type { Family } from './exposition.ts'

/** Upper bounds of the buckets in seconds, from an answer from memory to a call that times out. */
const BOUNDS = [0.001, 0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5]

type Kind = { method: string; route: string; status: number }
type Timed = Kind & { seconds: number; buckets: number[] }

export type Timings = {
  count: (kind: Kind, seconds: number) => void
  family: () => Family
}

/** Counts answers, and how long they took, by method, route and status. Counting one is two look-ups and three additions. */
export const createTimings = (): Timings => {
  const routes = new Map<string, Map<string, Timed>>()

  const find = ({ method, route, status }: Kind): Timed => {
    let kinds = routes.get(route)
    if (!kinds) {
      kinds = new Map()
      routes.set(route, kinds)
    }
    const key = `${method}${status}`
    let timed = kinds.get(key)
    if (!timed) {
      timed = { method, route, status, seconds: 0, buckets: Array(BOUNDS.length + 1).fill(0) }
      kinds.set(key, timed)
    }
    return timed
  }

  return {
    count: (kind, seconds) => {
      const timed = find(kind)
      const found = BOUNDS.findIndex((bound) => seconds <= bound)
      const place = found < 0 ? BOUNDS.length : found
      timed.seconds += seconds
      timed.buckets[place] = (timed.buckets[place] ?? 0) + 1
    },
    family: () => ({
      name: 'http_request_duration_seconds',
      type: 'histogram',
      samples: [...routes.values()].flatMap((kinds) => [...kinds.values()].flatMap(samplesOf)),
    }),
  }
}

const samplesOf = ({ method, route, status, seconds, buckets }: Timed): Family['samples'] => {
  const labels = { method, route, status }
  let count = 0
  const counted = [...BOUNDS, '+Inf'].map((le, place) => {
    count += buckets[place] ?? 0
    return { suffix: '_bucket' as const, labels: { ...labels, le }, value: count }
  })
  return [
    ...counted,
    { suffix: '_sum', labels, value: Number(seconds.toFixed(6)) },
    { suffix: '_count', labels, value: count },
  ]
}
