import type { FastifyBaseLogger, FastifyRequest } from 'fastify'
import type { AuthConfig } from '#server/config.ts'
import type { Db } from '#server/db/database.ts'
import { callerKey } from '#server/http/throttle.ts'
import type { Limit } from '#server/runtime/limit.ts'
import type { TextSender } from '#server/texts/text-sender.ts'
import type { Providers } from './external/providers.ts'
import type { MailPace } from './mail/mail-pace.ts'
import { signUpCookie } from './sign-up-cookie.ts'
import type { Tokens } from './tokens.ts'
import type { WrongPasswords } from './wrong-passwords.ts'

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
  texts: TextSender
  providers: Providers
  hashing: Limit
  /** Undefined when limits are off. */
  wrongPasswords: WrongPasswords | undefined
  mailPace: MailPace
  textPace: MailPace
  /** The browser that calls, in its own words; the sessions that it starts and renews are known by it. */
  user_agent?: string | undefined
  /** The network that calls, as limits count it. */
  network?: string | undefined
  /** The name of the browser that calls, empty when it has not signed up lately. */
  browser?: string | undefined
  /** Sends what was asked for; wake it once that is committed. */
  mailer: { wake: () => void }
}

const LONGEST_USER_AGENT = 300

/** The same services for one call, which say what browser and network it comes from. */
export const calledBy = (services: Services, { headers, ip }: FastifyRequest): Services => ({
  ...services,
  user_agent: headers['user-agent']?.slice(0, LONGEST_USER_AGENT),
  network: callerKey(ip),
  browser: signUpCookie.read({ headers }),
})
