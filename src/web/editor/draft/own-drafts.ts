import { changesBetween, isEmpty } from '#domain/changes.ts'
import { heldChanges } from '#domain/held-changes.ts'
import { changed, type EditorDraft } from './editor-draft.ts'

/** Of many tries that failed one after another, all but the oldest of these. */
const MOST = 50

export type OwnDrafts = ReturnType<typeof createOwnDrafts>

/**
 * Drafts that were sent, by this page or by the one that was left, and not acknowledged: the server may hold any of them.
 * What it holds of one is the creator's own, over which they have edited further.
 */
export const createOwnDrafts = () => {
  let drafts: EditorDraft[] = []
  /** Once the server is known to have gone on from `base`, what was sent on top of it comes too late. */
  const sentOn = ({ revision }: EditorDraft): EditorDraft[] =>
    drafts.filter((draft) => draft.revision === revision)

  return {
    sentOn,
    /** Records a draft that is sent on top of `base`; gives what takes it back when it is known not to be stored. */
    add: (base: EditorDraft, draft: EditorDraft): (() => void) => {
      const sent = sentOn(base)
      if (isEmpty(changesBetween(sent.at(-1) ?? base, draft))) return () => undefined
      const added = { ...draft, revision: base.revision }
      drafts = [...sent.slice(1 - MOST), added]
      return () => {
        drafts = drafts.filter((one) => one !== added)
      }
    },
  }
}

/**
 * What two sides of a merge have in common when `theirs` may hold some of the drafts that were `sent` on top of `base`: with
 * that in the base, whatever the creator has made of it since is an edit of theirs.
 */
export const commonBase = (
  base: EditorDraft,
  sent: readonly EditorDraft[],
  theirs: EditorDraft,
): EditorDraft =>
  sent.reduce((known, draft) => {
    const held = heldChanges(known, changesBetween(known, draft), theirs)
    return isEmpty(held) ? known : changed(known, held)
  }, base)
