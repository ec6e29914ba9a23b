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

/** Treatment of the traffic between the server and the database. */
type Mode =
  | 'pass'
  /** Each new connection is reset. */
  | 'refuse'
  /** Data is held back in both directions, while both sides stay connected. */
  | 'silent'
  /** Each piece of data is delayed by SLOW_MS. */
  | 'slow'
  /** Requests reach the database. Its first answer resets the connection instead. */
  | 'cut'

export type DatabaseRelay = {
  port: number
  set: (mode: Mode) => void
  /** Resets every connection. */
  reset: () => void
  /** Stops all data of the current connections for ever, as if the database host had changed. */
  silenceConnections: () => void
  /** Returns the number of open connections. */
  open: () => number
  close: () => void
}

const SLOW_MS = 400

/** Returns the address of the database. A host that starts with / is the folder of a Unix socket. */
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
export const startDatabaseRelay = async (database: {
  host: string
  port: number
}): Promise<DatabaseRelay> => {
  const pairs = new Set<Pair>()
  let mode: Mode = 'pass'
  let held: (() => void)[] = []

  const forward = (pair: Pair, to: Socket, data: Buffer): void => {
    if (pair.isSilenced) return
    if (mode === 'silent') held.push(() => forward(pair, to, data))
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
    near.on('data', (data) => forward(pair, far, data))
    far.on('data', (data) => forward(pair, near, data))
    far.on('error', () => drop(pair))
    near.on('close', () => drop(pair))
    // A silenced client is not told that the database side is closed.
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
