import { once } from 'node:events'
import {
  type AddressInfo,
  connect,
  createServer,
  type IpcNetConnectOpts,
  type Socket,
  type TcpNetConnectOpts,
} from 'node:net'
import { join } from 'node:path'

/** Modes of the traffic between product and database. */
type Mode =
  | 'pass'
  /** Connections are closed as they come. */
  | 'refuse'
  /** Nothing passes any more, in either direction, and both sides stay connected. */
  | 'silent'
  /** Each piece waits. */
  | 'slow'
  /** The database does what it is told; its answer is lost with the connection. */
  | 'cut'

export type Relay = {
  port: number
  set: (mode: Mode) => void
  /** Breaks every connection now. */
  reset: () => void
  /** Silences all current connections for ever, as after a change of host. */
  silenceConnections: () => void
  /** Returns the number of connections. */
  open: () => number
  close: () => void
}

const SLOW_MS = 400

/** A host that is a folder contains the socket. */
const addressOf = ({
  host,
  port,
}: {
  host: string
  port: number
}): TcpNetConnectOpts | IpcNetConnectOpts =>
  host.startsWith('/') ? { path: join(host, `.s.PGSQL.${port}`) } : { host, port }

type Pair = { near: Socket; far: Socket; isSilenced: boolean }

/** Starts a TCP proxy in front of PostgreSQL’s socket that forwards according to its mode. */
export const startRelay = async (database: { host: string; port: number }): Promise<Relay> => {
  const pairs = new Set<Pair>()
  let mode: Mode = 'pass'
  let held: (() => void)[] = []

  const pass = (pair: Pair, to: Socket, data: Buffer): void => {
    if (pair.isSilenced) return
    if (mode === 'silent') held.push(() => pass(pair, to, data))
    else if (mode === 'slow') setTimeout(() => to.destroyed || to.write(data), SLOW_MS)
    else if (mode === 'cut' && to === pair.near) drop(pair)
    else if (!to.destroyed) to.write(data)
  }
  const drop = (pair: Pair): void => {
    pairs.delete(pair)
    pair.near.resetAndDestroy()
    pair.far.destroy()
  }
  const server = createServer((near) => {
    near.on('error', () => undefined)
    if (mode === 'refuse') return near.resetAndDestroy()
    near.setNoDelay()
    const far = connect(addressOf(database))
    const pair: Pair = { near, far, isSilenced: false }
    pairs.add(pair)
    near.on('data', (data) => pass(pair, far, data))
    far.on('data', (data) => pass(pair, near, data))
    far.on('error', () => drop(pair))
    near.on('close', () => drop(pair))
    // A silenced connection does not learn of the end of the other side.
    far.on('close', () => pair.isSilenced || drop(pair))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const reset = (): void => {
    for (const pair of pairs) drop(pair)
  }
  return {
    port: (server.address() as AddressInfo).port,
    set: (next) => {
      mode = next
      if (mode === 'refuse') reset()
      if (mode === 'silent') return
      const waiting = held
      held = []
      for (const one of waiting) one()
    },
    reset,
    silenceConnections: () => {
      for (const pair of pairs) {
        pair.isSilenced = true
        pair.far.destroy()
      }
    },
    open: () => pairs.size,
    close: () => {
      reset()
      server.close()
    },
  }
}
