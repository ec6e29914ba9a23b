import { PROVIDERS, type ProviderName } from '#domain/common/vocabulary.ts'
import { listContactedPeople } from '#server/testing/app/erasure-scene.ts'
import type { CaughtMail } from '#server/testing/network/mail/read-mail.ts'
import { type ExternalServices, WEBHOOK_NAMES } from '#server/testing/quizzes/external-services.ts'
import { createLabelReader } from '#server/testing/quizzes/labelled-quizzes.ts'
import { addFailure, type ScenarioResult } from '../runner/scenario.ts'

/** Account name of the fake tools. */
const ACCOUNT = 'compte'

/** Receivers that had an erased participant: the tools, and the number of webhooks. */
export type ErasedParticipant = { tools: readonly ProviderName[]; nb_webhooks: number }

/** Expected participants by the first 8 digits of their id. */
export type ExpectedParticipants = {
  /** Participants who were not erased, with their sorted labels. */
  remaining: ReadonlyMap<string, string[]>
  erased: ReadonlyMap<string, ErasedParticipant>
  /** Number of mails that were accepted but not recorded as sent before a kill, by `keyOfMail`. */
  unrecorded_mails: ReadonlyMap<string, number>
}

/** Returns the email address of a participant, from the first 8 digits of the id. */
export const addressOf = (id: string): string => `p${id}@exemple.fr`

/** Returns the kind and the participant of a mail, such as `notice 1a2b3c4d`; undefined for other mails. */
export const keyOfMail = ({ to, text }: CaughtMail): string | undefined => {
  const notice_id = /participant=([0-9a-f]{8})/.exec(text)?.[1]
  if (notice_id) return `notice ${notice_id}`
  const mail_id = /^p([0-9a-f]{8})@exemple\.fr$/.exec(to)?.[1]
  return mail_id && `mail ${mail_id}`
}

const fakesOf = ({ kit, systemio, brevo }: ExternalServices) => ({
  convertkit: kit,
  systemio,
  brevo,
})

/**
 * Checks that each tool has each participant once with the expected labels, and no participant who was erased there.
 */
const compareTools = (
  result: ScenarioResult,
  receivers: ExternalServices,
  { remaining, erased }: ExpectedParticipants,
): void => {
  const { readLabels } = createLabelReader(fakesOf(receivers))
  const addressesByTool = listContactedPeople(fakesOf(receivers), ACCOUNT)
  for (const provider of PROVIDERS) {
    const labelsByAddress = readLabels({ account: ACCOUNT }, provider)
    const addresses = addressesByTool[provider]
    const stored = new Set(addresses)
    for (const [id, labels] of remaining) {
      const address = addressOf(id)
      if (!stored.has(address)) addFailure(result, `${address} is missing at ${provider}`)
      else if (labelsByAddress[address]?.join() !== labels.join())
        addFailure(
          result,
          `${address} has ${labelsByAddress[address]?.join()} at ${provider}, not ${labels.join()}`,
        )
    }
    for (const id of addresses
      .map((address) => address.slice(1, 9))
      .filter((address) => !remaining.has(address))) {
      const erasure = erased.get(id)
      if (!erasure) addFailure(result, `${provider} has the unexpected participant ${id}`)
      if (erasure?.tools.includes(provider))
        addFailure(result, `${provider} still has the erased participant ${id}`)
    }
    if (stored.size < addresses.length) addFailure(result, `${provider} has a participant twice`)
    result.notes.push(`${addresses.length} participants at ${provider}`)
  }
}

/**
 * Checks that the mails of each participant were sent. A repeated mail must have the same Message-ID, and is allowed
 * only if a kill prevented its record (docs/decisions/043).
 */
const compareMails = (
  result: ScenarioResult,
  { mails }: ExternalServices,
  { remaining, erased, unrecorded_mails }: ExpectedParticipants,
): void => {
  const byKey = Map.groupBy(mails.mails, keyOfMail)
  byKey.delete(undefined)
  for (const id of remaining.keys())
    for (const key of [`mail ${id}`, `notice ${id}`])
      if (!byKey.has(key)) addFailure(result, `${key} was not sent`)
  let nb_repeated = 0
  for (const [key = '', mails_of_key] of byKey) {
    const id = key.slice(-8)
    if (!remaining.has(id) && !erased.has(id)) addFailure(result, `unexpected mail: ${key}`)
    if (new Set(mails_of_key.map(({ headers }) => headers['message-id'])).size > 1)
      addFailure(result, `${key} was sent with two Message-IDs`)
    if (mails_of_key.length > 1 + (unrecorded_mails.get(key) ?? 0))
      addFailure(result, `${key} was sent ${mails_of_key.length} times`)
    nb_repeated += mails_of_key.length - 1
  }
  result.notes.push(`${byKey.size} mails, ${nb_repeated} repeated with the same Message-ID`)
}

type Event = { type: string; data: { participant_id?: string } }

/**
 * Checks that both webhooks received each participant and each erasure, and that repeated deliveries have an unchanged
 * id.
 */
const compareHooks = (
  result: ScenarioResult,
  { receiver }: ExternalServices,
  { remaining, erased }: ExpectedParticipants,
): void => {
  const missingByParticipant = new Map(
    [...erased].map(([id, { nb_webhooks }]) => [id, nb_webhooks]),
  )
  for (const name of WEBHOOK_NAMES) {
    const received = receiver.receivedAt(name).map(({ id, text }) => {
      const { type, data } = JSON.parse(text) as Event
      return { id, key: `${type} ${data.participant_id?.slice(0, 8)}` }
    })
    const idOf = new Map(received.map(({ id, key }) => [key, id]))
    for (const id of remaining.keys())
      if (!idOf.has(`response.created ${id}`)) addFailure(result, `${id} is missing at ${name}`)
    for (const key of idOf.keys()) {
      const id = key.slice(-8)
      const isKnown = erased.has(id) || (remaining.has(id) && key.startsWith('response.created'))
      if (!isKnown) addFailure(result, `${name} received the unexpected event ${key}`)
    }
    if (new Set(received.map(({ id }) => id)).size !== idOf.size)
      addFailure(result, `a repeated delivery has another id at ${name}`)
    result.notes.push(`${received.length} deliveries of ${idOf.size} events at ${name}`)
    for (const [id, count] of missingByParticipant)
      if (idOf.has(`person.erased ${id}`)) missingByParticipant.set(id, count - 1)
  }
  for (const [id, missing] of missingByParticipant)
    if (missing > 0) addFailure(result, `${missing} webhooks did not receive the erasure of ${id}`)
}

/** Compares the tools, mails and webhooks with the expected participants, and adds each difference as a failure. */
export const compareReceivers = (
  result: ScenarioResult,
  receivers: ExternalServices,
  expected: ExpectedParticipants,
): void => {
  compareTools(result, receivers, expected)
  compareMails(result, receivers, expected)
  compareHooks(result, receivers, expected)
}
