import { changesBetween } from '#domain/changes.ts'
import { checkDraft } from '#domain/edit-rules.ts'
import { modeAfterEdit } from '#domain/mode.ts'
import type { Association, Draft } from '#domain/quiz.ts'
import { keepTieQuestion } from '#domain/tie-question.ts'
import type { QuizMode } from '#domain/vocabulary.ts'
import type { Db } from '#server/db/database.ts'
import { checkImages } from '#server/images/check-images.ts'
import { deleteLinks, deleteRows, refuseTaken, upsertLinks, upsertRows } from './changes.store.ts'
import { listContent } from './draft.store.ts'
import { lockQuiz, updateQuiz } from './quizzes.store.ts'

type Editing = { quiz_id: string; creator_id: string; based_on?: number | undefined }

/**
 * Locks a draft, applies an edit to it and stores the difference, within the caller's transaction: what every
 * writing call does with its own `edit` (spec §4 « Autosave »; docs/decisions/012). An edit that gives the
 * draft itself stores nothing. 409 when the quiz has gone on since `based_on`; 422, and nothing stored, when the
 * rules of a draft refuse the edit.
 */
export const editDraft = async (
  db: Db,
  { based_on, ...owned }: Editing,
  edit: (draft: Draft) => Draft,
): Promise<{ revision: number; quiz_mode: QuizMode }> => {
  const { revision, quiz, quiz_mode } = await lockQuiz(db, owned, based_on)
  const before: Draft = { quiz, quiz_mode, ...(await listContent(db, owned.quiz_id)) }
  const edited = edit(before)
  if (edited === before) return { revision, quiz_mode }
  const after = keepTieQuestion({
    ...edited,
    quiz_mode: modeAfterEdit(edited.quiz_mode, edited.questions),
  })
  return {
    revision: await saveChanges(db, owned.creator_id, before, after),
    quiz_mode: after.quiz_mode,
  }
}

/** Stores the difference from `before`, which is stored and locked, to `after`; gives the new revision. */
export const saveChanges = async (
  db: Db,
  creator_id: string,
  before: Draft,
  after: Draft,
): Promise<number> => {
  const quiz_id = before.quiz.id
  const added = checkDraft(before, after)
  if (added.length > 0) await refuseTaken(db, added)
  const changes = changesBetween(before, after)
  await checkImages(db, creator_id, { before, changes })
  await deleteRows(db, quiz_id, changes.removed)
  await upsertRows(db, { kind: 'results', quiz_id }, named(after.results, changes.results))
  const moved = new Map(before.questions.map(({ id, position }) => [id, position]))
  const questions = after.questions.filter(({ id, position }) => moved.get(id) !== position)
  await upsertRows(
    db,
    { kind: 'questions', quiz_id },
    named(after.questions, [...changes.questions, ...questions]),
  )
  const answers = after.questions.flatMap((question) => question.answers)
  await upsertRows(db, { kind: 'answers', quiz_id }, named(answers, changes.answers))
  await upsertRows(
    db,
    { kind: 'text_blocks', quiz_id },
    named(after.text_blocks, changes.text_blocks),
  )
  const { written, removed } = linksBetween(before, after)
  await deleteLinks(db, quiz_id, removed)
  await upsertLinks(db, quiz_id, written)
  return updateQuiz(db, quiz_id, { ...changes.quiz, quiz_mode: after.quiz_mode })
}

type Identified = { id: string }

const named = <Row extends Identified>(
  rows: readonly Row[],
  saved: readonly Identified[],
): Row[] => {
  if (saved.length === 0) return []
  const ids = new Set(saved.map(({ id }) => id))
  return rows.filter(({ id }) => ids.has(id))
}

/**
 * The links to store and to delete. For the editor an absent link equals one that is not ticked; for the
 * specified calls they are two states, so links are compared exactly. Links of a removed answer or result
 * are deleted with it.
 */
const linksBetween = (before: Draft, after: Draft) => {
  const results = new Set(after.results.map(({ id }) => id))
  const known = new Map(
    before.questions.flatMap(({ answers }) => answers).map((row) => [row.id, row]),
  )
  const written: Association[] = []
  const removed: Association[] = []
  for (const { id, associations } of after.questions.flatMap(({ answers }) => answers)) {
    const old = known.get(id)?.associations ?? []
    if (old === associations) continue
    const now = new Map(associations.map((link) => [link.result_id, link]))
    removed.push(...old.filter(({ result_id }) => results.has(result_id) && !now.has(result_id)))
    for (const { result_id, weight, is_checked } of old) {
      const link = now.get(result_id)
      if (link?.weight === weight && link.is_checked === is_checked) now.delete(result_id)
    }
    written.push(...now.values())
  }
  return { written, removed }
}
