import { randomUUID } from 'node:crypto'
import { clientOf } from '../../scripts/http-client.ts'
import type { Client } from '../../src/contract/client/client.ts'

/** A creator, their first session as the server sent it, and the client that calls the API in that session. */
export type Account = { email: string; password: string; session: string; client: Client }

/** Returns an address that no other test of the run uses. */
export const uniqueEmail = (): string => `creatrice-${randomUUID()}@exemple.fr`

export const PASSWORD = 'un mot de passe'

/** Signs up a new creator through the API. */
export const createAccount = async (origin: string): Promise<Account> => {
  const email = uniqueEmail()
  const response = await fetch(`${origin}/auth/v1/signup`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password: PASSWORD }),
  })
  const session = await response.text()
  const { access_token } = JSON.parse(session) as { access_token: string }
  return { email, password: PASSWORD, session, client: clientOf(origin, access_token) }
}
