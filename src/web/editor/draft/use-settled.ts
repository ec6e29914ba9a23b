import { useLayoutEffect, useState } from 'react'
import { draftSessions } from './draft-sessions.ts'

/**
 * False until the screen of this quiz (of any, without an id) that was just left has stored its edits,
 * or has to wait for the network: before that, loading what they belong to would bring back the older.
 */
export const useSettled = (quizId?: string): boolean => {
  const [isSettled, setSettled] = useState(false)
  // In the layout phase: after the other screen has gone, before anything is painted.
  useLayoutEffect(() => {
    const check = (): void => {
      if (!draftSessions.isLeftover(quizId)) setSettled(true)
    }
    check()
    return draftSessions.subscribe(check)
  }, [quizId])
  return isSettled
}
