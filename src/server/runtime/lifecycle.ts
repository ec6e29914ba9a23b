import type { FastifyInstance } from 'fastify'
import { type Config, ConfigError } from '#server/config/config.ts'
import { runEvery } from './run-every.ts'

/** Time within which two signals count as one, because npm passes on a Ctrl-C that the terminal also sends. */
const SAME_SIGNAL_MS = 1_000
/** Maximum time of a shutdown; then the process exits. */
const MAX_SHUTDOWN_MS = 25_000

/**
 * Returns a signal that aborts, with the name of the process signal as its reason, when this process is told to stop.
 * A second process signal exits at once. `drain_ms` is the time in which calls are still accepted.
 */
export const listenForShutdown = (drain_ms = 0): AbortSignal => {
  const stop = new AbortController()
  let told_at = 0
  const onSignal = (signal: NodeJS.Signals): void => {
    if (!stop.signal.aborted) {
      told_at = performance.now()
      stop.abort(signal)
      setTimeout(() => process.exit(1), MAX_SHUTDOWN_MS + drain_ms).unref()
    } else if (performance.now() - told_at > SAME_SIGNAL_MS) process.exit(1)
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal)
  return stop.signal
}

/** Waits until all `work` has settled, but at most `ms` milliseconds. */
export const settleWithin = async (ms: number, ...work: unknown[]): Promise<void> => {
  const { promise: tooLong, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, ms)
  await Promise.race([Promise.allSettled(work), tooLong])
  clearTimeout(timer)
}

type Address = Pick<Config, 'port' | 'host'>

/** Listens for connections. Throws a ConfigError with a one-line reason if the address cannot be used. */
export const listen = async (app: FastifyInstance, { port, host }: Address): Promise<void> => {
  try {
    await app.listen({ port, host })
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    const reason = REASONS[code]?.({ port, host })
    throw reason ? new ConfigError(reason) : error
  }
}

const wrongHost = ({ host }: Address): string => `HOST: ${host} is no address of this machine`
const REASONS: Record<string, (address: Address) => string> = {
  EADDRINUSE: ({ port, host }) =>
    `PORT: ${port} is in use on ${host}: stop what listens there, or choose another`,
  EACCES: ({ port }) => `PORT: this account may not listen on ${port}: choose one above 1023`,
  EADDRNOTAVAIL: wrongHost,
  ENOTFOUND: wrongHost,
  EAI_AGAIN: wrongHost,
}

/** Maximum time of a call; process managers wait ten seconds before they kill a process. */
const MAX_CALL_MS = 6_000
const CLOSE_IDLE_EVERY_MS = 50

/** Closes the server: accepts no more calls, lets running calls end, and cuts connections that outlast every call. */
export const closeGracefully = async (
  app: FastifyInstance,
  longest_call_ms = MAX_CALL_MS,
): Promise<void> => {
  const cut = setTimeout(() => app.server.closeAllConnections(), longest_call_ms)
  // Closing ends only connections that are idle at that moment; browsers keep others open for more requests.
  const stopLooking = runEvery(CLOSE_IDLE_EVERY_MS, () => app.server.closeIdleConnections())
  await app.close()
  clearTimeout(cut)
  await stopLooking()
}
