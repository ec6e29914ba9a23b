import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { callerKey } from './throttle.ts'

/** The most connections, in all and from one address. */
export type MostConnections = { connections: number; connections_per_address: number }

/**
 * Closes new connections beyond the limits, so that one address cannot take every connection. Behind a
 * proxy every connection comes from the proxy, so only the total is limited.
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
