import type { FastifyBaseLogger, FastifyRequest } from 'fastify'
import type { AuthConfig } from '#server/config/config.ts'
import { type Db, withRetries } from '#server/db/database.ts'
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
 * Cookie that identifies the browser of a sign-up. A confirmation in another browser deletes the password, because a
 * stranger may have set it.
 */
export const signUpCookie = createBrowserCookie({
  name: 'quizaine_signup',
  path: '/auth/v1',
  seconds: 86_400,
})

/** Sign-in and accounts with phone numbers (AUTH_PHONE). */
type Phones = {
  signUp: (
    services: Services,
    request: { phone: string; password: string; data: Metadata },
  ) => Promise<SignedUp | SessionJson>
  askForCode: (
    services: Services,
    request: { phone: string; data: Metadata; create_user: boolean },
  ) => Promise<void>
  resend: (
    services: Services,
    request: { type: 'sms' | 'phone_change'; phone: string },
  ) => Promise<void>
  /** Sets the number whose code was used. */
  redeem: (services: Services, user: User, token: OneTimeToken) => Promise<User>
  /** Counts a code for a number. Throws 429 if the limit is reached. */
  checkRateLimit: (services: Services, phone: string) => Promise<void>
  /** Starts a change of number. Returns a function that sends the code after the commit. */
  beginChange: (
    services: Services,
    user: User,
    phone: string,
  ) => Promise<(() => Promise<void>) | undefined>
}

/** Second factor by text message (AUTH_MFA_PHONE). */
type PhoneFactor = {
  /** Sends a code and returns its stored hash. */
  makeCode: (services: Services, factor: Factor) => Promise<Buffer>
  isCode: (
    services: Services,
    request: { factor: Factor; challenge: Challenge },
    code: string,
  ) => boolean
}

/** Sign-in methods that environment variables enable. Only `app.ts` imports them. */
export type Plugins = {
  /** Sign-in with a wallet (AUTH_WEB3). */
  signInByWallet?: (services: Services, body: unknown) => Promise<SessionJson>
  phones?: Phones
  phoneFactor?: PhoneFactor
}

/** Dependencies of the auth service, created in create-auth.ts. */
export type Services = {
  db: Db
  log: FastifyBaseLogger
  auth: AuthConfig
  /** Addresses of the accounts that administer this installation. */
  admin_emails: readonly string[]
  /** Origin of this server, and default target of redirects. */
  public_url: string
  tokens: Tokens
  /** Key that derives each refresh token from the previous one. */
  refreshKey: Buffer
  /** Key for the hashes of mailed codes. */
  codeKey: Buffer
  /** Encryption key for provider tokens. */
  providerKey: Buffer
  /** Encryption key for TOTP secrets. */
  factorKey: Buffer
  /** Key for the hashes of attempts and networks. */
  attemptKey: Buffer
  providers: Providers
  plugins: Plugins
  /** Queue of password hashing, in which networks take turns. */
  passwordQueue: Limit
  /** Runs a hashing task of one call in the queue. */
  hashing: TaskRunner
  /** Delays for wrong passwords; undefined if limits are off. */
  wrongPasswords: WrongPasswords | undefined
  mailRateLimit: MailRateLimit
  /** User agent of the caller, stored with the session. */
  user_agent?: string | undefined
  /** Network of the caller: IPv4 address or IPv6 /48, because a customer may own all of it. */
  network?: string | undefined
  /** Cookie id of the browser; empty if it has not signed up recently. */
  browser?: string | undefined
  /** Mailer; call `wake` after the commit. */
  mailer: { wake: () => void }
}

const MAX_USER_AGENT_LENGTH = 300

/**
 * Returns the services with browser and network of one call. `hashing` throws 503 if the client closed the connection
 * while the task waited in the queue.
 */
export const servicesForCall = (
  services: Services,
  { headers, ip, raw }: FastifyRequest,
): Services => {
  const network = networkKey(ip)
  return {
    ...services,
    user_agent: headers['user-agent']?.slice(0, MAX_USER_AGENT_LENGTH),
    network,
    browser: signUpCookie.read({ headers }),
    hashing: (task) =>
      services.passwordQueue({ key: network }, async () => {
        if (raw.socket.destroyed) throw busy(1)
        return task()
      }),
  }
}

/** Returns the phone features. Throws 400 `phone_provider_disabled` if they are off. */
export const requirePhones = ({ plugins }: Pick<Services, 'plugins'>): Phones => {
  if (plugins.phones) return plugins.phones
  throw new AuthError(400, 'phone_provider_disabled', 'Unsupported phone provider')
}

/**
 * Runs `work` in a transaction, and repeats it up to three times after a deadlock or serialisation failure. `work`
 * must keep no state between attempts.
 */
export const inTransaction = <T>(db: Db, work: (transaction: Db) => Promise<T>): Promise<T> =>
  withRetries(() => db.transaction().execute(work))
