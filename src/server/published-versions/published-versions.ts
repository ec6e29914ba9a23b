import { createHash } from 'node:crypto'
import type { Snapshot } from '#domain/questionnaire/snapshot.ts'
import { publicSnapshot } from '#domain/run/public-page/public-snapshot.ts'
import { addQuestionNotes, NO_NOTES, type QuestionNotes } from '#domain/run/question-notes.ts'
import { type RichSnapshot, readTexts } from '#domain/run/rich-text.ts'
import type { ResponseLayout } from '#domain/run/stored-replies.ts'
import type { Db } from '#server/db/database.ts'
import type { ReadText } from '#server/rich-texts/text-parser.ts'
import { createLruCache } from '#server/runtime/caches.ts'
import type { CompiledVersion, CompiledVersions } from './compiled-versions.ts'
import {
  type CurrentAccess,
  type CurrentVersions,
  createCurrentVersions,
} from './current-versions.ts'

/** Version of a quiz, prepared for visitors. */
export type PublishedVersion = {
  is_published: true
  version: number
  creator_id: string
  /** Snapshot for visitors, including the notes at its questions. */
  snapshot: Snapshot
  /** `snapshot` with its texts parsed. */
  rich: RichSnapshot
  /** Returns the parsed form of a text of the version. */
  read: ReadText
  layout: ResponseLayout
  notes: QuestionNotes
  /** Returns the body of the answer to the snapshot call, which is written at the first call. */
  body: () => SnapshotBody
}
/** JSON of a snapshot for visitors. */
type SnapshotBody = { json: Buffer; etag: string }
/** Version that visitors currently take, with the settings that apply at once. */
export type CurrentPublishedVersion = PublishedVersion & CurrentAccess
/** `version` is the withdrawn version; null if the quiz was never published. */
type UnpublishedQuiz = { is_published: false; version: number | null }

/** Access to the versions of quizzes through a cache. */
export type Snapshots = {
  /** Returns the current version; undefined if the quiz does not exist. */
  current: (
    quiz_id: string,
    signal?: AbortSignal,
  ) => Promise<CurrentPublishedVersion | UnpublishedQuiz | undefined>
  /** Returns the current version without waiting; undefined unless it is cached and known to be current. */
  getCached: (quiz_id: string) => CurrentPublishedVersion | undefined
  /**
   * Returns true if the published quiz keeps a page for each participant. Uses the last known state without a query,
   * because the page itself checks the setting.
   */
  keepsPage: (quiz_id: string) => Promise<boolean>
  /** Returns a version without waiting; undefined if it is not cached. */
  getCachedVersion: (quiz_id: string, version: number) => PublishedVersion | undefined
  /** Returns any version by its number. */
  ofVersion: (
    quiz_id: string,
    version: number,
    notes?: QuestionNotes,
    signal?: AbortSignal,
  ) => Promise<PublishedVersion | undefined>
}

/** Maximum size in memory of the forms of versions for visitors, in addition to the compiled versions. */
const MAX_CACHE_BYTES = 67_108_864

/** Version for visitors with its size in memory: its own rows, its parsed form and its JSON. */
type CachedVersion = { published: PublishedVersion; bytes: number }

/**
 * Creates the access to versions. Forms for visitors of recently used versions stay in memory, up to `max_bytes`.
 * `versions` tells which version is current.
 */
export const createSnapshots = (
  db: Db,
  {
    compiled,
    versions = createCurrentVersions(db),
    max_bytes = MAX_CACHE_BYTES,
  }: { compiled: CompiledVersions; versions?: CurrentVersions; max_bytes?: number },
): Snapshots => {
  const memory = createLruCache<CachedVersion>(max_bytes, ({ bytes }) => bytes)

  const ofVersion: Snapshots['ofVersion'] = async (quiz_id, version, notes = NO_NOTES, signal) => {
    const key = keyOf(quiz_id, version, notes)
    const known = memory.get(key)
    if (known) return known.published
    const found = await compiled.find(quiz_id, version, signal)
    if (!found) return undefined
    const published = toPublishedVersion(found, notes)
    // The JSON and the rows of a version take less than its compiled form, which has both and the parsed texts.
    memory.set(key, { published, bytes: found.bytes })
    return published
  }

  return {
    ofVersion,
    keepsPage: async (quiz_id) => {
      const current = versions.getKnown(quiz_id) ?? (await versions.find(quiz_id))
      return current.kind === 'published' && current.keeps_page
    },
    getCachedVersion: (quiz_id, version) =>
      memory.get(keyOf(quiz_id, version, NO_NOTES))?.published,
    current: async (quiz_id, signal) => {
      const current = await versions.find(quiz_id)
      if (current.kind === 'missing') return undefined
      if (current.kind === 'unpublished') return { is_published: false, version: current.version }
      const { kind: _, version, consent, is_mailed, country, ...access } = current
      const published = await ofVersion(quiz_id, version, { consent, is_mailed, country }, signal)
      return published && { ...published, ...access }
    },
    getCached: (quiz_id) => {
      const current = versions.getFresh(quiz_id)
      if (current?.kind !== 'published') return undefined
      const { kind: _, version, consent, is_mailed, country, ...access } = current
      const known = memory.get(keyOf(quiz_id, version, { consent, is_mailed, country }))
      return known && { ...known.published, ...access }
    },
  }
}

const keyOf = (quiz_id: string, version: number, notes: QuestionNotes): string =>
  `${quiz_id} ${version} ${questionNotesKey(notes)}`

/** Returns a key that distinguishes the pages of a version by the notes at its questions. */
export const questionNotesKey = ({ consent, is_mailed, country }: QuestionNotes): string =>
  `${consent?.version}${is_mailed ? ' mailed' : ''} ${country}`

const toPublishedVersion = (
  { snapshot: frozen, version, creator_id, read, layout, rich }: CompiledVersion,
  notes: QuestionNotes,
): PublishedVersion => {
  const snapshot = addQuestionNotes(frozen, notes)
  let written: SnapshotBody | undefined
  const body = (): SnapshotBody => {
    written ??= writeBody(snapshot, version)
    return written
  }
  return {
    ...{ is_published: true, version, creator_id, snapshot, read, layout, notes, body },
    rich: snapshot === frozen ? rich : readTexts(snapshot, read),
  }
}

const writeBody = (snapshot: Snapshot, version: number): SnapshotBody => {
  const json = Buffer.from(JSON.stringify({ snapshot: { ...publicSnapshot(snapshot), version } }))
  return { json, etag: `"${createHash('sha256').update(json).digest('base64url')}"` }
}
