import type { SessionOwner } from '#web/api/auth-client.ts'

const KEY = 'quizaine.return'
/**
 * Paths saved without an owner: the redirect back from Kit, and the creation from a public template. Any other path is
 * saved for one account (product 7.2).
 */
const OWNERLESS_PATHS = /^\/(settings\?convertkit|quiz\/create\?modele)=/

type StoredPath = { path: string; owner_id: string | null }

/**
 * Saves in this tab the path that was requested before the sign-in. The path is only for `owner`, if there is one.
 */
export const saveReturnPath = (path: string, owner: SessionOwner | null): void => {
  if (!owner && !OWNERLESS_PATHS.test(path)) return
  const kept: StoredPath = { path, owner_id: owner?.id ?? null }
  sessionStorage.setItem(KEY, JSON.stringify(kept))
}

/** Removes the saved path. */
export const clearReturnPath = (): void => sessionStorage.removeItem(KEY)

/** Returns the path to open after this user has signed in. */
export const readReturnPath = ({ id }: SessionOwner): string => {
  const { path, owner_id }: StoredPath = JSON.parse(
    sessionStorage.getItem(KEY) ?? '{"path":"/dashboard","owner_id":null}',
  )
  return owner_id === null || owner_id === id ? path : '/dashboard'
}
