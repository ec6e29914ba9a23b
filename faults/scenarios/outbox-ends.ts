import { PROVIDERS, type ProviderName } from '#domain/common/vocabulary.ts'
import { writtenToAt } from '#server/testing/app/erasure-scene.ts'
import type { CaughtMail } from '#server/testing/network/read-mail.ts'
import { HOOKS, type OtherSides } from '#server/testing/quizzes/automated-quiz.ts'
import { createLabelReader } from '#server/testing/quizzes/labelled-quizzes.ts'
import { addFailure, type ScenarioResult } from '../scenario.ts'

/** Default account name of the fakes. */
const ACCOUNT = 'compte'

/** Tools and number of webhooks that received an erased person. */
export type Erased = { tools: readonly ProviderName[]; nb_webhooks: number }

/** Expected participants by id prefix, which is also the prefix of their addresses. */
export type Expected = {
  /** Remaining participants with their expected labels, sorted. */
  kept: ReadonlyMap<string, string[]>
  erased: ReadonlyMap<string, Erased>
  /** Mails that were sent without a stored note, because the process was killed. */
  unwritten: ReadonlyMap<string, number>
}

/** Returns the email address of a participant, from the first 8 digits of the id. */
export const addressOf = (id: string): string => `p${id}@exemple.fr`

/** Returns the kind and participant of a mail; undefined for other mails. */
export const keyOfMail = ({ to, text }: CaughtMail): string | undefined => {
  const noticed = /participant=([0-9a-f]{8})/.exec(text)?.[1]
  if (noticed) return `notice ${noticed}`
  const taken = /^p([0-9a-f]{8})@exemple\.fr$/.exec(to)?.[1]
  return taken && `mail ${taken}`
}

const fakesOf = ({ kit, systemio, brevo }: OtherSides) => ({
  ...{ convertkit: kit, systemio, brevo },
})

/**
 * Checks that each participant is at each tool once with the expected labels, and that erased persons are not written
 * again.
 */
const compareTools = (
  result: ScenarioResult,
  sides: OtherSides,
  { kept, erased }: Expected,
): void => {
  const { labelled } = createLabelReader(fakesOf(sides))
  const written = writtenToAt(fakesOf(sides), ACCOUNT)
  for (const provider of PROVIDERS) {
    const held = labelled({ account: ACCOUNT }, provider)
    const addresses = written[provider]
    const there = new Set(addresses)
    for (const [id, labels] of kept) {
      const address = addressOf(id)
      if (!there.has(address)) addFailure(result, `${address} is missing at ${provider}`)
      else if (held[address]?.join() !== labels.join())
        addFailure(
          result,
          `${address} has ${held[address]?.join()} at ${provider}, not ${labels.join()}`,
        )
    }
    for (const id of addresses.map((one) => one.slice(1, 9)).filter((one) => !kept.has(one))) {
      const left = erased.get(id)
      if (!left) addFailure(result, `${id} is of nobody at ${provider}`)
      if (left?.tools.includes(provider))
        addFailure(result, `${id} was erased and is at ${provider}`)
    }
    if (there.size < addresses.length) addFailure(result, `somebody is twice at ${provider}`)
    result.notes.push(`${addresses.length} at ${provider}`)
  }
}

/**
 * Checks that the mails of each participant were sent. A repeat is allowed only after a kill between sending and
 * noting, with the same Message-ID (docs/decisions/043).
 */
const compareMails = (
  result: ScenarioResult,
  { mails }: OtherSides,
  { kept, erased, unwritten }: Expected,
): void => {
  const byKey = Map.groupBy(mails.mails, keyOfMail)
  byKey.delete(undefined)
  for (const id of kept.keys())
    for (const key of [`mail ${id}`, `notice ${id}`])
      if (!byKey.has(key)) addFailure(result, `${key} was not sent`)
  let nb_again = 0
  for (const [key = '', same] of byKey) {
    const id = key.slice(-8)
    if (!kept.has(id) && !erased.has(id)) addFailure(result, `${key} is of nobody`)
    if (new Set(same.map(({ headers }) => headers['message-id'])).size > 1)
      addFailure(result, `${key} was sent under two Message-IDs`)
    if (same.length > 1 + (unwritten.get(key) ?? 0))
      addFailure(result, `${key}: ${same.length} times`)
    nb_again += same.length - 1
  }
  result.notes.push(`${byKey.size} mails, ${nb_again} of them again under the same Message-ID`)
}

type Event = { type: string; data: { participant_id?: string } }

/**
 * Checks that both webhooks received each participant and each erasure, and that repeats have the id of the first
 * attempt.
 */
const compareHooks = (
  result: ScenarioResult,
  { receiver }: OtherSides,
  { kept, erased }: Expected,
): void => {
  const told = new Map([...erased].map(([id, { nb_webhooks }]) => [id, nb_webhooks]))
  for (const name of HOOKS) {
    const received = receiver.receivedAt(name).map(({ id, text }) => {
      const { type, data } = JSON.parse(text) as Event
      return { id, key: `${type} ${data.participant_id?.slice(0, 8)}` }
    })
    const idOf = new Map(received.map(({ id, key }) => [key, id]))
    for (const id of kept.keys())
      if (!idOf.has(`response.created ${id}`)) addFailure(result, `${id} is missing at ${name}`)
    for (const key of idOf.keys()) {
      const id = key.slice(-8)
      const isKnown = erased.has(id) || (kept.has(id) && key.startsWith('response.created'))
      if (!isKnown) addFailure(result, `${key} at ${name} is of nobody`)
    }
    if (new Set(received.map(({ id }) => id)).size !== idOf.size)
      addFailure(result, `a repeat has another id at ${name}`)
    result.notes.push(`${received.length} at ${name} of ${idOf.size}`)
    for (const [id, times] of told) if (idOf.has(`person.erased ${id}`)) told.set(id, times - 1)
  }
  for (const [id, missing] of told)
    if (missing > 0) addFailure(result, `${missing} webhooks were not told that ${id} is erased`)
}

/** Compares the tools, mails and webhooks with the expected participants, and records differences as failures. */
export const compareEnds = (
  result: ScenarioResult,
  sides: OtherSides,
  expected: Expected,
): void => {
  compareTools(result, sides, expected)
  compareMails(result, sides, expected)
  compareHooks(result, sides, expected)
}
