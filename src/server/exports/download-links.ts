import { sql } from 'kysely'
import { z } from 'zod'
import { participantFilters } from '#contract/figures.ts'
import { EXPORT_FORMATS } from '#contract/participants.ts'
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

/** Content of a download link: the export, its creator and the time of expiry in ms since 1970. */
export type DownloadOrder = z.output<typeof order>

/** Creates the 403 error of a link that is altered, used or expired. */
const expired = (): ApiError =>
  new ApiError(
    403,
    'expired',
    'Ce lien de téléchargement n’est plus valable : demandez-en un autre',
  )

/** Maximum clock difference between the processes and the database. */
const CLOCK_MARGIN = sql`interval '1 hour'`

/** Creates and verifies the signed tokens of downloads. Only the use of a token is stored. */
export const createDownloadLinks = (secretKey: string | Uint8Array) => {
  const tokens = createSignedTokens(secretKey, 'statistics/downloads', order)
  return {
    write: tokens.write,
    /** Returns the content of a token. Throws a 403 if the token is invalid or expired. */
    read: (token: string, now = Date.now()): DownloadOrder => {
      const given = tokens.read(token)
      if (!given || given.expires_at < now) throw expired()
      return given
    },
  }
}

/** Marks a link as used. Throws a 403 if it was used before, in any process. Expired links are deleted. */
export const consumeDownloadLink = async (
  db: Db,
  { id, expires_at }: Pick<DownloadOrder, 'id' | 'expires_at'>,
): Promise<void> => {
  await db
    .deleteFrom('used_downloads')
    .where('expires_at', '<', sql<string>`now() - ${CLOCK_MARGIN}`)
    .execute()
  const used = await db
    .insertInto('used_downloads')
    .values({ id, expires_at: new Date(expires_at).toISOString() })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!used) throw expired()
}
