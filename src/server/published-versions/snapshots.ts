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

/** A frozen version, ready to be taken and sent. */
export type Published = {
  is_published: true
  version: number
  /** As visitors take it: the current one with what is said at the email question. */
  snapshot: Snapshot
  layout: ResponseLayout
  notes: EmailQuestionNotes
  etag: string
  /** The bytes of the snapshot call's answer. */
  json: Buffer
}
/** The version that visitors take now. */
export type CurrentPublishedVersion = Published & CurrentAccess
/** `version` is the one that was withdrawn, if there was any. */
type Unpublished = { is_published: false; version: number | null }

export type Snapshots = {
  /** What visitors find now; undefined when there is no such quiz. */
  current: (quiz_id: string) => Promise<CurrentPublishedVersion | Unpublished | undefined>
  /** The published version, if it is in memory and known to be current. */
  atHand: (quiz_id: string) => CurrentPublishedVersion | undefined
  /** A version by its number, if it is in memory. */
  versionAtHand: (quiz_id: string, version: number) => Published | undefined
  /** A version by its number, whether or not it is the current one. */
  ofVersion: (
    quiz_id: string,
    version: number,
    notes?: EmailQuestionNotes,
  ) => Promise<Published | undefined>
}

/** Bytes of JSON; what was parsed from it weighs some times as much. */
const LARGEST_MEMORY = 33_554_432

/**
 * Finds versions. Versions never change, so those last asked for stay in memory, up to
 * `largest_memory` bytes; `versions` knows which one is current.
 */
export const createSnapshots = (
  db: Db,
  {
    versions = createCurrentVersions(db),
    largest_memory = LARGEST_MEMORY,
  }: { versions?: CurrentVersions; largest_memory?: number } = {},
): Snapshots => {
  const memory = createLruCache<Published>(largest_memory, ({ json }) => json.length)

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

/** Tells the pages of a version apart by what they say at the email question. */
export const emailNotesKey = ({ consent, is_mailed }: EmailQuestionNotes): string =>
  `${consent?.version}${is_mailed ? ' mailed' : ''}`

const publishedOf = (frozen: Snapshot, version: number, notes: EmailQuestionNotes): Published => {
  const snapshot = addEmailNotes(frozen, notes)
  const json = Buffer.from(JSON.stringify({ snapshot: { ...snapshot, version } }))
  const digest = createHash('sha256').update(json).digest('base64url')
  const layout = layoutOf(snapshot)
  return { is_published: true, version, snapshot, layout, notes, etag: `"${digest}"`, json }
}
