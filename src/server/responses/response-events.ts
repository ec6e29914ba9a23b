import type { FastifyBaseLogger } from 'fastify'
import type { Database } from '#server/db/database.ts'

/** The channel on which servers notify each other of a quiz's new and removed participants. */
export const RESPONSES_CHANNEL = 'responses'
/** Arrivals within this time are announced as one. */
const GATHER_MS = 500

export type ResponseEvents = {
  /** Announces a new participant of a quiz, without waiting. */
  announce: (quiz_id: string) => void
  /** Calls back when participants came or were removed, on whichever server, or may have; gives how to stop. */
  listen: (quiz_id: string, onArrival: () => void) => () => void
  close: () => Promise<void>
}

/**
 * Notifies the servers of one database of new participants, by LISTEN and NOTIFY. A server listens from its
 * first open screen on.
 */
export const createResponseEvents = (
  { pool, notices }: Pick<Database, 'pool' | 'notices'>,
  log: FastifyBaseLogger,
): ResponseEvents => {
  const announced = new Set<string>()
  const listeners = new Map<string, Set<() => void>>()
  let gathering: NodeJS.Timeout | undefined
  let listening: ReturnType<typeof notices.listen> | undefined
  let isClosed = false

  const tell = (): void => {
    gathering = undefined
    const quiz_ids = [...announced]
    announced.clear()
    pool
      .query('select pg_notify($1, quiz_id) from unnest($2::text[]) as quiz_id', [
        RESPONSES_CHANNEL,
        quiz_ids,
      ])
      .catch((error: unknown) => log.warn({ err: error }, 'new participants were not announced'))
  }
  const hear = (own: Iterable<() => void> = []): void => {
    for (const onArrival of own) onArrival()
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
      listening ??= notices.listen(RESPONSES_CHANNEL, {
        onChange: (id) => hear(listeners.get(id)),
        // Participants may have arrived before this server listened.
        onGap: () => hear([...listeners.values()].flatMap((all) => [...all])),
      })
      return () => {
        own.delete(onArrival)
        if (own.size === 0 && listeners.get(quiz_id) === own) listeners.delete(quiz_id)
      }
    },
    close: async () => {
      isClosed = true
      clearTimeout(gathering)
      listeners.clear()
      await listening?.close()
    },
  }
}
