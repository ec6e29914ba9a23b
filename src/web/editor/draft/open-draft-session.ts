import type { QueryClient } from '@tanstack/react-query'
import { RefusedCall } from '#contract/client/client.ts'
import type { Quiz } from '#domain/questionnaire/quiz.ts'
import { client } from '#web/api/client.ts'
import { hasChangesQuery, quizQuery, quizzesQuery, snapshotQuery } from '#web/api/queries.ts'
import { createDraftSession, type DraftSession } from './draft-session.ts'
import { draftSessions } from './draft-session-registry.ts'
import { newId } from './editor-draft.ts'
import { loadMergeEditing } from './merge-queue.ts'
import { createUnsavedEditsWriter, deleteUnsavedEdits, findUnsavedEdits } from './unsaved-edits.ts'

/** HTTP statuses that a repeated request would get again; every other failure is retried. */
const FINAL_STATUSES = [400, 404, 413, 415, 422]
const isFinal = (error: unknown): boolean =>
  error instanceof RefusedCall && FINAL_STATUSES.includes(error.status)

/**
 * Opens the editing session of a quiz, or returns the open one. Restores edits that an earlier visit could
 * not store.
 */
export const openDraftSession = async (
  id: string,
  queryClient: QueryClient,
): Promise<DraftSession> => {
  const unsaved = findUnsavedEdits(id)
  // Loaded together with the draft, so that restored edits are on screen from the first render.
  const merging = unsaved.length > 0 ? loadMergeEditing().catch(() => undefined) : undefined
  const loaded = draftSessions.find(id) ? undefined : await client.drafts.get({ id })
  await merging
  // The session may have been opened by another screen while the draft was loading.
  const known = draftSessions.find(id)
  if (known || !loaded) return known ?? openDraftSession(id, queryClient)

  const otherTabs = new BroadcastChannel(`quizaine.draft.${id}`)
  const session = createDraftSession(loaded, {
    server: {
      load: () => client.drafts.get({ id }),
      save: (body) => client.drafts.save({ id, body }),
    },
    writeUnsavedEdits: createUnsavedEditsWriter(id, newId()),
    isFinal,
    onStored: ({ quiz }) => {
      otherTabs.postMessage('stored')
      draftStored(queryClient, quiz)
    },
  })
  otherTabs.onmessage = () => {
    session.refresh().catch((error: unknown) => console.warn('Refreshing the draft failed', error))
  }
  draftSessions.add(id, session, () => otherTabs.close())
  for (const { key, edits } of unsaved)
    session.restore(edits).then(
      // The session has written these edits under its own key.
      () => deleteUnsavedEdits(key),
      (error: unknown) => console.warn('Edits of an earlier visit are still kept', error),
    )
  return session
}

/** Invalidates cached data of other screens after a save. */
const draftStored = (queryClient: QueryClient, { id, name }: Quiz): void => {
  const listKey = quizzesQuery().queryKey
  queryClient.setQueryData(
    listKey,
    (list) =>
      list && {
        ...list,
        quizzes: list.quizzes.map((quiz) => (quiz.id === id ? { ...quiz, name } : quiz)),
      },
  )
  queryClient.removeQueries({ queryKey: snapshotQuery(id).queryKey, type: 'inactive' })
  void queryClient.invalidateQueries({ queryKey: quizQuery(id).queryKey, exact: true })
  void queryClient.invalidateQueries({ queryKey: hasChangesQuery(id).queryKey })
}
