import { sql } from 'kysely'
import type { Db } from '#server/db/database.ts'
import { invalid } from '#server/http/errors.ts'
import { uuidv7 } from '#server/uuid.ts'

/** What became of the ids that a save sent: sent id → stored id, for the temporary ones (decisions « Temporary ids »). */
export type IdMap = Record<string, string>

/**
 * Gives each thing of one save its id: its own UUID when it has one, else a new one. The same id twice
 * in one save is refused (422).
 */
export const createIds = (): { stored: (sent: string | undefined) => string; id_map: IdMap } => {
  const seen = new Set<string>()
  const id_map: IdMap = {}
  return {
    id_map,
    stored: (sent) => {
      if (sent === undefined) return uuidv7()
      if (seen.has(sent)) throw invalid(`L'identifiant ${sent} est présent deux fois`, 'id')
      seen.add(sent)
      if (!sent.startsWith('temp_')) return sent
      const id = uuidv7()
      id_map[sent] = id
      return id
    },
  }
}

/** 422 for an id that already names something else than what is being saved. */
export const takenId = () => invalid('Un identifiant désigne déjà autre chose', 'id')

const KINDS = ['quizzes', 'results', 'questions', 'answers', 'associations', 'text_blocks'] as const
type Saved = Exclude<(typeof KINDS)[number], 'quizzes' | 'associations'>

/**
 * 422 when one of these ids names a thing of another kind or another quiz, whoever's it is (decisions
 * « Temporary ids »). Asked before writing, so that a save never holds the rows of somebody else.
 */
export const refuseTaken = async (
  db: Db,
  { kind, quiz_id, ids }: { kind: Saved; quiz_id: string; ids: readonly string[] },
): Promise<void> => {
  const named = sql`id = any(${ids}::uuid[])`
  const taken = KINDS.map((other) =>
    other === kind
      ? sql`select id from ${sql.table(other)} where ${named} and quiz_id <> ${quiz_id}`
      : sql`select id from ${sql.table(other)} where ${named}`,
  )
  const { rows } = await sql`${sql.join(taken, sql` union all `)} limit 1`.execute(db)
  if (rows.length > 0) throw takenId()
}
