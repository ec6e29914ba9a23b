import type { QueryClient } from '@tanstack/react-query'
import { RefusedCall } from '#contract/client.ts'
import type { Quiz } from '#domain/quiz.ts'
import { client } from '#web/api/client.ts'
import { hasChangesQuery, quizQuery, quizzesQuery, snapshotQuery } from '#web/api/queries.ts'
import { newId } from '#web/editor/new-id.ts'
import { type DraftSession, openSession } from './draft-session.ts'
import { draftSessions } from './draft-sessions.ts'
import { createKeep, findKept, forgetKept } from './kept-edits.ts'

/** Answers that the same request would get again; anything else is worth another try. */
const FINAL_STATUSES = [400, 404, 413, 415, 422]
const isFinal = (error: unknown): boolean =>
  error instanceof RefusedCall && FINAL_STATUSES.includes(error.status)

/** The session of a quiz, loaded unless there is one; edits that an earlier visit left are put back. */
export const openDraftSession = async (
  id: string,
  queryClient: QueryClient,
): Promise<DraftSession> => {
  const loaded = draftSessions.find(id) ? undefined : await client.drafts.get({ id })
  // Another screen may have opened it meanwhile.
  const known = draftSessions.find(id)
  if (known || !loaded) return known ?? openDraftSession(id, queryClient)

  const otherTabs = new BroadcastChannel(`quizaine.draft.${id}`)
  const session = openSession(loaded, {
    server: {
      load: () => client.drafts.get({ id }),
      save: (body) => client.drafts.save({ id, body }),
    },
    keep: createKeep(id, newId()),
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
  for (const { key, edits } of findKept(id)) {
    // Kept under the session's own name from here on.
    void session.restore(edits).then(() => forgetKept(key))
  }
  return session
}

/** What other screens load of the draft is old, and of the published version perhaps. */
const draftStored = (queryClient: QueryClient, { id, name }: Quiz): void => {
  const listKey = quizzesQuery().queryKey
  queryClient.setQueryData(
    listKey,
    (list) =>
      list && { quizzes: list.quizzes.map((quiz) => (quiz.id === id ? { ...quiz, name } : quiz)) },
  )
  queryClient.removeQueries({ queryKey: snapshotQuery(id).queryKey, type: 'inactive' })
  void queryClient.invalidateQueries({ queryKey: quizQuery(id).queryKey, exact: true })
  void queryClient.invalidateQueries({ queryKey: hasChangesQuery(id).queryKey })
}
