import { textsOfVersion } from '#domain/publishing/version-texts.ts'
import type { Snapshot } from '#domain/questionnaire/snapshot.ts'
import type { QuestionNotes } from '#domain/run/question-notes.ts'
import { type RichSnapshot, readTexts } from '#domain/run/rich-text.ts'
import { layoutOf, type ResponseLayout } from '#domain/run/stored-replies.ts'
import type { Db } from '#server/db/database.ts'
import { findCreator } from '#server/quizzes/quizzes.store.ts'
import { findCachedVersion } from '#server/quizzes/versions.store.ts'
import { createReader, type ReadText, type TextParser } from '#server/rich-texts/text-parser.ts'
import { createLruCache } from '#server/runtime/caches.ts'
import { measureHeapBytes } from '#server/runtime/heap-bytes.ts'
import { createSharedWork } from '#server/runtime/shared-work.ts'
import { yieldToEventLoop } from '#server/runtime/yield-to-event-loop.ts'
import { type PublishedVersion, questionNotesKey, toPublishedVersion } from './visitor-version.ts'

/** Version as pages, submissions, documents and mails read it. Only `visitor_versions` grows. */
type CompiledVersion = {
  quiz_id: string
  version: number
  creator_id: string
  snapshot: Snapshot
  /** Snapshot with its texts parsed. */
  rich: RichSnapshot
  /** Returns the parsed form of a text of the version. */
  read: ReadText
  layout: ResponseLayout
  /** Versions for visitors by the notes at their questions, the newest last. */
  visitor_versions: Map<string, PublishedVersion>
  /** Size in memory without the versions for visitors. */
  bytes: number
}

/** Store of compiled versions. */
export type CompiledVersions = {
  /**
   * Returns a version; undefined if the quiz has no version with this number. Concurrent calls for a missing version
   * wait for one compilation, which ends if all of them leave.
   */
  find: (
    quiz_id: string,
    version: number,
    signal?: AbortSignal,
  ) => Promise<CompiledVersion | undefined>
  /** Returns a version without waiting; undefined if it is not in memory. */
  getCached: (quiz_id: string, version: number) => CompiledVersion | undefined
  /** Returns a version for visitors with these notes, which stays in memory as long as the compiled version. */
  visitorVersionOf: (found: CompiledVersion, notes: QuestionNotes) => PublishedVersion
  /** Returns a version for visitors without waiting; undefined if it is not in memory. */
  getCachedVisitorVersion: (
    quiz_id: string,
    version: number,
    notes: QuestionNotes,
  ) => PublishedVersion | undefined
  /** Parser of the texts that belong to no version, such as those of mails and drafts. */
  texts: TextParser
  /** Returns the number of compilations since the start, and the current size. */
  figures: () => { compiled: number; kept: number; bytes: number }
}

/** Maximum size in memory of compiled versions with their versions for visitors. */
const MAX_CACHE_BYTES = 100_663_296
/** Maximum number of versions for visitors of one compiled version: for pages, for submissions, and for a page whose notes have just changed. */
const MAX_VISITOR_VERSIONS = 3
/** Returns at least the size in memory, because a version for visitors is smaller than the compiled version. */
const sizeOf = ({ bytes, visitor_versions }: CompiledVersion): number =>
  bytes * (1 + visitor_versions.size)

/** Creates the store of compiled versions. Recently used versions stay in memory, up to `max_bytes`. */
export const createCompiledVersions = (
  db: Db,
  texts: TextParser,
  max_bytes = MAX_CACHE_BYTES,
): CompiledVersions => {
  const memory = createLruCache<CompiledVersion>(max_bytes, sizeOf)
  const share = createSharedWork<CompiledVersion | undefined>()
  let compiled = 0

  const compile = async (
    quiz_id: string,
    version: number,
    signal: AbortSignal,
  ): Promise<CompiledVersion | undefined> => {
    const pause = yieldToEventLoop({ signal })
    const snapshot = await findCachedVersion(db, quiz_id, version)
    const creator_id = snapshot && (await findCreator(db, quiz_id))
    if (!snapshot || !creator_id) return undefined
    await pause()
    compiled++
    const job = { kind: 'version', owner: creator_id, signal } as const
    const parsed = await texts.parseAll(textsOfVersion(snapshot), job)
    const read = createReader(parsed)
    await pause()
    const rich = readTexts(snapshot, read)
    await pause()
    const layout = layoutOf(snapshot)
    await pause()
    const bytes = measureHeapBytes([snapshot, rich, parsed, layout])
    const visitor_versions: CompiledVersion['visitor_versions'] = new Map()
    return { quiz_id, version, creator_id, snapshot, rich, read, layout, visitor_versions, bytes }
  }

  const visitorVersionOf: CompiledVersions['visitorVersionOf'] = (found, notes) => {
    const { visitor_versions } = found
    const notes_key = questionNotesKey(notes)
    const known = visitor_versions.get(notes_key)
    if (known) return known
    const made = toPublishedVersion(found, notes)
    visitor_versions.set(notes_key, made)
    const [oldest] = visitor_versions.keys()
    if (visitor_versions.size > MAX_VISITOR_VERSIONS && oldest !== undefined)
      visitor_versions.delete(oldest)
    const key = keyOf(found.quiz_id, found.version)
    // The cache measures an entry only when it is stored.
    if (memory.delete(key)) memory.set(key, found)
    return made
  }

  return {
    visitorVersionOf,
    getCachedVisitorVersion: (quiz_id, version, notes) =>
      memory.get(keyOf(quiz_id, version))?.visitor_versions.get(questionNotesKey(notes)),
    texts,
    getCached: (quiz_id, version) => memory.get(keyOf(quiz_id, version)),
    find: async (quiz_id, version, signal) => {
      const key = keyOf(quiz_id, version)
      const known = memory.get(key)
      if (known) return known
      return share({ key, signal }, async (shared) => {
        const found = await compile(quiz_id, version, shared)
        if (found) memory.set(key, found)
        return found
      })
    },
    figures: () => ({ compiled, kept: memory.size, bytes: memory.calculatedSize }),
  }
}

const keyOf = (quiz_id: string, version: number): string => `${quiz_id} ${version}`
