import type { FastifyInstance } from 'fastify'
import { type Config, ConfigError } from '#server/config.ts'
import { every } from '#server/runtime/every.ts'

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
export const closeGently = async (
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
