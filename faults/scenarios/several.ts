import { type Product, waitUntilReady } from '../product.ts'
import type { RequestLog } from '../request-log.ts'
import { addFailure, type Scenario } from '../scenario.ts'
import { type FaultContext, underLoad } from '../under-load.ts'
import { killDatabase } from './kills.ts'

/** F27, F28, F29: several processes behind nginx: one is lost, all lose the database, or each is replaced. */

const PATIENCE_MS = 60_000
const DRAIN_SECONDS = '3'
/** Maximum calls under way: eight visitors and a reader. */
const MAX_UNDERWAY = 9

/** Returns the number of refused and broken calls. */
const nbFailed = ({ statuses, nb_broken }: RequestLog): number =>
  [...statuses].reduce((sum, [key, count]) => sum + (key.endsWith(' 503') ? count : 0), nb_broken)

/** Restarts an ended process. */
const replace = async ({ installation, products }: FaultContext, place: number): Promise<void> => {
  const port = Number(new URL(products[place]?.origin ?? '').port)
  const next = installation.launch({ port })
  products[place] = next
  await waitUntilReady(next)
}

/** Index of the process that is lost in this round. */
const placeOf = ({ products, round }: FaultContext): number => round % products.length

const killOne = async (context: FaultContext): Promise<void> => {
  const { products, load, result } = context
  const place = placeOf(context)
  const before = nbFailed(load.record)
  products[place]?.kill('SIGKILL')
  await products[place]?.exited
  // The remaining process serves all clients.
  await load.recovered(performance.now(), PATIENCE_MS)
  await replace(context, place)
  await load.recovered(performance.now(), PATIENCE_MS)
  const failed = nbFailed(load.record) - before
  result.notes.push(`${failed} failed in round ${context.round + 1}`)
  if (failed > MAX_UNDERWAY) addFailure(result, `${failed} calls failed, more than were under way`)
}

const loseDatabase = async (context: FaultContext): Promise<void> => {
  await killDatabase(context, 'SIGKILL')
  await Promise.all(context.products.map((product: Product) => waitUntilReady(product)))
}

const replaceAll = async (context: FaultContext): Promise<void> => {
  const { products, load, result } = context
  const before = nbFailed(load.record)
  for (const [place, product] of [...products].entries()) {
    product.kill('SIGTERM')
    const [code] = await product.exited
    if (code !== 0) addFailure(result, `a process ended with ${code}`)
    await replace(context, place)
    await load.recovered(performance.now(), PATIENCE_MS)
  }
  const failed = nbFailed(load.record) - before
  if (failed > 0) addFailure(result, `${failed} calls failed while processes were replaced`)
}

const env = { PUBLIC_URL: 'https://quiz.example', DRAIN_SECONDS }

/** Scenarios F27 to F29: two processes behind nginx. */
export const several: Scenario[] = [
  {
    fault: 'F27',
    name: 'kill -9 of one of two processes behind nginx',
    engines: ['external'],
    rounds: { whole: 10, short: 1 },
    run: underLoad({ processes: 2, env, disturb: killOne }),
  },
  {
    fault: 'F28',
    name: 'kill -9 of the database of two processes behind nginx',
    engines: ['external'],
    rounds: { whole: 10, short: 0 },
    run: underLoad({ processes: 2, env, disturb: loseDatabase }),
  },
  {
    fault: 'F29',
    name: 'two processes behind nginx, replaced one after the other',
    engines: ['external'],
    rounds: { whole: 5, short: 1 },
    run: underLoad({ processes: 2, is_resending: true, env, disturb: replaceAll }),
  },
]
