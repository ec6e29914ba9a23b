import { useMutation, useMutationState, useQueryClient } from '@tanstack/react-query'
import { client } from '#web/api/client.ts'
import { quizzesQuery } from '#web/api/queries.ts'
import { withQuiz } from './quiz-list.ts'

const DUPLICATION = ['quiz-duplication']

/** Duplicates a quiz by its id and puts the copy first in the list; `duplicating` are the ids in progress. */
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
    // After a failure too: the copy may exist although its answer was lost.
    onSettled: () => void queryClient.invalidateQueries({ queryKey, exact: true }),
  })
  /** Read from the mutations: a second click before the next render is ignored. */
  const isDuplicating = (id: string): boolean =>
    queryClient.isMutating({
      mutationKey: DUPLICATION,
      predicate: ({ state }) => state.variables === id,
    }) > 0
  return { duplicate: mutateAsync, isDuplicating, duplicating }
}
