import type { ChildProcess } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import pg from 'pg'
import { chooseAccount } from './postgres-account.ts'
import { findBinaries } from './postgres-binaries.ts'
import { clusterFolder, initialiseCluster, SUPERUSER, socketFolder } from './postgres-folder.ts'
import { findRunning, lastLogLine, spawnPostgres, stopPostgres } from './postgres-process.ts'

/** The data folder belongs to another running Quizaine. */
export class FolderInUse extends Error {
  override name = 'FolderInUse'
}

export type Embedded = {
  connection: { host: string; user: string; database: string }
  /** Stops the server cleanly and gives the folder back. */
  stop: () => Promise<void>
}

const POLL_MS = 25
/** A killed application's session ends as soon as PostgreSQL notices; longer than this is a living one. */
const LOCK_PATIENCE_MS = 1_200
const START_PATIENCE_MS = 60_000
const FIRST_RESTART_MS = 200
const LONGEST_RESTART_MS = 5_000
/** The advisory lock that only the one application of a data folder holds. */
const APPLICATION_LOCK = 7_305_114

/**
 * PostgreSQL as a child of this process, on a socket in the data folder (docs/decisions/004). The first
 * start makes the database; a server left over by a killed application is stopped and started anew; a
 * second living application is refused with FolderInUse; a server that dies is started again.
 */
export const startEmbedded = async ({
  data_dir,
  log,
}: {
  data_dir: string
  log: FastifyBaseLogger
}): Promise<Embedded> => {
  makeDataFolder(data_dir)
  const account = chooseAccount(clusterFolder(data_dir))
  const binaries = findBinaries(`${data_dir}/postgres-libraries`)
  initialiseCluster(data_dir, binaries, account)
  const socket = socketFolder(data_dir, account)
  const connection = { host: socket, user: SUPERUSER, database: 'postgres' }

  const orphan = findRunning(data_dir)
  if (orphan !== undefined) {
    log.warn({ pid: orphan }, 'a database server is running on the data folder')
    const session = await connect(connection, () => findRunning(data_dir) !== undefined)
    if (session) await takeLock(session, data_dir)
    await stopPostgres(orphan)
    session?.end().catch(() => undefined)
  }

  let isStopping = false
  let child: ChildProcess
  let session: pg.Client

  const start = async (): Promise<void> => {
    const server = spawnPostgres(data_dir, { binaries, account, socket })
    const isAlive = () => server.exitCode === null && server.signalCode === null
    try {
      session = await openSession(isAlive, server)
    } catch (error) {
      if (server.pid !== undefined && isAlive()) await stopPostgres(server.pid)
      throw error
    }
    child = server
    server.once('exit', (code, signal) => {
      if (isStopping) return
      log.error({ code, signal }, 'the database server died; starting it again')
      restart(FIRST_RESTART_MS)
    })
    if (!isAlive()) throw new Error(`PostgreSQL stopped: ${lastLogLine(data_dir)}`)
  }
  const openSession = async (isAlive: () => boolean, { pid }: ChildProcess): Promise<pg.Client> => {
    const client = await connect(connection, isAlive)
    if (client && findRunning(data_dir) === pid) {
      await takeLock(client, data_dir)
      return client
    }
    // Somebody else's server answered: two starts met, and theirs was first.
    await client?.end()
    if (findRunning(data_dir) !== undefined) throw new FolderInUse(inUse(data_dir))
    throw new Error(`PostgreSQL did not start: ${lastLogLine(data_dir)}`)
  }
  const restart = async (wait_ms: number): Promise<void> => {
    await pause(wait_ms, undefined, { ref: false })
    if (isStopping) return
    try {
      await start()
      log.info('the database server is back')
    } catch (error) {
      log.error({ err: error }, 'the database server did not start; trying again')
      restart(Math.min(wait_ms * 2, LONGEST_RESTART_MS))
    }
  }

  await start()
  return {
    connection,
    stop: async () => {
      isStopping = true
      await session.end().catch(() => undefined)
      if (child.pid !== undefined && child.exitCode === null) await stopPostgres(child.pid)
    },
  }
}

/** Others may pass through, towards the database's own folder; only we may list or write it. */
const makeDataFolder = (data_dir: string): void => {
  if (existsSync(data_dir)) return
  mkdirSync(data_dir, { recursive: true })
  chmodSync(data_dir, 0o711)
}

/** A connection of our own, kept open for its lock; undefined once `isWorthTrying` says no. */
const connect = async (
  connection: Embedded['connection'],
  isWorthTrying: () => boolean,
): Promise<pg.Client | undefined> => {
  const until = performance.now() + START_PATIENCE_MS
  while (isWorthTrying() && performance.now() < until) {
    const client = new pg.Client({ ...connection, connectionTimeoutMillis: 5_000 })
    // The server may die under this session; its child's exit is what we act on.
    client.on('error', () => undefined)
    try {
      await client.connect()
      return client
    } catch {
      // Not listening yet, or still recovering.
      await pause(POLL_MS)
    }
  }
  return undefined
}

const inUse = (data_dir: string): string =>
  `Another Quizaine is running on ${data_dir}: stop it, or choose another DATA_DIR.`

const takeLock = async (client: pg.Client, data_dir: string): Promise<void> => {
  const until = performance.now() + LOCK_PATIENCE_MS
  for (;;) {
    const { rows } = await client.query<{ is_ours: boolean }>(
      'select pg_try_advisory_lock($1) as is_ours',
      [APPLICATION_LOCK],
    )
    if (rows[0]?.is_ours) return
    if (performance.now() > until) {
      await client.end()
      throw new FolderInUse(inUse(data_dir))
    }
    await pause(POLL_MS)
  }
}
