import type { ChildProcess } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, statSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import type pg from 'pg'
import { ConfigError } from '#server/config/config.ts'
import { OperatorError } from '#server/config/operator-error.ts'
import { embeddedConnection, loadPassword, requirePassword } from './postgres-access.ts'
import { chooseAccount } from './postgres-account.ts'
import { findBinaries } from './postgres-binaries.ts'
import { clusterFolder, initialiseCluster } from './postgres-folder.ts'
import {
  failureReason,
  findRunning,
  removeEmptyLocks,
  runSingleUser,
  spawnPostgres,
  stopHung,
  stopPostgres,
} from './postgres-process.ts'
import {
  type Connection,
  isAnswered,
  openSession,
  type Supervisor,
  superviseSession,
  takeLock,
} from './postgres-session.ts'

/** The data folder is in use by another running Quizaine. */
export class FolderInUse extends OperatorError {
  override name = 'FolderInUse'

  constructor(data_dir: string) {
    super(`Another Quizaine is running on ${data_dir}: stop it, or choose another DATA_DIR.`)
  }
}

/** A running embedded database. */
export type Embedded = {
  connection: Connection
  /** Stops the server cleanly and releases the data folder. */
  stop: () => Promise<void>
}

const FIRST_RESTART_MS = 200
const MAX_RESTART_DELAY_MS = 5_000
/**
 * Time for the last sessions of a killed server, or for its single-user process, to end. PostgreSQL starts no other
 * server before.
 */
const LAST_SESSIONS_MS = 60_000
/** Time until the socket of a killed server is closed. */
const LAST_ANSWERS_MS = 2_000
/** Time after which a server that has not answered counts as hung, even under load. */
const MAX_SILENCE_MS = 8_000
const LAST_SESSIONS = [
  /memory block \([^()]*\) is still in use/,
  /lock file "postmaster\.pid" already exists/,
  /lock file "[^"]*" is empty/,
]

/**
 * Starts PostgreSQL as a child process, on a socket in the data folder, and creates the database at the first start
 * (docs/decisions/004). The server accepts 60 connections by default. Restarts a server that dies or is silent for
 * `silence_ms`. Throws FolderInUse if another application uses the folder.
 */
export const startEmbedded = async ({
  data_dir,
  log,
  silence_ms = MAX_SILENCE_MS,
  max_connections,
}: {
  data_dir: string
  log: FastifyBaseLogger
  silence_ms?: number
  max_connections?: number
}): Promise<Embedded> => {
  makeDataFolder(data_dir)
  const account = chooseAccount(clusterFolder(data_dir))
  const binaries = findBinaries(`${data_dir}/postgres-libraries`)
  const password = loadPassword(data_dir)
  const secure = (cluster: string): Promise<void> =>
    requirePassword(cluster, {
      password,
      account,
      runSingleUser: (folder, statement) => runSingleUser(folder, statement, { binaries, account }),
    })
  await initialiseCluster(data_dir, { binaries, account, secure })
  const connection = embeddedConnection(data_dir)
  const { host: socket } = connection
  const stopping = new AbortController()

  let running: RunningServer
  let restarting: Promise<void> | undefined

  const start = async (): Promise<void> => {
    await stopOrphan(data_dir, connection, log)
    removeEmptyLocks(data_dir, socket)
    await secure(clusterFolder(data_dir))
    const child = spawnPostgres(data_dir, { binaries, account, socket, max_connections })
    const reopen = async (): Promise<pg.Client | undefined> => {
      const isWorthTrying = () => isAlive(child) && !stopping.signal.aborted
      const session = await openSession(connection, isWorthTrying).catch((error: unknown) => {
        log.error({ err: error }, 'the session on the database server could not be opened')
        return undefined
      })
      const isOurs = session !== undefined && findRunning(data_dir) === child.pid
      if (isOurs && (await takeLock(session)) === 'taken') return session
      await session?.end().catch(() => undefined)
      if (isWorthTrying()) log.error('the lock on the database could not be taken again')
      return undefined
    }
    const onHung = (): void => {
      log.error({ pid: child.pid }, 'the database server hangs and is killed')
      if (child.pid !== undefined) void stopHung(child.pid)
    }
    const session = await holdLock(child, { data_dir, connection })
    running = { child, supervisor: superviseSession(session, { reopen, onHung, silence_ms }) }
    child.once('exit', (code, signal) => {
      if (stopping.signal.aborted) return
      log.error({ code, signal }, 'the database server died and is restarted')
      restarting = restart()
    })
  }
  const restart = async (): Promise<void> => {
    let wait_ms = FIRST_RESTART_MS
    for (;;) {
      await pause(wait_ms, undefined, { ref: false, signal: stopping.signal }).catch(
        () => undefined,
      )
      if (stopping.signal.aborted) return
      try {
        await start()
        log.info('the database server is back')
        return
      } catch (error) {
        log.error({ err: error }, 'the database server did not start and is retried')
        wait_ms = Math.min(wait_ms * 2, MAX_RESTART_DELAY_MS)
      }
    }
  }

  const startAfterLastSessions = async (): Promise<void> => {
    const until = performance.now() + LAST_SESSIONS_MS
    for (;;)
      try {
        return await start()
      } catch (error) {
        const isPassing = LAST_SESSIONS.some((message) => message.test(String(error)))
        if (!isPassing || performance.now() > until) throw error
        await pause(FIRST_RESTART_MS)
      }
  }

  await startAfterLastSessions()
  return {
    connection,
    stop: async () => {
      stopping.abort()
      await restarting
      await release(running)
    },
  }
}

/** A running server and the supervisor of the session that holds the application's lock. */
type RunningServer = { child: ChildProcess; supervisor: Supervisor }

const isAlive = ({ exitCode, signalCode }: ChildProcess): boolean =>
  exitCode === null && signalCode === null

const release = async ({ child, supervisor }: RunningServer): Promise<void> => {
  await supervisor.close()
  await stopChild(child)
}

const stopChild = async (child: ChildProcess): Promise<void> => {
  if (child.pid !== undefined && isAlive(child)) await stopPostgres(child.pid)
}

/** Creates a data folder that only its owner can list or write; others can pass through to the database's folder. */
export const makeDataFolder = (data_dir: string): void => {
  refuseSharedFolder(data_dir)
  if (existsSync(data_dir)) return
  mkdirSync(data_dir, { recursive: true })
  chmodSync(data_dir, 0o711)
}

const WRITABLE_BY_OTHERS = 0o022

/**
 * Throws if another account can write to the data folder, or if another account than ours or root owns it. Such an
 * account could plant a key, a password, a mail or a database.
 */
export const refuseSharedFolder = (data_dir: string): void => {
  const folder = statSync(data_dir, { throwIfNoEntry: false })
  if (!folder) return
  if (folder.mode & WRITABLE_BY_OTHERS)
    throw new ConfigError(
      `DATA_DIR: other accounts may write ${data_dir}; take that right away (chmod go-w ${data_dir}) or choose another`,
    )
  const ours = process.getuid?.() ?? 0
  if (ours !== 0 && folder.uid !== 0 && folder.uid !== ours)
    throw new ConfigError(`DATA_DIR: ${data_dir} belongs to another account; choose another`)
}

/** Stops the server that a killed application left running. Throws FolderInUse if that application runs. */
const stopOrphan = async (
  data_dir: string,
  connection: Connection,
  log: FastifyBaseLogger,
): Promise<void> => {
  for (;;) {
    const pid = findRunning(data_dir)
    if (pid === undefined) break
    log.warn({ pid }, 'a database server is running on the data folder')
    const isThere = () => findRunning(data_dir) === pid
    const session = await openSession(connection, isThere)
    const lock = session && (await takeLock(session))
    if (lock === 'taken') await stopPostgres(pid)
    await session?.end().catch(() => undefined)
    // The watcher may be stopping the server: its sessions end before the process does.
    if (lock === 'ended') await pause(FIRST_RESTART_MS)
    else if (lock !== 'taken' && isThere()) throw new FolderInUse(data_dir)
  }
  const until = performance.now() + LAST_ANSWERS_MS
  while (await isAnswered(connection)) {
    if (performance.now() > until) throw new FolderInUse(data_dir)
    await pause(FIRST_RESTART_MS)
  }
}

/** Waits for a new server and takes the application's lock, unless another start was faster. */
const holdLock = async (
  child: ChildProcess,
  { data_dir, connection }: { data_dir: string; connection: Connection },
): Promise<pg.Client> => {
  const session = await openSession(connection, () => isAlive(child)).catch(
    async (error: unknown) => {
      await stopChild(child)
      throw error
    },
  )
  const isOurs = session !== undefined && findRunning(data_dir) === child.pid
  const isHeld = isOurs && (await takeLock(session)) === 'taken'
  if (isHeld && isAlive(child)) return session
  // Only another Quizaine stops a starting server cleanly or runs a server in its place.
  const isBeaten = child.exitCode === 0 || (isAlive(child) && isOurs && !isHeld)
  await session?.end().catch(() => undefined)
  await stopChild(child)
  if (isBeaten) throw new FolderInUse(data_dir)
  // If the server of a killed start was faster, the next attempt stops it.
  throw new OperatorError(`PostgreSQL did not start: ${failureReason(data_dir, child.pid)}`)
}
