import { useLayoutEffect, useState } from 'react'
import { draftSessions } from './draft-sessions.ts'

/**
 * False while the edits of a screen that was just left are being saved, of this quiz or, without an id, of any:
 * loading the quiz before that would show its older state. Not while they wait for the network.
 */
export const useEditsSaved = (quizId?: string): boolean => {
  const [isSettled, setSettled] = useState(false)
  // In the layout phase: after the other screen is unmounted, before the first paint.
  useLayoutEffect(() => {
    const check = (): void => {
      if (!draftSessions.isSavingInBackground(quizId)) setSettled(true)
    }
    check()
    return draftSessions.subscribe(check)
  }, [quizId])
  return isSettled
}
