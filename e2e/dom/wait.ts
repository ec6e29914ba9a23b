/** Time until a state must have come. It is long, because a step is several times slower on a busy machine. */
export const STATE_TIMEOUT_MS = 30_000
/** Pauses between two tries. They grow, because a try can cost more than the state that it waits for. */
const FIRST_POLL_MS = 10
const LAST_POLL_MS = 100

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** Repeats `assertState` until it throws no more, and returns its value. Throws its last error after the timeout. */
export const waitFor = async <T>(
  assertState: () => T | Promise<T>,
  timeout_ms = STATE_TIMEOUT_MS,
): Promise<T> => {
  let pause_ms = FIRST_POLL_MS
  const end = performance.now() + timeout_ms
  for (;;) {
    try {
      return await assertState()
    } catch (error) {
      if (performance.now() >= end) throw error
    }
    await sleep(pause_ms)
    pause_ms = Math.min(pause_ms * 1.5, LAST_POLL_MS)
  }
}
