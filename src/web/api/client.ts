import { createClient } from '#contract/client.ts'
import { findAccessToken } from './auth-client.ts'

/** Browsers refuse `keepalive` for larger bodies. */
const LARGEST_KEEPALIVE = 60_000

/** The contract's client in the browser: this origin, the session's token, JSON in both directions. */
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
    // A save that has begun continues after its page is closed.
    keepalive: method !== 'GET' && (text?.length ?? 0) < LARGEST_KEEPALIVE,
  })
  // Spec §8: a 401 only logs a warning.
  if (response.status === 401) console.warn('The product API refused the session')
  return { status: response.status, body: await readJson(response) }
})

/** A proxy may answer with a page of its own, which is not shown to the creator. */
const readJson = async (response: Response): Promise<unknown> => {
  const isJson = response.headers.get('content-type')?.startsWith('application/json')
  return isJson ? response.json() : null
}
