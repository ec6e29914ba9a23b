import type { FastifyBaseLogger, FastifyRequest } from 'fastify'
import type { AuthConfig } from '#server/config/config.ts'
import type { Db } from '#server/db/database.ts'
import { withRetries } from '#server/db/database-error.ts'
import { createBrowserCookie } from '#server/http/edge/browser-cookie.ts'
import { networkKey } from '#server/http/edge/rate-limits.ts'
import type { Limit, TaskRunner } from '#server/runtime/concurrency-limit.ts'
import type { Metadata, User } from './accounts/users.store.ts'
import { AuthError, busy } from './auth-error.ts'
import type { SessionJson, SignedUp } from './auth-json.ts'
import type { OneTimeToken } from './email-links/one-time-tokens.store.ts'
import type { Providers } from './external/providers.ts'
import type { Challenge } from './factors/challenges.store.ts'
import type { Factor } from './factors/factors.store.ts'
import type { MailRateLimit } from './mail/mail-rate-limit.ts'
import type { WrongPasswords } from './password/password-limits.ts'
import type { Tokens } from './sessions/tokens.ts'

/**
 * Names the browser that signs up, so that confirming elsewhere does not make its password valid. A day
 * leaves time for mails that are asked for again.
 */
export const signUpCookie = createBrowserCookie({
  name: 'quizaine_signup',
  path: '/auth/v1',
  seconds: 86_400,
})

/** Accounts of telephone numbers (AUTH_PHONE). */
type Phones = {
  signUp: (
    services: Services,
    asked: { phone: string; password: string; data: Metadata },
  ) => Promise<SignedUp | SessionJson>
  askForCode: (
    services: Services,
    asked: { phone: string; data: Metadata; create_user: boolean },
  ) => Promise<void>
  resend: (
    services: Services,
    asked: { type: 'sms' | 'phone_change'; phone: string },
  ) => Promise<void>
  /** Gives an account the number whose code it has used. */
  redeem: (services: Services, user: User, token: OneTimeToken) => Promise<User>
  /** 429 while another code may not be sent. */
  checkPace: (services: Services, phone: string) => Promise<void>
  /** Begins a change of number; gives what sends its code once that is committed. */
  beginChange: (
    services: Services,
    user: User,
    phone: string,
  ) => Promise<(() => Promise<void>) | undefined>
}

/** Codes of text messages as a second factor (AUTH_MFA_PHONE). */
type PhoneFactor = {
  /** Sends a code; gives what is stored of it. */
  makeCode: (services: Services, factor: Factor) => Promise<Buffer>
  isCode: (
    services: Services,
    asked: { factor: Factor; challenge: Challenge },
    code: string,
  ) => boolean
}

/** Ways in that are off unless an environment variable switches them on; app.ts adds them. */
export type Plugins = {
  /** Sign-in with a wallet (AUTH_WEB3). */
  signInByWallet?: (services: Services, body: unknown) => Promise<SessionJson>
  phones?: Phones
  phoneFactor?: PhoneFactor
}

/** What the auth service works with; made once in create-auth.ts. */
export type Services = {
  db: Db
  log: FastifyBaseLogger
  auth: AuthConfig
  /** Our own origin, where links lead unless they say otherwise. */
  public_url: string
  tokens: Tokens
  /** Derives each refresh token from the one it replaces. */
  refreshKey: Buffer
  /** What the codes of mails are stored under. */
  codeKey: Buffer
  /** What the tokens of other providers are sealed under until they are fetched. */
  providerKey: Buffer
  /** What secrets of second factors are sealed under. */
  factorKey: Buffer
  /** What attempts are counted, and networks known, under. */
  attemptKey: Buffer
  providers: Providers
  plugins: Plugins
  /** Queue of password hashing, in which networks take turns. */
  passwordQueue: Limit
  /** Runs password hashing of one call in the turn of its network. */
  hashing: TaskRunner
  /** Undefined when limits are off. */
  wrongPasswords: WrongPasswords | undefined
  mailRateLimit: MailRateLimit
  /** The browser that calls, in its own words; the sessions that it starts and renews are known by it. */
  user_agent?: string | undefined
  /** The network that calls: its IPv4 address, or the /48 of its IPv6 one, since a customer may have all of it. */
  network?: string | undefined
  /** The name of the browser that calls, empty when it has not signed up lately. */
  browser?: string | undefined
  /** Sends what was asked for; wake it once that is committed. */
  mailer: { wake: () => void }
}

const LONGEST_USER_AGENT = 300

/**
 * Returns the services for one call, which know its browser and network. A password of a call whose connection was
 * closed in the queue is not hashed (503).
 */
export const servicesForCall = (
  services: Services,
  { headers, ip, raw }: FastifyRequest,
): Services => {
  const network = networkKey(ip)
  return {
    ...services,
    user_agent: headers['user-agent']?.slice(0, LONGEST_USER_AGENT),
    network,
    browser: signUpCookie.read({ headers }),
    hashing: (task) =>
      services.passwordQueue({ key: network }, async () => {
        if (raw.socket.destroyed) throw busy(1)
        return task()
      }),
  }
}

/** What handles telephone numbers. 400 `phone_provider_disabled` where they are off. */
export const requirePhones = ({ plugins }: Pick<Services, 'plugins'>): Phones => {
  if (plugins.phones) return plugins.phones
  throw new AuthError(400, 'phone_provider_disabled', 'Unsupported phone provider')
}

/**
 * What `work` gives, all of it or nothing; begun again when its transaction met another and was chosen to,
 * three times at most. So `work` keeps nothing of its own between two tries.
 */
export const inTransaction = <T>(db: Db, work: (transaction: Db) => Promise<T>): Promise<T> =>
  withRetries(() => db.transaction().execute(work))
