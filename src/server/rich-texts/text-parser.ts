import { createHash } from 'node:crypto'
import { mayHaveMarks, type RichText } from '#domain/run/rich-text.ts'
import type { HeavyWork } from '#server/heavy-work/heavy-work.ts'
import type { Job } from '#server/heavy-work/job-limits.ts'
import { createLruCache } from '#server/runtime/caches.ts'
import { measureHeapBytes } from '#server/runtime/heap-bytes.ts'
import { createSharedWork } from '#server/runtime/shared-work.ts'
import { parseTexts } from '#server/version-tasks/parse-texts.ts'

/** Parsed form of texts by the texts themselves. */
export type ParsedTexts = ReadonlyMap<string, RichText>

/** Returns the parsed form of a text. Throws for a text that was not parsed before. */
export type ReadText = (text: string) => RichText

/** Job for which texts are parsed. */
type TextJob = Pick<Job, 'kind' | 'owner' | 'signal'>

/** Parses the formatting of texts: long ones in a thread, never more than some milliseconds on the event loop. */
export type TextParser = {
  /** Parses several texts, such as those of a version or a draft. */
  parseAll: (texts: readonly string[], job: TextJob) => Promise<ParsedTexts>
  /** Parses a text that belongs to no version, such as that of a mail. Parsed texts are kept. */
  parse: (text: string, job: TextJob) => Promise<RichText>
}

/** Largest number of signs and lines, and of characters, that are parsed on the event loop: about five milliseconds. */
const MAX_QUICK_SIGNS = 50
const MAX_QUICK_LETTERS = 5_000
/** Maximum size in memory of parsed texts of mails. */
const MAX_KEPT_BYTES = 4_194_304
const KEY_BYTES = 100

const SIGNS = /[*_[\]\n-]/g

/** Returns true if the texts have so few signs that a thread would take longer than the parsing. */
const isQuick = (texts: readonly string[]): boolean => {
  const letters = texts.reduce((sum, { length }) => sum + length, 0)
  if (letters > MAX_QUICK_LETTERS) return false
  const signs = texts.reduce((sum, text) => sum + (text.match(SIGNS)?.length ?? 0), 0)
  return signs <= MAX_QUICK_SIGNS
}

/** Creates the function that reads parsed texts; several collections are searched in their order. */
export const createReader =
  (...collections: readonly ParsedTexts[]): ReadText =>
  (text) => {
    for (const texts of collections) {
      const parsed = texts.get(text)
      if (parsed !== undefined) return parsed
    }
    throw new Error(`A text of ${text.length} characters was not parsed`)
  }

/** Returns a reader of the parsed texts of a version that also knows one further text, such as that of a mail. */
export const extendReader =
  (read: ReadText, text: string, parsed: RichText): ReadText =>
  (requested) =>
    requested === text ? parsed : read(requested)

/** Creates the parser of texts. */
export const createTextParser = (heavyWork: Pick<HeavyWork, 'runInThread'>): TextParser => {
  const memory = createLruCache<{ parsed: RichText; bytes: number }>(
    MAX_KEPT_BYTES,
    ({ bytes }) => bytes,
  )
  const share = createSharedWork<RichText>()

  const parseMarked = async (texts: readonly string[], job: TextJob): Promise<RichText[]> => {
    if (isQuick(texts)) return parseTexts(texts)
    const size = texts.reduce((sum, { length }) => sum + length, 0)
    return heavyWork.runInThread({ ...job, size }, 'parse_texts', texts)
  }

  const parseAll: TextParser['parseAll'] = async (texts, job) => {
    const marked = texts.filter(mayHaveMarks)
    const parsed = new Map<string, RichText>(texts.map((text) => [text, text]))
    const forms = await parseMarked(marked, job)
    for (const [index, text] of marked.entries()) parsed.set(text, forms[index] ?? text)
    return parsed
  }

  return {
    parseAll,
    parse: (text, job) => {
      const key = createHash('sha256').update(text).digest('base64url')
      const known = memory.get(key)
      if (known) return Promise.resolve(known.parsed)
      return share({ key, signal: job.signal }, async (signal) => {
        const parsed = (await parseAll([text], { ...job, signal })).get(text) ?? text
        memory.set(key, { parsed, bytes: KEY_BYTES + measureHeapBytes(parsed) })
        return parsed
      })
    },
  }
}
