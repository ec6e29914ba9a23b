import type { Choices, Clash, Versions } from '#domain/merging.ts'
import { type EditorDraft, mergeEditing } from './editor-draft.ts'

/** Of many tries that failed one after another, all but the oldest of these. */
const MOST = 50

export type OwnDrafts = ReturnType<typeof createOwnDrafts>

/**
 * Drafts that were sent, by this page or by the one that was left, and never acknowledged: the server may hold any of them. What
 * it holds of one is the creator's own, over which they have typed further, and no question to them.
 */
export const createOwnDrafts = () => {
  let drafts: EditorDraft[] = []
  return {
    add: (draft: EditorDraft): void => {
      drafts = [...drafts.slice(1 - MOST), draft]
    },
    /** A save or a merge has shown what the server holds; what was sent before comes too late from then on. */
    clear: (): void => {
      drafts = []
    },
    /** Mine for each of these clashes whose other side is a draft of the creator's own. */
    settle: ({ base, mine, theirs }: Versions<EditorDraft>, clashes: readonly Clash[]): Choices => {
      if (clashes.length === 0) return {}
      // The other side is equal to a draft in a field where it clashes neither with that as mine nor from that as the base.
      const different = drafts.map((draft) => {
        const asMine = mergeEditing({ base, mine: draft, theirs }, {})
        const asBase = mergeEditing({ base: draft, mine, theirs }, {})
        return new Set([...asMine.clashes, ...asBase.clashes].map(({ path }) => path))
      })
      const own = clashes.filter(({ path }) => different.some((paths) => !paths.has(path)))
      return Object.fromEntries(own.map(({ path }) => [path, 'mine']))
    },
  }
}
