const KEY = 'quizaine.onward'
/** Only the return from Kit is remembered; any other sign-in leads to the dashboard (spec §2). */
const RETURN_PATHS = /^\/settings\?convertkit=/

/** Remembers in this tab the path that was requested before signing in. */
export const saveReturnPath = (path: string): void => {
  if (RETURN_PATHS.test(path)) sessionStorage.setItem(KEY, path)
}

export const clearReturnPath = (): void => sessionStorage.removeItem(KEY)

/** The path to go to after signing in. */
export const returnPath = (): string => {
  const kept = sessionStorage.getItem(KEY)
  return kept !== null && RETURN_PATHS.test(kept) ? kept : '/dashboard'
}
