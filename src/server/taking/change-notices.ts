import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import pg from 'pg'

type Listener = {
  /** What is listened to; `quiz_changes` unless told. */
  channel?: 'quiz_changes' | 'responses'
  /** Visitors find something else at this quiz's address, or one of them took it. */
  onChange: (quiz_id: string) => void
  /** Notices may have been missed until now. */
  onGap: () => void
  log: Pick<FastifyBaseLogger, 'warn'>
  /** How often the connection is tried out. */
  beat_ms?: number
}

const FIRST_DELAY_MS = 100
const LONGEST_DELAY_MS = 5_000
/** A connection that only listens is not told when the network has lost it. */
const BEAT_MS = 15_000

/**
 * Hears of the changes that any process commits, on a connection of its own, beside the pool's, that is
 * opened again whenever it is lost. `ready` settles once it listens for the first time, or was closed before.
 */
export const listenForChanges = (
  pool: pg.Pool,
  { channel = 'quiz_changes', onChange, onGap, log, beat_ms = BEAT_MS }: Listener,
): { ready: Promise<void>; close: () => Promise<void> } => {
  const closing = new AbortController()
  const { signal } = closing
  const first = Promise.withResolvers<void>()

  const listen = async (onListening: () => void): Promise<void> => {
    const client = new pg.Client(pool.options)
    client.on('error', () => undefined)
    const drop = () => client.end().catch(() => undefined)
    let isAsked = false
    const ask = async (): Promise<void> => {
      if (isAsked) return
      isAsked = true
      await client.query(`listen ${channel}`).catch(drop)
      isAsked = false
    }
    const beat = setInterval(() => void ask(), beat_ms)
    try {
      await client.connect()
      const lost = once(client, 'end', { signal }).catch(() => undefined)
      client.on('notification', ({ payload }) => payload && onChange(payload))
      await client.query(`listen ${channel}`)
      onGap()
      onListening()
      await lost
    } finally {
      clearInterval(beat)
      await drop()
      onGap()
    }
  }
  const run = async (): Promise<void> => {
    let delay_ms = FIRST_DELAY_MS
    while (!signal.aborted) {
      try {
        await listen(() => {
          delay_ms = FIRST_DELAY_MS
          first.resolve()
        })
      } catch (error) {
        if (signal.aborted) break
        log.warn({ err: error }, 'no notice of changes for the moment')
      }
      await pause(delay_ms, undefined, { ref: false, signal }).catch(() => undefined)
      delay_ms = Math.min(delay_ms * 2, LONGEST_DELAY_MS)
    }
    first.resolve()
  }

  const running = run()
  return {
    ready: first.promise,
    close: async () => {
      closing.abort()
      await running
    },
  }
}
