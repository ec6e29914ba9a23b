import type { Piscina } from 'piscina'
import { ApiError } from '#server/http/edge/errors.ts'
import { openThreads } from '#server/runtime/open-threads.ts'
import { RESOURCES } from './resources.ts'
import type { TaskInput, TaskOutput, ThreadTasks } from './thread-tasks.ts'

/** Call of a function in a thread. */
export type ThreadCall = { name: keyof ThreadTasks; input: unknown }
/** Answer of a thread: the output of the function, its refusal of the input, or the reason of its failure. */
export type ThreadAnswer =
  | { output: unknown }
  | { refusal: Pick<ApiError, 'status' | 'code' | 'message'> & { validation_errors?: string[] } }
  | { failure: string }
/** Settings of a thread. `nice_value` is its priority; 0 is that of the event loop, and 19 the lowest. */
type ThreadOptions = { max_heap_mb: number; nice_value: number }

/** Error of a thread whose heap exceeds its limit. */
export class ThreadOutOfMemory extends Error {}

/** Time after which an idle thread ends and frees its memory. */
const IDLE_MS = 60_000
/** Maximum number of threads with the same options. The resources allow no more, so that no call waits in the pool. */
const MAX_THREADS = RESOURCES.page.max_concurrent + RESOURCES.thread.max_concurrent
const PROGRAM = new URL('./thread-program.ts', import.meta.url)

/**
 * Creates pools of threads, one for each heap and priority. The caller limits how many threads run at once. A thread
 * whose call is aborted or runs out of memory ends.
 */
export const createThreadPool = ({ program = PROGRAM }: { program?: URL | undefined } = {}) => {
  const pools = new Map<string, Piscina>()
  let isClosed = false

  const poolOf = (options: ThreadOptions): Piscina => {
    const key = `${options.max_heap_mb} ${options.nice_value}`
    const pool =
      pools.get(key) ??
      openThreads({ program, max_threads: MAX_THREADS, idle_ms: IDLE_MS, ...options })
    pools.set(key, pool)
    return pool
  }

  return {
    /**
     * Runs a function in a thread. Ends the thread and throws the reason of `signal` when it is aborted. Input that
     * consists of bytes moves to the thread, so that the caller must not read these bytes again.
     */
    run: async <Name extends keyof ThreadTasks>(
      name: Name,
      input: TaskInput<Name>,
      { signal, ...options }: ThreadOptions & { signal: AbortSignal },
    ): Promise<TaskOutput<Name>> => {
      signal.throwIfAborted()
      if (isClosed) throw new Error('The threads of heavy work have ended')
      const pool = poolOf(options)
      let threads_before: Piscina['threads'] = []
      // This listener runs before that of the pool, which removes the thread from its list.
      signal.addEventListener('abort', () => (threads_before = pool.threads), { once: true })
      const call: ThreadCall = { name, input }
      const running: Promise<ThreadAnswer> = pool.run(call, {
        signal,
        transferList: bytesToMove(input),
      })
      const answer = await running.catch(async (error: Error) => {
        // The slot of the caller stays taken until the thread has really ended.
        const ended = threads_before.filter((thread) => !pool.threads.includes(thread))
        await Promise.all(ended.map((thread) => thread.terminate()))
        signal.throwIfAborted()
        throw isOutOfMemory(error) ? new ThreadOutOfMemory(error.message) : error
      })
      if ('output' in answer) return answer.output as TaskOutput<Name>
      throw errorOf(name, answer)
    },
    close: async (): Promise<void> => {
      isClosed = true
      await Promise.all([...pools.values()].map((pool) => pool.destroy()))
    },
  }
}

/**
 * Returns the memory of a value that consists of bytes, so that it moves to another thread without a copy. Empty for bytes
 * that share their memory with other values.
 */
export const bytesToMove = (value: unknown): ArrayBuffer[] => {
  if (!(value instanceof Uint8Array && value.buffer instanceof ArrayBuffer)) return []
  return value.byteLength === value.buffer.byteLength ? [value.buffer] : []
}

const errorOf = (name: string, answer: Exclude<ThreadAnswer, { output: unknown }>): Error => {
  if ('failure' in answer) return new Error(`${name} failed in a thread: ${answer.failure}`)
  const { status, code, message, ...details } = answer.refusal
  return new ApiError(status, code, message, details)
}

const isOutOfMemory = (error: Error): boolean =>
  'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
