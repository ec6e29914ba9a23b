import { sql } from 'kysely'
import { z } from 'zod'
import { documentOrder } from '#contract/documents.ts'
import { participantFilters } from '#contract/participant-filters.ts'
import { EXPORT_FORMATS } from '#contract/participants.ts'
import { PROGRESS_FORMATS } from '#contract/progress.ts'
import { CHOICE_LAYOUTS } from '#domain/statistics/export-table.ts'
import type { Db } from '#server/db/database.ts'
import { ApiError } from '#server/http/edge/errors.ts'
import { createSealedTokens } from '#server/runtime/sealing.ts'

/** Fields of every link. `id` allows a single use; `expires_at` is in milliseconds since 1970. */
const common = z.object({
  id: z.uuid(),
  quiz_id: z.string(),
  creator_id: z.string(),
  expires_at: z.number(),
})

const order = common.extend({
  format: z.enum(EXPORT_FORMATS),
  choices: z.enum(CHOICE_LAYOUTS).default('joined'),
  filters: participantFilters,
  /** True if the export may contain the pages of participants, because a session ordered it. */
  has_pages: z.boolean().default(false),
})

/** Content of a link to an export. */
export type DownloadOrder = z.output<typeof order>

const documents = common.extend({ order: documentOrder })
/** Content of a link to documents. */
export type DocumentsDownload = z.output<typeof documents>

/** Campaign of a download. */
const ofCampaign = common.extend({ campaign_id: z.string() })

const progress = ofCampaign.extend({
  format: z.enum(PROGRESS_FORMATS),
  /** Earlier campaign with which the campaign is compared. */
  before: z.string(),
})

const evidence = ofCampaign.extend({ file_id: z.string() })

/** Lifetime of a download link. */
export const LINK_LIFE_MS = 120_000

/** Creates the 403 error of a link that is altered, used or expired. */
const expired = (): ApiError =>
  new ApiError(
    403,
    'expired',
    'Ce lien de téléchargement n’est plus valable : demandez-en un autre',
  )

/** Maximum clock difference between the processes and the database. */
const CLOCK_MARGIN = sql`interval '1 hour'`

/** Creates and verifies the tokens of exports. Only the use of a token is stored. */
export const createDownloadLinks = (secretKey: string | Uint8Array) =>
  createLinks(secretKey, 'links/export', order)

/** Creates and verifies the tokens of documents. */
export const createDocumentLinks = (secretKey: string | Uint8Array) =>
  createLinks(secretKey, 'links/documents', documents)

/** Creates and verifies the tokens of the changes of people between two campaigns. */
export const createProgressLinks = (secretKey: string | Uint8Array) =>
  createLinks(secretKey, 'links/progress', progress)

/** Creates and verifies the tokens of files for an audit. */
export const createEvidenceLinks = (secretKey: string | Uint8Array) =>
  createLinks(secretKey, 'links/evidence', evidence)

const createLinks = <T extends z.output<typeof common>>(
  secretKey: string | Uint8Array,
  purpose: string,
  shape: z.ZodType<T>,
) => {
  const tokens = createSealedTokens(secretKey, purpose, shape)
  return {
    write: tokens.write,
    /** Returns the content of a token. Throws a 403 if the token is invalid or expired. */
    read: (token: string, now = Date.now()): T => {
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
