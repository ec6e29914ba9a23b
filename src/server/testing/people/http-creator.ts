import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { Client } from '#contract/client/client.ts'
import { createClient } from '#contract/client/full-client.ts'

/** Returns the contract's client, which calls a server over HTTP. */
export const createHttpClient = (origin: string, access_token?: string): Client =>
  createClient(async ({ method, path, body }) => {
    const response = await fetch(`${origin}${path}`, {
      method,
      headers: {
        ...(access_token && { authorization: `Bearer ${access_token}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text) }
  })

/** Signs up a new creator over HTTP and returns the access token. */
export const signUpOverHttp = async (origin: string): Promise<string> => {
  const response = await fetch(`${origin}/auth/v1/signup`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: `${randomUUID()}@example.org`, password: 'secret1' }),
  })
  assert.equal(response.status, 200)
  const { access_token } = (await response.json()) as { access_token: string }
  return access_token
}
