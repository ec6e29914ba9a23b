import type { Draft } from '#domain/questionnaire/quiz.ts'
import type { Snapshot } from '#domain/questionnaire/snapshot.ts'
import type { Db } from '#server/db/database.ts'
import { loadDraft } from './draft.store.ts'
import { loadQuiz } from './quizzes.store.ts'
import { findVersion } from './versions.store.ts'

/** Draft and published version, to whose questions, answers and results rules and mapped fields refer. */
export type QuizContent = { draft: Draft; published: Snapshot | undefined }

/** Loads the draft and the published version of a quiz of the creator. Throws a 404 for a quiz of another creator. */
export const loadQuizContent = async (
  db: Db,
  owned: { quiz_id: string; creator_id: string },
): Promise<QuizContent> => {
  const draft = await loadDraft(db, owned)
  const { published_version } = await loadQuiz(db, owned)
  const published =
    published_version === null ? undefined : await findVersion(db, owned.quiz_id, published_version)
  return { draft, published }
}
