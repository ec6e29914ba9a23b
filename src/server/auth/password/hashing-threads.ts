import { availableParallelism } from 'node:os'
import { performance } from 'node:perf_hooks'
import { Worker } from 'node:worker_threads'

type HashingCost = { memory: number; passes: number; parallelism: number }
/** Input of a hashing task. The setting of bcrypt contains version, cost and salt. */
type HashingRequest = { password: string } & (
  | { algorithm: 'argon2id'; salt: Uint8Array; tag_bytes: number; cost: HashingCost }
  | { algorithm: 'bcrypt'; setting: string }
)
/** Task for a hashing thread. */
export type HashingTask = HashingRequest & { id: number }
/** Result of a hashing thread. */
export type HashingTag = { id: number; tag: Uint8Array }

type PendingTask = { resolve: (tag: Buffer) => void; reject: (error: Error) => void }
type Thread = { worker: Worker; waiting: Map<number, PendingTask> }

/** Number of hashing threads. More threads would take memory bandwidth from page serving. */
export const HASHING_THREADS = availableParallelism() > 2 ? 2 : 1

/**
 * Creates threads for password hashing with low priority, so that other requests do not wait. A thread starts when it is
 * needed.
 */
const createHashingThreads = () => {
  const threads: Thread[] = []
  let ids = 0

  const start = (): Thread => {
    const file = new URL('./hashing-worker.ts', import.meta.url)
    const thread: Thread = { worker: new Worker(file, { execArgv: [] }), waiting: new Map() }
    const { worker, waiting } = thread
    const end = (error: Error): void => {
      const index = threads.indexOf(thread)
      if (index >= 0) threads.splice(index, 1)
      for (const { reject } of waiting.values()) reject(error)
      waiting.clear()
    }
    worker.on('message', ({ id, tag }: HashingTag) => {
      waiting.get(id)?.resolve(Buffer.from(tag))
      waiting.delete(id)
      // An idle thread does not keep the process alive.
      if (waiting.size === 0) worker.unref()
    })
    worker.on('error', end)
    worker.on('exit', () => end(new Error('A thread that hashes passwords has ended')))
    worker.unref()
    threads.push(thread)
    return thread
  }

  /** Returns a free thread, a new one below the maximum, or the least busy one. */
  const pick = (): Thread => {
    const [idlest] = threads.toSorted((left, right) => left.waiting.size - right.waiting.size)
    const isFree = idlest !== undefined && idlest.waiting.size === 0
    return isFree || (idlest && threads.length >= HASHING_THREADS) ? idlest : start()
  }

  return (wanted: HashingRequest): Promise<Buffer> =>
    new Promise((resolve, reject) => {
      const { worker, waiting } = pick()
      ids += 1
      waiting.set(ids, { resolve, reject })
      worker.ref()
      worker.postMessage({ id: ids, ...wanted } satisfies HashingTask)
    })
}

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

/** Computes the argon2id tag or the bcrypt hash of a password. */
export const computeTag = createHashingThreads()
