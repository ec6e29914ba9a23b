import type { FastifyBaseLogger } from 'fastify'
import type { AuthConfig } from '#server/config.ts'
import type { Db } from '#server/db/database.ts'
import type { MailPace } from './mail/mail-pace.ts'
import type { PasswordQueue } from './password-queue.ts'
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
  hashing: PasswordQueue
  /** Undefined when limits are off. */
  wrongPasswords: WrongPasswords | undefined
  mailPace: MailPace
  /** Sends what was asked for; wake it once that is committed. */
  mailer: { wake: () => void }
}
