import type { Session as Tokens, User } from '@supabase/auth-js'
import { useQueryClient } from '@tanstack/react-query'
import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react'
import { auth, findSession, hasStoredSession, onStoredByOtherTab } from '#web/api/auth-client.ts'

type Credentials = { email: string; password: string }
type Session = {
  /** Null when signed out. */
  user: User | null
  /** True until the stored session has been read. */
  isLoading: boolean
  /** True while an account with a second factor is signed in by its password only. */
  needsFactor: boolean
  /** Throws the service's refusal. */
  signIn: (credentials: Credentials) => Promise<void>
  /** Creates an account without signing in (spec §2 « Sign-up »); throws the service's refusal. */
  signUp: (credentials: Credentials) => Promise<void>
  signOut: () => Promise<void>
}

type State = Pick<Session, 'user' | 'isLoading' | 'needsFactor'>

const SessionContext = createContext<Session | null>(null)

export const useSession = (): Session => {
  const session = useContext(SessionContext)
  if (!session) throw new Error('SessionProvider is missing')
  return session
}

/** Provides the signed-in user, kept up to date through renewals and other tabs. */
export const SessionProvider = ({ children }: { children: ReactNode }) => {
  const [state, setState] = useState<State>({ user: null, isLoading: true, needsFactor: false })
  const queryClient = useQueryClient()

  useEffect(() => {
    const adopt = (session: Tokens | null): void => {
      // The data of one account must not be shown to the next.
      if (!session) {
        for (const clear of clearedOnSignOut) clear()
        queryClient.clear()
      }
      setState((known) => ({
        user: sameUser(known.user, session?.user ?? null),
        isLoading: false,
        needsFactor: session !== null && needsFactor(session),
      }))
    }
    const { data } = auth.onAuthStateChange((_event, changed) =>
      adopt(hasStoredSession() ? changed : null),
    )
    const stop = onStoredByOtherTab(async () => {
      const session = await findSession()
      // A stored session that could not be renewed, for example offline, has not ended.
      if (session || !hasStoredSession()) adopt(session)
    })
    return () => {
      data.subscription.unsubscribe()
      stop()
    }
  }, [queryClient])

  const session = useMemo(() => ({ ...state, signIn, signUp, signOut }), [state])
  return <SessionContext value={session}>{children}</SessionContext>
}

/** Whether a second factor is still required: the user has one, and the token's level does not include it. */
const needsFactor = ({ user, access_token }: Tokens): boolean =>
  (user.factors ?? []).some(({ status }) => status === 'verified') &&
  !atob(access_token.split('.')[1]?.replaceAll('-', '+').replaceAll('_', '/') ?? '').includes(
    '"aal":"aal2"',
  )

/** The known object when it is the same user, so that a renewal causes no render. */
const sameUser = (known: User | null, next: User | null): User | null =>
  known && known.id === next?.id && known.email === next.email ? known : next

const signIn = async (credentials: Credentials): Promise<void> => {
  const { error } = await auth.signInWithPassword(credentials)
  if (error) throw error
}

const signUp = async (credentials: Credentials): Promise<void> => {
  const emailRedirectTo = `${window.location.origin}/confirmation`
  const { data, error } = await auth.signUp({ ...credentials, options: { emailRedirectTo } })
  if (error) throw error
  if (data.session) await signOut()
}

const clearedOnSignOut = new Set<() => void>()

/** Registers what removes the data of the account from this tab once its session has ended. */
export const clearOnSignOut = (clear: () => void): void => {
  clearedOnSignOut.add(clear)
}

const finishedBeforeSignOut = new Set<() => Promise<unknown>>()

/** Pending work delays a sign-out by no more than this. */
const LONGEST_FINISH_MS = 3_000

/** Registers pending work that needs the session, finished before it ends; returns the unregistration. */
export const finishBeforeSignOut = (finish: () => Promise<unknown>): (() => void) => {
  finishedBeforeSignOut.add(finish)
  return () => finishedBeforeSignOut.delete(finish)
}

const finishWork = async (): Promise<void> => {
  await Promise.race([
    Promise.allSettled([...finishedBeforeSignOut].map((finish) => finish())),
    new Promise((resolve) => setTimeout(resolve, LONGEST_FINISH_MS)),
  ])
}

/** Ends the session of this browser only, before it is replaced by another account's. */
export const signOutLocally = async (): Promise<void> => {
  await finishWork()
  await auth.signOut({ scope: 'local' })
}

/** Failures are only logged (spec §8): this browser is signed out even without the network. */
const signOut = async (): Promise<void> => {
  await finishWork()
  const { error } = await auth.signOut()
  if (!error) return
  console.error('Signing out failed', error)
  await auth.signOut({ scope: 'local' })
}
