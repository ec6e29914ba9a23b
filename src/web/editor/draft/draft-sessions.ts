import { useLayoutEffect, useState } from 'react'
import { clearOnSignOut } from '#web/session/session.tsx'
import type { DraftSession } from './draft-session.ts'

type Entry = { session: DraftSession; screens: number; close: () => void }

/**
 * The sessions of this tab, by quiz. A session outlives its screens, so that the next step opens at once and
 * pending edits are still saved.
 */
const createDraftSessions = () => {
  const entries = new Map<string, Entry>()
  const listeners = new Set<() => void>()
  const notify = (): void => {
    for (const listener of listeners) listener()
  }

  const drop = (quiz_id: string): void => {
    entries.get(quiz_id)?.close()
    entries.delete(quiz_id)
  }

  const isBusy = ({ session, screens }: Entry): boolean =>
    screens > 0 || session.view().save_state !== 'saved'

  return {
    find: (quiz_id: string): DraftSession | undefined => entries.get(quiz_id)?.session,
    /** Adds a session that was just opened; idle ones of other quizzes are dropped. */
    add: (quiz_id: string, session: DraftSession, close: () => void): DraftSession => {
      for (const [other, entry] of entries) if (!isBusy(entry)) drop(other)
      entries.set(quiz_id, { session, screens: 0, close })
      session.subscribe(notify)
      return session
    },
    /** Counts a screen that shows the session; returns its release, which saves pending edits. */
    retain: (quiz_id: string): (() => void) => {
      const entry = entries.get(quiz_id)
      if (entry) entry.screens++
      return () => {
        if (!entry) return
        entry.screens--
        entry.session.hurry()
        notify()
      }
    },
    /** True while a quiz (any, without an id) that no screen shows is still being saved. */
    isSavingInBackground: (quiz_id?: string): boolean =>
      [...entries].some(
        ([id, { session, screens }]) =>
          (quiz_id === undefined || id === quiz_id) &&
          screens === 0 &&
          session.view().save_state === 'saving',
      ),
    subscribe: (listener: () => void) => {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
    /** Drops every session: what one account has edited is not shown to the next. */
    clear: (): void => {
      for (const quiz_id of [...entries.keys()]) drop(quiz_id)
    },
  }
}

export const draftSessions = createDraftSessions()
clearOnSignOut(draftSessions.clear)

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
