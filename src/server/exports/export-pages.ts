import type { ExportLine, ExportTable } from '#domain/export-table.ts'
import type { Db } from '#server/db/database.ts'
import type { Condition } from '#server/statistics/matching.ts'
import { type Cursor, listResponses } from '#server/statistics/responses.store.ts'
import type { Slots } from '#server/statistics/slots.ts'

const LINES_PER_PAGE = 1_000

/**
 * The lines of an export, page by page from the newest participant: memory holds one page, and no
 * connection or state of the database is held while a slow reader takes it.
 */
export async function* exportPages(
  db: Db,
  { quiz_id, condition }: { quiz_id: string; condition: Condition | undefined },
  { lineOf, slots }: Pick<ExportTable, 'lineOf'> & { slots: Slots },
): AsyncGenerator<ExportLine[]> {
  let after: Cursor | undefined
  for (;;) {
    const from = after
    const page = await slots(() =>
      listResponses(db, quiz_id, { condition, after: from, limit: LINES_PER_PAGE }),
    )
    yield page.map(lineOf)
    after = page.at(-1)
    if (page.length < LINES_PER_PAGE) return
  }
}
