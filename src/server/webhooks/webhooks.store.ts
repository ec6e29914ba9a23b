import { sql } from 'kysely'
import { MAX_WEBHOOKS, WEBHOOK } from '#domain/common/vocabulary.ts'
import type { Db } from '#server/db/database.ts'
import type { ConnectionStatus } from '#server/db/delivery-tables.ts'
import { conflict, invalid, notFound } from '#server/http/edge/errors.ts'
import { nextGeneration } from '#server/integrations/connections.store.ts'
import { loadQuiz } from '#server/quizzes/quizzes.store.ts'
import type { Vault } from '#server/runtime/sealing.ts'
import { uuidv7 } from '#server/runtime/uuid.ts'

type OwnedQuiz = { quiz_id: string; creator_id: string }
export type OwnedWebhook = OwnedQuiz & { webhook_id: string }

/** A webhook that was not removed; without its secret. */
export type WebhookRow = {
  id: string
  url: string
  status: Exclude<ConnectionStatus, 'disconnected'>
  status_reason: string | null
  /** Until then the secret of before signs too. */
  previous_until: string | null
  created_at: string
}

/** How long both secrets sign after a rotation. */
const OVERLAP = sql`interval '24 hours'`

const selectOwn = (db: Db, { quiz_id, creator_id }: OwnedQuiz) =>
  db
    .selectFrom('integration_connections as connected')
    .innerJoin('webhooks', 'connection_id', 'connected.id')
    .where('connected.quiz_id', '=', quiz_id)
    .where('connected.user_id', '=', creator_id)
    .where('status', '<>', 'disconnected')

const ROW = ['connected.id', 'url', 'status', 'status_reason', 'connected.created_at'] as const
const previousUntil = sql<
  string | null
>`case when previous_until > now() then previous_until end`.as('previous_until')

/** The webhooks of a quiz of the creator, in the order in which they were added. */
export const listWebhooks = (db: Db, owned: OwnedQuiz): Promise<WebhookRow[]> =>
  selectOwn(db, owned)
    .select(ROW)
    .select(previousUntil)
    .orderBy('connected.created_at')
    .orderBy('connected.id')
    .$narrowType<{ status: WebhookRow['status'] }>()
    .execute()

/** One webhook of a quiz of the creator; 404 when it is absent, removed or another's. */
export const loadWebhook = async (
  db: Db,
  { webhook_id, ...owned }: OwnedWebhook,
): Promise<WebhookRow> => {
  const row = await selectOwn(db, owned)
    .select(ROW)
    .select(previousUntil)
    .where('connected.id', '=', webhook_id)
    .$narrowType<{ status: WebhookRow['status'] }>()
    .executeTakeFirst()
  if (!row) throw notFound('Webhook introuvable')
  return row
}

/** The same with its secrets as they are stored, to sign. */
export const loadSecrets = async (db: Db, { webhook_id, ...owned }: OwnedWebhook) => {
  const row = await selectOwn(db, owned)
    .select(['connected.id', 'user_id', 'provider', 'key_version', 'sealed_secret', 'url'])
    .select(['sealed_previous', 'previous_until'])
    .where('connected.id', '=', webhook_id)
    .executeTakeFirst()
  if (!row) throw notFound('Webhook introuvable')
  return row
}

const refuseTwice = (known: readonly WebhookRow[], url: string): void => {
  if (known.some((one) => one.url === url)) throw invalid('Cette adresse est déjà dans la liste')
}

/** Adds a webhook with its secret; 409 beyond the most that a quiz may have, 422 where it has the address. Gives its id. */
export const insertWebhook = (
  db: Db,
  vault: Vault,
  { quiz_id, creator_id, url, secret }: OwnedQuiz & { url: string; secret: string },
): Promise<string> =>
  db.transaction().execute(async (adding) => {
    await loadQuiz(adding, { quiz_id, creator_id }, 'lock')
    const known = await listWebhooks(adding, { quiz_id, creator_id })
    refuseTwice(known, url)
    if (known.length >= MAX_WEBHOOKS)
      throw conflict('too_many_webhooks', `Un quiz a au plus ${MAX_WEBHOOKS} webhooks.`)
    const row = { id: uuidv7(), user_id: creator_id, provider: WEBHOOK, key_version: 1 } as const
    await adding
      .insertInto('integration_connections')
      .values({ ...row, quiz_id, sealed_secret: vault.seal(row, secret), status: 'active' })
      .execute()
    await adding.insertInto('webhooks').values({ connection_id: row.id, url }).execute()
    return row.id
  })

/** Writes what the creator chose; one that needed attention is tried again at a new address. */
export const writeWebhook = (
  db: Db,
  { webhook_id, quiz_id, creator_id }: OwnedWebhook,
  { url, is_paused }: { url: string | undefined; is_paused: boolean | undefined },
): Promise<void> =>
  db.transaction().execute(async (writing) => {
    const owned = { quiz_id, creator_id }
    await loadQuiz(writing, owned, 'lock')
    const { status } = await loadWebhook(writing, { webhook_id, ...owned })
    const isNew = url !== undefined
    if (isNew) {
      const others = await listWebhooks(writing, owned)
      refuseTwice(
        others.filter(({ id }) => id !== webhook_id),
        url,
      )
      await writing
        .updateTable('webhooks')
        .set({ url })
        .where('connection_id', '=', webhook_id)
        .execute()
    }
    const isPaused = is_paused ?? status === 'paused'
    const isTriedAgain = isNew || is_paused === false
    if (!isPaused && !isTriedAgain) return
    await writing
      .updateTable('integration_connections')
      .set({ status: isPaused ? 'paused' : 'active', status_reason: null, updated_at: sql`now()` })
      .$if(isNew, (query) => query.set({ generation: nextGeneration }))
      .where('id', '=', webhook_id)
      .where('user_id', '=', creator_id)
      .execute()
  })

/** Gives a webhook another secret; that of before signs too for a day. 404 as loadWebhook. */
export const rotateSecret = (
  db: Db,
  vault: Vault,
  { secret, ...owned }: OwnedWebhook & { secret: string },
): Promise<void> =>
  db.transaction().execute(async (rotating) => {
    await loadQuiz(rotating, owned, 'lock')
    const { sealed_secret, ...row } = await loadSecrets(rotating, owned)
    await rotating
      .updateTable('webhooks')
      .set({ sealed_previous: sealed_secret, previous_until: sql`now() + ${OVERLAP}` })
      .where('connection_id', '=', row.id)
      .execute()
    await rotating
      .updateTable('integration_connections')
      .set({
        sealed_secret: vault.seal(row, secret),
        generation: nextGeneration,
        updated_at: sql`now()`,
      })
      .where('id', '=', row.id)
      .where('user_id', '=', owned.creator_id)
      .execute()
  })

/** Ends a webhook: its secrets are erased, and nothing is sent from now on. 404 as loadWebhook. */
export const endWebhook = (db: Db, owned: OwnedWebhook): Promise<void> =>
  db.transaction().execute(async (ending) => {
    await loadQuiz(ending, owned, 'lock')
    const { id } = await loadWebhook(ending, owned)
    await ending
      .updateTable('webhooks')
      .set({ sealed_previous: null, previous_until: null })
      .where('connection_id', '=', id)
      .execute()
    await ending
      .updateTable('integration_connections')
      .set({
        status: 'disconnected',
        status_reason: null,
        sealed_secret: null,
        updated_at: sql`now()`,
      })
      .where('id', '=', id)
      .where('user_id', '=', owned.creator_id)
      .execute()
  })
