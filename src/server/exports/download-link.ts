import { createHmac, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import { EXPORT_FORMATS } from '#contract/exports.ts'
import { participantFilters } from '#contract/filters.ts'
import { ApiError } from '#server/http/errors.ts'
import { deriveKey } from '#server/sealing.ts'

const order = z.object({
  quiz_id: z.string(),
  creator_id: z.string(),
  format: z.enum(EXPORT_FORMATS),
  filters: participantFilters,
  expires_at: z.number(),
})

/** What a link downloads, for whom, until when (milliseconds). */
export type Order = z.output<typeof order>

const expired = (): ApiError =>
  new ApiError(
    403,
    'expired',
    'Ce lien de téléchargement n’est plus valable : demandez-en un autre',
  )

/** Writes and reads the tokens of downloads: signed, so that a link says all and nothing is kept. */
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
      const read = order.parse(JSON.parse(Buffer.from(text, 'base64url').toString()))
      if (read.expires_at < now) throw expired()
      return read
    },
  }
}
