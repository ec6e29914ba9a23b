import type { SessionOwner } from '#web/api/auth-client.ts'

const KEY = 'quizaine.return'
/** Paths kept without an owner: the redirect back from Kit. Any other path is kept for one account (spec §2). */
const PATHS_OF_ANYONE = /^\/settings\?convertkit=/

type Kept = { path: string; owner_id: string | null }

/** Remembers in this tab the path that was requested before signing in, for its owner alone if there is one. */
export const saveReturnPath = (path: string, owner: SessionOwner | null): void => {
  if (!owner && !PATHS_OF_ANYONE.test(path)) return
  const kept: Kept = { path, owner_id: owner?.id ?? null }
  sessionStorage.setItem(KEY, JSON.stringify(kept))
}

export const clearReturnPath = (): void => sessionStorage.removeItem(KEY)

/** The path to go to once this user has signed in. */
export const returnPath = ({ id }: SessionOwner): string => {
  const { path, owner_id }: Kept = JSON.parse(
    sessionStorage.getItem(KEY) ?? '{"path":"/dashboard","owner_id":null}',
  )
  return owner_id === null || owner_id === id ? path : '/dashboard'
}
