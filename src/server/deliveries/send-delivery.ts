import type { ProviderName } from '#domain/common/vocabulary.ts'
import {
  type AutomationInput,
  type AutomationRule,
  automationInputOf,
  type Label,
  labelsOf,
} from '#domain/deliveries/automations.ts'
import { hasTags } from '#domain/deliveries/integrations.ts'
import { type ParameterValues, sortParameters } from '#domain/questionnaire/parameters.ts'
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

/** What a contact has of a participant besides the result. */
type ParticipantData = AutomationInput & { parameters: ParameterValues | null }

/** Gives what decides over the labels of a participant, and where they came from; undefined when they are gone. */
export type LoadParticipantData = (key: {
  quiz_id: string
  participant_uuid: string
}) => Promise<ParticipantData | undefined>

/** Reads the participant, and the version that they took. */
export const createLoadParticipantData = (db: Db): LoadParticipantData => {
  return async ({ quiz_id, participant_uuid }) => {
    const row = await db
      .selectFrom('responses')
      .select(['version', 'result_position', 'choices', 'texts', 'parameters'])
      .where('quiz_id', '=', quiz_id)
      .where('participant_uuid', '=', participant_uuid)
      .executeTakeFirst()
    const snapshot = row && (await findCachedVersion(db, quiz_id, row.version))
    return snapshot && { ...automationInputOf(snapshot, row), parameters: row.parameters }
  }
}

/** Where a quiz writes its results at a tool. */
export type Target = {
  field_key: string | null
  tag_by_result: boolean
  /** Whether the parameters of participants go into fields too, and which those are, as far as they were sent. */
  sends_parameters: boolean
  parameter_fields: ParameterFields
  /** The field has not been checked for long. */
  is_stale: boolean
  /** Who gets which tags or lists besides. */
  rules: readonly AutomationRule[]
}

/** What a delivery needs of the integrations. */
export type Tools = {
  providers: Record<ProviderName, Provider>
  open: OpenConnectionOf
  now: () => Date
  targetOf: (quiz_id: string, provider: ProviderName) => Promise<Target>
  takenBy: LoadParticipantData
  /** Makes the fields of a quiz at its tool, with those of these parameters, and remembers what they are called there. */
  provision: (
    quiz_id: string,
    connection: OpenConnection,
    parameters: readonly string[],
  ) => Promise<QuizFields | Failure>
}

/** A delivery to an email tool: it has an address. */
type Sent = Pick<
  ClaimedDelivery,
  'quiz_id' | 'connection_id' | 'result_name' | 'is_replaced' | 'completed_calls'
> & {
  provider: ProviderName
  email: string
  /** Null of a contact that its creator tries a tool with: it gets `label`, if that is given. */
  participant_uuid: string | null
  label?: Label | undefined
}
const MOST_PROVISIONS = 2

/** Of a contact that took nothing. */
const NOTHING: ParticipantData = { result_id: null, answer_ids: new Set(), parameters: null }

/**
 * The contact of a delivery as its tool gets it. Where a newer participant of the address is there, it has neither the
 * result nor labels: what the tool starts with them has begun with the newer one's.
 */
export const buildContact = (
  {
    provider,
    email,
    result_name,
    is_replaced,
    label,
  }: Pick<Sent, 'provider' | 'email' | 'result_name' | 'is_replaced' | 'label'>,
  { field_key, tag_by_result, rules, sends_parameters, parameter_fields }: Omit<Target, 'is_stale'>,
  taken = NOTHING,
): Contact => {
  if (is_replaced) return { email, fields: [], labels: [] }
  const parameters = Object.entries(sends_parameters ? sortParameters(taken.parameters) : {})
  const fields = [
    ...(result_name !== null && field_key !== null ? [{ key: field_key, value: result_name }] : []),
    ...parameters.flatMap(([name, value]) => {
      const key = parameter_fields[name]
      return typeof key === 'string' ? [{ key, value }] : []
    }),
  ]
  const tag = tag_by_result && hasTags(provider) ? result_name : null
  return { email, fields, labels: label ? [label] : labelsOf(taken, rules, tag) }
}

/** What a contact has besides its result; read only where something depends on it. */
const takenFor = async (
  { takenBy }: Tools,
  { quiz_id, participant_uuid }: Sent,
  { rules, sends_parameters }: Target,
): Promise<ParticipantData | undefined> =>
  (rules.length > 0 || sends_parameters) && participant_uuid !== null
    ? takenBy({ quiz_id, participant_uuid })
    : undefined

/** The parameters of a delivery that have a place at its tool, or are to get one. */
const namesOf = (
  { is_replaced }: Sent,
  { sends_parameters }: Target,
  taken: ParticipantData | undefined,
): string[] =>
  sends_parameters && !is_replaced ? Object.keys(sortParameters(taken?.parameters ?? null)) : []

/** A delivery that is there says which parameters its tool has no field for. */
const withRefused = (
  outcome: DeliveryOutcome,
  names: readonly string[],
  { parameter_fields }: Target,
): DeliveryOutcome => {
  const refused_fields = names.filter((name) => parameter_fields[name] === null)
  if (outcome.kind !== 'delivered' || refused_fields.length === 0) return outcome
  return {
    warning: 'parameter_refused',
    ...outcome,
    completed_calls: { ...outcome.completed_calls, refused_fields },
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
 * the network does. It ends before its lease does: with the steps so far, from which the next try goes on.
 */
export const sendDelivery = async (tools: Tools, sent: Sent): Promise<DeliveryOutcome> => {
  let { completed_calls } = sent
  const began = tools.now().getTime()
  const isLate = (): boolean => tools.now().getTime() - began >= ATTEMPT_MS
  const outcome = await withConnection<DeliveryOutcome>(
    tools.open,
    sent.connection_id,
    async (opened) => {
      const connection = { ...opened, isLate }
      const tried = await deliverWith(tools, sent, { connection, completed_calls })
      completed_calls = tried.completed_calls
      return tried
    },
  )
  return { ...outcome, completed_calls }
}

/** What fields are called from now on; where there are none, every parameter is refused. */
const fieldsOf = (
  made: QuizFields | Failure,
  names: readonly string[],
): Pick<Target, 'field_key' | 'parameter_fields'> =>
  made.kind === 'provisioned'
    ? { field_key: made.field_key, parameter_fields: made.parameter_fields }
    : { field_key: null, parameter_fields: Object.fromEntries(names.map((name) => [name, null])) }

type At = { connection: OpenConnection; completed_calls: CompletedCalls }

/** The same with one authorisation; a missing field is created again, a limited number of times. */
const deliverWith = async (
  tools: Tools,
  sent: Sent,
  { connection, completed_calls: before }: At,
): Promise<DeliveryOutcome> => {
  const { quiz_id, provider } = sent
  const is_trial = sent.participant_uuid === null
  const client = tools.providers[provider]
  let target = await tools.targetOf(quiz_id, provider)
  const taken = await takenFor(tools, sent, target)
  let completed_calls = before
  // A field that was never made, as where its tool was away when the quiz was switched on.
  let calls = 0
  const names = namesOf(sent, target, taken)
  let isMissing =
    ((target.field_key === null || target.is_stale) && sent.result_name !== null) ||
    names.some((name) => target.parameter_fields[name] === undefined)
  for (let tries = 0; ; tries += 1) {
    if (isMissing) {
      const made = await tools.provision(quiz_id, connection, names)
      // Parameters alone cost no participant: without a place for them they are left out.
      const isLeftOut = made.kind === 'permanent' && sent.result_name === null
      if (made.kind !== 'provisioned' && !isLeftOut) return { ...made, completed_calls }
      target = { ...target, ...fieldsOf(made, names) }
      calls += 1 + ('extra_calls' in made ? (made.extra_calls ?? 0) : 0)
    }
    const contact = { ...buildContact(sent, target, taken), is_trial }
    const outcome = await client.deliver(connection, contact, completed_calls)
    if (outcome.kind !== 'configuration' || tries >= MOST_PROVISIONS)
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
