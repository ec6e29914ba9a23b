import { Worker } from 'node:worker_threads'
import { ApiError } from '#server/http/edge/errors.ts'
import type { TaskInput, TaskOutput, ThreadTasks } from './thread-tasks.ts'

/** Call of a function in a thread. */
export type ThreadCall = { name: keyof ThreadTasks; input: unknown }
/** Answer of a thread: the output of the function, its refusal of the input, or the reason of its failure. */
export type ThreadAnswer =
  | { output: unknown }
  | { refusal: Pick<ApiError, 'status' | 'code' | 'message'> & { validation_errors?: string[] } }
  | { failure: string }
/** Settings of a thread. `nice_value` is its priority; 0 is that of the event loop, and 19 the lowest. */
export type ThreadOptions = { max_heap_mb: number; nice_value: number }

/** Error of a thread whose heap exceeds its limit. */
export class ThreadOutOfMemory extends Error {}

/** Time after which an idle thread ends and frees its memory. */
const IDLE_MS = 60_000
/** Heap for new objects of a thread. V8 would let this part grow to 100 MB and never shrink it. */
const YOUNG_HEAP_MB = 16
const PROGRAM = new URL('./thread-program.ts', import.meta.url)

/** Thread. `settle` receives the answer to its call; `timer` ends its idle time. */
type Thread = {
  worker: Worker
  key: string
  settle?: ((outcome: ThreadAnswer | Error) => void) | undefined
  timer?: NodeJS.Timeout
}

/**
 * Creates threads when they are needed and ends them when they are idle. The caller limits how many run at once. A
 * thread whose call is aborted or runs out of memory ends.
 */
export const createThreadPool = ({ program = PROGRAM }: { program?: URL | undefined } = {}) => {
  const threads = new Set<Thread>()
  const idle: Thread[] = []
  let isClosed = false

  const end = async (thread: Thread): Promise<void> => {
    threads.delete(thread)
    if (idle.includes(thread)) idle.splice(idle.indexOf(thread), 1)
    clearTimeout(thread.timer)
    await thread.worker.terminate()
  }

  const start = (key: string, options: ThreadOptions): Thread => {
    const worker = new Worker(program, {
      execArgv: [],
      resourceLimits: {
        maxOldGenerationSizeMb: options.max_heap_mb,
        maxYoungGenerationSizeMb: YOUNG_HEAP_MB,
      },
      workerData: options,
    })
    const thread: Thread = { worker, key }
    const fail = (error: Error): void => {
      void end(thread)
      thread.settle?.(isOutOfMemory(error) ? new ThreadOutOfMemory(error.message) : error)
    }
    worker.on('error', fail)
    worker.on('exit', () => fail(new Error('A thread of heavy work has ended')))
    worker.on('message', (answer: ThreadAnswer) => thread.settle?.(answer))
    threads.add(thread)
    return thread
  }

  /** Returns an idle thread with these options, or a new one. */
  const take = (options: ThreadOptions): Thread => {
    const key = `${options.max_heap_mb} ${options.nice_value}`
    const index = idle.findLastIndex((thread) => thread.key === key)
    const [thread] = index < 0 ? [] : idle.splice(index, 1)
    clearTimeout(thread?.timer)
    return thread ?? start(key, options)
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
      const thread = take(options)
      const { promise, resolve, reject } = Promise.withResolvers<TaskOutput<Name>>()
      const settle = (outcome: ThreadAnswer | Error): void => {
        thread.settle = undefined
        signal.removeEventListener('abort', onAbort)
        thread.worker.unref()
        if (outcome instanceof Error) {
          // The caller's place stays taken until the thread has really ended.
          end(thread).then(() => reject(outcome), reject)
          return
        }
        thread.timer = setTimeout(() => void end(thread), IDLE_MS).unref()
        idle.push(thread)
        if ('output' in outcome) resolve(outcome.output as TaskOutput<Name>)
        else reject(errorOf(name, outcome))
      }
      const onAbort = (): void => settle(toError(signal.reason))
      signal.addEventListener('abort', onAbort, { once: true })
      thread.settle = settle
      thread.worker.ref()
      thread.worker.postMessage({ name, input } satisfies ThreadCall, bytesToMove(input))
      return promise
    },
    /** Returns the number of threads, idle ones included. */
    count: () => threads.size,
    close: async (): Promise<void> => {
      isClosed = true
      await Promise.all([...threads].map(end))
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

const toError = (reason: unknown): Error =>
  reason instanceof Error ? reason : new Error(String(reason))
