import type { EditedResult } from '#contract/results.ts'
import type { Result } from '#domain/quiz.ts'
import type { Db } from '#server/db/database.ts'
import { listResults } from './draft.store.ts'
import { createIds, type IdMap } from './id-map.ts'
import { lockQuiz, updateQuiz } from './quizzes.store.ts'
import { deleteOtherResults, writeResults } from './results.store.ts'

/**
 * Makes the stored results equal to the list, in its order, within the caller's transaction (spec §4
 * « Autosave »): priority_order is the list index unless the list says otherwise; absent results are
 * deleted; a bound that is not in the list stays.
 */
export const saveResults = async (
  db: Db,
  owned: { quiz_id: string; creator_id: string },
  { results: edited, based_on }: { results: EditedResult[]; based_on?: number | undefined },
): Promise<{ results: Result[]; id_map: IdMap }> => {
  const { quiz_id } = owned
  await lockQuiz(db, owned, based_on)
  const stored = new Map((await listResults(db, quiz_id)).map((result) => [result.id, result]))
  const ids = createIds()
  const rows = edited.map(({ id: sent, name, description, priority_order, ...bounds }, index) => {
    const id = ids.stored(sent)
    const before = stored.get(id)
    return {
      id,
      name,
      description: description ?? null,
      priority_order: priority_order ?? index,
      min_score: given(bounds.min_score, before?.min_score),
      max_score: given(bounds.max_score, before?.max_score),
    }
  })
  // Written first: what is deleted would free ids that the list must not take.
  if (rows.length > 0) await writeResults(db, quiz_id, rows)
  await deleteOtherResults(
    db,
    quiz_id,
    rows.map(({ id }) => id),
  )
  await updateQuiz(db, quiz_id, {})
  return { results: await listResults(db, quiz_id), id_map: ids.id_map }
}

const given = (
  sent: number | null | undefined,
  before: number | null | undefined,
): number | null => (sent === undefined ? (before ?? null) : sent)
