import type { Choices, Clash } from '#domain/merging.ts'
import type { EditorDraft } from './editor-draft.ts'

/** Merges what is shown with another editing of it, by the choices made so far. */
export type Merge = (
  shown: EditorDraft,
  choices: Choices,
) => { draft: EditorDraft; clashes: readonly Clash[] }

export type ClashResolver = ReturnType<typeof createClashResolver>

/** Asks the creator which value stays wherever both sides of a merge have written the same field. */
export const createClashResolver = ({
  shown,
  onAsk,
}: {
  shown: () => EditorDraft
  onAsk: () => void
}) => {
  let asked: { clashes: readonly Clash[]; answer: (choices: Choices) => void } | undefined

  return {
    /** The clashes asked about now. */
    clashes: (): readonly Clash[] => asked?.clashes ?? [],
    /** Answers them, each by its path; a clash without an answer is asked about again. */
    answer: (choices: Choices): void => asked?.answer(choices),
    /**
     * Asks until every clash of the merge is answered, then applies the choices. Edits go on meanwhile, so
     * the merge is computed again after each answer; nothing else is shown between the last one and `apply`.
     */
    resolve: async (merge: Merge, apply: (choices: Choices) => void): Promise<void> => {
      let choices: Choices = {}
      const answered = new Set<string>()
      for (;;) {
        const { clashes } = merge(shown(), choices)
        const open = clashes.filter((clash) => !answered.has(keyOf(clash)))
        if (open.length === 0) return apply(choices)
        const { promise, resolve: answer } = Promise.withResolvers<Choices>()
        asked = { clashes: open, answer }
        onAsk()
        const chosen = await promise
        asked = undefined
        choices = { ...choices, ...chosen }
        for (const clash of open) if (chosen[clash.path]) answered.add(keyOf(clash))
      }
    },
  }
}

/** The values are part of the key: when one of them changes, the clash is another question. */
const keyOf = ({ path, mine, theirs }: Clash): string => JSON.stringify([path, mine, theirs])
