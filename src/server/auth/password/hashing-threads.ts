import { availableParallelism } from 'node:os'
import { performance } from 'node:perf_hooks'
import { Worker } from 'node:worker_threads'

type HashingCost = { memory: number; passes: number; parallelism: number }
/** A bcrypt setting says its version, cost and salt, as stored hashes begin. */
type Wanted = { password: string } & (
  | { algorithm: 'argon2id'; salt: Uint8Array; tag_bytes: number; cost: HashingCost }
  | { algorithm: 'bcrypt'; setting: string }
)
export type HashingTask = Wanted & { id: number }
export type HashingTag = { id: number; tag: Uint8Array }

type Waiting = { resolve: (tag: Buffer) => void; reject: (error: Error) => void }
type Thread = { worker: Worker; waiting: Map<number, Waiting> }

/** More threads would compete with page serving for memory bandwidth; one core is left free in any case. */
export const HASHING_THREADS = availableParallelism() > 2 ? 2 : 1

/**
 * Threads for hashing passwords, apart from those that serve files and sign tokens, and behind the event loop's: a
 * page requested during a sign-in does not wait for it. They start when they are first needed.
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

  /** A thread that is free, a new one while there may be more, else the one with the least to do. */
  const pick = (): Thread => {
    const [idlest] = threads.toSorted((left, right) => left.waiting.size - right.waiting.size)
    const isFree = idlest !== undefined && idlest.waiting.size === 0
    return isFree || (idlest && threads.length >= HASHING_THREADS) ? idlest : start()
  }

  return (wanted: Wanted): Promise<Buffer> =>
    new Promise((resolve, reject) => {
      const { worker, waiting } = pick()
      ids += 1
      waiting.set(ids, { resolve, reject })
      worker.ref()
      worker.postMessage({ id: ids, ...wanted } satisfies HashingTask)
    })
}

const BUSY = 0.2
const LONGEST_REST_MS = 100

/**
 * How long hashing rests after a task that took so long: while the event loop has much to do, two thirds of
 * the time are its own, since a thread of low priority takes cache and memory from it all the same.
 */
export const createRest = (): ((took: number) => number) => {
  let before = performance.eventLoopUtilization()
  return (took) => {
    const now = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(now, before)
    before = now
    return utilization > BUSY ? Math.min(2 * took, LONGEST_REST_MS) : 0
  }
}

/** The argon2id tag of a password, or its whole bcrypt hash. */
export const computeTag = createHashingThreads()
