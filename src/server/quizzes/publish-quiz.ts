import { anonymityError, findContactQuestions } from '#domain/campaigns/anonymity.ts'
import { PUBLISHED, UNPUBLISHED } from '#domain/common/vocabulary.ts'
import { hasDifferentContent, takeSnapshot } from '#domain/questionnaire/snapshot.ts'
import type { Db } from '#server/db/database.ts'
import { invalid, refusedPublication } from '#server/http/edge/errors.ts'
import { yieldToEventLoop } from '#server/runtime/yield-to-event-loop.ts'
import type { VersionContent } from '#server/version-tasks/freeze-draft.ts'
import { listPublishedDrafts, listQuizzesEditedSincePublication, loadDraft } from './draft.store.ts'
import type { FreezeDraft } from './freeze-in-thread.ts'
import { hasOpenAnonymousCampaign, updateQuiz } from './quizzes.store.ts'
import { findVersion, insertVersion, measureVersionBytes } from './versions.store.ts'

type QuizOfCreator = { quiz_id: string; creator_id: string }
/** Quiz to publish, maximum total size in bytes of its creator's versions, and the function that freezes its draft. */
export type PublishInput = QuizOfCreator & { version_quota: number; freeze: FreezeDraft }

/** Maximum total size of the versions of one quiz, so that a search through all of them ends in time. */
const MAX_VERSIONS_BYTES = 100 * 1_048_576

const inMegabytes = (bytes: number): string => `${(bytes / 1_048_576).toLocaleString('fr-FR')} Mo`

/** Stores a snapshot as the next version and returns its number. Throws a 422 if the versions would exceed a quota. */
const keepVersion = async (
  db: Db,
  { version_quota, ...owned }: Omit<PublishInput, 'freeze'>,
  content: VersionContent,
): Promise<number> => {
  const version = await insertVersion(db, owned, content)
  const { quiz_bytes, creator_bytes } = await measureVersionBytes(db, owned)
  if (quiz_bytes > MAX_VERSIONS_BYTES)
    throw invalid(
      `Les versions publiées de ce questionnaire prendraient plus de ${inMegabytes(MAX_VERSIONS_BYTES)}. Dupliquez-le, puis publiez la copie : celui-ci garde ses participants`,
    )
  if (creator_bytes > version_quota)
    throw invalid(
      `Les versions publiées de vos questionnaires prendraient plus que les ${inMegabytes(version_quota)} prévus. Supprimez un questionnaire qui ne sert plus et videz la corbeille, puis publiez à nouveau`,
    )
  return version
}

/**
 * Makes the draft the current version, within the caller's transaction (product 6.1). Throws all reasons if the draft
 * cannot be published, and a 422 if a quota is exceeded. An unchanged draft adds no version.
 */
export const publishQuiz = async (
  db: Db,
  { version_quota, freeze, ...owned }: PublishInput,
): Promise<void> => {
  const draft = await loadDraft(db, owned, 'lock')
  const current = await findCurrentSnapshot(db, owned.quiz_id, draft.published_version)
  const frozen = await freeze({ draft, current: current ?? null }, owned.creator_id)
  if (frozen.errors) throw refusedPublication(frozen.errors)
  const [asked] = findContactQuestions(draft.questions)
  if (asked && (await hasOpenAnonymousCampaign(db, owned.quiz_id)))
    throw refusedPublication([anonymityError(asked.text)])
  const published_version = frozen.version
    ? await keepVersion(db, { ...owned, version_quota }, frozen.version)
    : draft.published_version
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
  const current = await findCurrentSnapshot(db, owned.quiz_id, draft.published_version)
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
  const ids = await listQuizzesEditedSincePublication(db, creator_id)
  const unchanged = new Set<string>()
  const pause = yieldToEventLoop()
  // Drafts are compared one after the other, because the largest drafts take tens of milliseconds.
  for (const id of ids.slice(0, MAX_COMPARED_DRAFTS)) {
    for (const { published, ...draft } of await listPublishedDrafts(db, {
      ids: [id],
      creator_id,
    })) {
      await pause()
      if (!hasDifferentContent(published, takeSnapshot(draft))) unchanged.add(id)
    }
    await pause()
  }
  return new Set(ids.filter((id) => !unchanged.has(id)))
}

const findCurrentSnapshot = async (db: Db, quiz_id: string, version: number | null) =>
  version === null ? undefined : findVersion(db, quiz_id, version)
