import type { FastifyBaseLogger } from 'fastify'
import type { Database } from '#server/db/database.ts'

/** PostgreSQL notification channel for new and removed participants of a quiz. */
export const RESPONSES_CHANNEL = 'responses'
/** Time during which new participants are gathered into one notification. */
const GATHER_MS = 500

/** Notifications of new and removed participants. */
export type ResponseEvents = {
  /** Queues a notification of a new participant, without waiting. */
  announce: (quiz_id: string) => void
  /**
   * Calls `onArrival` after participants were added or removed on any server, or may have been. Returns a
   * function that stops listening.
   */
  listen: (quiz_id: string, onArrival: () => void) => () => void
  close: () => Promise<void>
}

/**
 * Creates the events that notify all servers of new participants through LISTEN and NOTIFY. A server begins to
 * listen when its first screen is opened.
 */
export const createResponseEvents = (
  { pool, notifications }: Pick<Database, 'pool' | 'notifications'>,
  log: FastifyBaseLogger,
): ResponseEvents => {
  const announced = new Set<string>()
  const listeners = new Map<string, Set<() => void>>()
  let gathering: NodeJS.Timeout | undefined
  let listening: ReturnType<typeof notifications.listen> | undefined
  let isClosed = false

  const notifyProcesses = (): void => {
    gathering = undefined
    const quiz_ids = [...announced]
    announced.clear()
    pool
      .query('select pg_notify($1, quiz_id) from unnest($2::text[]) as quiz_id', [
        RESPONSES_CHANNEL,
        quiz_ids,
      ])
      .catch((error: unknown) =>
        log.warn({ err: error }, 'could not notify other servers of new participants'),
      )
  }
  const emit = (own_listeners: Iterable<() => void> = []): void => {
    for (const onArrival of own_listeners) onArrival()
  }

  return {
    announce: (quiz_id) => {
      if (isClosed) return
      announced.add(quiz_id)
      gathering ??= setTimeout(notifyProcesses, GATHER_MS).unref()
    },
    listen: (quiz_id, onArrival) => {
      const own = listeners.get(quiz_id) ?? new Set()
      listeners.set(quiz_id, own.add(onArrival))
      listening ??= notifications.listen(RESPONSES_CHANNEL, {
        onChange: (id) => emit(listeners.get(id)),
        // Participants may have arrived before the server began to listen.
        onGap: () => emit([...listeners.values()].flatMap((all) => [...all])),
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
