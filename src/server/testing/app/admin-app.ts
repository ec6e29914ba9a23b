import { AuthAdminApi } from '@supabase/auth-js'
import { createJwk, signToken } from '#server/testing/people/service-tokens.ts'
import { createMailApp, type MailApp } from './mail-app.ts'

export type AdminApp = MailApp & {
  /** Keys of AUTH_JWT_KEYS: a signing key and a shared symmetric key. */
  keys: { signing: Record<string, unknown>; shared: Record<string, unknown> }
  service_token: string
  /** Official client of the admin routes, with a service token. */
  admin: InstanceType<typeof AuthAdminApi>
  /** Sends a GET to an auth route and returns status, error code and headers. */
  get: (
    path: string,
    authorization?: string,
  ) => Promise<{ status: number; code: unknown; headers: Record<string, unknown> }>
}

const SECRET = 'a secret that services share, 32+'

/** Starts the app with a mail server and configured token keys, and creates an admin client. */
export const createAdminApp = async (env: Record<string, string> = {}): Promise<AdminApp> => {
  const signing = await createJwk('ES256', { kid: 'first' })
  const shared = { kty: 'oct', k: Buffer.from(SECRET).toString('base64url') }
  const t = await createMailApp({ AUTH_JWT_KEYS: JSON.stringify([signing, shared]), ...env })
  const header = { alg: 'ES256', kid: 'first' }
  const service_token = await signToken(signing, { role: 'service_role' }, header)
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
