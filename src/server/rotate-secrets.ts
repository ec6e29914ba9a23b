import { type RawBuilder, sql } from 'kysely'
import { FACTOR_PURPOSE, factorLabel } from './auth/factors/totp.ts'
import { KEYS_PURPOSE, keyLabel, storeFormerKey } from './auth/sessions/signing-keys.store.ts'
import { REPLIES_PURPOSE, repliesLabel } from './campaigns/anonymous-replies.store.ts'
import { INVITATION_PURPOSE } from './campaigns/invitation-links.ts'
import { CONFIRMATION_LINK_PURPOSE } from './confirmations/confirmation-links.ts'
import type { Db } from './db/database.ts'
import { UNSUBSCRIBE_PURPOSES } from './quiz-mails/unsubscribe.ts'
import { ROTATED_LINK_PURPOSES } from './reports/report-links.ts'
import { createVault, deriveKey, type SealedRow, seal, unseal } from './runtime/sealing.ts'
import { LINKS_PURPOSE, linkLabel } from './statistics/statistics-links.routes.ts'

type SecretKey = string | Uint8Array
type ResealedSecret = { id: string; sealed: Buffer }

/** Returns rows as a table that an update can join. */
const tableOf = (rows: readonly ResealedSecret[]): RawBuilder<unknown> => sql`
  unnest(${rows.map(({ id }) => id)}::text[], ${rows.map(({ sealed }) => sealed)}::bytea[])
    as resealed (id, sealed)
`

/**
 * Re-encrypts all stored secrets with another SECRET_KEY in one transaction and returns their number. Keeps the old
 * key of links in mails that were sent. Throws if a secret cannot be decrypted with the old key.
 */
export const rotateSecrets = (db: Db, old: SecretKey, next: SecretKey): Promise<number> =>
  db.transaction().execute(async (change) => {
    const reseal = (purpose: string, label: string, sealed: Buffer): Buffer =>
      seal(deriveKey(next, purpose), label, unseal(deriveKey(old, purpose), label, sealed))

    const keys = await change.selectFrom('auth_keys').selectAll().forUpdate().execute()
    const newKeys = keys.map(({ purpose, sealed_jwk }) => ({
      id: purpose,
      sealed: reseal(KEYS_PURPOSE, keyLabel(purpose), sealed_jwk),
    }))
    await sql`update auth_keys set sealed_jwk = sealed from ${tableOf(newKeys)}
      where purpose = resealed.id`.execute(change)
    const purposes = [
      ...UNSUBSCRIBE_PURPOSES,
      ...ROTATED_LINK_PURPOSES,
      CONFIRMATION_LINK_PURPOSE,
      INVITATION_PURPOSE,
    ]
    for (const purpose of purposes) await storeFormerKey(change, { old, next, purpose })

    const factors = await change
      .selectFrom('mfa_factors')
      .select(['id', 'user_id', 'sealed_secret'])
      .where('sealed_secret', 'is not', null)
      .forUpdate()
      .execute()
    const newFactors = factors.flatMap(({ id, user_id, sealed_secret }) =>
      sealed_secret
        ? [{ id, sealed: reseal(FACTOR_PURPOSE, factorLabel(user_id), sealed_secret) }]
        : [],
    )
    await sql`update mfa_factors set sealed_secret = sealed from ${tableOf(newFactors)}
      where mfa_factors.id::text = resealed.id`.execute(change)

    const connections = await change
      .selectFrom('integration_connections')
      .leftJoin('webhooks', 'connection_id', 'id')
      .select(['id', 'user_id', 'provider', 'key_version', 'sealed_secret', 'sealed_previous'])
      .where('sealed_secret', 'is not', null)
      .forUpdate('integration_connections')
      .execute()
    const [before, after] = [createVault(old), createVault(next)]
    const resealRow = (row: SealedRow, sealed: Buffer | null): ResealedSecret[] => {
      if (!sealed) return []
      const next_row = { ...row, key_version: row.key_version + 1 }
      return [{ id: row.id, sealed: after.seal(next_row, before.open(row, sealed)) }]
    }
    const newConnections = connections.flatMap((row) => resealRow(row, row.sealed_secret))
    const newPrevious = connections.flatMap((row) => resealRow(row, row.sealed_previous))
    await sql`update integration_connections
      set sealed_secret = sealed, key_version = key_version + 1
      from ${tableOf(newConnections)}
      where integration_connections.id::text = resealed.id`.execute(change)
    await sql`update webhooks set sealed_previous = sealed from ${tableOf(newPrevious)}
      where webhooks.connection_id::text = resealed.id`.execute(change)

    const erasures = await change
      .selectFrom('erasures')
      .select(['id', 'user_id', 'provider', 'key_version', 'sealed_person'])
      .where('sealed_person', 'is not', null)
      .forUpdate()
      .execute()
    const newErasures = erasures.flatMap((row) => resealRow(row, row.sealed_person))
    await sql`update erasures set sealed_person = sealed, key_version = key_version + 1
      from ${tableOf(newErasures)}
      where erasures.id::text = resealed.id`.execute(change)

    const links = await change
      .selectFrom('statistics_links')
      .select(['quiz_id', 'sealed_token'])
      .forUpdate()
      .execute()
    const newLinks = links.map(({ quiz_id, sealed_token }) => ({
      id: quiz_id,
      sealed: reseal(LINKS_PURPOSE, linkLabel(quiz_id), sealed_token),
    }))
    await sql`update statistics_links set sealed_token = sealed from ${tableOf(newLinks)}
      where quiz_id::text = resealed.id`.execute(change)

    const campaigns = await change
      .selectFrom('campaigns')
      .select(['id', 'sealed_replies'])
      .where('sealed_replies', 'is not', null)
      .forUpdate()
      .execute()
    const newReplies = campaigns.flatMap(({ id, sealed_replies }) =>
      sealed_replies
        ? [{ id, sealed: reseal(REPLIES_PURPOSE, repliesLabel(id), sealed_replies) }]
        : [],
    )
    await sql`update campaigns set sealed_replies = sealed from ${tableOf(newReplies)}
      where campaigns.id::text = resealed.id`.execute(change)

    // Files for an audit can be written again, so they are not encrypted again.
    await change.deleteFrom('evidence_files').execute()

    const all = [
      ...[newKeys, newFactors, newConnections, newPrevious, newErasures, newLinks, newReplies],
    ]
    return all.reduce((count, some) => count + some.length, 0)
  })
