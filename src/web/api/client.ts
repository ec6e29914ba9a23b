import { createClientOf, type Send } from '#contract/client/client.ts'
import { initialEndpoints } from '#contract/kit/initial-endpoints.ts'
import { canKeepAlive } from '#domain/common/keepalive.ts'
import { findAccessToken, renewSession } from './auth-client.ts'
import { waitForResume } from './paused-calls.ts'

/** Sends a call to this origin with the session's token, and JSON in both directions. */
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
      keepalive: method !== 'GET' && canKeepAlive(text),
    }),
  )
  // A 401 only logs a warning (product 14.7).
  if (response.status === 401) console.warn('The product API refused the session')
  return { status: response.status, body: await readJson(response) }
}

/** The contract's client for the calls that most screens need; lazy-endpoints/lazy-client.ts has the others. */
export const client = createClientOf(initialEndpoints, sendCall)

/**
 * Sends with the session's token. A refused call is sent once more if the session is renewed, or if the creator signs
 * in again.
 */
export const sendInSession = async <Reply extends { status: number }>(
  send: (access_token: string | undefined) => Promise<Reply>,
): Promise<Reply> => {
  const access_token = await findAccessToken()
  const response = await send(access_token)
  if (response.status !== 401) return response
  const isRenewed =
    waitForResume() === undefined &&
    access_token !== undefined &&
    (await renewSession(access_token))
  // The call waits here if the renewal has found that the session ended.
  if (isRenewed || (await waitForResume())) return send(await findAccessToken())
  return response
}

/**
 * Returns the JSON of an answer; null for any other content, such as a proxy's own page, which the creator must not
 * see.
 */
const readJson = async (response: Response): Promise<unknown> => {
  const isJson = response.headers.get('content-type')?.startsWith('application/json')
  return isJson ? response.json() : null
}
