import { PUBLISHED, UNPUBLISHED } from '#domain/common/vocabulary.ts'
import { publishErrors } from '#domain/publishing/publish-errors.ts'
import { sizeError } from '#domain/questionnaire/questionnaire-size.ts'
import { hasDifferentContent, type Snapshot, takeSnapshot } from '#domain/questionnaire/snapshot.ts'
import type { Db } from '#server/db/database.ts'
import { invalid, refusedPublication } from '#server/http/edge/errors.ts'
import { listPublishedDrafts, loadDraft } from './draft.store.ts'
import { updateQuiz } from './quizzes.store.ts'
import { findVersion, insertVersion, measureVersionBytes } from './versions.store.ts'

type QuizOfCreator = { quiz_id: string; creator_id: string }
/** Quiz to publish, and maximum total size in bytes of its creator's versions. */
export type PublishInput = QuizOfCreator & { version_quota: number }

/** Maximum total size of the versions of one quiz, so that a search through all of them ends in time. */
const MAX_VERSIONS_BYTES = 100 * 1_048_576

const inMegabytes = (bytes: number): string => `${(bytes / 1_048_576).toLocaleString('fr-FR')} Mo`

/** Stores a snapshot as the next version and returns its number. Throws a 422 if the versions would exceed a quota. */
const keepVersion = async (
  db: Db,
  { version_quota, ...owned }: PublishInput,
  snapshot: Snapshot,
): Promise<number> => {
  const version = await insertVersion(db, owned, snapshot)
  const { quiz_bytes, creator_bytes } = await measureVersionBytes(db, owned)
  if (quiz_bytes > MAX_VERSIONS_BYTES)
    throw invalid(
      `Les versions publiées de ce questionnaire prendraient plus de ${inMegabytes(MAX_VERSIONS_BYTES)}. Dupliquez-le, puis publiez la copie : celui-ci garde ses participants`,
    )
  if (creator_bytes > version_quota)
    throw invalid(
      `Les versions publiées de vos questionnaires prendraient plus que les ${inMegabytes(version_quota)} prévus. Supprimez un questionnaire qui ne sert plus, puis publiez à nouveau`,
    )
  return version
}

/**
 * Makes the draft the current version, within the caller's transaction (decisions « Draft and published version
 * »). Throws all reasons if the draft cannot be published, and a 422 if a quota is exceeded. An unchanged draft
 * adds no version.
 */
export const publishQuiz = async (
  db: Db,
  { version_quota, ...owned }: PublishInput,
): Promise<void> => {
  const draft = await loadDraft(db, owned, 'lock')
  const errors = publishErrors(draft).map(({ message }) => message)
  const tooLarge = sizeError(draft)
  if (tooLarge) errors.unshift(tooLarge)
  if (errors.length > 0) throw refusedPublication(errors)
  const snapshot = takeSnapshot({ ...draft, quiz: { ...draft.quiz, status: PUBLISHED } })
  const current = await findPublished(db, owned.quiz_id, draft.published_version)
  const published_version =
    current && !hasDifferentContent(current, snapshot)
      ? draft.published_version
      : await keepVersion(db, { ...owned, version_quota }, snapshot)
  await updateQuiz(db, owned.quiz_id, { status: PUBLISHED, published_version })
}

/** Withdraws the public page of a quiz. Versions and responses are kept. */
export const withdrawQuiz = async (db: Db, quiz_id: string): Promise<void> => {
  await updateQuiz(db, quiz_id, { status: UNPUBLISHED })
}

/**
 * Returns whether publishing the draft would change the public page, and the revision of that draft. A quiz
 * that was never published always has unpublished changes.
 */
export const hasUnpublishedChanges = async (
  db: Db,
  owned: QuizOfCreator,
): Promise<{ has_unpublished_changes: boolean; revision: number }> => {
  const draft = await loadDraft(db, owned)
  const current = await findPublished(db, owned.quiz_id, draft.published_version)
  return {
    has_unpublished_changes: !current || hasDifferentContent(current, takeSnapshot(draft)),
    revision: draft.revision,
  }
}

/** Maximum number of drafts that one call compares with their versions, so that it stays short. */
const MAX_COMPARED_DRAFTS = 20

/**
 * Returns the ids of the creator's published quizzes whose draft differs from their public page. Of drafts that were
 * written after their publication, the latest 20 are compared; older ones count as different.
 */
export const listQuizzesWithChanges = async (db: Db, creator_id: string): Promise<Set<string>> => {
  // Publishing sets both times to the same moment, so that only later writes need the comparison.
  const edited = await db
    .selectFrom('quizzes')
    .innerJoin('quiz_versions', (join) =>
      join
        .onRef('quiz_versions.quiz_id', '=', 'quizzes.id')
        .onRef('quiz_versions.version', '=', 'quizzes.published_version'),
    )
    .select('quizzes.id')
    .where('creator_id', '=', creator_id)
    .where('status', '=', PUBLISHED)
    .whereRef('updated_at', '>', 'published_at')
    .orderBy('updated_at', 'desc')
    .execute()
  const ids = edited.map(({ id }) => id)
  const drafts = await listPublishedDrafts(db, {
    ids: ids.slice(0, MAX_COMPARED_DRAFTS),
    creator_id,
  })
  const same = drafts.filter(
    ({ published, ...draft }) => !hasDifferentContent(published, takeSnapshot(draft)),
  )
  const unchanged = new Set(same.map(({ quiz }) => quiz.id))
  return new Set(ids.filter((id) => !unchanged.has(id)))
}

const findPublished = async (db: Db, quiz_id: string, version: number | null) =>
  version === null ? undefined : findVersion(db, quiz_id, version)
