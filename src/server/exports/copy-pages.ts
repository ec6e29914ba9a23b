import { finished } from 'node:stream'
import { type CompiledQuery, sql } from 'kysely'
import pg from 'pg'
import { to } from 'pg-copy-streams'
import { CONTACT_ROLES } from '#domain/common/vocabulary.ts'
import type { ExportColumn, ExportVersion } from '#domain/statistics/export-table.ts'
import type { Db } from '#server/db/database.ts'
import type { ReadSource } from '#server/db/dedicated-pools.ts'
import type { HeavyReads } from '#server/db/heavy-reads.ts'
import type { TaskRunner } from '#server/runtime/concurrency-limit.ts'
import type { View } from '#server/statistics/figures/read-view.ts'
import { restrictToVersions } from '#server/statistics/selection/participant-filters.ts'

const NEW_LINE = 10

/** Receives each line of COPY's output, including its line end. */
export type LineHandler = (line: Buffer) => void

/** Runs a statement `COPY … TO STDOUT` and passes each line to `onLine`. */
export const copyLines = async (
  pool: ReadSource['pool'],
  query: CompiledQuery,
  onLine: LineHandler,
): Promise<void> => {
  const client = await pool.connect()
  try {
    // The driver clears its query timeout in `callback`, which pg-copy-streams does not call by itself.
    const timed = Object.assign(to(withLiterals(query)), { callback: () => undefined })
    const copying = client.query(timed)
    finished(copying, () => timed.callback())
    await eachLine(copying, onLine)
  } catch (error) {
    client.release(true)
    throw error
  }
  client.release()
}

const eachLine = async (chunks: AsyncIterable<Buffer>, onLine: LineHandler): Promise<void> => {
  let begun: Buffer = Buffer.alloc(0)
  for await (const chunk of chunks) {
    const bytes = begun.length > 0 ? Buffer.concat([begun, chunk]) : chunk
    let start = 0
    for (let end = bytes.indexOf(NEW_LINE); end >= 0; end = bytes.indexOf(NEW_LINE, start)) {
      onLine(bytes.subarray(start, end + 1))
      start = end + 1
    }
    begun = bytes.subarray(start)
  }
}

/** Replaces the parameters of a query by untyped literals, because COPY takes no parameters. */
const withLiterals = ({ sql, parameters }: Pick<CompiledQuery, 'sql' | 'parameters'>) =>
  sql.replaceAll(/\$(\d+)/g, (_, rank: string) => literalOf(parameters[Number(rank) - 1]))

const literalOf = (value: unknown): string => {
  if (typeof value === 'string') return pg.escapeLiteral(value)
  if (typeof value === 'number') return pg.escapeLiteral(String(value))
  if (Array.isArray(value)) return pg.escapeLiteral(`{${value.map(entryOf).join()}}`)
  throw new TypeError('No literal is known for this parameter')
}

const entryOf = (value: unknown): string => `"${String(value).replaceAll(/["\\]/g, '\\$&')}"`

const ESCAPED: Record<string, string> = {
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
}

/** Decodes a field of COPY's text format; `\N` is null. */
export const decodeField = (field: string): string | null =>
  field === '\\N' ? null : field.replaceAll(/\\(.)/gs, (_, sign: string) => ESCAPED[sign] ?? sign)

/** Number of lines in a page: some megabytes, read in 0.1 s. */
const LINES_PER_PAGE = 20_000

/** Columns of a copied line, in order. The texts follow with one field each, then the parameters. */
const COPIED_COLUMNS = [
  'created_at',
  'participant_uuid',
  'version',
  'email',
  ...CONTACT_ROLES,
  'result_position',
  'score',
  'dimension_percents',
  'consent_version',
  'elapsed_seconds',
  'is_suspect',
  'choices',
] as const
type CopiedColumn = (typeof COPIED_COLUMNS)[number]

/** Index of each column in a copied line, and index of the first text. */
export const FIELDS = Object.fromEntries(
  [...COPIED_COLUMNS, 'texts'].map((name, index) => [name, index]),
) as Record<CopiedColumn | 'texts', number>

/** SQL of the columns. Times are in UTC, because COPY would write them in the time zone of the session. */
const SELECTED_COLUMNS = sql.join(
  COPIED_COLUMNS.map((name) =>
    name === 'created_at' ? sql`created_at at time zone 'UTC'` : sql.ref(name),
  ),
)

type PageSelection = Pick<View, 'quiz_id' | 'condition' | 'answeredVersions'> & {
  nb_texts: number
  /** Names of the parameters. */
  parameters: readonly string[]
}

/** Converts lines. `take` returns the converted bytes so far. */
export type LineWriter = { write: LineHandler; take: () => Buffer }

/**
 * Yields the participants of an export page by page, newest first, converted from COPY's output by `writer`.
 * Memory holds two pages. No database connection is held while a slow reader downloads a page.
 */
export async function* copyPages(
  heavyReads: Pick<HeavyReads, 'run'>,
  wanted: PageSelection,
  { writer, inTurn }: { writer: LineWriter; inTurn: TaskRunner },
): AsyncGenerator<Buffer> {
  const readPage = async ({ db, pool }: ReadSource, after?: Last): Promise<Page> => {
    let nb_lines = 0
    let last: Last | undefined
    // The lines of an attempt that failed on the replica are dropped.
    writer.take()
    await copyLines(pool, pageQuery(db, wanted, after), (line) => {
      writer.write(line)
      nb_lines++
      if (nb_lines === LINES_PER_PAGE) last = readLast(line)
    })
    return { bytes: writer.take(), last }
  }
  const read = (after?: Last): Promise<Page> => {
    const reading = inTurn(() => heavyReads.run((source) => readPage(source, after)))
    // A failure of the next page is ignored after the reader has left.
    reading.catch(() => undefined)
    return reading
  }
  let reading = read()
  for (;;) {
    const { bytes, last } = await reading
    // The next page is read while the current page is sent.
    if (last) reading = read(last)
    yield bytes
    if (!last) return
  }
}

/** Last participant of a page, where the next page begins. */
type Last = { created_at: string; participant_uuid: string }
/** Converted bytes of a page; `last` is undefined for the last page. */
type Page = { bytes: Buffer; last: Last | undefined }

const readLast = (line: Buffer): Last => {
  const [created_at = '', participant_uuid = ''] = line.toString('latin1').split('\t')
  return { created_at, participant_uuid }
}

const pageQuery = (
  db: Db,
  { quiz_id, condition, answeredVersions, nb_texts, parameters }: PageSelection,
  after: Last | undefined,
): CompiledQuery => {
  const texts = Array.from({ length: nb_texts }, (_, index) => sql`texts[${sql.lit(index + 1)}]`)
  const fields = sql.join([
    SELECTED_COLUMNS,
    ...texts,
    ...parameters.map((name) => sql`parameters ->> ${name}::text`),
  ])
  const others = [
    sql`quiz_id = ${quiz_id}`,
    restrictToVersions(answeredVersions, condition),
    after
      ? sql`(created_at, participant_uuid) < (
          ${after.created_at}::timestamp at time zone 'UTC', ${after.participant_uuid}::uuid
        )`
      : [],
  ].flat()
  return sql`
    copy (
      select ${fields} from responses where ${sql.join(others, sql` and `)}
      order by created_at desc, participant_uuid desc
      limit ${sql.lit(LINES_PER_PAGE)}
    ) to stdout
  `.compile(db)
}

const greatest = (
  versions: readonly ExportVersion[],
  read: (column: ExportColumn) => number,
): number =>
  versions.reduce(
    (most, { columns }) => columns.reduce((sum, column) => Math.max(sum, read(column)), most),
    0,
  )

/** Returns the greatest number of texts that a participant of these versions has. */
export const maxTexts = (versions: readonly ExportVersion[]): number =>
  greatest(versions, ({ text }) => (text ?? -1) + 1)

/** Returns the greatest number of stored numbers that a participant of these versions has. */
export const maxSlots = (versions: readonly ExportVersion[]): number =>
  greatest(versions, ({ slot, nb_slots }) => slot + nb_slots)
