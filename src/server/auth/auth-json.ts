import { isSignUpOpen, type SignUpMode } from '#domain/accounts/sign-up-mode.ts'
import type { AuthConfig } from '#server/config/config.ts'
import type { Db } from '#server/db/database.ts'
import { type Identity, listIdentities } from './accounts/identities.store.ts'
import type { User } from './accounts/users.store.ts'
import { type Factor, listFactors } from './factors/factors.store.ts'
import { ACCESS_TOKEN_SECONDS, AUTHENTICATED } from './sessions/tokens.ts'

const identityJson = (identity: Identity) => ({
  // In this protocol, `id` is the person's id at the provider, and `identity_id` is the id of the row.
  identity_id: identity.id,
  id: identity.provider_id,
  user_id: identity.user_id,
  identity_data: identity.identity_data,
  provider: identity.provider,
  last_sign_in_at: identity.last_sign_in_at ?? undefined,
  created_at: identity.created_at,
  updated_at: identity.updated_at,
  email: identity.identity_data.email,
})

/** Returns the earlier of two optional times. */
const earlierTimeOf = (time: string | null, other: string | null): string | undefined =>
  [time, other].filter((stamp) => stamp !== null).sort()[0]

/** Returns a second factor in the auth protocol, without its secret. */
export const factorJson = (factor: Factor) => ({
  id: factor.id,
  created_at: factor.created_at,
  updated_at: factor.updated_at,
  status: factor.status,
  friendly_name: factor.friendly_name || undefined,
  factor_type: factor.factor_type,
  phone: factor.phone ?? '',
  last_challenged_at: factor.last_challenged_at,
})

/** Returns a user in the auth protocol; unset fields are omitted. */
export const userJson = (user: User, identities: Identity[], factors: Factor[] = []) => ({
  id: user.id,
  aud: AUTHENTICATED,
  role: AUTHENTICATED,
  email: user.email ?? '',
  email_confirmed_at: user.email_confirmed_at ?? undefined,
  phone: user.phone ?? '',
  phone_confirmed_at: user.phone_confirmed_at ?? undefined,
  confirmed_at: earlierTimeOf(user.email_confirmed_at, user.phone_confirmed_at),
  invited_at: user.invited_at ?? undefined,
  confirmation_sent_at: user.confirmation_sent_at ?? undefined,
  recovery_sent_at: user.recovery_sent_at ?? undefined,
  new_email: user.new_email ?? undefined,
  email_change_sent_at: user.new_email ? (user.email_change_sent_at ?? undefined) : undefined,
  new_phone: user.new_phone ?? undefined,
  phone_change_sent_at: user.new_phone ? (user.phone_change_sent_at ?? undefined) : undefined,
  reauthentication_sent_at: user.reauthentication_sent_at ?? undefined,
  banned_until: user.banned_until ?? undefined,
  deleted_at: user.deleted_at ?? undefined,
  last_sign_in_at: user.last_sign_in_at ?? undefined,
  app_metadata: user.app_metadata,
  user_metadata: user.user_metadata,
  identities: identities.map(identityJson),
  factors: factors.length > 0 ? factors.map(factorJson) : undefined,
  created_at: user.created_at,
  updated_at: user.updated_at,
  is_anonymous: user.is_anonymous,
})

/** User in the auth protocol. */
export type UserJson = ReturnType<typeof userJson>

/** User in the answer to a sign-up that must still be confirmed. */
export type SignedUp = Omit<UserJson, 'role'> & { role: string }

/** Returns a user in the auth protocol, with identities and factors from the database. */
export const accountJson = async (db: Db, user: User): Promise<UserJson> =>
  userJson(user, await listIdentities(db, user.id), await listFactors(db, user.id))

type Tokens = { access_token: string; refresh_token: string; now: number }

/** Returns the answer to a sign-in. Times are in Unix seconds. */
export const sessionJson = ({ access_token, refresh_token, now }: Tokens, user: UserJson) => ({
  access_token,
  token_type: 'bearer',
  expires_in: ACCESS_TOKEN_SECONDS,
  expires_at: now + ACCESS_TOKEN_SECONDS,
  refresh_token,
  user,
})

/** Session in the auth protocol. `weak_password` is set if the password does not meet the current policy. */
export type SessionJson = ReturnType<typeof sessionJson> & {
  weak_password?: { message: string; reasons: string[] }
  /** Access token of the external provider. */
  provider_token?: string
  provider_refresh_token?: string
}

/** Returns the enabled features of this service, and the rule for new accounts. */
export const settingsJson = (auth: AuthConfig, sign_up_mode: SignUpMode) => ({
  external: {
    ...Object.fromEntries(Object.keys(auth.external).map((name) => [name, true])),
    email: auth.has_passwords,
    phone: auth.has_phones,
    anonymous_users: auth.can_be_anonymous,
  },
  disable_signup: !isSignUpOpen(sign_up_mode),
  mailer_autoconfirm: auth.is_autoconfirmed,
  phone_autoconfirm: auth.is_phone_autoconfirmed,
  sms_provider: '',
  saml_enabled: false,
  saml_private_key_next_configured: false,
  passkeys_enabled: false,
  // The following fields are not in the protocol. Our own screens read them.
  manual_linking_enabled: auth.can_link,
  mfa_totp_enabled: auth.factors.totp,
  mfa_phone_enabled: auth.factors.phone,
  mfa_webauthn_enabled: auth.factors.webauthn,
  password_policy: auth.password_policy,
  sign_up_mode,
})

/** Answer of the health call. */
export const healthJson = {
  version: '2024-01-01',
  name: 'GoTrue',
  description: 'Accounts of Quizaine, on the wire of GoTrue',
}
