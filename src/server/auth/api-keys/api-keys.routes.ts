import { createHash, randomInt, randomUUID } from 'node:crypto'
import type { api } from '#contract/api.ts'
import {
  formatApiKey,
  KEY_ALPHABET,
  KEY_RANDOM_LENGTH,
  MAX_API_KEYS,
} from '#domain/accounts/api-key.ts'
import { audit } from '#server/audit/audit.ts'
import { lockUser } from '#server/auth/accounts/users.store.ts'
import { inTransaction } from '#server/auth/services.ts'
import type { Db } from '#server/db/database.ts'
import { conflict, forbidden, notFound } from '#server/http/edge/errors.ts'
import type { Handlers } from '#server/http/edge/mount.ts'
import { countKeys, deleteKey, insertKey, listKeys } from './api-keys.store.ts'

/** Returns a new key of 202 random bits and a checksum. */
const newKey = (): string =>
  formatApiKey(
    Array.from({ length: KEY_RANDOM_LENGTH }, () => KEY_ALPHABET[randomInt(62)]).join(''),
  )

/** Returns the stored hash of a key. A fast hash is safe, because 202 random bits cannot be guessed (docs/decisions/039). */
export const keyHash = (key: string): Buffer => createHash('sha256').update(key).digest()

const tooManyKeys = () =>
  conflict(
    'too_many_keys',
    `Un compte a ${MAX_API_KEYS} clés d’API au plus : révoquez celles qui ne servent plus`,
  )

/** Creates the 403 error with hosted accounts, because a hosted service does not report closed accounts. */
const keysNotOffered = () =>
  forbidden('keys_not_offered', 'Les clés d’API ne sont pas proposées avec ce service de comptes')

/** Creates the handlers of contract/api-keys.ts. */
export const apiKeysHandlers = ({ db }: { db: Db }): Handlers<typeof api.apiKeys> => ({
  list: async (_input, { id: user_id }) => ({ keys: await listKeys(db, user_id) }),

  create: async ({ body }, { id: user_id, session_id }) => {
    const secret = newKey()
    const id = randomUUID()
    const key = await inTransaction(db, async (transaction) => {
      // The lock prevents two parallel calls from exceeding the limit.
      if (!(await lockUser(transaction, user_id))) throw keysNotOffered()
      if ((await countKeys(transaction, user_id)) >= MAX_API_KEYS) throw tooManyKeys()
      return insertKey(transaction, { id, user_id, key_hash: keyHash(secret), ...body })
    })
    audit('api_key_made', { actor_id: user_id, session_id, object_id: id, detail: body.scope })
    return { key, secret }
  },

  revoke: async ({ id }, { id: user_id, session_id }) => {
    if (!(await deleteKey(db, { id, user_id }))) throw notFound('Clé d’API introuvable')
    audit('api_key_revoked', { actor_id: user_id, session_id, object_id: id })
    return undefined
  },
})
