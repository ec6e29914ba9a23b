import { busy } from './auth-error.ts'

export type PasswordQueue = <T>(task: () => Promise<T>) => Promise<T>

const BUSY_SECONDS = 5

/**
 * Runs password hashing a few at a time, since each takes 19 MiB and a whole core; the others wait
 * their turn, for `restAfter` milliseconds more where it says so, and beyond `waiting` of them a call is refused (503) rather than kept for long.
 */
export const createPasswordQueue = ({
  at_once = 2,
  waiting = 50,
  restAfter = (_took: number): number => 0,
} = {}): PasswordQueue => {
  const waiters: (() => void)[] = []
  let running = 0

  const enter = async (): Promise<void> => {
    if (running < at_once) {
      running += 1
      return
    }
    if (waiters.length >= waiting) throw busy(BUSY_SECONDS)
    // Whoever leaves hands its place over, so `running` stays as it is.
    await new Promise<void>((resolve) => waiters.push(resolve))
  }
  const leave = (): void => {
    const next = waiters.shift()
    if (next) next()
    else running -= 1
  }

  return async (task) => {
    await enter()
    const began = performance.now()
    try {
      return await task()
    } finally {
      const rest = restAfter(performance.now() - began)
      if (rest > 0) setTimeout(leave, rest)
      else leave()
    }
  }
}
