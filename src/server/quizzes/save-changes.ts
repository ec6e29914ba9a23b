import type { EditedChanges } from '#contract/drafts.ts'
import { isEmpty, type SavedAnswer, type SavedQuestion, type SavedResult } from '#domain/changes.ts'
import { modeAfterEdit } from '#domain/mode.ts'
import type { QuizMode } from '#domain/vocabulary.ts'
import type { Db } from '#server/db/database.ts'
import { invalid } from '#server/http/errors.ts'
import { uuidv7 } from '#server/uuid.ts'
import {
  deleteRows,
  findRows,
  rankAnswers,
  rankItems,
  rankResults,
  refuseExcess,
  refuseForeignLinks,
} from './changes.store.ts'
import { refuseTaken } from './id-map.ts'
import {
  upsertAnswers,
  upsertAssociations,
  upsertQuestions,
  upsertTextBlocks,
} from './questions.store.ts'
import { lockQuiz, updateQuiz } from './quizzes.store.ts'
import { eraseMode } from './reset-mode.ts'
import { writeResults } from './results.store.ts'

type Owned = { quiz_id: string; creator_id: string }
type Saving = EditedChanges & { based_on: number }

/**
 * Writes what an editor has changed since the revision that it knows, within the caller's transaction, and
 * touches nothing else (spec §4 « Autosave »; docs/decisions/012). 409 when the quiz has gone on since;
 * 422, and nothing written, when a row belongs elsewhere or is one too many.
 */
export const saveChanges = async (
  db: Db,
  owned: Owned,
  { based_on, ...changes }: Saving,
): Promise<{ revision: number; quiz_mode: QuizMode }> => {
  const { quiz_id } = owned
  const { quiz_mode: before, revision } = await lockQuiz(db, owned, based_on)
  if (isEmpty(changes)) return { revision, quiz_mode: before }
  const isOtherMode = changes.quiz_mode !== undefined && changes.quiz_mode !== before
  if (isOtherMode && before) await eraseMode(db, quiz_id)
  await saveResults(db, quiz_id, changes.results)
  await saveQuestions(db, quiz_id, changes.questions)
  const answers = await saveAnswers(db, quiz_id, changes.answers)
  await saveTextBlocks(db, quiz_id, changes.text_blocks)
  await deleteRows(db, quiz_id, changes.removed)
  await refuseForeignLinks(db, quiz_id, changes)
  await upsertAssociations(
    db,
    quiz_id,
    changes.associations.map((link) => ({ id: uuidv7(), ...link })),
  )
  await rankResults(db, quiz_id)
  await rankItems(db, quiz_id)
  await rankAnswers(db, quiz_id)
  await refuseExcess(db, quiz_id)
  const { associations } = changes
  const quiz_mode =
    changes.quiz_mode ??
    modeAfterEdit(isOtherMode ? null : before, [
      { answers },
      { answers: [{ score: null, associations }] },
    ])
  const written = await updateQuiz(db, quiz_id, { ...changes.quiz, quiz_mode })
  return { revision: written, quiz_mode }
}

const saveResults = async (db: Db, quiz_id: string, saved: SavedResult[]): Promise<void> => {
  if (saved.length === 0) return
  const known = await findRows(db, 'results', { quiz_id, ids: idsOf(saved) })
  const rows = saved.map((row) => {
    const name = row.name ?? known.get(row.id)?.name
    if (name === undefined) throw invalid('Le nom est obligatoire', 'results.name')
    return { ...NEW_RESULT, ...known.get(row.id), ...row, name }
  })
  await writeResults(db, quiz_id, rows)
}

const saveQuestions = async (db: Db, quiz_id: string, saved: SavedQuestion[]): Promise<void> => {
  if (saved.length === 0) return
  const ids = idsOf(saved)
  const known = await findRows(db, 'questions', { quiz_id, ids })
  const rows = saved.map((row) => {
    const before = known.get(row.id)
    const type = row.type ?? before?.type
    if (!type) throw invalid('Le type de la question est obligatoire', 'questions.type')
    return { ...NEW_ITEM, text: '', position: 0, ...before, ...row, type }
  })
  await refuseTaken(db, { kind: 'questions', quiz_id, ids })
  await upsertQuestions(db, quiz_id, rows)
}

const saveAnswers = async (db: Db, quiz_id: string, saved: SavedAnswer[]) => {
  if (saved.length === 0) return []
  const ids = idsOf(saved)
  await refuseForeignLinks(db, quiz_id, { answers: saved, associations: [] })
  const known = await findRows(db, 'answers', { quiz_id, ids })
  const rows = saved.map((row) => ({ ...NEW_ANSWER, ...known.get(row.id), ...row }))
  await refuseTaken(db, { kind: 'answers', quiz_id, ids })
  await upsertAnswers(db, quiz_id, rows)
  return rows.map((row) => ({ ...row, associations: [] }))
}

const saveTextBlocks = async (
  db: Db,
  quiz_id: string,
  saved: EditedChanges['text_blocks'],
): Promise<void> => {
  if (saved.length === 0) return
  const ids = idsOf(saved)
  const known = await findRows(db, 'text_blocks', { quiz_id, ids })
  const rows = saved.map((row) => {
    const content = row.content ?? known.get(row.id)?.content
    if (content === undefined) throw invalid('Le texte est obligatoire', 'text_blocks.content')
    return { ...NEW_ITEM, ...known.get(row.id), ...row, content }
  })
  await refuseTaken(db, { kind: 'text_blocks', quiz_id, ids })
  await upsertTextBlocks(db, quiz_id, rows)
}

const idsOf = (rows: readonly { id: string }[]): string[] => rows.map(({ id }) => id)

/** A row without a rank goes last. */
const LAST = 2 ** 31 - 1
const NEW_RESULT = {
  description: null,
  priority_order: LAST,
  min_score: null,
  max_score: null,
}
const NEW_ITEM = { global_position: LAST, page_number: 1 }
const NEW_ANSWER = { text: '', score: null, position: LAST }
