import { once } from 'node:events'
import { connect as connectSocket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { OperatorError } from '#server/config/operator-error.ts'

const BEAT_MS = 2_000
/**
 * Time for a second check, because this process may itself have been suspended: an answer that arrived meanwhile is
 * read first.
 */
const SECOND_LOOK_MS = 1_000

type SupervisorOptions = {
  /** Opens another session with the same lock; undefined if the server is gone or belongs to another application. */
  reopen: () => Promise<pg.Client | undefined>
  /** Called if the server runs but has not answered for `silence_ms`. */
  onHung: () => void
  silence_ms: number
}

/** Supervisor of a session; `close` ends both. */
export type Supervisor = { close: () => Promise<void> }

/**
 * Keeps the session that holds the application's lock. PostgreSQL ends all sessions and their locks if one of its
 * processes dies, so the session is reopened at once. A query every two seconds detects a hung server.
 */
export const superviseSession = (
  first: pg.Client,
  { reopen, onHung, silence_ms }: SupervisorOptions,
): Supervisor => {
  const closing = new AbortController()
  const { signal } = closing
  let session: pg.Client | undefined = first

  const ask = async (client: pg.Client): Promise<'answered' | 'ended' | 'silent'> => {
    const answer = client.query('select 1').then(
      () => 'answered' as const,
      () => 'ended' as const,
    )
    for (const patience_ms of [silence_ms, SECOND_LOOK_MS]) {
      const silence = pause(patience_ms, 'silent' as const, { ref: false })
      const outcome = await Promise.race([answer, silence])
      if (outcome !== 'silent') return outcome
    }
    return 'silent'
  }
  const waitForBeat = async (client: pg.Client): Promise<void> => {
    const beat = new AbortController()
    const either = AbortSignal.any([signal, beat.signal])
    const ended = once(client, 'end', { signal: either })
    await Promise.race([ended, pause(BEAT_MS, undefined, { ref: false, signal: either })]).catch(
      () => undefined,
    )
    ended.catch(() => undefined)
    beat.abort()
  }
  const superviseSession = async (): Promise<void> => {
    while (session && !signal.aborted) {
      await waitForBeat(session)
      if (signal.aborted) return
      const outcome = await ask(session)
      if (signal.aborted) return
      if (outcome === 'silent') return onHung()
      if (outcome === 'ended') session = await reopen()
    }
  }
  const keeping = superviseSession()
  return {
    close: async () => {
      closing.abort()
      const open = session
      // Closes a session even if it waits for an answer.
      await open?.end().catch(() => undefined)
      await keeping
      if (session !== open) await session?.end().catch(() => undefined)
    },
  }
}

/** Address of the embedded server: its socket folder, user, database and password. */
export type Connection = {
  host: string
  user: string
  database: string
  password?: string | undefined
}

/** The server expects another password than the stored one. */
export class PasswordRefused extends OperatorError {
  override name = 'PasswordRefused'

  constructor() {
    super(
      'The embedded database refuses the password in postgres.password of DATA_DIR: put the file that was there back, ' +
        'or stop every PostgreSQL on that folder and remove the file.',
    )
  }
}

/** SQLSTATE class 28: invalid authorization. */
const REFUSED = /^28/

const POLL_MS = 25
/** Time for PostgreSQL to notice that an application was killed; a lock held longer belongs to a running one. */
const LOCK_TIMEOUT_MS = 3_000
const CONNECT_TIMEOUT_MS = 60_000
/** Advisory lock of the single application of a data folder. */
const APPLICATION_LOCK = 7_305_114

/** SQLSTATE of a server that is starting, recovering or stopping. */
const CANNOT_CONNECT_NOW = '57P03'

/**
 * Opens a session that stays open for its lock. Returns undefined once `isWorthTrying` returns false or no server
 * answers for long. Throws PasswordRefused.
 */
export const openSession = async (
  connection: Connection,
  isWorthTrying: () => boolean,
): Promise<pg.Client | undefined> => {
  let until = performance.now() + CONNECT_TIMEOUT_MS
  while (isWorthTrying() && performance.now() < until) {
    const client = new pg.Client({ ...connection, connectionTimeoutMillis: 5_000 })
    // The server may die during this session; the exit of its process is handled elsewhere.
    client.on('error', () => undefined)
    try {
      await client.connect()
      return client
    } catch (error) {
      const code = error instanceof pg.DatabaseError ? error.code : undefined
      if (code && REFUSED.test(code)) throw new PasswordRefused()
      const isBusy = code === CANNOT_CONNECT_NOW
      if (isBusy) until = performance.now() + CONNECT_TIMEOUT_MS
      await pause(POLL_MS)
    }
  }
  return undefined
}

/**
 * Takes the application's lock. Returns `held` if another session has it, and `ended` if the server closes this
 * session first, for example because it stops.
 */
export const takeLock = async (session: pg.Client): Promise<'taken' | 'held' | 'ended'> => {
  const until = performance.now() + LOCK_TIMEOUT_MS
  const query = 'select pg_try_advisory_lock($1) as is_ours'
  try {
    while (performance.now() < until) {
      const { rows } = await session.query<{ is_ours: boolean }>(query, [APPLICATION_LOCK])
      if (rows[0]?.is_ours) return 'taken'
      await pause(POLL_MS)
    }
    return 'held'
  } catch {
    return 'ended'
  }
}

/** Returns true if a program accepts connections on the socket, even one in another container. */
export const isAnswered = ({ host }: Connection): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connectSocket(join(host, '.s.PGSQL.5432'))
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
