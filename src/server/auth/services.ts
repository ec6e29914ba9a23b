import type { FastifyBaseLogger } from 'fastify'
import type { Db } from '#server/db/database.ts'
import type { PasswordQueue } from './password-queue.ts'
import type { Tokens } from './tokens.ts'
import type { WrongPasswords } from './wrong-passwords.ts'

/** What the auth service works with; made once in create-auth.ts. */
export type Services = {
  db: Db
  log: FastifyBaseLogger
  tokens: Tokens
  /** Derives each refresh token from the one it replaces. */
  refreshKey: Buffer
  hashing: PasswordQueue
  /** Undefined when limits are off. */
  wrongPasswords: WrongPasswords | undefined
}
