import { AuthClient, type Session, type User } from '@supabase/auth-js'

/** Where accounts are a hosted service's, the page says where it is and with what key it is called. */
const hosted = document.querySelector<HTMLMetaElement>('[name=auth-service]')
export const isHosted = hosted !== null
export const AUTH_URL = `${hosted?.content ?? window.location.origin}/auth/v1`
export const AUTH_HEADERS = { apikey: hosted?.dataset.key ?? '' }

const STORAGE_KEY = 'quizaine-session'

/**
 * The auth service's own client, which keeps the session in this browser, renews it (a look every 30 s)
 * and tells the other tabs (spec §4 « Session »).
 */
export const auth = new AuthClient({
  url: AUTH_URL,
  headers: AUTH_HEADERS,
  storageKey: STORAGE_KEY,
  persistSession: true,
  autoRefreshToken: true,
  detectSessionInUrl: false,
  experimental: { recoveryCodes: true },
})

/**
 * Whether this browser still keeps a session: what another tab says of one may arrive after its end. Where
 * nothing may be kept, each tab knows its own.
 */
export const keepsSession = (): boolean => {
  try {
    return localStorage.getItem(STORAGE_KEY) !== null
  } catch {
    return true
  }
}

/**
 * Hears when another tab has stored or removed the session: its message may be here before what it stored
 * is. The answer ends that.
 */
export const onStoredElsewhere = (hear: () => Promise<void>): (() => void) => {
  const onStorage = ({ key }: StorageEvent): void => {
    if (key === STORAGE_KEY || key === null) void hear()
  }
  window.addEventListener('storage', onStorage)
  return () => window.removeEventListener('storage', onStorage)
}

const withToken = (access_token: string) => ({
  headers: { ...AUTH_HEADERS, authorization: `Bearer ${access_token}` },
})

/**
 * Whose account a token opens; undefined when it opens none. Not asked through the client, which would end
 * the session of this browser over a token whose own has ended.
 */
export const findUserOf = async (access_token: string): Promise<User | undefined> => {
  const reply = await fetch(`${AUTH_URL}/user`, withToken(access_token)).catch(() => undefined)
  return reply?.ok ? ((await reply.json()) as User) : undefined
}

/** Ends a session that this browser was given beside its own; one that is not reached ends in time by itself. */
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
