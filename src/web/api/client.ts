import { createClientOf, type Send } from '#contract/client/client.ts'
import { initialEndpoints } from '#contract/kit/initial-endpoints.ts'
import { findAccessToken, renewSession } from './auth-client.ts'
import { heldCalls } from './held-calls.ts'

/** Browsers refuse `keepalive` for larger bodies. */
const LARGEST_KEEPALIVE = 60_000

/** How the browser calls: this origin, the session's token, JSON in both directions. */
export const sendCall: Send = async ({ method, path, body }) => {
  const text = body === undefined ? undefined : JSON.stringify(body)
  const response = await sendInSession((access_token) =>
    fetch(path, {
      method,
      credentials: 'same-origin',
      headers: {
        ...(access_token && { authorization: `Bearer ${access_token}` }),
        ...(text !== undefined && { 'content-type': 'application/json' }),
      },
      body: text,
      // A save that has begun continues after its page is closed.
      keepalive: method !== 'GET' && (text?.length ?? 0) < LARGEST_KEEPALIVE,
    }),
  )
  // Spec §8: a 401 only logs a warning.
  if (response.status === 401) console.warn('The product API refused the session')
  return { status: response.status, body: await readJson(response) }
}

/** The contract's client in the browser, for what many screens call; the others: lazy-endpoints/lazy-client.ts. */
export const client = createClientOf(initialEndpoints, sendCall)

/** Sends with the session's token; a refused call is sent once more if the session is renewed or opened again. */
export const sendInSession = async <Reply extends { status: number }>(
  send: (access_token: string | undefined) => Promise<Reply>,
): Promise<Reply> => {
  const access_token = await findAccessToken()
  const response = await send(access_token)
  if (response.status !== 401) return response
  const isRenewed =
    heldCalls() === undefined && access_token !== undefined && (await renewSession(access_token))
  // The end of the session, which the renewal may have found, holds the call until the creator is back.
  if (isRenewed || (await heldCalls())) return send(await findAccessToken())
  return response
}

/** A proxy may answer with a page of its own, which is not shown to the creator. */
const readJson = async (response: Response): Promise<unknown> => {
  const isJson = response.headers.get('content-type')?.startsWith('application/json')
  return isJson ? response.json() : null
}
