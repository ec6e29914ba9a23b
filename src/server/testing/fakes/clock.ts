/** Clock of a fake: fixed or flowing, and advanced by tests. */
export type Clock = { now: () => number; advance: (ms: number) => void }

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

/** Counts the calls of each key in a rolling window. */
export const createWindow = (clock: Clock, per_ms: number) => {
  const calls = new Map<string, number[]>()
  const recent = (key: string): number[] => {
    const kept = (calls.get(key) ?? []).filter((at) => at > clock.now() - per_ms)
    calls.set(key, kept)
    return kept
  }
  return {
    /** Counts one call. Returns false if the limit is reached. */
    take: (key: string, most: number): boolean => {
      const kept = recent(key)
      if (kept.length >= most) return false
      kept.push(clock.now())
      return true
    },
    left: (key: string, most: number): number => Math.max(0, most - recent(key).length),
    /** Returns the milliseconds until the oldest call leaves the window. */
    wait: (key: string): number => {
      const [oldest] = recent(key)
      return oldest === undefined ? 0 : oldest + per_ms - clock.now()
    },
  }
}
