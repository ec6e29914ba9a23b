import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Client } from '#contract/client/client.ts'
import { createClient } from '#contract/client/full-client.ts'

/** Calls `fetch`. If the response is 429, repeats the request after the time in `Retry-After`. */
export const patientFetch = async (url: string, init: RequestInit): Promise<Response> => {
  for (;;) {
    const response = await fetch(url, init)
    const seconds = Number(response.headers.get('retry-after'))
    if (response.status !== 429 || !(seconds > 0)) return response
    await pause(seconds * 1_000)
  }
}

const JSON_TYPE = 'application/json'
const isPicture = (body: unknown): body is Uint8Array<ArrayBuffer> => body instanceof Uint8Array

/** Creates a typed HTTP client of the API, with an optional access token. */
export const clientOf = (origin: string, access_token?: string): Client =>
  createClient(async ({ method, path, body }) => {
    const response = await patientFetch(`${origin}${path}`, {
      method,
      headers: {
        ...(access_token && { authorization: `Bearer ${access_token}` }),
        ...(body !== undefined && { 'content-type': isPicture(body) ? 'image/png' : JSON_TYPE }),
      },
      body: body === undefined || isPicture(body) ? body : JSON.stringify(body),
    })
    const text = await response.text()
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text) }
  })

/** Creates an account with a random address on a server that confirms accounts at once, and returns its access token. */
export const signUp = async (origin: string): Promise<string> => {
  const response = await patientFetch(`${origin}/auth/v1/signup`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: `${randomUUID()}@exemple.fr`, password: 'un mot de passe' }),
  })
  const { access_token } = (await response.json()) as { access_token?: string }
  if (!access_token) throw new Error(`${origin} creates no account (status ${response.status})`)
  return access_token
}
