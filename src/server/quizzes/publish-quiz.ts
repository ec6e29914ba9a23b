import { publishErrors } from '#domain/publish-check.ts'
import { sizeError } from '#domain/questionnaire-size.ts'
import { differs, takeSnapshot } from '#domain/snapshot.ts'
import { PUBLISHED, UNPUBLISHED } from '#domain/vocabulary.ts'
import type { Db } from '#server/db/database.ts'
import { refusedPublication } from '#server/http/errors.ts'
import { loadDraft } from './draft.store.ts'
import { updateQuiz } from './quizzes.store.ts'
import { findVersion, insertVersion } from './versions.store.ts'

type Owned = { quiz_id: string; creator_id: string }

/**
 * Makes the draft the version that visitors take, within the caller's transaction (decisions « Draft and
 * published version »): refused with every reason when it fails the shared checks; frozen as the next
 * version unless the current one has the same content.
 */
export const publishQuiz = async (db: Db, owned: Owned): Promise<void> => {
  const draft = await loadDraft(db, owned, 'lock')
  const errors = publishErrors(draft).map(({ message }) => message)
  const tooLarge = sizeError(draft)
  if (tooLarge) errors.unshift(tooLarge)
  if (errors.length > 0) throw refusedPublication(errors)
  const snapshot = takeSnapshot({ ...draft, quiz: { ...draft.quiz, status: PUBLISHED } })
  const current = await findPublished(db, owned.quiz_id, draft.published_version)
  const published_version =
    current && !differs(current, snapshot)
      ? draft.published_version
      : await insertVersion(db, owned.quiz_id, snapshot)
  await updateQuiz(db, owned.quiz_id, { status: PUBLISHED, published_version })
}

/** Takes the public page away at once; versions and responses stay. */
export const withdrawQuiz = async (db: Db, quiz_id: string): Promise<void> => {
  await updateQuiz(db, quiz_id, { status: UNPUBLISHED })
}

/**
 * Whether publishing now would change what visitors see, true for a quiz that never was published; and
 * the revision of which that is said.
 */
export const hasUnpublishedChanges = async (
  db: Db,
  owned: Owned,
): Promise<{ has_unpublished_changes: boolean; revision: number }> => {
  const draft = await loadDraft(db, owned)
  const current = await findPublished(db, owned.quiz_id, draft.published_version)
  return {
    has_unpublished_changes: !current || differs(current, takeSnapshot(draft)),
    revision: draft.revision,
  }
}

const findPublished = async (db: Db, quiz_id: string, version: number | null) =>
  version === null ? undefined : findVersion(db, quiz_id, version)
