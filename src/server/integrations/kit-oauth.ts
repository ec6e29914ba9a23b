import { z } from 'zod'
import type { IntegrationsConfig } from '#server/config/config.ts'
import type { Transient, UnknownReply } from './providers/provider.ts'
import { sendOverHttp } from './providers/provider-requests.ts'

const REVOKE_TIMEOUT_MS = 3_000

const answer = z.object({
  access_token: z.string().min(1),
  refresh_token: z.string().min(1),
  expires_in: z.number().positive(),
  created_at: z.number().optional(),
})

/** Stored pair of tokens. `life_s` is the total lifetime of the access token in seconds. */
export const kitTokens = z.object({
  access_token: z.string(),
  refresh_token: z.string(),
  life_s: z.number(),
})
/** Stored pair of tokens. */
export type KitTokens = z.output<typeof kitTokens>

/** Reply of Kit to a code or a refresh token. */
export type TokenReply =
  | { kind: 'tokens'; tokens: KitTokens; expires_at: Date }
  /** `invalid_grant`: Kit refuses the code or refresh token. `invalid_client`: Kit does not know this application. */
  | { kind: 'refused'; code: 'invalid_grant' | 'invalid_client' }
  | Transient
  | UnknownReply

/**
 * Creates the OAuth 2.0 client for Kit: consent with PKCE, tokens and revocation. Returns undefined if no application
 * is configured.
 */
export const createKitOauth = (
  { client, authorize_url, token_url, revoke_url }: IntegrationsConfig['kit'],
  redirect_uri: string,
) => {
  if (!client) return undefined
  const ask = async (form: Record<string, string>): Promise<TokenReply> => {
    const reply = await sendOverHttp({
      base: token_url,
      method: 'POST',
      path: '',
      headers: {},
      form: { client_id: client.id, client_secret: client.secret, ...form },
    })
    if (reply.kind !== 'reply') return reply
    if (reply.status === 429 || reply.status === 408 || reply.status >= 500)
      return { kind: 'transient', code: `http_${reply.status}`, pauses_connection: true }
    const tokens = answer.safeParse(reply.json)
    if (reply.status === 200 && tokens.success) {
      const { access_token, refresh_token, expires_in, created_at } = tokens.data
      const began = created_at === undefined ? Date.now() : created_at * 1000
      const expires_at = new Date(began + expires_in * 1000)
      return {
        kind: 'tokens',
        tokens: { access_token, refresh_token, life_s: expires_in },
        expires_at,
      }
    }
    const refusal = z.object({ error: z.string() }).safeParse(reply.json).data?.error
    if (refusal === 'invalid_grant' || refusal === 'invalid_client')
      return { kind: 'refused', code: refusal }
    return { kind: 'unknown', code: `http_${reply.status}` }
  }
  return {
    /** Returns the URL of the consent page. */
    authorizeUrl: ({ state, code_challenge }: { state: string; code_challenge: string }): string =>
      `${authorize_url}?${new URLSearchParams({
        response_type: 'code',
        client_id: client.id,
        redirect_uri,
        scope: 'public',
        state,
        code_challenge,
        code_challenge_method: 'S256',
      })}`,
    exchange: (code: string, code_verifier: string): Promise<TokenReply> =>
      ask({ grant_type: 'authorization_code', code, code_verifier, redirect_uri }),
    refresh: (refresh_token: string): Promise<TokenReply> =>
      ask({ grant_type: 'refresh_token', refresh_token }),
    /** Revokes both tokens at Kit if Kit is reachable. */
    revoke: async (token: string): Promise<void> => {
      await sendOverHttp({
        base: revoke_url,
        method: 'POST',
        path: '',
        headers: {},
        form: {
          token,
          token_type_hint: 'access_token',
          client_id: client.id,
          client_secret: client.secret,
        },
        patience_ms: REVOKE_TIMEOUT_MS,
      })
    },
  }
}
/** OAuth 2.0 client for Kit; undefined if no application is configured. */
export type KitOauth = ReturnType<typeof createKitOauth>
