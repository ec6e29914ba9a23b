/** Clock of a fake in milliseconds. Tests can advance it. */
export type Clock = { now: () => number; advance: (ms: number) => void }

/** Creates a clock that flows, or that stands still between calls of `advance`. */
export const createClock = ({ flows }: { flows: boolean }): Clock => {
  const started = Date.now()
  let offset = 0
  return {
    now: () => (flows ? Date.now() : started) + offset,
    advance: (ms) => {
      offset += ms
    },
  }
}

/** Creates a rate limiter that counts calls per key in a rolling window. */
export const createWindow = (clock: Clock, per_ms: number) => {
  const calls = new Map<string, number[]>()
  const recent = (key: string): number[] => {
    const kept = (calls.get(key) ?? []).filter((at) => at > clock.now() - per_ms)
    calls.set(key, kept)
    return kept
  }
  return {
    /** Counts a call. Returns false without counting if `most` calls are in the window. */
    take: (key: string, most: number): boolean => {
      const kept = recent(key)
      if (kept.length >= most) return false
      kept.push(clock.now())
      return true
    },
    /** Returns the number of calls that are still allowed. */
    left: (key: string, most: number): number => Math.max(0, most - recent(key).length),
    /** Returns the milliseconds until the oldest call leaves the window. */
    wait: (key: string): number => {
      const [oldest] = recent(key)
      return oldest === undefined ? 0 : oldest + per_ms - clock.now()
    },
  }
}
