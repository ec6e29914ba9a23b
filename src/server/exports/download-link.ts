import { createHmac, timingSafeEqual } from 'node:crypto'
import { sql } from 'kysely'
import { z } from 'zod'
import { EXPORT_FORMATS } from '#contract/exports.ts'
import { participantFilters } from '#contract/filters.ts'
import type { Db } from '#server/db/database.ts'
import { ApiError } from '#server/http/errors.ts'
import { deriveKey } from '#server/sealing.ts'

const order = z.object({
  id: z.uuid(),
  quiz_id: z.string(),
  creator_id: z.string(),
  format: z.enum(EXPORT_FORMATS),
  filters: participantFilters,
  expires_at: z.number(),
})

/** What a link downloads, its creator, and when it expires (milliseconds). */
export type Order = z.output<typeof order>

/** The refusal of a link that was altered, was used or is too old. */
const expired = (): ApiError =>
  new ApiError(
    403,
    'expired',
    'Ce lien de téléchargement n’est plus valable : demandez-en un autre',
  )

/** Clocks of several processes and of the database differ by less than this. */
const KEPT = sql`interval '1 hour'`

/** Writes and reads the tokens of downloads: signed, so that only their use is stored. */
export const createLinks = (secretKey: string | Uint8Array) => {
  const key = deriveKey(secretKey, 'statistics/downloads')
  const sign = (text: string): Buffer => createHmac('sha256', key).update(text).digest()
  return {
    write: (given: Order): string => {
      const text = Buffer.from(JSON.stringify(given)).toString('base64url')
      return `${text}.${sign(text).toString('base64url')}`
    },
    /** The order of a token; 403 when it is none of ours or its time is over. */
    read: (token: string, now = Date.now()): Order => {
      const [text = '', signature = ''] = token.split('.')
      const given = Buffer.from(signature, 'base64url')
      const own = sign(text)
      if (given.length !== own.length || !timingSafeEqual(given, own)) throw expired()
      const { data } = order.safeParse(JSON.parse(Buffer.from(text, 'base64url').toString()))
      if (!data || data.expires_at < now) throw expired()
      return data
    },
  }
}

/** Uses up a link; 403 when it was used before, at whichever process. Links that expired are forgotten. */
export const useUp = async (
  db: Db,
  { id, expires_at }: Pick<Order, 'id' | 'expires_at'>,
): Promise<void> => {
  await db
    .deleteFrom('used_downloads')
    .where('expires_at', '<', sql<string>`now() - ${KEPT}`)
    .execute()
  const used = await db
    .insertInto('used_downloads')
    .values({ id, expires_at: new Date(expires_at).toISOString() })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!used) throw expired()
}
