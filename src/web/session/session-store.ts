import type { User } from '@supabase/auth-js'
import type { SessionOwner } from '#web/api/auth-client.ts'
import { pauseCalls, resumeCalls } from '#web/api/paused-calls.ts'

/** The session as the screens see it. */
export type SessionState = {
  /** Null when signed out. */
  user: User | null
  /** True until the stored session has been read. */
  isLoading: boolean
  /** True while an account with a second factor is signed in with its password only. */
  isFactorMissing: boolean
  /** True when the session of `user` has ended without a sign-out; the screen stays until the user signs in again. */
  isEnded: boolean
  /** Owner of a session that has ended without a sign-out, after `user` has become null. */
  lostOwner: SessionOwner | null
}

const SIGNED_OUT = {
  user: null,
  isLoading: false,
  isFactorMissing: false,
  isEnded: false,
  lostOwner: null,
}

/**
 * Creates the session state that the screens render. When a session ends without a sign-out, its screen stays
 * mounted. Its calls wait, and are sent once the same account has signed in again.
 */
export const createSessionStore = ({
  firstOwner,
  clear,
  resume,
  restart,
}: {
  /** The owner of the session that was stored at first. */
  firstOwner: SessionOwner | null
  /** Removes the data of the account from this tab. */
  clear: () => void
  /** Repeats the failed queries. */
  resume: () => void
  /** Reloads the application, so that no data of one account is left for another. */
  restart: () => void
}) => {
  let state: SessionState = { ...SIGNED_OUT, isLoading: true }
  /**
   * True from the start of a sign-out until the session has ended. Other tabs may report the session once more meanwhile.
   */
  let isLeaving = false
  const listeners = new Set<() => void>()

  const show = (next: SessionState): void => {
    state = next
    for (const listener of listeners) listener()
  }
  const close = (lostOwner: SessionOwner | null): void => {
    isLeaving = false
    clear()
    resumeCalls(false)
    show({ ...SIGNED_OUT, lostOwner })
  }

  return {
    state: () => state,
    subscribe: (listener: () => void) => {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
    /** Handles a session that was opened or renewed, here or in another tab. */
    open: (user: User, { isFactorMissing }: { isFactorMissing: boolean }): void => {
      const { isEnded, user: known } = state
      if (isEnded && known?.id !== user.id) {
        resumeCalls(false)
        restart()
        return
      }
      show({ ...SIGNED_OUT, user: sameUser(known, user), isFactorMissing })
      if (isFactorMissing) return
      resumeCalls(true)
      if (isEnded) resume()
    },
    /** Handles a session that has ended, or that never existed. */
    end: (): void => {
      const { user, isFactorMissing, isEnded, isLoading } = state
      if (isLeaving) close(null)
      else if (isLoading) close(firstOwner)
      else if (isFactorMissing) close(user)
      else if (user && !isEnded) {
        pauseCalls()
        show({ ...state, isEnded: true })
      }
    },
    /** Handles the start of a sign-out, here or in another tab. */
    leave: (): void => {
      if (state.isEnded) close(null)
      else isLeaving = state.isLoading || state.user !== null
    },
    /** Leaves the screen of a session that has ended. */
    abandon: (): void => close(state.user),
  }
}

/** Returns the known object if it is the same user, so that a renewal causes no render. */
const sameUser = (known: User | null, next: User): User =>
  known && known.id === next.id && known.email === next.email ? known : next
