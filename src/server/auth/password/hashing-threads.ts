import { availableParallelism } from 'node:os'
import { performance } from 'node:perf_hooks'
import { openThreads } from '#server/runtime/open-threads.ts'

type HashingCost = { memory: number; passes: number; parallelism: number }
/** Task for a hashing thread. The setting of bcrypt contains version, cost and salt. */
export type HashingTask = { password: string } & (
  | { algorithm: 'argon2id'; salt: Uint8Array; tag_bytes: number; cost: HashingCost }
  | { algorithm: 'bcrypt'; setting: string }
)

/** Number of hashing threads. More threads would take memory bandwidth from page serving. */
export const HASHING_THREADS = availableParallelism() > 2 ? 2 : 1

/** Nice value of the threads. A thread then gets about one twentieth of a core that other threads also use. */
const NICE_VALUE = 15

/** Threads for password hashing with low priority, so that other requests do not wait. */
const threads = openThreads({
  program: new URL('./hashing-worker.ts', import.meta.url),
  max_threads: HASHING_THREADS,
  nice_value: NICE_VALUE,
  idle_ms: Number.POSITIVE_INFINITY,
})

/** Computes the argon2id tag or the bcrypt hash of a password. */
export const computeTag = async (task: HashingTask): Promise<Buffer> =>
  Buffer.from(await threads.run(task))

/** Share of time in which the event loop is busy, above which hashing pauses. */
const BUSY_UTILIZATION = 0.2
const MAX_BACKOFF_MS = 100

/**
 * Returns a function that computes the pause after a hashing task. While the event loop is busy, the pause is twice the
 * duration of the task, because even low-priority threads use cache and memory bandwidth.
 */
export const createBackoff = (): ((took: number) => number) => {
  let before = performance.eventLoopUtilization()
  return (took) => {
    const now = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(now, before)
    before = now
    return utilization > BUSY_UTILIZATION ? Math.min(2 * took, MAX_BACKOFF_MS) : 0
  }
}
