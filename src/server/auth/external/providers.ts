import * as openid from 'openid-client'
import { normalizeAccountEmail } from '#domain/accounts/account-email.ts'
import { AuthError, validationFailed } from '#server/auth/auth-error.ts'
import type { ExternalConfig } from '#server/config/environment.ts'

/** Configured identity provider. */
export type Provider = { name: string; settings: ExternalConfig; openid: openid.Configuration }

/** A person's profile at a provider. */
export type Profile = {
  provider: string
  subject: string
  email: string | undefined
  is_verified: boolean
  /** False for providers without email addresses. */
  has_email: boolean
  data: Record<string, unknown>
}

const DISCOVERY_TIMEOUT_S = 8

const discover = async ({ issuer, client_id, secret }: ExternalConfig) => {
  const url = new URL(issuer)
  const found = await openid.discovery(url, client_id, undefined, openid.ClientSecretPost(secret), {
    timeout: DISCOVERY_TIMEOUT_S,
    // Unencrypted HTTP is only used by local providers in tests.
    ...(url.protocol === 'http:' && { execute: [openid.allowInsecureRequests] }),
  })
  // Verifies signatures of ID tokens even if they come directly from the provider.
  openid.enableNonRepudiationChecks(found)
  return found
}

/** Creates the configured providers. A discovery document is loaded when its provider is first used. */
export const createProviders = (external: Record<string, ExternalConfig>) => {
  const known = new Map<string, Promise<openid.Configuration>>()
  return {
    /** Returns a provider. Throws 400 if it is unknown, 503 if it is unreachable. */
    find: async (name: unknown): Promise<Provider> => {
      const settings =
        typeof name === 'string' && Object.hasOwn(external, name) ? external[name] : undefined
      if (typeof name !== 'string' || !settings)
        throw validationFailed('Unsupported provider: provider is not enabled')
      const finding = known.get(name) ?? discover(settings)
      known.set(name, finding)
      try {
        return { name, settings, openid: await finding }
      } catch (cause) {
        known.delete(name)
        throw new AuthError(503, 'unexpected_failure', 'The provider cannot be reached', {
          retry_after: 30,
          cause,
        })
      }
    },
  }
}

/** Configured identity providers. */
export type Providers = ReturnType<typeof createProviders>

const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' && value.length <= 1000 ? value : undefined

/**
 * Returns the normalised address of a provider profile; undefined if the part before the @ is not ASCII. Normalisation
 * could turn such a part into the address of another person.
 */
const canonicalClaimedEmail = (email: string): string | undefined =>
  /^[!-~]+@/.test(email) ? normalizeAccountEmail(email) : undefined

/** Returns the profile in the claims of a provider token. */
export const profileOf = (provider: string, claims: Record<string, unknown>): Profile => {
  const email = canonicalClaimedEmail(text(claims.email) ?? '')
  const is_verified = claims.email_verified === true || claims.email_verified === 'true'
  const subject = text(claims.sub) ?? ''
  const name = text(claims.name)
  const picture = text(claims.picture)
  const data = {
    sub: subject,
    iss: text(claims.iss),
    ...(email && { email }),
    email_verified: is_verified,
    phone_verified: false,
    ...(name && { name, full_name: name }),
    ...(picture && { picture, avatar_url: picture }),
  }
  return { provider, subject, email, is_verified, has_email: true, data }
}
