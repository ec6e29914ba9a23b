import type { ProviderName } from '#domain/common/vocabulary.ts'
import type { Label } from '#domain/deliveries/automations.ts'
import type { CompletedCalls } from '#server/db/delivery-tables.ts'
import type {
  DeliveryOutcome,
  Failure,
  FieldValue,
  OpenConnection,
  OpenConnectionOf,
  Provider,
} from '#server/integrations/providers/provider.ts'
import type { QuizFields } from '#server/integrations/providers/provision-fields.ts'
import {
  buildContact,
  isFieldMissing,
  type ParticipantData,
  parameterNamesOf,
  refusedNames,
  type Target,
} from './build-contact.ts'
import { ATTEMPT_MS } from './channel-rate-limits.ts'
import type { ClaimedDelivery } from './claim-deliveries.store.ts'
import type { LoadNewerRuns, LoadParticipantData } from './participant-data.store.ts'

/** Dependencies of a delivery on the integrations. */
export type Tools = {
  providers: Record<ProviderName, Provider>
  open: OpenConnectionOf
  now: () => Date
  targetOf: (quiz_id: string, provider: ProviderName) => Promise<Target>
  loadParticipantData: LoadParticipantData
  loadNewerRuns: LoadNewerRuns
  /** Finds or creates the fields of the quiz and of these parameters at the tool, and stores their keys. */
  provision: (
    quiz_id: string,
    connection: OpenConnection,
    wanted: { parameters: readonly string[]; needs_result: boolean },
  ) => Promise<QuizFields | Failure>
}

/** Delivery to an email tool, which always has an address. */
type ToolDelivery = Pick<
  ClaimedDelivery,
  'quiz_id' | 'connection_id' | 'result_name' | 'is_replaced' | 'completed_calls'
> & {
  provider: ProviderName
  email: string
  /** Null for a trial contact, which gets `label` if present. */
  participant_uuid: string | null
  label?: Label | undefined
}
const MAX_PROVISIONS = 2

/**
 * Loads the data of the participant, with the newer runs of a replaced delivery. Returns undefined for a trial contact,
 * and for a person with too many newer runs, who is sent without values.
 */
const loadData = async (
  { loadParticipantData, loadNewerRuns }: Tools,
  { quiz_id, participant_uuid, connection_id, is_replaced }: ToolDelivery,
): Promise<ParticipantData | undefined> => {
  if (participant_uuid === null) return undefined
  const key = { quiz_id, participant_uuid }
  if (!is_replaced) return loadParticipantData(key)
  const newer_runs = await loadNewerRuns({ ...key, connection_id })
  const data = newer_runs && (await loadParticipantData(key))
  return data && { ...data, newer_runs }
}

/** Adds refused fields to a successful outcome, with a warning. */
const withRefused = (outcome: DeliveryOutcome, names: readonly string[]): DeliveryOutcome => {
  if (outcome.kind !== 'delivered' || names.length === 0) return outcome
  const { completed_calls } = outcome
  const refused_fields = [...new Set([...(completed_calls.refused_fields ?? []), ...names])]
  return {
    warning: 'field_refused',
    ...outcome,
    completed_calls: { ...completed_calls, refused_fields },
  }
}

/**
 * Calls `act` with the opened connection, and once more with a fresh token if the tool refuses the current one.
 * Returns the failure if the connection cannot be opened.
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
 * Sends one participant to a tool; retries with a fresh token or a recreated field if needed (product 11.4). Returns
 * network failures instead of throwing. Ends before the lease, with the completed calls from which the next attempt
 * continues.
 */
export const sendDelivery = async (tools: Tools, sent: ToolDelivery): Promise<DeliveryOutcome> => {
  let { completed_calls } = sent
  const began = tools.now().getTime()
  const isLate = (): boolean => tools.now().getTime() - began >= ATTEMPT_MS
  const outcome = await withConnection<DeliveryOutcome>(
    tools.open,
    sent.connection_id,
    async (opened) => {
      const connection = { ...opened, isLate }
      const outcome = await deliverWith(tools, sent, { connection, completed_calls })
      completed_calls = outcome.completed_calls
      return outcome
    },
  )
  return { ...outcome, completed_calls }
}

/** Returns a field that is left out if the tool refuses it, unless it is the result. */
const withoutRecreation = ({ can_recreate: _, ...field }: FieldValue): FieldValue =>
  field.is_result ? { ...field, can_recreate: true } : field

type At = { connection: OpenConnection; completed_calls: CompletedCalls }

/** Sends the contact with one token. Creates missing fields again, at most MAX_PROVISIONS times. */
const deliverWith = async (
  tools: Tools,
  sent: ToolDelivery,
  { connection, completed_calls: before }: At,
): Promise<DeliveryOutcome> => {
  const { quiz_id, provider } = sent
  const is_trial = sent.participant_uuid === null
  const client = tools.providers[provider]
  let target = await tools.targetOf(quiz_id, provider)
  const data = await loadData(tools, sent)
  let completed_calls = before
  // Number of calls before the last delivery call, which are charged to the rate limit.
  let calls = 0
  const parameters = parameterNamesOf(sent, target, data)
  let isMissing = isFieldMissing(sent, target, data)
  for (let tries = 0; ; tries += 1) {
    if (isMissing) {
      const needs_result = sent.result_name !== null
      const made = await tools.provision(quiz_id, connection, { parameters, needs_result })
      if (made.kind !== 'provisioned') return { ...made, completed_calls }
      const { field_key, parameter_fields, mappings } = made
      target = { ...target, field_key, parameter_fields, mappings }
      calls += 1 + (made.extra_calls ?? 0)
    }
    const built = buildContact(sent, target, data)
    // A field that is refused right after provisioning is left out, so that it costs no other field.
    const fields = tries === 0 ? built.fields : built.fields.map(withoutRecreation)
    const contact = { ...built, fields, is_trial }
    const outcome = await client.deliver(connection, contact, completed_calls)
    if (outcome.kind !== 'configuration' || tries >= MAX_PROVISIONS)
      return withRefused(
        { ...outcome, extra_calls: calls + (outcome.extra_calls ?? 0) },
        refusedNames(sent, target, data),
      )
    calls += 1 + (outcome.extra_calls ?? 0)
    completed_calls = outcome.completed_calls
    isMissing = outcome.code === 'field_missing'
  }
}
