import { useState } from 'react'
import { RefusedCall } from '#contract/client.ts'
import { authMessage } from './auth-messages.ts'

type State = { isBusy: boolean; done?: string | undefined; failed?: string | undefined }

/** The French of any refusal: the product API speaks French, the auth service is translated by code. */
const messageOf = (error: unknown, fallback: string): string =>
  error instanceof RefusedCall ? error.message : authMessage(error as Error, fallback)

/** Runs what a button asks for, one at a time; what it throws is shown, and what it gives is said. */
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

/** The data of an auth call; throws its refusal. */
export const dataOf = async <R extends { data: unknown; error: Error | null }>(
  call: Promise<R>,
): Promise<Extract<R, { error: null }>['data']> => {
  const { data, error } = await call
  if (error) throw error
  return data
}
