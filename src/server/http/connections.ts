import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { callerKey } from './throttle.ts'

/** How many connections there may be: in all, and of one address. */
export type MostConnections = { connections: number; connections_per_address: number }

/**
 * Ends new connections beyond these, at once and without a word, so that no one address can take every
 * connection that there is. Behind a proxy every connection is the proxy's: then the whole alone is limited.
 */
export const limitConnections = (
  server: Server,
  { connections, connections_per_address }: MostConnections,
  is_behind_proxy: boolean,
): void => {
  server.maxConnections = connections
  if (is_behind_proxy) return
  const open = new Map<string, number>()
  server.on('connection', (socket: Socket) => {
    const address = callerKey(socket.remoteAddress ?? '')
    const count = open.get(address) ?? 0
    if (count >= connections_per_address) {
      socket.destroy()
      return
    }
    open.set(address, count + 1)
    socket.once('close', () => {
      const left = (open.get(address) ?? 1) - 1
      if (left > 0) open.set(address, left)
      else open.delete(address)
    })
  })
}
