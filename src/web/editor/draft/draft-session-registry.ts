import { useLayoutEffect, useState } from 'react'
import { clearOnSignOut } from '#web/session/session.tsx'
import type { DraftSession } from './draft-session.ts'

type Entry = { session: DraftSession; screens: number; close: () => void }

/**
 * Creates the registry of the editing sessions of this tab, by quiz id. A session outlives its screens, so
 * that the next step opens at once and pending edits are still saved.
 */
const createSessionRegistry = () => {
  const entries = new Map<string, Entry>()
  const listeners = new Set<() => void>()
  const notify = (): void => {
    for (const listener of listeners) listener()
  }

  const closeSession = (quiz_id: string): void => {
    entries.get(quiz_id)?.close()
    entries.delete(quiz_id)
  }

  const isBusy = ({ session, screens }: Entry): boolean =>
    screens > 0 || session.view().save_state !== 'saved'

  return {
    find: (quiz_id: string): DraftSession | undefined => entries.get(quiz_id)?.session,
    /** Adds a session that was just opened, and closes idle sessions of other quizzes. */
    add: (quiz_id: string, session: DraftSession, close: () => void): DraftSession => {
      for (const [other, entry] of entries) if (!isBusy(entry)) closeSession(other)
      entries.set(quiz_id, { session, screens: 0, close })
      session.subscribe(notify)
      return session
    },
    /**
     * Registers a screen that shows the session. Returns a function that unregisters the screen and saves
     * pending edits.
     */
    retain: (quiz_id: string): (() => void) => {
      const entry = entries.get(quiz_id)
      if (entry) entry.screens++
      return () => {
        if (!entry) return
        entry.screens--
        entry.session.saveSoon()
        notify()
      }
    },
    /**
     * Returns true while a session without a screen is being saved: that of the given quiz, or any session.
     */
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
    /** Closes every session, so that the next account does not see the edits of the previous one. */
    clear: (): void => {
      for (const quiz_id of [...entries.keys()]) closeSession(quiz_id)
    },
  }
}

/** Editing sessions of this tab; closed on sign-out. */
export const draftSessions = createSessionRegistry()
clearOnSignOut(draftSessions.clear)

/**
 * Returns false until the edits of a closed editor screen are saved, of one quiz or of all quizzes; then stays true.
 * Screens wait for this, because the server would still return the older quiz. Edits that wait for the network do not
 * count.
 */
export const useEditsSaved = (quizId?: string): boolean => {
  const [isSettled, setSettled] = useState(false)
  // Runs in the layout phase, after the previous screen is unmounted and before the first paint.
  useLayoutEffect(() => {
    const check = (): void => {
      if (!draftSessions.isSavingInBackground(quizId)) setSettled(true)
    }
    check()
    return draftSessions.subscribe(check)
  }, [quizId])
  return isSettled
}
