import { endOtherSession } from '#web/api/auth-client.ts'

/** The outcome of linking an identity at a provider. */
export type LinkReturn = {
  isLinked: boolean
  error_code?: string
  /** Settles once the account no longer changes. */
  settled: Promise<unknown>
}

const read = (): LinkReturn | undefined => {
  const fragment = new URLSearchParams(window.location.hash.slice(1))
  const access_token = fragment.get('access_token')
  const error_code = fragment.get('error_code')
  if (!access_token && !error_code) return undefined
  // The fragment contains a token of the account: it must not stay in the address.
  window.history.replaceState(window.history.state, '', window.location.pathname)
  // The return opens a session of its own, which is ended: this browser already has one.
  const settled = access_token ? endOtherSession(access_token) : Promise.resolve()
  return { isLinked: access_token !== null, ...(error_code && { error_code }), settled }
}

let known: LinkReturn | undefined

/** Reads the outcome from the address after the return from a provider; undefined on any other visit. */
export const readLinkReturn = (): LinkReturn | undefined => {
  // In development React mounts twice; the second time the address is already cleared.
  known = read() ?? known
  const taken = known
  queueMicrotask(() => {
    known = undefined
  })
  return taken
}
