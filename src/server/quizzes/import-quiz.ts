import { renewIds } from '#domain/duplicate-draft.ts'
import { modeAfterEdit } from '#domain/mode.ts'
import type { Draft, QuizAccess } from '#domain/quiz.ts'
import type { Db } from '#server/db/database.ts'
import { uuidv7 } from '#server/uuid.ts'
import { ACCESS_FIELDS, insertQuiz, loadQuiz, updateQuiz } from './quizzes.store.ts'
import { saveChanges } from './save-changes.ts'
import { claimSlug } from './slugs.store.ts'

type Imported = { creator_id: string; draft: Draft }

/**
 * Stores a draft of any origin as a new, unpublished quiz of its creator, under new ids, within the caller's
 * transaction; gives the quiz's id. Status, responses and tools' fields are not taken, when and where it is open
 * is. 422, nothing stored, when the rules of a draft refuse it, its address is taken or a picture is another creator's.
 */
export const createQuizFromDraft = async (
  db: Db,
  { creator_id, draft }: Imported,
): Promise<string> => {
  const renewed = renewIds(draft, uuidv7)
  const quiz_id = await storeNewQuiz(db, { creator_id, draft: renewed })
  const chosen = ACCESS_FIELDS.filter((name) => isGiven(renewed.quiz[name]))
  if (chosen.length === 0) return quiz_id
  const { slug } = renewed.quiz
  if (slug !== null) await claimSlug(db, { quiz_id, creator_id }, slug)
  await updateQuiz(
    db,
    quiz_id,
    Object.fromEntries(chosen.map((name) => [name, renewed.quiz[name]])),
  )
  return quiz_id
}

const isGiven = (value: QuizAccess[keyof QuizAccess]): boolean =>
  Array.isArray(value) ? value.length > 0 : value !== null

/** The same without where and when it is open, for a draft whose ids are new already. */
export const storeNewQuiz = async (db: Db, { creator_id, draft }: Imported): Promise<string> => {
  const { id: quiz_id, name, type } = draft.quiz
  await insertQuiz(db, { id: quiz_id, creator_id, name, type })
  const { quiz, quiz_mode } = await loadQuiz(db, { quiz_id, creator_id })
  const empty = { quiz, quiz_mode, questions: [], text_blocks: [], results: [] }
  const after = { ...draft, quiz_mode: modeAfterEdit(draft.quiz_mode, draft.questions) }
  await saveChanges(db, creator_id, empty, after)
  return quiz_id
}
