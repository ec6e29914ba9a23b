import { RefusedCall } from '#contract/client/client.ts'
import { applyChanges } from '#domain/editing/apply-changes.ts'
import { type Changes, hasNoChanges } from '#domain/editing/changes.ts'
import type { Draft } from '#domain/questionnaire/quiz.ts'
import type { DraftServer, LoadedDraft } from '#web/editor/draft/draft-server.ts'
import { createDraftSession, type DraftSession } from '#web/editor/draft/draft-session.ts'
import type { UnsavedEdits } from '#web/editor/draft/unsaved-edits.ts'

/** Sessions on a server in memory, for tests. */

/** Creates a server with one draft that rejects saves based on another revision. */
export const createServer = (start: Draft) => {
  let stored = { ...start, revision: 0 }
  return {
    stored: () => stored,
    load: async () => structuredClone(stored),
    save: async ({ based_on, ...changes }) => {
      if (based_on !== stored.revision) throw new RefusedCall(409, { error: '', code: 'stale' })
      if (hasNoChanges(changes as Changes)) return stored
      stored = { ...applyChanges(stored, changes as Changes), revision: stored.revision + 1 }
      return { revision: stored.revision, quiz_mode: stored.quiz_mode }
    },
  } satisfies DraftServer & { stored: () => Draft }
}

export const open = (
  loaded: LoadedDraft,
  server: DraftServer,
  writeUnsavedEdits: (edits: UnsavedEdits | null) => void = () => undefined,
) =>
  createDraftSession(loaded, {
    server,
    writeUnsavedEdits,
    onStored: () => undefined,
    isFinal: () => false,
  })

export const edit = (session: DraftSession, change: (draft: Draft) => Partial<Draft>): void =>
  session.change((draft) => ({ ...draft, ...change(draft) }), {
    undoGroupKey: null,
    kind: 'test',
    delay_ms: 60_000,
  })

export const storeAll = async (session: DraftSession): Promise<void> => {
  while (session.view().save_state !== 'saved')
    await session.flush().catch((error: unknown) => error)
}
