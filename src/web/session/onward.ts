const KEY = 'quizaine.onward'
/** Somebody whom Kit sent here; every other screen is begun from the dashboard (spec §2). */
const KEPT = /^\/settings\?convertkit=/

/** Keeps, for this tab, where somebody was led who has to sign in first. */
export const keepOnward = (path: string): void => {
  if (KEPT.test(path)) sessionStorage.setItem(KEY, path)
}

export const forgetOnward = (): void => sessionStorage.removeItem(KEY)

/** Where whoever has signed in goes. */
export const onward = (): string => {
  const kept = sessionStorage.getItem(KEY)
  return kept !== null && KEPT.test(kept) ? kept : '/dashboard'
}
