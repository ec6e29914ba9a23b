/** Program of a thread that runs the functions of `thread-tasks.ts` with low priority. */
import { setPriority } from 'node:os'
import { workerData } from 'node:worker_threads'
import { move, transferableSymbol, valueSymbol } from 'piscina'
import { ApiError } from '#server/http/edge/errors.ts'
import { bytesToMove, type ThreadAnswer, type ThreadCall } from './thread-pool.ts'
import { THREAD_TASKS } from './thread-tasks.ts'

// Only Linux has priorities per thread; elsewhere the whole process would slow down.
if (process.platform === 'linux') setPriority(workerData.nice_value)

/** Runs a function, and moves its output to the caller if that consists of bytes. */
export default async ({ name, input }: ThreadCall): Promise<unknown> => {
  const answer = await answerOf({ name, input })
  const bytes = bytesToMove('output' in answer ? answer.output : undefined)
  return move({ [transferableSymbol]: bytes, [valueSymbol]: answer })
}

const answerOf = async ({ name, input }: ThreadCall): Promise<ThreadAnswer> => {
  try {
    const run = await THREAD_TASKS[name]()
    return { output: await run(input as never) }
  } catch (error) {
    const failure = error instanceof Error ? (error.stack ?? error.message) : String(error)
    return refusalOf(error) ?? { failure }
  }
}

/** Returns the refusal of a function as data, because a thread cannot send errors of our own classes. */
const refusalOf = (error: unknown): ThreadAnswer | undefined => {
  if (!(error instanceof ApiError)) return undefined
  const { status, code, message, validation_errors } = error
  return { refusal: { status, code, message, ...(validation_errors && { validation_errors }) } }
}
