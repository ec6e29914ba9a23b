import { accountCountry } from '#domain/common/phone-countries.ts'
import { readDimensions, writeDimensions } from '#domain/run/stored-dimensions.ts'
import { readReplies } from '#domain/run/stored-replies.ts'
import type { Db } from '#server/db/database.ts'
import type { ReplyContent } from '#server/db/reply-contents.ts'
import { createLruCache } from '#server/runtime/caches.ts'
import type { TaskRunner } from '#server/runtime/concurrency-limit.ts'
import { findPreferences } from './account.store.ts'
import {
  type ExportedResponse,
  exportAccount,
  exportFoldersAndLinks,
  exportImages,
  exportQuizzes,
  exportReplyContent,
  exportResponses,
  exportRows,
  exportVersion,
  listQuizIds,
  listVersionNumbers,
  QUIZ_TABLES,
  type QuizTable,
  type ResponseKey,
  ROWS_A_PAGE,
} from './export.store.ts'

type Source = {
  db: Db
  creator_id: string
  /** Runs one read of the database in the turn of the creator. */
  inTurn: TaskRunner
}

/** Part of the file: a text or bytes. */
type Part = string | Buffer

/** Number of quizzes whose rows are read together. */
const QUIZZES_A_PAGE = 10
/** Maximum JSON of the parsed versions that are kept for the participants who follow. */
const MAX_VERSIONS_BYTES = 4_194_304

/** Name of a list in the file if it differs from the name of its table. */
const LIST_NAMES: Partial<Record<QuizTable, string>> = { quiz_mails: 'mails' }

/** Returns a participant with the texts of the version that they answered. */
const participantOf = (response: ExportedResponse, content: ReplyContent | undefined): object => {
  const { choices, texts, result_position, dimension_percents, ...shown } = response
  const result = result_position === null ? undefined : content?.results[result_position]
  return {
    ...shown,
    final_result_name: result?.name ?? null,
    dimensions: writeDimensions(readDimensions(content ?? {}, dimension_percents)),
    answers: content ? readReplies(content, { choices, texts }) : [],
  }
}

/**
 * Yields the participants of all quizzes of a creator page by page, in the order of their key. Memory holds a single
 * version at a time, because a page may have a hundred versions of a megabyte each.
 */
async function* readResponses({ db, creator_id, inTurn }: Source): AsyncGenerator<string> {
  const memory = createLruCache<{ content: ReplyContent; bytes: number }>(
    MAX_VERSIONS_BYTES,
    ({ bytes }) => bytes,
  )
  const findContent = async (
    quiz_id: string,
    version: number,
  ): Promise<ReplyContent | undefined> => {
    const key = `${quiz_id} ${version}`
    const known = memory.get(key)
    if (known) return known.content
    const json = await exportReplyContent(db, { creator_id, quiz_id, version })
    if (json === undefined) return undefined
    const content: ReplyContent = JSON.parse(json)
    memory.set(key, { content, bytes: json.length })
    return content
  }
  let after: ResponseKey | undefined
  do {
    const page = await inTurn(() => exportResponses(db, creator_id, after))
    const versions = Map.groupBy(page, ({ quiz_id, version }) => `${quiz_id} ${version}`)
    const written = new Map<ExportedResponse, string>()
    for (const responses of versions.values()) {
      const [first] = responses
      if (!first) continue
      const { quiz_id, version } = first
      await inTurn(async () => {
        const content = await findContent(quiz_id, version)
        for (const response of responses)
          written.set(response, JSON.stringify(participantOf(response, content)))
      })
    }
    for (const response of page) yield written.get(response) ?? ''
    after = page.at(-1)
  } while (after)
}

/** Yields the rows of a table of some quizzes page by page. */
async function* readRows(
  { db, creator_id, inTurn }: Source,
  quiz_ids: readonly string[],
  table: QuizTable,
): AsyncGenerator<string> {
  for (let first = 0; first < quiz_ids.length; first += QUIZZES_A_PAGE) {
    const some = { creator_id, quiz_ids: quiz_ids.slice(first, first + QUIZZES_A_PAGE) }
    for (let offset = 0; ; offset += ROWS_A_PAGE) {
      const rows = await inTurn(() => exportRows(db, table, { ...some, offset }))
      for (const row of rows) yield JSON.stringify(row)
      if (rows.length < ROWS_A_PAGE) break
    }
  }
}

/** Yields the quizzes of a creator page by page. */
async function* readQuizzes(
  { db, creator_id, inTurn }: Source,
  quiz_ids: readonly string[],
): AsyncGenerator<string> {
  for (let first = 0; first < quiz_ids.length; first += QUIZZES_A_PAGE) {
    const some = quiz_ids.slice(first, first + QUIZZES_A_PAGE)
    for (const row of await inTurn(() => exportQuizzes(db, creator_id, some)))
      yield JSON.stringify(row)
  }
}

/** Yields the versions of all quizzes one at a time, each in pieces. Their snapshots are never parsed. */
async function* readVersions(
  { db, creator_id, inTurn }: Source,
  quiz_ids: readonly string[],
): AsyncGenerator<Part[]> {
  for (const quiz_id of quiz_ids)
    for (const version of await inTurn(() => listVersionNumbers(db, { creator_id, quiz_id }))) {
      const found = await inTurn(() => exportVersion(db, { creator_id, quiz_id, version }))
      if (!found) continue
      yield [`${JSON.stringify(found.row).slice(0, -1)},"snapshot":`, ...found.snapshot, '}']
    }
}

/** Yields a list of the file: `,"name":[…]`. An item is a part or several. */
async function* writeList(name: string, items: AsyncIterable<Part | Part[]>): AsyncGenerator<Part> {
  yield `,"${name}":[`
  let separator = ''
  for await (const item of items) {
    if (separator) yield separator
    yield* Array.isArray(item) ? item : [item]
    separator = ',\n'
  }
  yield ']'
}

/**
 * Yields the JSON text of a creator's account and quizzes piece by piece (contract `account.exportData`). Leaves out
 * secrets and audit events. Memory holds one page of rows or one version at a time.
 */
export async function* exportParts(source: Source): AsyncGenerator<Part> {
  const { db, creator_id, inTurn } = source
  const { time_zone, country, sender_name } = await inTurn(() => findPreferences(db, creator_id))
  const head = await inTurn(async () => ({
    exported_at: new Date().toISOString(),
    time_zone,
    country: accountCountry(country, time_zone),
    sender_name,
    ...(await exportAccount(db, creator_id)),
    images: await exportImages(db, creator_id),
    ...(await exportFoldersAndLinks(db, creator_id)),
  }))
  yield JSON.stringify(head).slice(0, -1)
  const quiz_ids = await inTurn(() => listQuizIds(db, creator_id))
  yield* writeList('quizzes', readQuizzes(source, quiz_ids))
  for (const table of Object.keys(QUIZ_TABLES) as QuizTable[])
    yield* writeList(LIST_NAMES[table] ?? table, readRows(source, quiz_ids, table))
  yield* writeList('versions', readVersions(source, quiz_ids))
  yield* writeList('responses', readResponses(source))
  yield '}'
}
