import { sql } from 'kysely'
import type { Db } from '#server/db/database.ts'

const HELD_BY = {
  result: (id: string) => ({ results: [{ id }] }),
  answer: (id: string) => ({ questions: [{ answers: [{ id }] }] }),
}

/** Whether a result, or an answer, is one of some version of a quiz, taken or not; its owner is known. */
export const wasEver = async (
  db: Db,
  quiz_id: string,
  kind: keyof typeof HELD_BY,
  id: string,
): Promise<boolean> => {
  const part = JSON.stringify(HELD_BY[kind](id))
  const found = await db
    .selectFrom('quiz_versions')
    .select('version')
    .where('quiz_id', '=', quiz_id)
    .where(sql<boolean>`snapshot @> ${part}::jsonb`)
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}
