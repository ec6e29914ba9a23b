import { hasTags } from '#domain/integrations.ts'
import type { ProviderName } from '#domain/vocabulary.ts'
import type { Steps } from '#server/db/outbox-tables.ts'
import type {
  Contact,
  DeliveryOutcome,
  Failure,
  OpenConnection,
  OpenConnectionOf,
  Provider,
  Provisioned,
} from '#server/integrations/providers/provider.ts'
import type { Claimed } from './claim.store.ts'

/** Where a quiz writes its results at a tool. */
export type Target = {
  field_key: string | null
  tag_by_result: boolean
  /** The field has not been checked for long. */
  is_stale: boolean
}

/** What a delivery needs of the integrations. */
export type Tools = {
  providers: Record<ProviderName, Provider>
  open: OpenConnectionOf
  targetOf: (quiz_id: string, provider: ProviderName) => Promise<Target>
  /** Makes the field of a quiz at its tool, and remembers what it is called there. */
  provision: (quiz_id: string, connection: OpenConnection) => Promise<Provisioned | Failure>
}

/** A delivery to an email tool: it has an address. */
type Sent = Pick<Claimed, 'quiz_id' | 'connection_id' | 'result_name' | 'is_replaced' | 'steps'> & {
  provider: ProviderName
  email: string
}
const MOST_PROVISIONS = 2

/** The contact of a delivery as its tool gets it; without the result where a newer one is there. */
export const contactOf = (
  {
    provider,
    email,
    result_name,
    is_replaced,
  }: Pick<Sent, 'provider' | 'email' | 'result_name' | 'is_replaced'>,
  { field_key, tag_by_result }: Pick<Target, 'field_key' | 'tag_by_result'>,
): Contact => {
  const shown = is_replaced ? null : result_name
  const has_tag = shown !== null && tag_by_result && hasTags(provider)
  return {
    email,
    fields: shown !== null && field_key !== null ? [{ key: field_key, value: shown }] : [],
    labels: has_tag ? [{ name: shown, vendor_id: null }] : [],
  }
}

/**
 * Uses a connection, and once more with a fresh authorisation when the tool refuses the current one; why it cannot be
 * used, else what became of it.
 */
export const withConnection = async <T extends { kind: string }>(
  open: OpenConnectionOf,
  connection_id: string,
  act: (connection: OpenConnection) => Promise<T | Failure>,
): Promise<T | Failure> => {
  const first = await open(connection_id)
  if (first.kind !== 'open') return first
  const outcome = await act(first.connection)
  const isRefused = outcome.kind === 'credential' && 'needs_reconnect' in outcome
  if (!isRefused || !outcome.needs_reconnect) return outcome
  const again = await open(connection_id, first.connection.secret)
  return again.kind === 'open' ? act(again.connection) : again
}

/**
 * Brings one participant to a tool: with a fresh authorisation when the tool refuses the current one, and
 * with the field created again when it is gone (integrations §11.4). Nothing is thrown for what the tool or
 * the network does.
 */
export const sendDelivery = async (tools: Tools, sent: Sent): Promise<DeliveryOutcome> => {
  let { steps } = sent
  const outcome = await withConnection<DeliveryOutcome>(
    tools.open,
    sent.connection_id,
    async (connection) => {
      const tried = await deliverWith(tools, sent, { connection, steps })
      steps = tried.steps
      return tried
    },
  )
  return { ...outcome, steps }
}

type At = { connection: OpenConnection; steps: Steps }

/** The same with one authorisation; a missing field is created again, a limited number of times. */
const deliverWith = async (
  tools: Tools,
  sent: Sent,
  { connection, steps: before }: At,
): Promise<DeliveryOutcome> => {
  const { quiz_id, provider } = sent
  const client = tools.providers[provider]
  let target = await tools.targetOf(quiz_id, provider)
  let steps = before
  // A field that was never made, as where its tool was away when the quiz was switched on.
  let calls = 0
  let isMissing = (target.field_key === null || target.is_stale) && sent.result_name !== null
  for (let tries = 0; ; tries += 1) {
    if (isMissing) {
      const made = await tools.provision(quiz_id, connection)
      if (made.kind !== 'provisioned') return { ...made, steps }
      target = { ...target, field_key: made.field_key }
    }
    const outcome = await client.deliver(connection, contactOf(sent, target), steps)
    if (outcome.kind !== 'configuration' || tries >= MOST_PROVISIONS)
      return { ...outcome, extra_calls: calls + (outcome.extra_calls ?? 0) }
    calls += 1 + (outcome.extra_calls ?? 0)
    steps = outcome.steps
    isMissing = outcome.code === 'field_missing'
  }
}
