import { randomUUID } from 'node:crypto'
import type { ProviderName } from '#domain/common/vocabulary.ts'
import type { Db } from '#server/db/database.ts'

type Creator = { user_id: string }

/** Inserts an active connection to a tool without calling the tool. The stored secret is unusable. */
export const connectAccount = async (
  db: Db,
  { user_id }: Creator,
  provider: ProviderName,
): Promise<string> => {
  const id = randomUUID()
  await db
    .insertInto('integration_connections')
    .values({ id, user_id, provider, sealed_secret: Buffer.alloc(1), status: 'active' })
    .execute()
  return id
}

/** Inserts a webhook with an unusable secret and an address where no server listens. */
export const connectWebhook = async (
  db: Db,
  { user_id }: Creator,
  quiz_id: string,
): Promise<string> => {
  const id = randomUUID()
  const row = { id, user_id, provider: 'webhook' as const, quiz_id }
  await db
    .insertInto('integration_connections')
    .values({ ...row, sealed_secret: Buffer.alloc(1), status: 'active' })
    .execute()
  const url = `http://127.0.0.1:9999/${id}`
  await db.insertInto('webhooks').values({ connection_id: id, url }).execute()
  return id
}

/** Enables or disables forwarding of a quiz to a tool. */
export const setForwarding = async (
  db: Db,
  quiz_id: string,
  provider: ProviderName,
  enabled = true,
): Promise<void> => {
  await db
    .insertInto('quiz_integrations')
    .values({ quiz_id, provider, enabled, field_key: 'resultat', tag_by_result: false })
    .onConflict((known) => known.columns(['quiz_id', 'provider']).doUpdateSet({ enabled }))
    .execute()
}
