import { randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import { MAX_WEBHOOKS, WEBHOOK } from '#domain/common/vocabulary.ts'
import type { Db } from '#server/db/database.ts'
import type { ConnectionStatus } from '#server/db/delivery-tables.ts'
import { conflict, invalid, notFound } from '#server/http/edge/errors.ts'
import { refuseStaleFields } from '#server/http/edge/refuse-stale-fields.ts'
import { nextGeneration } from '#server/integrations/connections.store.ts'
import { loadQuiz } from '#server/quizzes/quizzes.store.ts'
import type { Vault } from '#server/runtime/sealing.ts'

type OwnedQuiz = { quiz_id: string; creator_id: string }
/** Key of a webhook, with the quiz and its creator. */
export type OwnedWebhook = OwnedQuiz & { webhook_id: string }

/** Webhook that was not removed, without its secret. */
export type WebhookRow = {
  id: string
  url: string
  status: Exclude<ConnectionStatus, 'disconnected'>
  status_reason: string | null
  /** Time until which the previous secret also signs. */
  previous_until: string | null
  created_at: string
}

/** Period in which both secrets sign after a rotation. */
const OVERLAP = sql`interval '24 hours'`

const selectOwn = (db: Db, { quiz_id, creator_id }: OwnedQuiz) =>
  db
    .selectFrom('integration_connections as connection')
    .innerJoin('webhooks', 'connection_id', 'connection.id')
    .where('connection.quiz_id', '=', quiz_id)
    .where('connection.user_id', '=', creator_id)
    .where('status', '<>', 'disconnected')

const ROW = ['connection.id', 'url', 'status', 'status_reason', 'connection.created_at'] as const
const previousUntil = sql<
  string | null
>`case when previous_until > now() then previous_until end`.as('previous_until')

/** Lists the webhooks of a creator's quiz in the order of their creation. */
export const listWebhooks = (db: Db, owned: OwnedQuiz): Promise<WebhookRow[]> =>
  selectOwn(db, owned)
    .select(ROW)
    .select(previousUntil)
    .orderBy('connection.created_at')
    .orderBy('connection.id')
    .$narrowType<{ status: WebhookRow['status'] }>()
    .execute()

/** Returns a webhook of a creator's quiz. Throws a 404 if the webhook is absent, removed or of another creator. */
export const loadWebhook = async (
  db: Db,
  { webhook_id, ...owned }: OwnedWebhook,
): Promise<WebhookRow> => {
  const row = await selectOwn(db, owned)
    .select(ROW)
    .select(previousUntil)
    .where('connection.id', '=', webhook_id)
    .$narrowType<{ status: WebhookRow['status'] }>()
    .executeTakeFirst()
  if (!row) throw notFound('Webhook introuvable')
  return row
}

/** Returns a webhook with its sealed secrets, for signing. Throws a 404 like `loadWebhook`. */
export const loadSecrets = async (db: Db, { webhook_id, ...owned }: OwnedWebhook) => {
  const row = await selectOwn(db, owned)
    .select(['connection.id', 'user_id', 'provider', 'key_version', 'sealed_secret', 'url'])
    .select(['sealed_previous', 'previous_until'])
    .where('connection.id', '=', webhook_id)
    .executeTakeFirst()
  if (!row) throw notFound('Webhook introuvable')
  return row
}

const refuseTwice = (known: readonly WebhookRow[], url: string): void => {
  if (known.some((webhook) => webhook.url === url))
    throw invalid('Cette adresse est déjà dans la liste')
}

/**
 * Inserts a webhook with its secret, and returns its id. Throws a 409 beyond the maximum number per quiz, and a 422
 * if the address already exists.
 */
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
      throw conflict('too_many_webhooks', `Un questionnaire a au plus ${MAX_WEBHOOKS} webhooks.`)
    const row = {
      id: randomUUIDv7(),
      user_id: creator_id,
      provider: WEBHOOK,
      key_version: 1,
    } as const
    await adding
      .insertInto('integration_connections')
      .values({ ...row, quiz_id, sealed_secret: vault.seal(row, secret), status: 'active' })
      .execute()
    await adding.insertInto('webhooks').values({ connection_id: row.id, url }).execute()
    return row.id
  })

/** Change of a webhook, with the address that the creator saw when changing it. */
type WebhookChange = {
  url: string | undefined
  is_paused: boolean | undefined
  replaces?: { url?: string | undefined } | undefined
}

/** Stores the choices of the creator. A webhook that needed attention is tried again if its address changes. */
export const writeWebhook = (
  db: Db,
  { webhook_id, quiz_id, creator_id }: OwnedWebhook,
  { url, is_paused, replaces }: WebhookChange,
): Promise<void> =>
  db.transaction().execute(async (writing) => {
    const owned = { quiz_id, creator_id }
    await loadQuiz(writing, owned, 'lock')
    const { status, ...stored } = await loadWebhook(writing, { webhook_id, ...owned })
    refuseStaleFields({ url: stored.url }, replaces)
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

/** Replaces the secret of a webhook; the previous secret also signs for a day. Throws a 404 like `loadWebhook`. */
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

/** Disables a webhook and deletes its secrets. Throws a 404 like `loadWebhook`. */
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
