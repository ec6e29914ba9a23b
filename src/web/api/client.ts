import { createClient } from '#contract/client.ts'
import { findAccessToken } from './auth-client.ts'

/** From here on a body is too large for the browser to send while the page goes away. */
const LARGEST_KEEPALIVE = 60_000

/** The contract's client of the browser: this origin, the session's token, JSON both ways. */
export const client = createClient(async ({ method, path, body }) => {
  const access_token = await findAccessToken()
  const text = body === undefined ? undefined : JSON.stringify(body)
  const response = await fetch(path, {
    method,
    credentials: 'same-origin',
    headers: {
      ...(access_token && { authorization: `Bearer ${access_token}` }),
      ...(text !== undefined && { 'content-type': 'application/json' }),
    },
    body: text,
    // A save that has begun outlives its page.
    keepalive: method !== 'GET' && (text?.length ?? 0) < LARGEST_KEEPALIVE,
  })
  // Spec §8: a 401 only leaves a warning.
  if (response.status === 401) console.warn('The product API refused the session')
  return { status: response.status, body: await readJson(response) }
})

/** Something between us and the server may answer in its own words: those say nothing to a creator. */
const readJson = async (response: Response): Promise<unknown> => {
  const isJson = response.headers.get('content-type')?.startsWith('application/json')
  return isJson ? response.json() : null
}
