import { queryOptions } from '@tanstack/react-query'
import { AUTH_HEADERS, AUTH_URL } from '#web/api/auth-client.ts'

/** What the auth service of this installation has besides addresses and passwords. */
type Offers = {
  /** Names of the providers that people may sign in with. */
  providers: string[]
  hasPhones: boolean
  /** Whether one of the two mails of a change of address is enough. */
  isOneLinkEnough: boolean
  /** Whether a signed-in person adds and removes ways in. */
  canLink: boolean
  factors: { totp: boolean; phone: boolean; webauthn: boolean }
}

type Settings = {
  mailer_autoconfirm?: boolean
  external?: Record<string, boolean>
  manual_linking_enabled?: boolean
  mfa_totp_enabled?: boolean
  mfa_phone_enabled?: boolean
  mfa_webauthn_enabled?: boolean
}

/** Ways in that are no provider. */
const OWN = ['email', 'phone', 'anonymous_users']

const offersOf = (settings: Settings): Offers => {
  const { external = {} } = settings
  return {
    providers: Object.keys(external).filter((name) => external[name] && !OWN.includes(name)),
    hasPhones: external.phone === true,
    isOneLinkEnough: settings.mailer_autoconfirm === true,
    canLink: settings.manual_linking_enabled === true,
    // A hosted service does not say; these two are what such services have.
    factors: {
      totp: settings.mfa_totp_enabled !== false,
      phone: settings.mfa_phone_enabled === true,
      webauthn: settings.mfa_webauthn_enabled !== false,
    },
  }
}

const load = async (): Promise<Offers> => {
  try {
    const reply = await fetch(`${AUTH_URL}/settings`, { headers: AUTH_HEADERS })
    return offersOf(reply.ok ? ((await reply.json()) as Settings) : {})
  } catch {
    // Whoever cannot be asked offers nothing: the password is there all the same.
    return offersOf({})
  }
}

export const offersQuery = () =>
  queryOptions({ queryKey: ['offers'], queryFn: load, staleTime: Number.POSITIVE_INFINITY })

/** A provider as its button names it. */
export const titled = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1)
