import { randomUUID } from 'node:crypto'
import type { Client } from '#contract/client/client.ts'
import { clientOf } from '../scripts/http-client.ts'

/** The token of this creator, whose account is made where there is none. */
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

/** A new creator, with the token that opens what only browsers do. */
export const signUp = async (origin: string): Promise<{ client: Client; access_token: string }> => {
  const email = `mesure-${randomUUID()}@exemple.fr`
  const access_token = await signInAs(origin, { email, password: 'un mot de passe' })
  return { client: clientOf(origin, access_token), access_token }
}

/** A new creator's client. */
export const signUpCreator = async (origin: string): Promise<Client> =>
  (await signUp(origin)).client
