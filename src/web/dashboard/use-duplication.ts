import { useMutation, useMutationState, useQueryClient } from '@tanstack/react-query'
import { client } from '#web/api/client.ts'
import { quizzesQuery } from '#web/api/queries.ts'
import { withQuiz } from './quiz-list.ts'

const DUPLICATION = ['quiz-duplication']

/** Copies the quiz of an id and puts the copy first in the list; `duplicating` are the ids under way. */
export const useDuplication = () => {
  const queryClient = useQueryClient()
  const { queryKey } = quizzesQuery()
  const duplicating: unknown[] = useMutationState({
    filters: { mutationKey: DUPLICATION, status: 'pending' },
    select: ({ state }) => state.variables,
  })
  const { mutateAsync } = useMutation({
    mutationKey: DUPLICATION,
    mutationFn: async (id: string) => (await client.quizzes.duplicate({ id })).quiz,
    onSuccess: (copy) => queryClient.setQueryData(queryKey, (list) => list && withQuiz(list, copy)),
    // After a failure too: the answer to a copy that was made can be lost.
    onSettled: () => void queryClient.invalidateQueries({ queryKey, exact: true }),
  })
  /** Two clicks can come before anything is rendered again: only the first one counts. */
  const isDuplicating = (id: string): boolean =>
    queryClient.isMutating({
      mutationKey: DUPLICATION,
      predicate: ({ state }) => state.variables === id,
    }) > 0
  return { duplicate: mutateAsync, isDuplicating, duplicating }
}
