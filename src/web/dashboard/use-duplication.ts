import { useMutation, useMutationState, useQueryClient } from '@tanstack/react-query'
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
    // Nobody needs its code before.
    mutationFn: async (id: string) => (await import('./duplicate-quiz.ts')).duplicateQuiz(id),
    onSuccess: (copy) => queryClient.setQueryData(queryKey, (list) => list && withQuiz(list, copy)),
    // After a failure too: what could not be taken away again must not stay unseen.
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
