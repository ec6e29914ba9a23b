import { type AutomationRule, type Label, labelsOf, type Taken } from '#domain/automations.ts'
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
import type { TakenBy } from './taken.store.ts'

/** Where a quiz writes its results at a tool. */
export type Target = {
  field_key: string | null
  tag_by_result: boolean
  /** The field has not been checked for long. */
  is_stale: boolean
  /** Who gets which tags or lists besides. */
  rules: readonly AutomationRule[]
}

/** What a delivery needs of the integrations. */
export type Tools = {
  providers: Record<ProviderName, Provider>
  open: OpenConnectionOf
  targetOf: (quiz_id: string, provider: ProviderName) => Promise<Target>
  takenBy: TakenBy
  /** Makes the field of a quiz at its tool, and remembers what it is called there. */
  provision: (quiz_id: string, connection: OpenConnection) => Promise<Provisioned | Failure>
}

/** A delivery to an email tool: it has an address. */
type Sent = Pick<Claimed, 'quiz_id' | 'connection_id' | 'result_name' | 'is_replaced' | 'steps'> & {
  provider: ProviderName
  email: string
  /** Null of a contact that its creator tries a tool with: it gets `label`, if that is given. */
  participant_uuid: string | null
  label?: Label | undefined
}
const MOST_PROVISIONS = 2
/** A look for the field, and its making. */
const CALLS_OF_PROVISION = 2

/** Of a contact that took nothing. */
const NOTHING: Taken = { result_id: null, answer_ids: new Set() }

/**
 * The contact of a delivery as its tool gets it. Where a newer participant of the address is there, it has neither the
 * result nor labels: what the tool starts with them has begun with the newer one's.
 */
export const contactOf = (
  {
    provider,
    email,
    result_name,
    is_replaced,
    label,
  }: Pick<Sent, 'provider' | 'email' | 'result_name' | 'is_replaced' | 'label'>,
  { field_key, tag_by_result, rules }: Omit<Target, 'is_stale'>,
  taken = NOTHING,
): Contact => {
  if (is_replaced) return { email, fields: [], labels: [] }
  const fields =
    result_name !== null && field_key !== null ? [{ key: field_key, value: result_name }] : []
  const tag = tag_by_result && hasTags(provider) ? result_name : null
  return { email, fields, labels: label ? [label] : labelsOf(taken, rules, tag) }
}

/** What decides over the labels of a delivery; read only where there are rules. */
const takenFor = async (
  { takenBy }: Tools,
  { quiz_id, participant_uuid }: Sent,
  { rules }: Target,
): Promise<Taken | undefined> =>
  rules.length > 0 && participant_uuid !== null ? takenBy({ quiz_id, participant_uuid }) : undefined

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
  const taken = await takenFor(tools, sent, target)
  let steps = before
  // A field that was never made, as where its tool was away when the quiz was switched on.
  let calls = 0
  let isMissing = (target.field_key === null || target.is_stale) && sent.result_name !== null
  for (let tries = 0; ; tries += 1) {
    if (isMissing) {
      const made = await tools.provision(quiz_id, connection)
      if (made.kind !== 'provisioned') return { ...made, steps }
      target = { ...target, field_key: made.field_key }
      calls += CALLS_OF_PROVISION
    }
    const outcome = await client.deliver(connection, contactOf(sent, target, taken), steps)
    if (outcome.kind !== 'configuration' || tries >= MOST_PROVISIONS)
      return { ...outcome, extra_calls: calls + (outcome.extra_calls ?? 0) }
    calls += 1 + (outcome.extra_calls ?? 0)
    steps = outcome.steps
    isMissing = outcome.code === 'field_missing'
  }
}
