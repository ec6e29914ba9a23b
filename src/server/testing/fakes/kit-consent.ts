import { createHash } from 'node:crypto'
import type { FakeKit } from './kit.ts'

const REDIRECT = 'https://quiz.example/retour'
const VERIFIER = 'verifier-of-a-test-'.repeat(3)

/** Gives the consent at a fake Kit without our server, and returns the access token. */
export const createConsentToken = async (kit: FakeKit, account: string): Promise<string> => {
  if (!kit.switches.redirect_uris.includes(REDIRECT)) kit.switches.redirect_uris.push(REDIRECT)
  kit.switches.account = account
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: kit.switches.client_id,
    redirect_uri: REDIRECT,
    code_challenge: createHash('sha256').update(VERIFIER).digest('base64url'),
    code_challenge_method: 'S256',
  })
  const back = await fetch(`${kit.env.KIT_AUTHORIZE_URL}?${query}`, { redirect: 'manual' })
  const code = new URL(back.headers.get('location') ?? '').searchParams.get('code') ?? ''
  const body = new URLSearchParams({
    grant_type: 'authorization_code',
    client_id: kit.switches.client_id,
    client_secret: kit.switches.client_secret,
    redirect_uri: REDIRECT,
    code,
    code_verifier: VERIFIER,
  })
  const reply = await fetch(kit.env.KIT_TOKEN_URL ?? '', { method: 'POST', body })
  return String(((await reply.json()) as { access_token: string }).access_token)
}
