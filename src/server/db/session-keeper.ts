import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'

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
