import { CONTACT_ROLES, type ProviderName } from '#domain/common/vocabulary.ts'
import {
  type AutomationInput,
  type AutomationRule,
  automationInputOf,
  type Label,
  labelsOf,
} from '#domain/deliveries/automations.ts'
import { hasTags } from '#domain/deliveries/integrations.ts'
import { type ParameterValues, sortParameters } from '#domain/questionnaire/parameters.ts'
import { type ContactData, NO_CONTACT } from '#domain/run/contact.ts'
import type { Db } from '#server/db/database.ts'
import type { CompletedCalls } from '#server/db/delivery-tables.ts'
import type {
  Contact,
  DeliveryOutcome,
  Failure,
  OpenConnection,
  OpenConnectionOf,
  Provider,
} from '#server/integrations/providers/provider.ts'
import type {
  ParameterFields,
  QuizFields,
} from '#server/integrations/providers/provision-fields.ts'
import { findCachedVersion } from '#server/quizzes/versions.store.ts'
import type { ClaimedDelivery } from './claim-deliveries.store.ts'
import { ATTEMPT_MS } from './pace.ts'

/** Data of a participant that a contact needs in addition to the result. */
type ParticipantData = AutomationInput & {
  contact: ContactData
  parameters: ParameterValues | null
}

/**
 * Loads the parameters of a participant and the answers that decide on labels. Returns undefined if the participant
 * is deleted.
 */
export type LoadParticipantData = (key: {
  quiz_id: string
  participant_uuid: string
}) => Promise<ParticipantData | undefined>

/** Creates a loader that reads the participant and the version of the quiz they answered. */
export const createLoadParticipantData = (db: Db): LoadParticipantData => {
  return async ({ quiz_id, participant_uuid }) => {
    const row = await db
      .selectFrom('responses')
      .select(['version', 'result_position', 'choices', 'texts', 'parameters'])
      .select(CONTACT_ROLES)
      .where('quiz_id', '=', quiz_id)
      .where('participant_uuid', '=', participant_uuid)
      .executeTakeFirst()
    const snapshot = row && (await findCachedVersion(db, quiz_id, row.version))
    if (!snapshot) return undefined
    const { first_name, last_name, phone, parameters } = row
    return {
      ...automationInputOf(snapshot, row),
      contact: { first_name, last_name, phone },
      parameters,
    }
  }
}

/** Fields and rules with which a quiz writes its results at a tool. */
export type Target = {
  field_key: string | null
  tag_by_result: boolean
  /** True if parameters also go into fields. `parameter_fields` holds the fields of the parameters sent before. */
  sends_parameters: boolean
  parameter_fields: ParameterFields
  /** True if the existence of the field has not been checked for a day. */
  is_stale: boolean
  /** Rules that give participants more tags or lists. */
  rules: readonly AutomationRule[]
}

/** Dependencies of a delivery on the integrations. */
export type Tools = {
  providers: Record<ProviderName, Provider>
  open: OpenConnectionOf
  now: () => Date
  targetOf: (quiz_id: string, provider: ProviderName) => Promise<Target>
  loadParticipantData: LoadParticipantData
  /** Creates the fields of the quiz and of these parameters at the tool, and stores their keys. */
  provision: (
    quiz_id: string,
    connection: OpenConnection,
    parameters: readonly string[],
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

/** Data of a trial contact, who answered no question. */
const NOTHING: ParticipantData = {
  result_id: null,
  answer_ids: new Set(),
  contact: NO_CONTACT,
  parameters: null,
}

/** Name of the field of the result in the ledger. */
const RESULT_FIELD = 'Résultat'

/**
 * Returns the contact to send to the tool. A replaced delivery has no result and no labels, because those of the
 * newer response already apply.
 */
export const buildContact = (
  {
    provider,
    email,
    result_name,
    is_replaced,
    label,
  }: Pick<ToolDelivery, 'provider' | 'email' | 'result_name' | 'is_replaced' | 'label'>,
  { field_key, tag_by_result, rules, sends_parameters, parameter_fields }: Omit<Target, 'is_stale'>,
  data = NOTHING,
): Contact => {
  if (is_replaced) return { email, person: NO_CONTACT, fields: [], labels: [] }
  const parameters = Object.entries(sends_parameters ? sortParameters(data.parameters) : {})
  const fields = [
    ...(result_name !== null && field_key !== null
      ? [{ key: field_key, name: RESULT_FIELD, value: result_name, can_recreate: true as const }]
      : []),
    ...parameters.flatMap(([name, value]) => {
      const key = parameter_fields[name]
      return typeof key === 'string' ? [{ key, name, value, can_recreate: true as const }] : []
    }),
  ]
  const tag = tag_by_result && hasTags(provider) ? result_name : null
  return {
    email,
    person: data.contact,
    fields,
    labels: label ? [label] : labelsOf(data, rules, tag),
  }
}

/** Loads the data of the participant, only if rules or parameters need the data. */
const loadDataIfNeeded = async (
  { loadParticipantData }: Tools,
  { quiz_id, participant_uuid }: ToolDelivery,
  { rules, sends_parameters }: Target,
): Promise<ParticipantData | undefined> =>
  (rules.length > 0 || sends_parameters) && participant_uuid !== null
    ? loadParticipantData({ quiz_id, participant_uuid })
    : undefined

/** Returns the names of the parameters to send; empty for a replaced delivery. */
const namesOf = (
  { is_replaced }: ToolDelivery,
  { sends_parameters }: Target,
  data: ParticipantData | undefined,
): string[] =>
  sends_parameters && !is_replaced ? Object.keys(sortParameters(data?.parameters ?? null)) : []

/** Adds the parameters without a field to the refused fields of a successful outcome, with a warning. */
const withRefused = (
  outcome: DeliveryOutcome,
  names: readonly string[],
  { parameter_fields }: Target,
): DeliveryOutcome => {
  const refused = names.filter((name) => parameter_fields[name] === null)
  if (outcome.kind !== 'delivered' || refused.length === 0) return outcome
  const before = outcome.completed_calls.refused_fields ?? []
  const refused_fields = [...new Set([...before, ...refused])]
  return {
    warning: 'field_refused',
    ...outcome,
    completed_calls: { ...outcome.completed_calls, refused_fields },
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
 * Sends one participant to a tool; retries with a fresh token or a recreated field if needed (integrations §11.4).
 * Returns network failures instead of throwing. Ends before the lease, with the completed calls from which the next
 * attempt continues.
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

/** Returns the keys of the fields; all parameters count as refused if no field was created. */
const fieldsOf = (
  made: QuizFields | Failure,
  names: readonly string[],
): Pick<Target, 'field_key' | 'parameter_fields'> =>
  made.kind === 'provisioned'
    ? { field_key: made.field_key, parameter_fields: made.parameter_fields }
    : { field_key: null, parameter_fields: Object.fromEntries(names.map((name) => [name, null])) }

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
  const data = await loadDataIfNeeded(tools, sent, target)
  let completed_calls = before
  // Number of calls before the last delivery call, which are charged to the rate limit.
  let calls = 0
  const names = namesOf(sent, target, data)
  let isMissing =
    ((target.field_key === null || target.is_stale) && sent.result_name !== null) ||
    names.some((name) => target.parameter_fields[name] === undefined)
  for (let tries = 0; ; tries += 1) {
    if (isMissing) {
      const made = await tools.provision(quiz_id, connection, names)
      // A parameter without a field is left out, so that it never blocks the participant.
      const isLeftOut = made.kind === 'permanent' && sent.result_name === null
      if (made.kind !== 'provisioned' && !isLeftOut) return { ...made, completed_calls }
      target = { ...target, ...fieldsOf(made, names) }
      calls += 1 + ('extra_calls' in made ? (made.extra_calls ?? 0) : 0)
    }
    const contact = { ...buildContact(sent, target, data), is_trial }
    const outcome = await client.deliver(connection, contact, completed_calls)
    if (outcome.kind !== 'configuration' || tries >= MAX_PROVISIONS)
      return withRefused(
        { ...outcome, extra_calls: calls + (outcome.extra_calls ?? 0) },
        names,
        target,
      )
    calls += 1 + (outcome.extra_calls ?? 0)
    completed_calls = outcome.completed_calls
    isMissing = outcome.code === 'field_missing'
  }
}
