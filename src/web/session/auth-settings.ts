import { queryOptions } from '@tanstack/react-query'
import type { SignUpMode } from '#domain/accounts/sign-up-mode.ts'
import { AUTH_HEADERS, AUTH_URL } from '#web/api/auth-client.ts'

/** Settings of the auth service that the screens need. */
type AuthSettings = {
  /** Names of the external sign-in providers. */
  providers: string[]
  hasPhones: boolean
  /** False if people sign in with a provider or a phone only. */
  hasPasswords: boolean
  /** True if a change of address needs the confirmation of only one of the two addresses. */
  isOneLinkEnough: boolean
  /** True if a signed-in creator can link and unlink identities. */
  canLink: boolean
  factors: { totp: boolean; phone: boolean; webauthn: boolean }
  /** Rule for new accounts; a hosted service names only whether people may sign up. */
  sign_up_mode: SignUpMode
  /** The rule for a new password, as a French sentence. */
  password_rule: string
}

type SettingsReply = {
  disable_signup?: boolean
  sign_up_mode?: SignUpMode
  mailer_autoconfirm?: boolean
  external?: Record<string, boolean>
  manual_linking_enabled?: boolean
  mfa_totp_enabled?: boolean
  mfa_phone_enabled?: boolean
  mfa_webauthn_enabled?: boolean
  password_policy?: string
}

/** Sign-in methods that are not external providers. */
const OWN = ['email', 'phone', 'anonymous_users']

/** Sentences by password policy of the installation; a hosted service does not name its policy. */
const PASSWORD_RULES: Record<string, string> = {
  spec: 'Au moins 6 caractères.',
  cnil: 'Au moins 12 caractères, ou 8 en mêlant majuscules, minuscules, chiffres ou signes.',
}

const authSettingsOf = (settings: SettingsReply): AuthSettings => {
  const { external = {} } = settings
  return {
    providers: Object.keys(external).filter((name) => external[name] && !OWN.includes(name)),
    hasPhones: external.phone === true,
    hasPasswords: external.email !== false,
    isOneLinkEnough: settings.mailer_autoconfirm === true,
    canLink: settings.manual_linking_enabled === true,
    // A hosted service does not list its factors: TOTP and security keys then count as available.
    factors: {
      totp: settings.mfa_totp_enabled !== false,
      phone: settings.mfa_phone_enabled === true,
      webauthn: settings.mfa_webauthn_enabled !== false,
    },
    sign_up_mode: settings.sign_up_mode ?? (settings.disable_signup ? 'closed' : 'open'),
    password_rule: PASSWORD_RULES[settings.password_policy ?? 'spec'] ?? '',
  }
}

const load = async (): Promise<AuthSettings> => {
  try {
    const reply = await fetch(`${AUTH_URL}/settings`, { headers: AUTH_HEADERS })
    return authSettingsOf(reply.ok ? ((await reply.json()) as SettingsReply) : {})
  } catch {
    // The screen then offers no external provider, but still TOTP and security keys.
    return authSettingsOf({})
  }
}

/** Returns the query of the sign-in methods. */
export const authSettingsQuery = () =>
  queryOptions({ queryKey: ['auth-settings'], queryFn: load, staleTime: Number.POSITIVE_INFINITY })

/** Returns the name of a provider for its button. */
export const formatProviderName = (name: string): string =>
  name.charAt(0).toUpperCase() + name.slice(1)
