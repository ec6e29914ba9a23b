import type { Consent } from '#domain/snapshot.ts'
import { PUBLISHED } from '#domain/vocabulary.ts'
import type { Db } from '#server/db/database.ts'
import { boundedCache } from '#server/runtime/bounded-cache.ts'
import { findStates, type QuizState } from './quiz-states.store.ts'

/** What a quiz's address leads to now. */
export type Current =
  | { kind: 'published'; version: number; consent: Consent | null }
  | { kind: 'unpublished' }
  | { kind: 'missing' }

export type CurrentVersions = {
  /** What the database says, or said at most `trusted_ms` ago. */
  find: (quiz_id: string) => Promise<Current>
  /** The same without waiting; undefined when the database has to be asked. */
  known: (quiz_id: string) => Current | undefined
  /** Forgets a quiz that has changed: the next call asks the database. */
  forget: (quiz_id: string) => void
  /** Changes may have been missed. */
  forgetAll: () => void
}

type Kept = { current: Current; asked_at: number }
type Batch = { ids: Set<string>; changed: Set<string>; answer: Promise<Map<string, Current>> }

const MISSING: Current = { kind: 'missing' }
const UNPUBLISHED: Current = { kind: 'unpublished' }
/** Withdraws a page within a second even when its notice is lost. */
const TRUSTED_MS = 500
/** What is remembered of addresses that lead nowhere is bounded by this too. */
const LARGEST_MEMORY = 20_000

/**
 * The current version of each quiz, as visitors take it. It changes rarely and is read at each visit, so it
 * is cached for a moment; calls of the same turn of the event loop share one query.
 */
export const createCurrentVersions = (
  db: Db,
  { trusted_ms = TRUSTED_MS, now = () => performance.now() } = {},
): CurrentVersions => {
  const memory = boundedCache<Kept>(LARGEST_MEMORY)
  const underway = new Set<Batch>()
  let gathering: Batch | undefined

  const ask = async (batch: Batch): Promise<Map<string, Current>> => {
    // Calls of this turn of the event loop still join the batch.
    await new Promise((resolve) => setImmediate(resolve))
    gathering = undefined
    underway.add(batch)
    const asked_at = now()
    try {
      const rows = await findStates(db, [...batch.ids])
      const found = new Map(rows.map((row) => [row.id, currentOf(row)]))
      for (const id of batch.ids)
        if (!batch.changed.has(id)) memory.set(id, { current: found.get(id) ?? MISSING, asked_at })
      return found
    } finally {
      underway.delete(batch)
    }
  }
  const gather = (): Batch => {
    const batch: Batch = { ids: new Set(), changed: new Set(), answer: Promise.resolve(new Map()) }
    batch.answer = ask(batch)
    return batch
  }
  const known = (quiz_id: string): Current | undefined => {
    const kept = memory.get(quiz_id)
    return kept && now() - kept.asked_at < trusted_ms ? kept.current : undefined
  }

  return {
    known,
    find: async (quiz_id) => {
      const remembered = known(quiz_id)
      if (remembered) return remembered
      gathering ??= gather()
      const { ids, answer } = gathering
      ids.add(quiz_id)
      return (await answer).get(quiz_id) ?? MISSING
    },
    forget: (quiz_id) => {
      memory.delete(quiz_id)
      // A query under way may read the state before the change.
      for (const batch of underway) batch.changed.add(quiz_id)
    },
    forgetAll: () => {
      memory.clear()
      for (const { ids, changed } of underway) for (const id of ids) changed.add(id)
    },
  }
}

const currentOf = ({ status, published_version, consent }: QuizState): Current =>
  status === PUBLISHED && published_version !== null
    ? { kind: 'published', version: published_version, consent }
    : UNPUBLISHED
