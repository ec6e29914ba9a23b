import type { FastifyBaseLogger } from 'fastify'
import type pg from 'pg'

const CHANNEL = 'responses'
/** Arrivals this close together are told as one. */
const GATHER_MS = 500
const RETRY_MS = 5_000

export type Arrivals = {
  /** Says that somebody took this quiz; a hint, which is never waited for. */
  announce: (quiz_id: string) => void
  /** Calls back when somebody took this quiz, on whichever server; gives how to stop. */
  listen: (quiz_id: string, onArrival: () => void) => () => void
  close: () => Promise<void>
}

/**
 * Tells the servers of one database about new participants, by LISTEN and NOTIFY. One connection listens
 * while somebody here does; one that is lost is opened again.
 */
export const createArrivals = (pool: pg.Pool, log: FastifyBaseLogger): Arrivals => {
  const announced = new Set<string>()
  const listeners = new Map<string, Set<() => void>>()
  let gathering: NodeJS.Timeout | undefined
  let session: Promise<pg.PoolClient | undefined> | undefined
  let isClosed = false

  const tell = (): void => {
    gathering = undefined
    const quiz_ids = [...announced]
    announced.clear()
    pool
      .query('select pg_notify($1, quiz_id) from unnest($2::text[]) as quiz_id', [
        CHANNEL,
        quiz_ids,
      ])
      .catch((error: unknown) => log.warn({ err: error }, 'new participants were not announced'))
  }

  const open = async (): Promise<pg.PoolClient | undefined> => {
    try {
      const client = await pool.connect()
      client.on('notification', ({ payload = '' }) => {
        for (const onArrival of listeners.get(payload) ?? []) onArrival()
      })
      client.once('error', reopen)
      await client.query(`listen ${CHANNEL}`)
      return client
    } catch (error) {
      log.warn({ err: error }, 'new participants are not heard of')
      reopen()
      return undefined
    }
  }
  const reopen = (): void => {
    const lost = session
    session = undefined
    void lost?.then((client) => client?.release(true))
    setTimeout(() => {
      if (!isClosed && listeners.size > 0) session ??= open()
    }, RETRY_MS).unref()
  }
  const hangUp = async (): Promise<void> => {
    const client = await session
    session = undefined
    client?.removeListener('error', reopen)
    client?.release(true)
  }

  return {
    announce: (quiz_id) => {
      if (isClosed) return
      announced.add(quiz_id)
      gathering ??= setTimeout(tell, GATHER_MS).unref()
    },
    listen: (quiz_id, onArrival) => {
      const own = listeners.get(quiz_id) ?? new Set()
      listeners.set(quiz_id, own.add(onArrival))
      session ??= open()
      // Who came before the session listened was not heard of.
      void session.then(onArrival)
      return () => {
        own.delete(onArrival)
        if (own.size === 0 && listeners.get(quiz_id) === own) listeners.delete(quiz_id)
      }
    },
    close: async () => {
      isClosed = true
      clearTimeout(gathering)
      listeners.clear()
      await hangUp()
    },
  }
}
