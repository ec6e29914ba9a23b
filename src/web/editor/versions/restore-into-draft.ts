import { changesBetween, hasNoChanges } from '#domain/editing/changes.ts'
import { restoreVersion, type UnavailableContent } from '#domain/publishing/restore-version.ts'
import { lastPage } from '#domain/questionnaire/arrange.ts'
import type { Snapshot } from '#domain/questionnaire/snapshot.ts'
import { type EditorDraft, reuseUnchanged } from '#web/editor/draft/editor-draft.ts'

/** Returns the draft with the content of a version; the same object if the draft already has that content. */
export const restoreIntoDraft = (
  draft: EditorDraft,
  snapshot: Snapshot,
  lost: UnavailableContent & { createId: () => string },
): EditorDraft => {
  const restored = restoreVersion(draft, snapshot, lost)
  if (hasNoChanges(changesBetween(draft, restored))) return draft
  return reuseUnchanged(draft, { ...draft, ...restored, page_count: lastPage(restored) })
}
