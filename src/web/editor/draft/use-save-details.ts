import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Answer } from '#contract/kit/endpoint.ts'
import type { quizzes } from '#contract/quizzes.ts'
import type { Quiz } from '#domain/questionnaire/quiz.ts'
import { client } from '#web/api/client.ts'
import { hasChangesQuery, quizQuery, quizzesQuery, snapshotQuery } from '#web/api/queries.ts'
import { isStale } from './draft-server.ts'
import type { DraftSession } from './draft-session.ts'

const DETAILS = ['name', 'type', 'status'] as const
/** Fields that the quiz edit screen saves. */
export type Details = Pick<Quiz, (typeof DETAILS)[number]>

/**
 * Returns a mutation that saves the changed details of a quiz; the status 'Publié' publishes it. The mutation
 * fails if another author has changed one of these fields, and the screen shows the new value.
 */
export const useSaveDetails = (session: DraftSession) => {
  const queryClient = useQueryClient()
  return useMutation({
    // Saves run one after another, because a save based on an outdated revision would be rejected.
    scope: { id: `details ${session.view().draft.quiz.id}` },
    mutationFn: (details: Details) => saveDetails(session, details),
    onSuccess: ({ quiz }) => {
      queryClient.removeQueries({ queryKey: snapshotQuery(quiz.id).queryKey })
      void queryClient.invalidateQueries({ queryKey: hasChangesQuery(quiz.id).queryKey })
      void queryClient.invalidateQueries({ queryKey: quizQuery(quiz.id).queryKey, exact: true })
      void queryClient.invalidateQueries({ queryKey: quizzesQuery().queryKey, exact: true })
    },
    // Shows the stored fields, whether this screen or another author changed them.
    onSettled: () =>
      session.refresh().catch((error: unknown) => console.warn('Refreshing failed', error)),
  })
}

const saveDetails = async (
  session: DraftSession,
  details: Details,
): Promise<Answer<typeof quizzes.update>> => {
  const { quiz } = session.view().draft
  const names = DETAILS.filter((name) => details[name] !== quiz[name])
  const body = Object.fromEntries(names.map((name) => [name, details[name]]))
  for (;;)
    try {
      const based_on = session.revision()
      return await client.quizzes.update({ id: quiz.id, body: { ...body, based_on } })
    } catch (error) {
      if (!isStale(error)) throw error
      await session.refresh()
      const now = session.view().draft.quiz
      if (names.some((name) => now[name] !== quiz[name])) throw error
    }
}
