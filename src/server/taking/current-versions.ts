import type { EmailNotes } from '#domain/consent.ts'
import { PUBLISHED } from '#domain/vocabulary.ts'
import type { Db } from '#server/db/database.ts'
import { findStates, type QuizState } from './quiz-states.store.ts'
import { createTrustedMemory, type Trust, type TrustedMemory } from './trusted-memory.ts'

/** What a quiz's address leads to now. */
export type Current =
  | ({ kind: 'published'; version: number } & EmailNotes & CurrentAccess)
  /** `version` is the one that was withdrawn, if there was any. */
  | { kind: 'unpublished'; version: number | null }
  | { kind: 'missing' }

/**
 * What applies of a quiz beside its version: its chosen address, the text once it is closed, and the parameters that it
 * declares.
 */
export type CurrentAccess = {
  slug: string | null
  closed: { text: string | null } | null
  parameters: string[]
}

/** By the quiz's id. */
export type CurrentVersions = TrustedMemory<Current>

const MISSING: Current = { kind: 'missing' }

/** The current version of each quiz, as visitors take it; a withdrawn page goes within a second. */
export const createCurrentVersions = (db: Db, trust?: Trust): CurrentVersions =>
  createTrustedMemory(
    async (ids) => {
      const rows = await findStates(db, ids)
      return new Map(rows.map((row) => [row.id, currentOf(row)]))
    },
    MISSING,
    trust,
  )

const currentOf = ({
  status,
  published_version,
  consent,
  is_mailed,
  slug,
  is_closed,
  closed_text,
  parameters,
}: QuizState): Current =>
  status === PUBLISHED && published_version !== null
    ? {
        kind: 'published',
        version: published_version,
        ...{ consent, is_mailed, slug },
        closed: is_closed ? { text: closed_text } : null,
        parameters,
      }
    : { kind: 'unpublished', version: published_version }
