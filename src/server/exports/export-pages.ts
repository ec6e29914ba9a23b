import type { ExportLine, ExportTable } from '#domain/export-table.ts'
import type { Db } from '#server/db/database.ts'
import type { InTurn } from '#server/runtime/limit.ts'
import { ofVersions } from '#server/statistics/matching.ts'
import type { View } from '#server/statistics/read-view.ts'
import { type Cursor, listResponses } from '#server/statistics/responses.store.ts'

const LINES_PER_PAGE = 1_000

/**
 * The lines of an export, of the versions that its table knows, page by page from the newest participant: memory holds
 * two pages, and no connection or state of the database is held while a slow reader takes it.
 */
export async function* exportPages(
  db: Db,
  { quiz_id, condition: selected, taken }: Pick<View, 'quiz_id' | 'condition' | 'taken'>,
  { lineOf, inTurn }: Pick<ExportTable, 'lineOf'> & { inTurn: InTurn },
): AsyncGenerator<ExportLine[]> {
  const condition = ofVersions(taken, selected)
  const read = (after?: Cursor): ReturnType<typeof listResponses> => {
    const reading = inTurn(() =>
      listResponses(db, quiz_id, { condition, after, limit: LINES_PER_PAGE }),
    )
    // After the reader left, a failure of the page under way is ignored.
    reading.catch(() => undefined)
    return reading
  }
  let reading = read()
  for (;;) {
    const page = await reading
    const isLast = page.length < LINES_PER_PAGE
    // The next page is read while this one is written.
    if (!isLast) reading = read(page.at(-1))
    yield page.map(lineOf)
    if (isLast) return
  }
}
