import { once } from 'node:events'
import { connect as connectSocket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'

const BEAT_MS = 2_000
/** This process may itself have been paused: an answer that arrived meanwhile is read before the server counts as hung. */
const SECOND_LOOK_MS = 1_000

type Duties = {
  /** Another session with the same lock; undefined when the server has gone, or is another's now. */
  reopen: () => Promise<pg.Client | undefined>
  /** The server runs and has not answered for `silence_ms`. */
  onHung: () => void
  silence_ms: number
}

export type Keeper = { close: () => Promise<void> }

/**
 * Keeps the session that holds the application's lock on its database server. PostgreSQL ends every
 * session when one of its processes dies, and gives their locks back: it is opened again at once. Asked
 * every two seconds, it also tells when the server hangs.
 */
export const keepSession = (first: pg.Client, { reopen, onHung, silence_ms }: Duties): Keeper => {
  const closing = new AbortController()
  const { signal } = closing
  let session: pg.Client | undefined = first

  const ask = async (client: pg.Client): Promise<'answered' | 'ended' | 'silent'> => {
    const asked = client.query('select 1').then(
      () => 'answered' as const,
      () => 'ended' as const,
    )
    for (const patience_ms of [silence_ms, SECOND_LOOK_MS]) {
      const silence = pause(patience_ms, 'silent' as const, { ref: false })
      const outcome = await Promise.race([asked, silence])
      if (outcome !== 'silent') return outcome
    }
    return 'silent'
  }
  const rest = async (client: pg.Client): Promise<void> => {
    const beat = new AbortController()
    const either = AbortSignal.any([signal, beat.signal])
    const ended = once(client, 'end', { signal: either })
    await Promise.race([ended, pause(BEAT_MS, undefined, { ref: false, signal: either })]).catch(
      () => undefined,
    )
    ended.catch(() => undefined)
    beat.abort()
  }
  const keep = async (): Promise<void> => {
    while (session && !signal.aborted) {
      await rest(session)
      if (signal.aborted) return
      const outcome = await ask(session)
      if (signal.aborted) return
      if (outcome === 'silent') return onHung()
      if (outcome === 'ended') session = await reopen()
    }
  }
  const keeping = keep()
  return {
    close: async () => {
      closing.abort()
      const open = session
      // A session that waits for an answer is closed under it.
      await open?.end().catch(() => undefined)
      await keeping
      if (session !== open) await session?.end().catch(() => undefined)
    },
  }
}

export type Connection = {
  host: string
  user: string
  database: string
  password?: string | undefined
}

/** The server takes another password than the one that is kept. */
export class PasswordRefused extends Error {
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
/** A killed application's session ends as soon as PostgreSQL notices; longer than this is a living one. */
const LOCK_PATIENCE_MS = 3_000
const CONNECT_PATIENCE_MS = 60_000
/** The advisory lock that only the one application of a data folder holds. */
const APPLICATION_LOCK = 7_305_114

/** What a server answers while it recovers from a crash, or stops. */
const CANNOT_CONNECT_NOW = '57P03'

/**
 * A session of our own, kept open for its lock; undefined once `isWorthTrying` says no or no server answers for
 * long. Throws PasswordRefused.
 */
export const openSession = async (
  connection: Connection,
  isWorthTrying: () => boolean,
): Promise<pg.Client | undefined> => {
  let until = performance.now() + CONNECT_PATIENCE_MS
  while (isWorthTrying() && performance.now() < until) {
    const client = new pg.Client({ ...connection, connectionTimeoutMillis: 5_000 })
    // The server may die under this session; its process's exit is what we act on.
    client.on('error', () => undefined)
    try {
      await client.connect()
      return client
    } catch (error) {
      const code = error instanceof pg.DatabaseError ? error.code : undefined
      if (code && REFUSED.test(code)) throw new PasswordRefused()
      const isBusy = code === CANNOT_CONNECT_NOW
      if (isBusy) until = performance.now() + CONNECT_PATIENCE_MS
      await pause(POLL_MS)
    }
  }
  return undefined
}

/**
 * Takes the application's lock. Returns `held` if another session keeps it, and `ended` if the server ends this
 * session first, for example because it was told to stop.
 */
export const takeLock = async (session: pg.Client): Promise<'taken' | 'held' | 'ended'> => {
  const until = performance.now() + LOCK_PATIENCE_MS
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

/** True when some program accepts connections on the socket, even one whose number means nothing here (another container). */
export const isAnswered = ({ host }: Connection): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connectSocket(join(host, '.s.PGSQL.5432'))
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
