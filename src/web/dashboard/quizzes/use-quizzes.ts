import { useMutation, useMutationState, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import { RefusedCall } from '#contract/client/client.ts'
import { type Quiz, quizNoun } from '#domain/questionnaire/quiz.ts'
import { client } from '#web/api/client.ts'
import { overviewQuery, quizQuery, quizzesQuery } from '#web/api/queries.ts'
import { useEditsSaved } from '#web/editor/draft/draft-session-registry.ts'
import { finishBeforeSignOut } from '#web/session/session.tsx'
import { TOAST_MS } from '#web/ui/feedback/toasts.tsx'
import { useDialogs } from '#web/ui/overlay/dialogs.tsx'
import { NO_FIGURES, type QuizFigures } from './quiz-figures.ts'
import { refusalReason, removeQuizFromList } from './quiz-list.ts'

const REMOVAL = ['quiz-removal']

/**
 * Returns the number of quizzes in the trash, and the creator's quizzes without those that are being deleted or `waiting` for it. The cached list shows at
 * once and is loaded again whenever the screen opens, because its response counts change.
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
  return { quizzes, nb_trashed: data?.nb_trashed, error, refetch, isOffline: isPaused }
}

/**
 * Returns the figures of each quiz, loaded after the list: undefined until then, null when loading failed. The figures
 * are loaded again whenever the screen opens.
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

/** Puts a quiz in the trash by its id. The list hides the quiz meanwhile, and shows it again after a failure. */
const useQuizRemoval = (): ((id: string) => Promise<void>) => {
  const queryClient = useQueryClient()
  const { queryKey } = quizzesQuery()
  const { mutateAsync } = useMutation({
    mutationKey: REMOVAL,
    mutationFn: removeQuiz,
    onSuccess: (_, id) => {
      queryClient.setQueryData(queryKey, (list) => list && removeQuizFromList(list, id))
      queryClient.removeQueries({ queryKey: quizQuery(id).queryKey })
      // Replaces a request that began before the deletion and would still contain the quiz.
      void queryClient.invalidateQueries({ queryKey, exact: true })
    },
  })
  return mutateAsync
}

const removeQuiz = async (id: string): Promise<void> => {
  try {
    await client.quizzes.remove({ id })
  } catch (error) {
    // The quiz was already deleted, for example in another tab.
    if (!(error instanceof RefusedCall && error.status === 404)) throw error
  }
}

/** Pending deletions, and functions that start and undo them. */
export type Removals = {
  /** Quizzes that are hidden from the list but not deleted yet, in the order of their removal. */
  waiting: readonly Quiz[]
  remove: (quiz: Quiz) => void
  undo: (id: string) => void
}

/**
 * Returns deletions that can be undone for a few seconds. The call is made after that time, or when the creator
 * leaves the screen or the page. After a failure the quiz is shown again with the reason.
 */
export const useRemovals = (onReturn: (quiz: Quiz) => void): Removals => {
  const removeQuiz = useQuizRemoval()
  const { alert } = useDialogs()
  const [waiting, setWaiting] = useState<readonly Quiz[]>([])
  const timers = useRef(new Map<string, { quiz: Quiz; timer: ReturnType<typeof setTimeout> }>())

  const forget = (id: string): void => {
    clearTimeout(timers.current.get(id)?.timer)
    timers.current.delete(id)
  }
  const without = (id: string): void =>
    setWaiting((known) => known.filter((quiz) => quiz.id !== id))

  const commit = useEffectEvent(async (quiz: Quiz): Promise<void> => {
    forget(quiz.id)
    const removal = removeQuiz(quiz.id)
    // Runs after the call has begun, because from then on its pending mutation hides the quiz from the list.
    without(quiz.id)
    try {
      await removal
    } catch (error) {
      await alert(
        `Le ${quizNoun(quiz)} « ${quiz.name} » n’a pas pu être supprimé.${refusalReason(error)}`,
      )
      onReturn(quiz)
    }
  })
  useEffect(() => {
    const commitAll = (): Promise<unknown> =>
      Promise.all([...timers.current.values()].map(({ quiz }) => commit(quiz)))
    const stopSignOut = finishBeforeSignOut(commitAll)
    addEventListener('pagehide', commitAll)
    return () => {
      stopSignOut()
      removeEventListener('pagehide', commitAll)
      void commitAll()
    }
  }, [])

  const remove = (quiz: Quiz): void => {
    const timer = setTimeout(() => commit(quiz), TOAST_MS)
    timers.current.set(quiz.id, { quiz, timer })
    setWaiting((known) => [...known, quiz])
  }
  const undo = (id: string): void => {
    forget(id)
    without(id)
  }
  return { waiting, remove, undo }
}
