import { randomUUID } from 'node:crypto'
import type { Client } from '#contract/client/client.ts'
import { clientOf } from '../scripts/http-client.ts'

/** Returns the access token of a creator, and creates the account if it does not exist. */
export const signInAs = async (
  origin: string,
  creator: { email: string; password: string },
): Promise<string> => {
  const ask = (path: string): Promise<Response> =>
    fetch(`${origin}/auth/v1/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(creator),
    })
  const created = await ask('signup')
  const reply = created.ok ? created : await ask('token?grant_type=password')
  const { access_token } = (await reply.json()) as { access_token: string }
  return access_token
}

/** Creates an account and returns its client and its session token, which opens calls closed to API keys. */
export const signUp = async (origin: string): Promise<{ client: Client; access_token: string }> => {
  const email = `mesure-${randomUUID()}@exemple.fr`
  const access_token = await signInAs(origin, { email, password: 'un mot de passe' })
  return { client: clientOf(origin, access_token), access_token }
}

/** Creates an account and returns its client. */
export const signUpCreator = async (origin: string): Promise<Client> =>
  (await signUp(origin)).client
