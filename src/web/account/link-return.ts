import { endOtherSession } from '#web/api/auth-client.ts'

/** What came of adding a way in at a provider. */
export type LinkReturn = {
  isLinked: boolean
  error_code?: string
  /** When the account is as it stays. */
  settled: Promise<unknown>
}

const read = (): LinkReturn | undefined => {
  const fragment = new URLSearchParams(window.location.hash.slice(1))
  const access_token = fragment.get('access_token')
  const error_code = fragment.get('error_code')
  if (!access_token && !error_code) return undefined
  // It opens the account: nobody is to find it in the address.
  window.history.replaceState(window.history.state, '', window.location.pathname)
  // The provider's way back opens a session of its own; this browser has one already.
  const settled = access_token ? endOtherSession(access_token) : Promise.resolve()
  return { isLinked: access_token !== null, ...(error_code && { error_code }), settled }
}

let known: LinkReturn | undefined

/** Who comes back from a provider, told once; undefined for everybody else. */
export const takeLinkReturn = (): LinkReturn | undefined => {
  // React mounts twice while developing; the second time the address holds nothing any more.
  known = read() ?? known
  const taken = known
  queueMicrotask(() => {
    known = undefined
  })
  return taken
}
