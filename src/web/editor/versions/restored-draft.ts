import { lastPage } from '#domain/arrange.ts'
import { changesBetween, isEmpty } from '#domain/changes.ts'
import { restoreVersion, type Unrestorable } from '#domain/restore-version.ts'
import type { Snapshot } from '#domain/snapshot.ts'
import { type EditorDraft, sharing } from '#web/editor/draft/editor-draft.ts'

/** The shown draft once a version is restored into it; the same object when it has its content already. */
export const restoredDraft = (
  draft: EditorDraft,
  snapshot: Snapshot,
  lost: Unrestorable & { createId: () => string },
): EditorDraft => {
  const restored = restoreVersion(draft, snapshot, lost)
  if (isEmpty(changesBetween(draft, restored))) return draft
  return sharing(draft, { ...draft, ...restored, page_count: lastPage(restored) })
}
