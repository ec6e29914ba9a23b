import type { Snapshot } from '#domain/questionnaire/snapshot.ts'
import type { QuestionNotes } from '#domain/run/question-notes.ts'
import { type RichSnapshot, readTexts } from '#domain/run/rich-text.ts'
import { layoutOf, type ResponseLayout } from '#domain/run/stored-replies.ts'
import { textsOfVersion } from '#domain/run/version-texts.ts'
import type { Db } from '#server/db/database.ts'
import { findCachedVersion } from '#server/quizzes/versions.store.ts'
import { createReader, type ReadText, type TextParser } from '#server/rich-texts/text-parser.ts'
import { createLruCache } from '#server/runtime/caches.ts'
import { measureHeapBytes } from '#server/runtime/heap-bytes.ts'
import { createSharedWork } from '#server/runtime/shared-work.ts'
import { yieldToEventLoop } from '#server/runtime/yield-to-event-loop.ts'
import { type PublishedVersion, questionNotesKey, toPublishedVersion } from './visitor-form.ts'

/** Version in the form that pages, submissions, documents and mails read. Only `forms` grows. */
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
  /** Forms for visitors by the notes at their questions, the newest last. */
  forms: Map<string, PublishedVersion>
  /** Size in memory without the forms. */
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
  /** Returns the form of a version for visitors, which stays in memory as long as the version. */
  formOf: (found: CompiledVersion, notes: QuestionNotes) => PublishedVersion
  /** Returns a form for visitors without waiting; undefined if it is not in memory. */
  getCachedForm: (
    quiz_id: string,
    version: number,
    notes: QuestionNotes,
  ) => PublishedVersion | undefined
  /** Parser of the texts that belong to no version, such as those of mails and drafts. */
  texts: TextParser
  /** Returns the number of compilations since the start, and the current size. */
  figures: () => { compiled: number; kept: number; bytes: number }
}

/** Maximum size in memory of compiled versions with their forms for visitors. */
const MAX_CACHE_BYTES = 100_663_296
/** Maximum number of forms of a version: for pages, for submissions, and for a page whose notes have just changed. */
const MAX_FORMS = 3
/** Returns the size of a version. A form has less than the version, which also has the parsed texts. */
const sizeOf = ({ bytes, forms }: CompiledVersion): number => bytes * (1 + forms.size)

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
    const forms: CompiledVersion['forms'] = new Map()
    return { quiz_id, version, creator_id, snapshot, rich, read, layout, forms, bytes }
  }

  const formOf: CompiledVersions['formOf'] = (found, notes) => {
    const { forms } = found
    const form_key = questionNotesKey(notes)
    const known = forms.get(form_key)
    if (known) return known
    const form = toPublishedVersion(found, notes)
    forms.set(form_key, form)
    const [oldest] = forms.keys()
    if (forms.size > MAX_FORMS && oldest !== undefined) forms.delete(oldest)
    const key = keyOf(found.quiz_id, found.version)
    // The cache measures an entry only when it is stored.
    if (memory.delete(key)) memory.set(key, found)
    return form
  }

  return {
    formOf,
    getCachedForm: (quiz_id, version, notes) =>
      memory.get(keyOf(quiz_id, version))?.forms.get(questionNotesKey(notes)),
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

const findCreator = async (db: Db, quiz_id: string): Promise<string | undefined> => {
  const row = await db
    .selectFrom('quizzes')
    .select('creator_id')
    .where('id', '=', quiz_id)
    .executeTakeFirst()
  return row?.creator_id
}
