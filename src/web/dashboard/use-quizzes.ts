import { useMutation, useMutationState, useQuery, useQueryClient } from '@tanstack/react-query'
import { RefusedCall } from '#contract/client.ts'
import type { Quiz } from '#domain/quiz.ts'
import { client } from '#web/api/client.ts'
import { quizQuery, quizzesQuery } from '#web/api/queries.ts'
import { useEditsSaved } from '#web/editor/draft/use-edits-saved.ts'
import { withoutQuiz } from './quiz-list.ts'

const REMOVAL = ['quiz-removal']

/**
 * The quizzes of the creator, without those being deleted or `waiting` to be. Cached ones show at once, and are
 * loaded again each time the screen is opened, since their numbers of responses change.
 */
export const useQuizzes = (waiting: readonly Pick<Quiz, 'id'>[]) => {
  const { data, error, refetch } = useQuery({
    ...quizzesQuery(),
    staleTime: 0,
    enabled: useEditsSaved(),
  })
  const leaving: unknown[] = useMutationState({
    filters: { mutationKey: REMOVAL, status: 'pending' },
    select: ({ state }) => state.variables,
  })
  const gone = new Set([...leaving, ...waiting.map(({ id }) => id)])
  return { quizzes: data?.quizzes.filter(({ id }) => !gone.has(id)), error, refetch }
}

/** Deletes a quiz by its id. It is hidden from the list meanwhile, and shown again when this fails. */
export const useQuizRemoval = (): ((id: string) => Promise<void>) => {
  const queryClient = useQueryClient()
  const { queryKey } = quizzesQuery()
  const { mutateAsync } = useMutation({
    mutationKey: REMOVAL,
    mutationFn: removeQuiz,
    onSuccess: (_, id) => {
      queryClient.setQueryData(queryKey, (list) => list && withoutQuiz(list, id))
      queryClient.removeQueries({ queryKey: quizQuery(id).queryKey })
      // Replaces a loading that began before the deletion and would still contain the quiz.
      void queryClient.invalidateQueries({ queryKey, exact: true })
    },
  })
  return mutateAsync
}

const removeQuiz = async (id: string): Promise<void> => {
  try {
    await client.quizzes.remove({ id })
  } catch (error) {
    // Already deleted, for example in another tab.
    if (!(error instanceof RefusedCall && error.status === 404)) throw error
  }
}
