import type { FastifyInstance } from 'fastify'
import { type Config, ConfigError } from '#server/config/config.ts'
import { every } from './every.ts'

/** A Ctrl-C may arrive twice, from the terminal and passed on by npm: that counts as one signal. */
const SAME_SIGNAL_MS = 1_000
/** After this the process ends, whatever still runs. */
const LONGEST_STOP_MS = 25_000

/**
 * Aborted, with the signal's name as its reason, once this process is told to stop. A second signal
 * ends the process at once. `drain_ms` is how long calls are still taken.
 */
export const listenForShutdown = (drain_ms = 0): AbortSignal => {
  const stop = new AbortController()
  let told_at = 0
  const tell = (signal: NodeJS.Signals): void => {
    if (!stop.signal.aborted) {
      told_at = performance.now()
      stop.abort(signal)
      setTimeout(() => process.exit(1), LONGEST_STOP_MS + drain_ms).unref()
    } else if (performance.now() - told_at > SAME_SIGNAL_MS) process.exit(1)
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, tell)
  return stop.signal
}

/** Waits until all `work` under way has ended, well or not, but `ms` milliseconds at most. */
export const settleWithin = async (ms: number, ...work: unknown[]): Promise<void> => {
  const { promise: tooLong, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, ms)
  await Promise.race([Promise.allSettled(work), tooLong])
  clearTimeout(timer)
}

type Address = Pick<Config, 'port' | 'host'>

/** Listens; a ConfigError says in one line why it cannot there. */
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

/** No call takes longer; process managers wait ten seconds before they kill. */
const LONGEST_CALL_MS = 6_000
const LOOK_EVERY_MS = 50

/** Takes no more calls and lets those that run end; connections that outlast any call are cut. */
export const closeGracefully = async (
  app: FastifyInstance,
  longest_call_ms = LONGEST_CALL_MS,
): Promise<void> => {
  const cut = setTimeout(() => app.server.closeAllConnections(), longest_call_ms)
  // Closing only ends the connections that are idle already; a browser keeps the others for more.
  const stopLooking = every(LOOK_EVERY_MS, () => app.server.closeIdleConnections())
  await app.close()
  clearTimeout(cut)
  await stopLooking()
}
