/** The time that a fake lives in: it stands still, or flows, and jumps ahead when it is told to. */
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

/** How many calls each key made within a rolling window of `per_ms`. */
export const createWindow = (clock: Clock, per_ms: number) => {
  const calls = new Map<string, number[]>()
  const recent = (key: string): number[] => {
    const kept = (calls.get(key) ?? []).filter((at) => at > clock.now() - per_ms)
    calls.set(key, kept)
    return kept
  }
  return {
    /** Takes one call out of `most`; false when none is left. */
    take: (key: string, most: number): boolean => {
      const kept = recent(key)
      if (kept.length >= most) return false
      kept.push(clock.now())
      return true
    },
    left: (key: string, most: number): number => Math.max(0, most - recent(key).length),
    /** Milliseconds until the oldest of them is out of the window. */
    wait: (key: string): number => {
      const [oldest] = recent(key)
      return oldest === undefined ? 0 : oldest + per_ms - clock.now()
    },
  }
}
