import { PUBLISHED } from '#domain/common/vocabulary.ts'
import type { QuestionNotes } from '#domain/run/question-notes.ts'
import type { Db } from '#server/db/database.ts'
import { isDatabaseUnavailable } from '#server/db/database-error.ts'
import { createTtlCache, type TtlCache, type TtlCacheOptions } from '#server/runtime/caches.ts'
import type { Opening } from './opening.ts'
import { findStates, type QuizState } from './quiz-states.store.ts'

/** Current target of a quiz's address. */
export type Current =
  | ({ kind: 'published'; version: number } & QuestionNotes & CurrentAccess)
  /** `version` is the withdrawn version; null if the quiz was never published. */
  | { kind: 'unpublished'; version: number | null }
  | { kind: 'missing' }

/** Settings of a quiz that apply at once and belong to no version. */
export type CurrentAccess = {
  slug: string | null
  closed: { text: string | null } | null
  /** Null if the quiz is open. */
  opening: Opening | null
  parameters: string[]
  keeps_page: boolean
  confirms_email: boolean
}

/** Milliseconds for which known quizzes are served without the database. A failover takes less than half of it. */
export const MAX_OUTAGE_MS = 60_000

/** Cache of current versions by quiz id. */
export type CurrentVersions = TtlCache<Current>

const MISSING: Current = { kind: 'missing' }

/**
 * Creates the cache of each quiz's current version. A withdrawal takes effect within a second. While the database is
 * unavailable, known quizzes are served for MAX_OUTAGE_MS, so that a failover interrupts no page.
 */
export const createCurrentVersions = (db: Db, trust?: TtlCacheOptions): CurrentVersions =>
  createTtlCache(
    async (ids) => {
      const rows = await findStates(db, ids)
      return new Map(rows.map((row) => [row.id, currentOf(row)]))
    },
    MISSING,
    isDatabaseUnavailable,
    { outage_ms: MAX_OUTAGE_MS, ...trust },
  )

const currentOf = ({
  status,
  published_version,
  consent,
  measure,
  is_mailed,
  country,
  slug,
  is_closed,
  closed_text,
  opens_at,
  time_zone,
  parameters,
  keeps_page,
  confirms_email,
}: QuizState): Current =>
  status === PUBLISHED && published_version !== null
    ? {
        kind: 'published',
        version: published_version,
        consent,
        measure,
        is_mailed,
        country,
        slug,
        closed: is_closed ? { text: closed_text } : null,
        opening: opens_at === null ? null : { opens_at, time_zone },
        parameters,
        keeps_page,
        confirms_email,
      }
    : { kind: 'unpublished', version: published_version }
