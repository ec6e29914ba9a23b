import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { Quiz } from '#domain/quiz.ts'
import { finishBeforeSignOut } from '#web/session/session.tsx'
import { useDialogs } from '#web/ui/dialogs.tsx'
import { TOAST_MS } from '#web/ui/toasts.tsx'
import { reasonOf } from './quiz-list.ts'
import { useQuizRemoval } from './use-quizzes.ts'

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
