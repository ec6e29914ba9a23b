import { AuthClient, type Session, type User } from '@supabase/auth-js'

/** With a hosted auth service, a meta tag of the page has its address and its API key. */
const hosted = document.querySelector<HTMLMetaElement>('[name=auth-service]')
export const isHosted = hosted !== null
export const AUTH_URL = `${hosted?.content ?? window.location.origin}/auth/v1`
export const AUTH_HEADERS = { apikey: hosted?.dataset.key ?? '' }

const STORAGE_KEY = 'quizaine-session'

/** What is known of the owner of a session that has ended. */
export type SessionOwner = Pick<User, 'id' | 'email'>

const readOwner = (): SessionOwner | null => {
  try {
    return JSON.parse(localStorage.getItem(STORAGE_KEY) ?? 'null')?.user ?? null
  } catch {
    // Without storage, or with another content, the owner is unknown.
    return null
  }
}

/** The owner of the session that was stored when this page was opened; the client removes one that has ended. */
export const firstOwner = readOwner()

/**
 * Calls the auth service and removes `expires_at` from its answers. The client then computes the expiry from `expires_in`
 * with the clock of this browser, because that clock may be hours fast or slow.
 */
const fetchWithoutExpiresAt: typeof fetch = async (input, init) => {
  const reply = await fetch(input, init)
  const readJson = reply.json.bind(reply)
  reply.json = async () => {
    const answer: unknown = await readJson()
    if (typeof answer === 'object' && answer !== null) Reflect.deleteProperty(answer, 'expires_at')
    return answer
  }
  return reply
}

/**
 * The auth service's own client, which stores the session in this browser, renews it (checked every 30 s)
 * and notifies the other tabs (spec §4 « Session »).
 */
export const auth = new AuthClient({
  url: AUTH_URL,
  headers: AUTH_HEADERS,
  storageKey: STORAGE_KEY,
  persistSession: true,
  autoRefreshToken: true,
  detectSessionInUrl: false,
  fetch: fetchWithoutExpiresAt,
  experimental: { recoveryCodes: true },
})

/**
 * Whether this browser still stores a session: a message of another tab about one may arrive after its end.
 * Without storage each tab has its own session, so the answer is true.
 */
export const hasStoredSession = (): boolean => {
  try {
    return localStorage.getItem(STORAGE_KEY) !== null
  } catch {
    return true
  }
}

/**
 * Calls the listener when another tab has stored or removed the session: the tab's own message may arrive
 * before the stored session does. Returns the unsubscription.
 */
export const onStoredByOtherTab = (listener: () => Promise<void>): (() => void) => {
  const onStorage = ({ key }: StorageEvent): void => {
    if (key === STORAGE_KEY || key === null) void listener()
  }
  window.addEventListener('storage', onStorage)
  return () => window.removeEventListener('storage', onStorage)
}

const leaving = new BroadcastChannel('quizaine-leaving')
const leaveListeners = new Set<() => void>()

/** Ends the session because its creator asked for it; the other tabs are told that too. */
export const leaveSession = (scope: 'global' | 'local') => {
  leaving.postMessage(null)
  for (const listener of leaveListeners) listener()
  return auth.signOut({ scope })
}

/** Calls the listener when the creator signs out, in this tab or another. Returns the unsubscription. */
export const onLeave = (listener: () => void): (() => void) => {
  leaveListeners.add(listener)
  leaving.addEventListener('message', listener)
  return () => {
    leaveListeners.delete(listener)
    leaving.removeEventListener('message', listener)
  }
}

/** Statuses of a refresh that will always be refused; others are for a moment, or another tab was faster. */
const FINAL_STATUSES = [400, 401, 403, 404]

/**
 * Renews the session after its token was refused; true when there is another token now. A session that cannot
 * be renewed has ended, for example because another device ended it, and is removed.
 */
export const renewSession = async (refused: string): Promise<boolean> => {
  const current = await findAccessToken()
  if (current && current !== refused) return true
  const { error } = await auth.refreshSession()
  // The client keeps a session whose token has not expired.
  if (error && FINAL_STATUSES.includes(error.status ?? 0)) await auth.signOut({ scope: 'local' })
  const renewed = await findAccessToken()
  return renewed !== undefined && renewed !== refused
}

const withToken = (access_token: string) => ({
  headers: { ...AUTH_HEADERS, authorization: `Bearer ${access_token}` },
})

/**
 * The user of a token; undefined when the token is no longer valid. Not asked through the client, which would
 * end this browser's session when the session of that token has ended.
 */
export const findUserOf = async (access_token: string): Promise<User | undefined> => {
  const reply = await fetch(`${AUTH_URL}/user`, withToken(access_token)).catch(() => undefined)
  return reply?.ok ? ((await reply.json()) as User) : undefined
}

/** Ends a second session that this browser was given; if the call fails, that session expires by itself. */
export const endOtherSession = async (access_token: string): Promise<void> => {
  const call = { method: 'POST', ...withToken(access_token) }
  await fetch(`${AUTH_URL}/logout?scope=local`, call).catch(() => undefined)
}

/** The session of this browser; null when signed out. */
export const findSession = async (): Promise<Session | null> => {
  const { data } = await auth.getSession()
  return data.session
}

/** The token for the product API, renewed when it is about to end. */
export const findAccessToken = async (): Promise<string | undefined> =>
  (await findSession())?.access_token
