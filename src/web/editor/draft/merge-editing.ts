import { isBlankText } from '#domain/common/text.ts'
import { mergeDrafts } from '#domain/editing/merge-drafts.ts'
import type { ConflictChoices, EditConflict, MergeVersions } from '#domain/editing/merge-rows.ts'
import { lastPage } from '#domain/questionnaire/arrange.ts'
import { type EditorDraft, namesOf, withNames } from './editor-draft.ts'
/**
 * Merges two versions of a draft into one, and keeps the blank names and empty pages of `mine`. Loaded at the
 * first merge, because most visits need none.
 */
export const mergeEditing = (
  { base, mine, theirs }: MergeVersions<EditorDraft>,
  choices: ConflictChoices,
): { draft: EditorDraft; conflicts: EditConflict[] } => {
  // A blank name is not stored, so the merge must not treat it as a change.
  const emptied = namesOf(mine, isBlankText)
  const { draft, conflicts } = mergeDrafts(
    {
      base,
      mine: withNames(
        mine,
        namesOf(base, (_, id) => emptied.has(id)),
      ),
      theirs,
    },
    choices,
  )
  const merged = namesOf(draft)
  const unchanged = namesOf(base, (name, id) => emptied.has(id) && merged.get(id) === name)
  return {
    draft: {
      ...withNames(
        draft,
        namesOf(mine, (_, id) => unchanged.has(id)),
      ),
      page_count: Math.max(mine.page_count, lastPage(draft)),
      revision: theirs.revision,
      last_names: mine.last_names,
    },
    conflicts,
  }
}
