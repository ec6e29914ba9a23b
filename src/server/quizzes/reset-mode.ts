import type { Db } from '#server/db/database.ts'
import { loadQuiz, updateQuiz } from './quizzes.store.ts'

/** Clears the mode with every score, tick and threshold, within the caller's transaction (decisions « Mode »). */
export const resetMode = async (
  db: Db,
  owned: { quiz_id: string; creator_id: string },
): Promise<void> => {
  await loadQuiz(db, owned, 'lock')
  await updateQuiz(db, owned.quiz_id, { quiz_mode: null })
  await eraseMode(db, owned.quiz_id)
}

/** Erases every score, tick and threshold of a quiz whose owner is known. */
export const eraseMode = async (db: Db, quiz_id: string): Promise<void> => {
  await db.updateTable('answers').set({ score: null }).where('quiz_id', '=', quiz_id).execute()
  await db
    .updateTable('associations')
    .set({ is_checked: false })
    .where('quiz_id', '=', quiz_id)
    .execute()
  await db
    .updateTable('results')
    .set({ min_score: null, max_score: null })
    .where('quiz_id', '=', quiz_id)
    .execute()
}
