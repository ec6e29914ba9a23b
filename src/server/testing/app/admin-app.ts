import { AuthAdminApi } from '@supabase/auth-js'
import { newJwk, signWith } from '#server/testing/people/service-tokens.ts'
import { createMailApp, type MailApp } from './mail-app.ts'

export type AdminApp = MailApp & {
  /** Configured keys: a signing key and a shared symmetric key. */
  keys: { signing: Record<string, unknown>; shared: Record<string, unknown> }
  service_token: string
  /** The official client of the admin calls. */
  admin: InstanceType<typeof AuthAdminApi>
  /** Status and code of a GET, with the whole reply. */
  get: (
    path: string,
    authorization?: string,
  ) => Promise<{ status: number; code: unknown; headers: Record<string, unknown> }>
}

const SECRET = 'a secret that services share, 32+'

/** The real app with a mail server and configured keys, and an administrator who holds a service token. */
export const createAdminApp = async (env: Record<string, string> = {}): Promise<AdminApp> => {
  const signing = await newJwk('ES256', { kid: 'first' })
  const shared = { kty: 'oct', k: Buffer.from(SECRET).toString('base64url') }
  const t = await createMailApp({ AUTH_JWT_KEYS: JSON.stringify([signing, shared]), ...env })
  const header = { alg: 'ES256', kid: 'first' }
  const service_token = await signWith(signing, { role: 'service_role' }, header)
  return {
    ...t,
    keys: { signing, shared },
    service_token,
    admin: new AuthAdminApi({
      url: `${t.origin}/auth/v1`,
      headers: { authorization: `Bearer ${service_token}` },
    }),
    get: async (path, authorization) => {
      const headers = {
        'x-supabase-api-version': '2024-01-01',
        ...(authorization === undefined ? {} : { authorization }),
      }
      const reply = await t.raw({ url: `/auth/v1${path}`, headers })
      return {
        status: reply.statusCode,
        code: reply.json<{ code?: unknown }>().code,
        headers: reply.headers,
      }
    },
  }
}
