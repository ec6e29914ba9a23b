import { useState } from 'react'
import { RefusedCall } from '#contract/client/client.ts'
import { findAccessToken, renewSession } from '#web/api/auth-client.ts'
import { authMessage } from './auth-labels.ts'

type State = { isBusy: boolean; done?: string | undefined; failed?: string | undefined }

/** Returns the French sentence for a refusal: the product API's own, or the translated code of the auth service. */
const messageOf = (error: unknown, fallback: string): string =>
  error instanceof RefusedCall ? error.message : authMessage(error as Error, fallback)

/** Runs the action of a button, one at a time. Its error, or the sentence that it returns, is shown. */
export const useAction = (fallback: string) => {
  const [state, setState] = useState<State>({ isBusy: false })
  const run = async (act: () => Promise<string | undefined>): Promise<void> => {
    if (state.isBusy) return
    setState({ isBusy: true })
    try {
      setState({ isBusy: false, done: await act() })
    } catch (error) {
      setState({ isBusy: false, failed: messageOf(error, fallback) })
    }
  }
  return { ...state, run, forget: () => setState({ isBusy: false }) }
}

/**
 * Returns the data of an auth call; throws its error. If the service has ended the session, ends it in this browser
 * too.
 */
export const unwrapAuthData = async <R extends { data: unknown; error: Error | null }>(
  call: Promise<R>,
): Promise<Extract<R, { error: null }>['data']> => {
  const { data, error } = await call
  if (error?.name === 'AuthSessionMissingError') {
    const access_token = await findAccessToken()
    if (access_token) await renewSession(access_token)
  }
  if (error) throw error
  return data
}
