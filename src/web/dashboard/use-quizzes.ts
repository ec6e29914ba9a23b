import { useMutation, useMutationState, useQuery, useQueryClient } from '@tanstack/react-query'
import { RefusedCall } from '#contract/client.ts'
import type { Quiz } from '#domain/quiz.ts'
import { client } from '#web/api/client.ts'
import { quizQuery, quizzesQuery } from '#web/api/queries.ts'
import { useSettled } from '#web/editor/draft/use-settled.ts'
import { withoutQuiz } from './quiz-list.ts'

const REMOVAL = ['quiz-removal']

/**
 * The quizzes of the creator, without those on their way out or `waiting` to be. What is known shows at once, and is asked
 * again each time the screen is opened: responses come in without the browser knowing.
 */
export const useQuizzes = (waiting: readonly Pick<Quiz, 'id'>[]) => {
  const { data, error, refetch } = useQuery({
    ...quizzesQuery(),
    staleTime: 0,
    enabled: useSettled(),
  })
  const leaving: unknown[] = useMutationState({
    filters: { mutationKey: REMOVAL, status: 'pending' },
    select: ({ state }) => state.variables,
  })
  const gone = new Set([...leaving, ...waiting.map(({ id }) => id)])
  return { quizzes: data?.quizzes.filter(({ id }) => !gone.has(id)), error, refetch }
}

/** Deletes the quiz of an id. It is not in the list meanwhile, and is back in it when this fails. */
export const useQuizRemoval = (): ((id: string) => Promise<void>) => {
  const queryClient = useQueryClient()
  const { queryKey } = quizzesQuery()
  const { mutateAsync } = useMutation({
    mutationKey: REMOVAL,
    mutationFn: removeQuiz,
    onSuccess: (_, id) => {
      queryClient.setQueryData(queryKey, (list) => list && withoutQuiz(list, id))
      queryClient.removeQueries({ queryKey: quizQuery(id).queryKey })
      // A loading that began before would bring it back: this one takes its place.
      void queryClient.invalidateQueries({ queryKey, exact: true })
    },
  })
  return mutateAsync
}

const removeQuiz = async (id: string): Promise<void> => {
  try {
    await client.quizzes.remove({ id })
  } catch (error) {
    // Deleted already, in another tab for one.
    if (!(error instanceof RefusedCall && error.status === 404)) throw error
  }
}
