import type { Session as Tokens } from '@supabase/auth-js'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import {
  createContext,
  type ReactNode,
  useContext,
  useEffect,
  useMemo,
  useState,
  useSyncExternalStore,
} from 'react'
import {
  auth,
  findSession,
  firstOwner,
  hasStoredSession,
  leaveSession,
  onLeave,
  onStoredByOtherTab,
} from '#web/api/auth-client.ts'
import { createSessionStore, type SessionState } from './session-store.ts'

type Credentials = { email: string; password: string }
type Session = SessionState & {
  /** Throws the service's refusal. */
  signIn: (credentials: Credentials) => Promise<void>
  /**
   * Creates an account without signing in (product 12.1). Returns true if the owner must still confirm the address with
   * the sent link. Throws the service's refusal.
   */
  signUp: (credentials: Credentials) => Promise<boolean>
  signOut: () => Promise<void>
  /** Leaves the screen of a session that has ended, for the login screen. */
  abandon: () => void
}

const SessionContext = createContext<Session | null>(null)

/** Returns the session and its actions. */
export const useSession = (): Session => {
  const session = useContext(SessionContext)
  if (!session) throw new Error('SessionProvider is missing')
  return session
}

/** Provides the signed-in user, kept up to date through renewals and other tabs. */
export const SessionProvider = ({ children }: { children: ReactNode }) => {
  const queryClient = useQueryClient()
  const [store] = useState(() => openStore(queryClient))
  const state = useSyncExternalStore(store.subscribe, store.state)

  useEffect(() => {
    const adopt = (session: Tokens | null): void => {
      if (session) store.open(session.user, { isFactorMissing: isFactorMissing(session) })
      else store.end()
    }
    const { data } = auth.onAuthStateChange((_event, changed) =>
      adopt(hasStoredSession() ? changed : null),
    )
    const stopStorage = onStoredByOtherTab(async () => {
      const session = await findSession()
      // A stored session that could not be renewed, for example offline, has not ended.
      if (session || !hasStoredSession()) adopt(session)
    })
    const stopLeave = onLeave(store.leave)
    return () => {
      data.subscription.unsubscribe()
      stopStorage()
      stopLeave()
    }
  }, [store])

  const session = useMemo(
    () => ({ ...state, signIn, signUp, signOut, abandon: store.abandon }),
    [state, store],
  )
  return <SessionContext value={session}>{children}</SessionContext>
}

const openStore = (queryClient: QueryClient) =>
  createSessionStore({
    firstOwner,
    clear: () => {
      for (const clear of clearFunctions) clear()
      queryClient.clear()
    },
    resume: () =>
      void queryClient.refetchQueries({ predicate: ({ state }) => state.status === 'error' }),
    restart: () => location.replace('/dashboard'),
  })

/** Returns true if a second factor is still required: the user has one, and the token's level does not include it. */
const isFactorMissing = ({ user, access_token }: Tokens): boolean =>
  (user.factors ?? []).some(({ status }) => status === 'verified') &&
  !atob(access_token.split('.')[1]?.replaceAll('-', '+').replaceAll('_', '/') ?? '').includes(
    '"aal":"aal2"',
  )

const signIn = async (credentials: Credentials): Promise<void> => {
  const { error } = await auth.signInWithPassword(credentials)
  if (error) throw error
}

const signUp = async (credentials: Credentials): Promise<boolean> => {
  const emailRedirectTo = `${location.origin}/confirmation`
  const { data, error } = await auth.signUp({ ...credentials, options: { emailRedirectTo } })
  if (error) throw error
  if (!data.session) return true
  await signOut()
  return false
}

const clearFunctions = new Set<() => void>()

/** Registers a function that removes the account's data from this tab at sign-out, or when an ended session is abandoned. */
export const clearOnSignOut = (clear: () => void): void => {
  clearFunctions.add(clear)
}

const finishFunctions = new Set<() => Promise<unknown>>()

/** Longest time that pending work may delay a sign-out. */
const MAX_FINISH_MS = 3_000

/** Registers pending work that must finish before the session ends. Returns the function that unregisters it. */
export const finishBeforeSignOut = (finish: () => Promise<unknown>): (() => void) => {
  finishFunctions.add(finish)
  return () => finishFunctions.delete(finish)
}

const finishWork = async (): Promise<void> => {
  await Promise.race([
    Promise.allSettled([...finishFunctions].map((finish) => finish())),
    new Promise((resolve) => setTimeout(resolve, MAX_FINISH_MS)),
  ])
}

/** Ends the session of this browser only, before another account's session replaces it. */
export const signOutLocally = async (): Promise<void> => {
  await finishWork()
  await leaveSession('local')
}

/**
 * Signs out everywhere. Failures are only logged (product 12.3), because this browser is signed out even without the
 * network.
 */
const signOut = async (): Promise<void> => {
  await finishWork()
  const { error } = await leaveSession('global')
  if (!error) return
  console.error('Signing out failed', error)
  await leaveSession('local')
}
