import { useMutation, useMutationState, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import { RefusedCall } from '#contract/client/client.ts'
import type { Quiz } from '#domain/questionnaire/quiz.ts'
import { client } from '#web/api/client.ts'
import { overviewQuery, quizQuery, quizzesQuery } from '#web/api/queries.ts'
import { useEditsSaved } from '#web/editor/draft/draft-sessions.ts'
import { finishBeforeSignOut } from '#web/session/session.tsx'
import { TOAST_MS } from '#web/ui/feedback/toasts.tsx'
import { useDialogs } from '#web/ui/overlay/dialogs.tsx'
import { NO_FIGURES, type QuizFigures } from './quiz-figures.ts'
import { reasonOf, withoutQuiz } from './quiz-list.ts'

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
const useQuizRemoval = (): ((id: string) => Promise<void>) => {
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

export type Removals = {
  /** Quizzes that are hidden from the list and not deleted yet, the last one at the end. */
  waiting: readonly Quiz[]
  remove: (quiz: Quiz) => void
  undo: (id: string) => void
}

/**
 * Deletions that can be undone for a few seconds. The call is made when that time is over, or when the screen
 * or the page is left; when it fails the quiz is shown again with the reason.
 */
export const useRemovals = (onReturn: (quiz: Quiz) => void): Removals => {
  const removeQuiz = useQuizRemoval()
  const { alert } = useDialogs()
  const [waiting, setWaiting] = useState<readonly Quiz[]>([])
  const timers = useRef(new Map<string, { quiz: Quiz; timer: number }>())

  const forget = (id: string): void => {
    window.clearTimeout(timers.current.get(id)?.timer)
    timers.current.delete(id)
  }
  const without = (id: string): void =>
    setWaiting((known) => known.filter((quiz) => quiz.id !== id))

  const commit = useEffectEvent(async (quiz: Quiz): Promise<void> => {
    forget(quiz.id)
    const removal = removeQuiz(quiz.id)
    // After the call has begun: its pending mutation hides the quiz from the list from then on.
    without(quiz.id)
    try {
      await removal
    } catch (error) {
      await alert(`Le quiz « ${quiz.name} » n’a pas pu être supprimé.${reasonOf(error)}`)
      onReturn(quiz)
    }
  })
  useEffect(() => {
    const commitAll = (): Promise<unknown> =>
      Promise.all([...timers.current.values()].map(({ quiz }) => commit(quiz)))
    const stopSignOut = finishBeforeSignOut(commitAll)
    window.addEventListener('pagehide', commitAll)
    return () => {
      stopSignOut()
      window.removeEventListener('pagehide', commitAll)
      void commitAll()
    }
  }, [])

  const remove = (quiz: Quiz): void => {
    const timer = window.setTimeout(() => commit(quiz), TOAST_MS)
    timers.current.set(quiz.id, { quiz, timer })
    setWaiting((known) => [...known, quiz])
  }
  const undo = (id: string): void => {
    forget(id)
    without(id)
  }
  return { waiting, remove, undo }
}
