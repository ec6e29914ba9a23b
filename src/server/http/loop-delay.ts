import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import { every } from '#server/runtime/every.ts'
import { unavailable } from './errors.ts'

const RESOLUTION_MS = 10
const SAMPLE_MS = 1_000
/** Above this delay of the event loop calls are refused. */
const LONGEST_DELAY_MS = 1_000

/** How late the event loop was on average during the last second, in ms; 0 where nothing was measured. */
const watchLoop = (): { delayOf: () => number; stop: () => void } => {
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  histogram.enable()
  let delay_ms = 0
  const stopSampling = every(SAMPLE_MS, () => {
    delay_ms = Math.max(0, histogram.mean / 1e6 - RESOLUTION_MS) || 0
    histogram.reset()
  })
  return {
    delayOf: () => delay_ms,
    stop: () => {
      stopSampling()
      histogram.disable()
    },
  }
}

/**
 * Refuses calls (503 with Retry-After) while the event loop is overloaded, so that it recovers; operators are still
 * answered. Logs one line a second with the number of refused calls. Uses no files, sockets or memory of its own, which
 * an overloaded system may lack.
 */
export const shedLoad = (
  app: FastifyInstance,
  log: Pick<FastifyBaseLogger, 'warn'>,
  { delayOf, stop } = watchLoop(),
): void => {
  const isOverloaded = (): boolean => delayOf() > LONGEST_DELAY_MS
  let nb_refused = 0
  const stopTelling = every(SAMPLE_MS, () => {
    if (nb_refused > 0) log.warn({ nb_refused }, 'calls were refused: the event loop is late')
    nb_refused = 0
  })
  app.addHook('onRequest', ({ routeOptions }, _reply, done) => {
    const isRefused = !routeOptions.config.is_for_operators && isOverloaded()
    if (isRefused) nb_refused++
    done(isRefused ? unavailable() : undefined)
  })
  app.addHook('onClose', async () => {
    stop()
    await stopTelling()
  })
}
