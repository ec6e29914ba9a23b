import { Worker } from 'node:worker_threads'
import type { PdfDocument } from '#domain/reports/document.ts'
import { ApiError } from '#server/http/edge/errors.ts'
import { createConcurrencyLimit } from '#server/runtime/concurrency-limit.ts'

/** Document with the stored files of its pictures by image id. */
export type PdfTask = { document: PdfDocument; pictures: readonly [string, Uint8Array][] }
/** Answer of a thread: the PDF, or the reason why it was not written. */
export type PdfAnswer = { pdf: Uint8Array<ArrayBuffer> } | { failure: string }

/** Maximum number of documents that this process writes at once, each in a thread of its own. */
const AT_ONCE = 2
const MAX_WAITING = 60
const MAX_WAITING_PER_QUIZ = 20
/** Time limit for one document; 500 questions take about two seconds. */
const MAX_WRITING_MS = 30_000
/** Time after which an idle thread ends and frees its memory. */
const IDLE_MS = 60_000
const MAX_HEAP_MB = 320
const RETRY_AFTER_S = 10

/** Creates the 503 error of a document that cannot be written now. */
const busy = (): ApiError =>
  new ApiError(
    503,
    'reports_busy',
    'Beaucoup de documents sont en préparation : réessayez dans quelques instants',
    { headers: { 'retry-after': String(RETRY_AFTER_S) } },
  )

/** Writes PDF documents outside the event loop. */
export type PdfWriter = {
  /**
   * Returns the bytes of a document. Quizzes take turns. Throws a 503 if too many documents wait or if writing takes
   * too long, and the reason of `signal` when it is aborted.
   */
  write: (
    task: PdfTask,
    turn: { quiz_id: string; signal?: AbortSignal | undefined },
  ) => Promise<Buffer>
  close: () => void
}

/** Thread. `settle` receives the answer of its task; `timer` ends its task or its idle time. */
type Thread = {
  worker: Worker
  settle?: ((outcome: PdfAnswer | Error) => void) | undefined
  timer?: NodeJS.Timeout
}

type Options = { max_writing_ms?: number; program?: URL }

/** Creates a writer whose threads start when they are needed and end when they are idle. */
export const createPdfWriter = ({
  max_writing_ms = MAX_WRITING_MS,
  program = new URL('./pdf-worker.ts', import.meta.url),
}: Options = {}): PdfWriter => {
  const idle: Thread[] = []
  const threads = new Set<Thread>()
  const limit = createConcurrencyLimit({
    ...{ at_once: AT_ONCE, most_waiting: MAX_WAITING, most_waiting_per_key: MAX_WAITING_PER_QUIZ },
    refusal: busy,
  })

  const end = (thread: Thread): void => {
    threads.delete(thread)
    if (idle.includes(thread)) idle.splice(idle.indexOf(thread), 1)
    clearTimeout(thread.timer)
    void thread.worker.terminate()
  }

  const start = (): Thread => {
    const worker = new Worker(program, {
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
    })
    const thread: Thread = { worker }
    const fail = (error: Error): void => {
      end(thread)
      thread.settle?.(error)
    }
    worker.on('error', fail)
    worker.on('exit', () => fail(new Error('A thread that writes PDF documents has ended')))
    worker.on('message', (answer: PdfAnswer) => thread.settle?.(answer))
    threads.add(thread)
    return thread
  }

  const run = (task: PdfTask, signal: AbortSignal | undefined): Promise<Buffer> => {
    const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
    const thread = idle.pop() ?? start()
    const settle = (outcome: PdfAnswer | Error): void => {
      thread.settle = undefined
      clearTimeout(thread.timer)
      signal?.removeEventListener('abort', onAbort)
      thread.worker.unref()
      if (outcome instanceof Error) {
        end(thread)
        reject(outcome)
        return
      }
      thread.timer = setTimeout(() => end(thread), IDLE_MS).unref()
      idle.push(thread)
      if ('pdf' in outcome) resolve(Buffer.from(outcome.pdf.buffer))
      else reject(new Error(`A PDF document was not written: ${outcome.failure}`))
    }
    const onAbort = (): void => settle(toError(signal?.reason))
    signal?.addEventListener('abort', onAbort, { once: true })
    clearTimeout(thread.timer)
    thread.timer = setTimeout(() => settle(busy()), max_writing_ms)
    thread.settle = settle
    thread.worker.ref()
    thread.worker.postMessage(task)
    return promise
  }

  return {
    write: (task, { quiz_id, signal }) => limit({ key: quiz_id, signal }, () => run(task, signal)),
    close: () => {
      for (const thread of threads) end(thread)
    },
  }
}

const toError = (reason: unknown): Error =>
  reason instanceof Error ? reason : new Error(String(reason))
