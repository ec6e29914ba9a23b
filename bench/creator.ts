import { randomUUID } from 'node:crypto'
import type { Client } from '#contract/client.ts'
import { clientOf } from '../scripts/http-client.ts'

/** A new creator's client. */
export const signUpCreator = async (origin: string): Promise<Client> => {
  const response = await fetch(`${origin}/auth/v1/signup`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      email: `mesure-${randomUUID()}@exemple.fr`,
      password: 'un mot de passe',
    }),
  })
  const { access_token } = (await response.json()) as { access_token: string }
  return clientOf(origin, access_token)
}
