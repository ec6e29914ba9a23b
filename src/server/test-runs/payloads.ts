import type { TestPlace } from '#contract/test-runs.ts'
import { takenOf } from '#domain/automations.ts'
import { fieldNameOf, parameterFieldOf } from '#domain/integrations.ts'
import { orderedParameters } from '#domain/parameters.ts'
import type { Snapshot } from '#domain/snapshot.ts'
import { fieldsToCome, notSwitchedOn, whyNotSent } from '#domain/test-run-words.ts'
import { isTool, type ProviderName, WEBHOOK } from '#domain/vocabulary.ts'
import { type EventResponse, eventOf, RESPONSE_CREATED } from '#domain/webhook-event.ts'
import { contactOf, type Tools } from '#server/deliveries/send-delivery.ts'
import { messageHeaders, messageId } from '#server/webhooks/webhook-message.ts'
import { type MailNeeds, mailOf } from './mails.ts'
import type { Aimed } from './test-runs.store.ts'

type FieldNames = Parameters<typeof fieldNameOf>[1]

/** A test run, as a participant who answered the same would be stored. */
export type Tested = {
  quiz_id: string
  snapshot: Snapshot
  response: EventResponse
  field_names: FieldNames
  mails: MailNeeds
}

type Requests = TestPlace['requests']

/** What a webhook would be sent, with the time of the run as that of the call. */
const ofWebhook = (
  { quiz_id, snapshot, response }: Tested,
  { connection_id, url }: Aimed,
): Requests => {
  const id = messageId(RESPONSE_CREATED, quiz_id, response.participant_uuid, connection_id)
  return [
    {
      method: 'POST',
      address: url ?? '',
      headers: messageHeaders({ id, at: new Date(response.created_at) }),
      body: JSON.stringify(eventOf(snapshot, { quiz_id, response })),
    },
  ]
}

/** The calls that would bring the contact to a tool, and what would come before them. */
const ofTool = async (
  tools: Pick<Tools, 'providers' | 'targetOf'>,
  { quiz_id, snapshot, response, field_names }: Tested,
  provider: ProviderName,
): Promise<{ requests: Requests; note: string | null }> => {
  const target = await tools.targetOf(quiz_id, provider)
  const field_name = fieldNameOf(provider, field_names)
  const result_name = snapshot.results[response.result_position ?? -1]?.name ?? null
  const parameters = target.sends_parameters ? orderedParameters(response.parameters) : {}
  const newParameters = Object.keys(parameters)
    .filter((name) => target.parameter_fields[name] === undefined)
    .map((name) => [name, parameterFieldOf(provider, name)] as const)
  const parameter_fields = { ...target.parameter_fields, ...Object.fromEntries(newParameters) }
  const contact = contactOf(
    { provider, email: response.email ?? '', result_name, is_replaced: false },
    { ...target, field_key: target.field_key ?? field_name, parameter_fields },
    { ...takenOf(snapshot, response), parameters },
  )
  const toCome = [
    ...(target.field_key === null && result_name !== null ? [field_name] : []),
    ...newParameters.map(([, field]) => field),
  ]
  return {
    note: toCome.length > 0 ? fieldsToCome(provider, toCome) : null,
    requests: tools.providers[provider].requestsOf(contact).map(({ method, path, json }) => ({
      method,
      address: path,
      headers: {},
      body: json === undefined ? null : JSON.stringify(json),
    })),
  }
}

/** What each place would have been sent of a test run had it been a participant's, or why nothing. */
export const payloadsOf = async (
  tools: Pick<Tools, 'providers' | 'targetOf'>,
  tested: Tested,
  {
    aimed,
    connected,
  }: { aimed: readonly Aimed[]; connected: { provider: ProviderName; connection_id: string }[] },
): Promise<TestPlace[]> => {
  const on = await Promise.all(
    aimed.map(async (one): Promise<TestPlace> => {
      const { provider, connection_id, url, status } = one
      const why = whyNotSent(one, tested.response.consent_version)
      const at = { provider, connection_id, url, mail: null }
      if (status !== 'pending') return { ...at, message: why, requests: [] }
      if (provider === WEBHOOK) return { ...at, message: why, requests: ofWebhook(tested, one) }
      if (!isTool(provider)) return { ...at, requests: [], ...mailOf(tested, provider) }
      const { requests, note } = await ofTool(tools, tested, provider)
      return { ...at, message: why ?? note, requests }
    }),
  )
  const off = connected
    .filter(({ provider }) => aimed.every((one) => one.provider !== provider))
    .map(({ provider, connection_id }): TestPlace => {
      const message = notSwitchedOn(provider)
      return { provider, connection_id, url: null, message, mail: null, requests: [] }
    })
  return [...on, ...off]
}
