import { AuthClient, type Session, type User } from '@supabase/auth-js'

/**
 * Meta tag of the page with the address and the API key of a hosted auth service; null when the server itself has the
 * accounts.
 */
const hosted = document.querySelector<HTMLMetaElement>('[name=auth-service]')
/** True if a hosted auth service has the accounts. */
export const isHosted = hosted !== null
/** Base address of the auth service. */
export const AUTH_URL = `${hosted?.content ?? location.origin}/auth/v1`
/** Headers that every call to the auth service needs. */
export const AUTH_HEADERS = { apikey: hosted?.dataset.key ?? '' }

const STORAGE_KEY = 'quizaine-session'

/** The part of a user that stays known after the session has ended. */
export type SessionOwner = Pick<User, 'id' | 'email'>

const readOwner = (): SessionOwner | null => {
  try {
    return JSON.parse(localStorage.getItem(STORAGE_KEY) ?? 'null')?.user ?? null
  } catch {
    // The owner is unknown without storage, or if the stored value has another format.
    return null
  }
}

/**
 * The owner of the session that was stored when this page was opened, read before the client removes an expired
 * session.
 */
export const firstOwner = readOwner()

/**
 * Calls the auth service and removes `expires_at` from its answers. The client then computes the expiry from
 * `expires_in` with the clock of this browser, because that clock may be hours fast or slow.
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
 * The client of the auth service, which stores the session in this browser, renews it (checked every 30 s) and
 * notifies the other tabs (product 12.2).
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
 * Returns true if this browser stores a session, because a message from another tab may arrive after the session has
 * ended. Without storage each tab has its own session, so the answer is true.
 */
export const hasStoredSession = (): boolean => {
  try {
    return localStorage.getItem(STORAGE_KEY) !== null
  } catch {
    return true
  }
}

/**
 * Calls the listener when another tab has stored or removed the session, because the tab's own message may arrive
 * before the stored session. Returns the function that unsubscribes.
 */
export const onStoredByOtherTab = (listener: () => Promise<void>): (() => void) => {
  const onStorage = ({ key }: StorageEvent): void => {
    if (key === STORAGE_KEY || key === null) void listener()
  }
  addEventListener('storage', onStorage)
  return () => removeEventListener('storage', onStorage)
}

const sign_out_channel = new BroadcastChannel('quizaine-leaving')
const leaveListeners = new Set<() => void>()

/** Ends the session at the creator's request, and notifies the other tabs. */
export const leaveSession = (scope: 'global' | 'local') => {
  sign_out_channel.postMessage(null)
  for (const listener of leaveListeners) listener()
  return auth.signOut({ scope })
}

/** Calls the listener when the creator signs out, in this tab or another. Returns the function that unsubscribes. */
export const onLeave = (listener: () => void): (() => void) => {
  leaveListeners.add(listener)
  sign_out_channel.addEventListener('message', listener)
  return () => {
    leaveListeners.delete(listener)
    sign_out_channel.removeEventListener('message', listener)
  }
}

/** Statuses of a renewal that is refused for good. Other statuses are temporary, or another tab was faster. */
const FINAL_STATUSES = [400, 401, 403, 404]

/**
 * Renews the session after its token was refused; resolves to true if there is a new token. A session that cannot be
 * renewed has ended, for example on another device, and is removed.
 */
export const renewSession = async (refused: string): Promise<boolean> => {
  const current = await findAccessToken()
  if (current && current !== refused) return true
  const { error } = await auth.refreshSession()
  // The client keeps a session whose token has not expired, so it is removed here.
  if (error && FINAL_STATUSES.includes(error.status ?? 0)) await auth.signOut({ scope: 'local' })
  const renewed = await findAccessToken()
  return renewed !== undefined && renewed !== refused
}

const withToken = (access_token: string) => ({
  headers: { ...AUTH_HEADERS, authorization: `Bearer ${access_token}` },
})

/**
 * Returns the user of a token; undefined when the token is no longer valid. Does not use the client, which would end
 * this browser's own session when the token is refused.
 */
export const findUserOf = async (access_token: string): Promise<User | undefined> => {
  const reply = await fetch(`${AUTH_URL}/user`, withToken(access_token)).catch(() => undefined)
  return reply?.ok ? ((await reply.json()) as User) : undefined
}

/** Ends the session of a token other than this browser's own. If the call fails, that session expires by itself. */
export const endOtherSession = async (access_token: string): Promise<void> => {
  const call = { method: 'POST', ...withToken(access_token) }
  await fetch(`${AUTH_URL}/logout?scope=local`, call).catch(() => undefined)
}

/** Returns the session of this browser; null when signed out. */
export const findSession = async (): Promise<Session | null> => {
  const { data } = await auth.getSession()
  return data.session
}

/** Returns the token for the product API, renewed if it is about to expire; undefined when signed out. */
export const findAccessToken = async (): Promise<string | undefined> =>
  (await findSession())?.access_token
