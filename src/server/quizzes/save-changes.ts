import type { QuizMode } from '#domain/common/vocabulary.ts'
import { changesBetween } from '#domain/editing/changes.ts'
import { checkDraft } from '#domain/editing/edit-rules.ts'
import { addedImages } from '#domain/questionnaire/images.ts'
import { modeAfterEdit } from '#domain/questionnaire/mode.ts'
import type { Association, Draft } from '#domain/questionnaire/quiz.ts'
import { dropLostReferences } from '#domain/questionnaire/references.ts'
import type { Db } from '#server/db/database.ts'
import { checkImages } from '#server/images/creator-images.ts'
import { listContent } from './draft.store.ts'
import {
  deleteAssociations,
  deleteRows,
  refuseExistingIds,
  upsertAssociations,
  upsertRows,
} from './draft-rows.store.ts'
import { lockQuiz, updateQuiz } from './quizzes.store.ts'
import { claimSlug } from './slugs.store.ts'

type EditOptions = { quiz_id: string; creator_id: string; based_on?: number | undefined }

/**
 * Locks a draft, applies `edit` and stores the difference, within the caller's transaction (product 5.1,
 * docs/decisions/012). An edit that returns the draft unchanged stores nothing. Throws a 409 if the revision is not
 * `based_on`, and a 422 if the edit breaks a rule.
 */
export const editDraft = async (
  db: Db,
  { based_on, ...owned }: EditOptions,
  edit: (draft: Draft) => Draft,
): Promise<{ revision: number; quiz_mode: QuizMode }> => {
  const { revision, quiz, quiz_mode } = await lockQuiz(db, owned, based_on)
  const before: Draft = { quiz, quiz_mode, ...(await listContent(db, owned.quiz_id)) }
  const edited = edit(before)
  if (edited === before) return { revision, quiz_mode }
  const after = dropLostReferences({
    ...edited,
    quiz_mode: modeAfterEdit(edited.quiz_mode, edited.questions),
  })
  return {
    revision: await saveChanges(db, owned.creator_id, before, after),
    quiz_mode: after.quiz_mode,
  }
}

/**
 * Stores the difference between the stored and locked draft `before` and the draft `after`. Returns the new
 * revision.
 */
export const saveChanges = async (
  db: Db,
  creator_id: string,
  before: Draft,
  after: Draft,
): Promise<number> => {
  const quiz_id = before.quiz.id
  const added = checkDraft(before, after)
  if (added.length > 0) await refuseExistingIds(db, added)
  const changes = changesBetween(before, after)
  if (changes.quiz.slug)
    await claimSlug(db, { quiz_id, creator_id }, changes.quiz.slug, 'quiz.slug')
  const images = addedImages(before, changes)
  if (images.size > 0) await checkImages(db, creator_id, images)
  await deleteRows(db, quiz_id, changes.removed)
  await upsertRows(db, { kind: 'results', quiz_id }, rowsWithIds(after.results, changes.results))
  const moved = new Map(before.questions.map(({ id, position }) => [id, position]))
  const questions = after.questions.filter(({ id, position }) => moved.get(id) !== position)
  await upsertRows(
    db,
    { kind: 'questions', quiz_id },
    rowsWithIds(after.questions, [...changes.questions, ...questions]),
  )
  const answers = after.questions.flatMap((question) => question.answers)
  await upsertRows(db, { kind: 'answers', quiz_id }, rowsWithIds(answers, changes.answers))
  await upsertRows(
    db,
    { kind: 'text_blocks', quiz_id },
    rowsWithIds(after.text_blocks, changes.text_blocks),
  )
  await upsertRows(
    db,
    { kind: 'dimensions', quiz_id },
    movedRows(before.dimensions, after.dimensions),
  )
  await upsertRows(
    db,
    { kind: 'text_variants', quiz_id },
    movedRows(before.text_variants, after.text_variants),
  )
  const { written, removed } = linksBetween(before, after)
  await deleteAssociations(db, quiz_id, removed)
  await upsertAssociations(db, quiz_id, written)
  return updateQuiz(db, quiz_id, { ...changes.quiz, quiz_mode: after.quiz_mode })
}

type RowWithId = { id: string }

/** Returns the rows of `after` that are new or changed, compared by identity. */
const movedRows = <Row extends RowWithId>(before: readonly Row[], after: readonly Row[]): Row[] => {
  const known = new Set(before)
  return after.filter((row) => !known.has(row))
}

const rowsWithIds = <Row extends RowWithId>(
  rows: readonly Row[],
  saved: readonly RowWithId[],
): Row[] => {
  if (saved.length === 0) return []
  const ids = new Set(saved.map(({ id }) => id))
  return rows.filter(({ id }) => ids.has(id))
}

/**
 * Returns the associations to store and to delete. The comparison is exact, because the specified calls
 * distinguish an absent association from an unticked one. Associations of a removed answer or result are
 * deleted with it.
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
