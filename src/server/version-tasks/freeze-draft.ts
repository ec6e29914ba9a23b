import { PUBLISHED } from '#domain/common/vocabulary.ts'
import { publishErrors } from '#domain/publishing/publish-errors.ts'
import { imagesOf } from '#domain/questionnaire/images.ts'
import { sizeError } from '#domain/questionnaire/questionnaire-size.ts'
import type { Draft } from '#domain/questionnaire/quiz.ts'
import { hasDifferentContent, type Snapshot, takeSnapshot } from '#domain/questionnaire/snapshot.ts'
import { layoutOf } from '#domain/run/stored-replies.ts'

/** Draft to publish, and the content of the current version; null if the quiz has none. */
export type FreezeInput = { draft: Draft; current: Snapshot | null }

/** Row of a version in the database. */
export type VersionContent = {
  /** JSON of the snapshot. */
  snapshot: string
  image_ids: string[]
  choice_questions: number[]
  text_questions: string[]
}

/** Reasons why a draft cannot be published, or its content as a version; null if nothing has changed. */
export type FrozenDraft = { errors: string[] } | { errors: null; version: VersionContent | null }

/** Returns the row of a version with this snapshot. */
export const versionContentOf = (snapshot: Snapshot): VersionContent => {
  const { choice_questions, text_questions } = layoutOf(snapshot)
  return {
    snapshot: JSON.stringify(snapshot),
    image_ids: [...imagesOf(snapshot).keys()],
    choice_questions,
    text_questions,
  }
}

/** Checks a draft and returns its content as a version. Takes up to some hundred milliseconds for the largest drafts. */
export const freezeDraft = ({ draft, current }: FreezeInput): FrozenDraft => {
  const errors = publishErrors(draft).map(({ message }) => message)
  const tooLarge = sizeError(draft)
  if (tooLarge) errors.unshift(tooLarge)
  if (errors.length > 0) return { errors }
  const snapshot = takeSnapshot({ ...draft, quiz: { ...draft.quiz, status: PUBLISHED } })
  const isChanged = !current || hasDifferentContent(current, snapshot)
  return { errors: null, version: isChanged ? versionContentOf(snapshot) : null }
}

/** Task of a thread that checks and freezes a draft. */
export const freezeDraftTask = async (input: FreezeInput): Promise<FrozenDraft> =>
  freezeDraft(input)
