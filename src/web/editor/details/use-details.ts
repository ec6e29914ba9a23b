import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import type { Quiz } from '#domain/quiz.ts'
import { client } from '#web/api/client.ts'
import { hasChangesQuery, quizQuery, quizzesQuery, snapshotQuery } from '#web/api/queries.ts'
import type { DraftSession } from '#web/editor/draft/draft-session.ts'

export type Details = Pick<Quiz, 'name' | 'type' | 'status'>

/** Creates a quiz and goes on editing it (spec §2 « Quiz edit screen »). */
export const useCreateQuiz = () => {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  return useMutation({
    mutationFn: ({ name, type }: Details) => client.quizzes.create({ body: { name, type } }),
    onSuccess: async ({ quiz }) => {
      await queryClient.invalidateQueries({ queryKey: quizzesQuery().queryKey, exact: true })
      await navigate(`/quiz/${quiz.id}/edit`, { replace: true })
    },
  })
}

/**
 * Changes a quiz; choosing 'Publié' publishes it, with the server's checks (decisions). Only what differs is
 * sent; when somebody else has written meanwhile, the screen shows that first and says so.
 */
export const useSaveDetails = (session: DraftSession) => {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: async (details: Details) => {
      const { quiz } = session.view().draft
      const changed = Object.entries(details).filter(
        ([name, value]) => quiz[name as keyof Details] !== value,
      )
      const body = { ...Object.fromEntries(changed), based_on: session.revision() }
      return client.quizzes.update({ id: quiz.id, body })
    },
    onSuccess: async ({ quiz }) => {
      queryClient.removeQueries({ queryKey: snapshotQuery(quiz.id).queryKey })
      void queryClient.invalidateQueries({ queryKey: hasChangesQuery(quiz.id, 0).queryKey })
      void queryClient.invalidateQueries({ queryKey: quizQuery(quiz.id).queryKey, exact: true })
      void queryClient.invalidateQueries({ queryKey: quizzesQuery().queryKey, exact: true })
    },
    // What was written is shown too when it was somebody else's.
    onSettled: () => session.refresh(),
  })
}
