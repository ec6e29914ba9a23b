import type { Db } from '#server/db/database.ts'
import { createHeavyWork } from '#server/heavy-work/heavy-work.ts'
import { createCompiledVersions } from '#server/published-versions/compiled-versions.ts'
import { createTextParser } from '#server/rich-texts/text-parser.ts'

/** Creates a scheduler of heavy work, and a store of compiled versions that uses it. The caller closes `heavyWork`. */
export const createTestVersions = (db: Db) => {
  const heavyWork = createHeavyWork()
  return { heavyWork, compiled: createCompiledVersions(db, createTextParser(heavyWork)) }
}
