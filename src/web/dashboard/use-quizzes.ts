import { useMutation, useMutationState, useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { RefusedCall } from '#contract/client.ts'
import type { Quiz } from '#domain/quiz.ts'
import { client } from '#web/api/client.ts'
import { overviewQuery, quizQuery, quizzesQuery } from '#web/api/queries.ts'
import { useEditsSaved } from '#web/editor/draft/use-edits-saved.ts'
import { NO_FIGURES, type QuizFigures } from './quiz-figures.ts'
import { withoutQuiz } from './quiz-list.ts'

const REMOVAL = ['quiz-removal']

/**
 * The quizzes of the creator, without those being deleted or `waiting` to be. Cached ones show at once, and are
 * loaded again each time the screen is opened, since their numbers of responses change.
 */
export const useQuizzes = (waiting: readonly Pick<Quiz, 'id'>[]) => {
  const { data, error, refetch, isPaused } = useQuery({
    ...quizzesQuery(),
    staleTime: 0,
    enabled: useEditsSaved(),
  })
  const leaving: unknown[] = useMutationState({
    filters: { mutationKey: REMOVAL, status: 'pending' },
    select: ({ state }) => state.variables,
  })
  const gone = new Set([...leaving, ...waiting.map(({ id }) => id)])
  const quizzes = data?.quizzes.filter(({ id }) => !gone.has(id))
  return { quizzes, error, refetch, isOffline: isPaused }
}

/**
 * The figures of each quiz, loaded once the list is there: undefined until then, null when they could not be loaded.
 * They are loaded again each time the screen is opened.
 */
export const useFigures = (isListed: boolean) => {
  const { data, isError, refetch } = useQuery({
    ...overviewQuery(),
    staleTime: 0,
    enabled: isListed,
  })
  const known = useMemo(() => data && new Map(data.quizzes.map((quiz) => [quiz.id, quiz])), [data])
  const figuresOf = (id: string): QuizFigures | null | undefined => {
    if (known) return known.get(id) ?? NO_FIGURES
    return isError ? null : undefined
  }
  return { figuresOf, refetch }
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
