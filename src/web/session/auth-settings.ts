import { queryOptions } from '@tanstack/react-query'
import { AUTH_HEADERS, AUTH_URL } from '#web/api/auth-client.ts'

/** The sign-in methods that the auth service of this installation has besides email and password. */
type AuthSettings = {
  /** Names of the external sign-in providers. */
  providers: string[]
  hasPhones: boolean
  /** Whether a change of address needs the confirmation of one of the two addresses only. */
  isOneLinkEnough: boolean
  /** Whether a signed-in creator can link and unlink identities. */
  canLink: boolean
  factors: { totp: boolean; phone: boolean; webauthn: boolean }
  /** What a new password must have, as a sentence. */
  password_rule: string
}

type SettingsReply = {
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

/** By the password policy of the installation; a hosted service does not name its own. */
const PASSWORD_RULES: Record<string, string> = {
  spec: 'Au moins 6 caractères.',
  cnil: 'Au moins 12 caractères, ou 8 en mêlant majuscules, minuscules, chiffres ou signes.',
}

const authSettingsOf = (settings: SettingsReply): AuthSettings => {
  const { external = {} } = settings
  return {
    providers: Object.keys(external).filter((name) => external[name] && !OWN.includes(name)),
    hasPhones: external.phone === true,
    isOneLinkEnough: settings.mailer_autoconfirm === true,
    canLink: settings.manual_linking_enabled === true,
    // A hosted service does not list its factors; these two are common to all.
    factors: {
      totp: settings.mfa_totp_enabled !== false,
      phone: settings.mfa_phone_enabled === true,
      webauthn: settings.mfa_webauthn_enabled !== false,
    },
    password_rule: PASSWORD_RULES[settings.password_policy ?? 'spec'] ?? '',
  }
}

const load = async (): Promise<AuthSettings> => {
  try {
    const reply = await fetch(`${AUTH_URL}/settings`, { headers: AUTH_HEADERS })
    return authSettingsOf(reply.ok ? ((await reply.json()) as SettingsReply) : {})
  } catch {
    // Without an answer only the password is offered.
    return authSettingsOf({})
  }
}

export const authSettingsQuery = () =>
  queryOptions({ queryKey: ['auth-settings'], queryFn: load, staleTime: Number.POSITIVE_INFINITY })

/** The name of a provider on its button. */
export const providerName = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1)
