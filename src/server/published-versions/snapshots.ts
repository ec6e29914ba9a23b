import { createHash } from 'node:crypto'
import {
  addEmailNotes,
  type EmailQuestionNotes,
  NO_EMAIL_NOTES,
} from '#domain/questionnaire/consent.ts'
import type { Snapshot } from '#domain/questionnaire/snapshot.ts'
import { layoutOf, type ResponseLayout } from '#domain/run/stored-replies.ts'
import type { Db } from '#server/db/database.ts'
import { findVersion } from '#server/quizzes/versions.store.ts'
import { createLruCache } from '#server/runtime/lru-cache.ts'
import {
  type CurrentAccess,
  type CurrentVersions,
  createCurrentVersions,
} from './current-versions.ts'

/** Version of a quiz, prepared for visitors. */
export type Published = {
  is_published: true
  version: number
  /** Snapshot for visitors, including the notes at the email question. */
  snapshot: Snapshot
  layout: ResponseLayout
  notes: EmailQuestionNotes
  etag: string
  /** Body of the answer to the snapshot call. */
  json: Buffer
}
/** Version that visitors currently take, with the settings that apply at once. */
export type CurrentPublishedVersion = Published & CurrentAccess
/** `version` is the withdrawn version; null if the quiz was never published. */
type Unpublished = { is_published: false; version: number | null }

/** Access to the versions of quizzes through a cache. */
export type Snapshots = {
  /** Returns the current version; undefined if the quiz does not exist. */
  current: (quiz_id: string) => Promise<CurrentPublishedVersion | Unpublished | undefined>
  /** Returns the current version without waiting; undefined unless it is cached and known to be current. */
  atHand: (quiz_id: string) => CurrentPublishedVersion | undefined
  /** Returns a version without waiting; undefined if it is not cached. */
  versionAtHand: (quiz_id: string, version: number) => Published | undefined
  /** Returns any version by its number. */
  ofVersion: (
    quiz_id: string,
    version: number,
    notes?: EmailQuestionNotes,
  ) => Promise<Published | undefined>
}

/** Maximum size of the JSON of cached versions in bytes. The parsed objects take several times as much. */
const MAX_CACHE_BYTES = 33_554_432

/**
 * Creates the cache of versions. Recently used versions stay in memory, up to `max_bytes`, because versions
 * never change. `versions` tells which version is current.
 */
export const createSnapshots = (
  db: Db,
  {
    versions = createCurrentVersions(db),
    max_bytes = MAX_CACHE_BYTES,
  }: { versions?: CurrentVersions; max_bytes?: number } = {},
): Snapshots => {
  const memory = createLruCache<Published>(max_bytes, ({ json }) => json.length)

  const ofVersion = async (
    quiz_id: string,
    version: number,
    notes: EmailQuestionNotes = NO_EMAIL_NOTES,
  ): Promise<Published | undefined> => {
    const key = keyOf(quiz_id, version, notes)
    const known = memory.get(key)
    if (known) return known
    const snapshot = await findVersion(db, quiz_id, version)
    if (!snapshot) return undefined
    const found = publishedOf(snapshot, version, notes)
    memory.set(key, found)
    return found
  }

  return {
    ofVersion,
    versionAtHand: (quiz_id, version) => memory.get(keyOf(quiz_id, version, NO_EMAIL_NOTES)),
    current: async (quiz_id) => {
      const current = await versions.find(quiz_id)
      if (current.kind === 'missing') return undefined
      if (current.kind === 'unpublished') return { is_published: false, version: current.version }
      const { kind: _, version, consent, is_mailed, ...access } = current
      const published = await ofVersion(quiz_id, version, { consent, is_mailed })
      return published && { ...published, ...access }
    },
    atHand: (quiz_id) => {
      const current = versions.known(quiz_id)
      if (current?.kind !== 'published') return undefined
      const { kind: _, version, consent, is_mailed, ...access } = current
      const published = memory.get(keyOf(quiz_id, version, { consent, is_mailed }))
      return published && { ...published, ...access }
    },
  }
}

const keyOf = (quiz_id: string, version: number, notes: EmailQuestionNotes): string =>
  `${quiz_id} ${version} ${emailNotesKey(notes)}`

/** Returns a key that distinguishes the pages of a version by their notes at the email question. */
export const emailNotesKey = ({ consent, is_mailed }: EmailQuestionNotes): string =>
  `${consent?.version}${is_mailed ? ' mailed' : ''}`

const publishedOf = (frozen: Snapshot, version: number, notes: EmailQuestionNotes): Published => {
  const snapshot = addEmailNotes(frozen, notes)
  const json = Buffer.from(JSON.stringify({ snapshot: { ...snapshot, version } }))
  const digest = createHash('sha256').update(json).digest('base64url')
  const layout = layoutOf(snapshot)
  return { is_published: true, version, snapshot, layout, notes, etag: `"${digest}"`, json }
}
