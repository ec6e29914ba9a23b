import { sql } from 'kysely'
import { z } from 'zod'
import { EXPORT_FORMATS } from '#contract/exports.ts'
import { participantFilters } from '#contract/figures.ts'
import { CHOICE_LAYOUTS } from '#domain/statistics/export-table.ts'
import type { Db } from '#server/db/database.ts'
import { ApiError } from '#server/http/edge/errors.ts'
import { createSignedTokens } from '#server/runtime/sealing.ts'

const order = z.object({
  id: z.uuid(),
  quiz_id: z.string(),
  creator_id: z.string(),
  format: z.enum(EXPORT_FORMATS),
  choices: z.enum(CHOICE_LAYOUTS).default('joined'),
  filters: participantFilters,
  expires_at: z.number(),
})

/** What a link downloads, its creator, and when it expires (milliseconds). */
export type DownloadOrder = z.output<typeof order>

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
export const createDownloadLinks = (secretKey: string | Uint8Array) => {
  const tokens = createSignedTokens(secretKey, 'statistics/downloads', order)
  return {
    write: tokens.write,
    /** The order of a token; 403 when it is none of ours or its time is over. */
    read: (token: string, now = Date.now()): DownloadOrder => {
      const given = tokens.read(token)
      if (!given || given.expires_at < now) throw expired()
      return given
    },
  }
}

/** Uses up a link; 403 when it was used before, at whichever process. Links that expired are forgotten. */
export const consumeDownloadLink = async (
  db: Db,
  { id, expires_at }: Pick<DownloadOrder, 'id' | 'expires_at'>,
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
