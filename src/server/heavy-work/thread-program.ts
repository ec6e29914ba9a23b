/** Program of a thread that runs the functions of `thread-tasks.ts` with low priority. */
import { setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import { ApiError } from '#server/http/edge/errors.ts'
import {
  bytesToMove,
  type ThreadAnswer,
  type ThreadCall,
  type ThreadOptions,
} from './thread-pool.ts'
import { THREAD_TASKS } from './thread-tasks.ts'

const { nice_value } = workerData as ThreadOptions
// Only Linux has priorities per thread; elsewhere the whole process would slow down.
if (process.platform === 'linux') setPriority(nice_value)

parentPort?.on('message', async ({ name, input }: ThreadCall) => {
  let answer: ThreadAnswer
  try {
    const run = await THREAD_TASKS[name]()
    answer = { output: await run(input as never) }
  } catch (error) {
    answer = refusalOf(error) ?? {
      failure: error instanceof Error ? (error.stack ?? error.message) : String(error),
    }
  }
  parentPort?.postMessage(answer, bytesToMove('output' in answer ? answer.output : undefined))
})

/** Returns the refusal of a function as data, because a thread cannot send errors of our own classes. */
const refusalOf = (error: unknown): ThreadAnswer | undefined => {
  if (!(error instanceof ApiError)) return undefined
  const { status, code, message, validation_errors } = error
  return { refusal: { status, code, message, ...(validation_errors && { validation_errors }) } }
}
