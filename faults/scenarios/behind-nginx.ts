import { type Product, waitUntilReady } from '../runner/product.ts'
import type { RequestLog } from '../runner/request-log.ts'
import { type FaultContext, runUnderLoad } from '../runner/run-under-load.ts'
import { addFailure, type Scenario } from '../runner/scenario.ts'
import { killDatabase } from './process-faults.ts'

const MAX_RECOVERY_MS = 60_000
const DRAIN_SECONDS = '3'
/** Maximum number of simultaneous calls: eight visitors and the reader. */
const MAX_ACTIVE_CALLS = 9

/** Returns the number of calls with a 503 response or a broken connection. */
const countFailedCalls = ({ statuses, nb_broken }: RequestLog): number =>
  [...statuses].reduce((sum, [key, count]) => sum + (key.endsWith(' 503') ? count : 0), nb_broken)

/** Starts a new process on the port of an ended process. */
const startReplacement = async (
  { installation, products }: FaultContext,
  index: number,
): Promise<void> => {
  const port = Number(new URL(products[index]?.origin ?? '').port)
  const next = installation.startWithoutWaiting({ port })
  products[index] = next
  await waitUntilReady(next)
}

/** Returns the index of the process that is killed in this round. */
const killedIndexOf = ({ products, round }: FaultContext): number => round % products.length

const killOneProcess = async (context: FaultContext): Promise<void> => {
  const { products, load, result } = context
  const index = killedIndexOf(context)
  const nb_failed_before = countFailedCalls(load.log)
  products[index]?.kill('SIGKILL')
  await products[index]?.exited
  // The other process must now serve all clients.
  await load.waitForRecovery(performance.now(), MAX_RECOVERY_MS)
  await startReplacement(context, index)
  await load.waitForRecovery(performance.now(), MAX_RECOVERY_MS)
  const nb_failed = countFailedCalls(load.log) - nb_failed_before
  result.notes.push(`${nb_failed} failed in round ${context.round + 1}`)
  if (nb_failed > MAX_ACTIVE_CALLS)
    addFailure(result, `${nb_failed} calls failed, more than can be active at once`)
}

const killSharedDatabase = async (context: FaultContext): Promise<void> => {
  await killDatabase(context, 'SIGKILL')
  await Promise.all(context.products.map((product: Product) => waitUntilReady(product)))
}

const restartAll = async (context: FaultContext): Promise<void> => {
  const { products, load, result } = context
  const nb_failed_before = countFailedCalls(load.log)
  for (const [index, product] of [...products].entries()) {
    product.kill('SIGTERM')
    const [code] = await product.exited
    if (code !== 0) addFailure(result, `a process exited with ${code}`)
    await startReplacement(context, index)
    await load.waitForRecovery(performance.now(), MAX_RECOVERY_MS)
  }
  const nb_failed = countFailedCalls(load.log) - nb_failed_before
  if (nb_failed > 0) addFailure(result, `${nb_failed} calls failed while processes were restarted`)
}

const env = { PUBLIC_URL: 'https://quiz.example', DRAIN_SECONDS }

/** Scenarios F27 to F29: two processes of the product behind nginx. */
export const behindNginx: Scenario[] = [
  {
    fault: 'F27',
    name: 'one of two product processes behind nginx is killed (SIGKILL)',
    engines: ['external'],
    rounds: { full: 10, short: 1 },
    run: runUnderLoad({ nb_processes: 2, env, injectFault: killOneProcess }),
  },
  {
    fault: 'F28',
    name: 'the database of two product processes behind nginx is killed (SIGKILL)',
    engines: ['external'],
    rounds: { full: 10, short: 0 },
    run: runUnderLoad({ nb_processes: 2, env, injectFault: killSharedDatabase }),
  },
  {
    fault: 'F29',
    name: 'two product processes behind nginx are restarted one after the other; no call may fail',
    engines: ['external'],
    rounds: { full: 5, short: 1 },
    run: runUnderLoad({ nb_processes: 2, nginx_resends: true, env, injectFault: restartAll }),
  },
]
