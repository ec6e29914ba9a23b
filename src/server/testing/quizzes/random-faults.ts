import { PROVIDERS, type ProviderName } from '#domain/common/vocabulary.ts'
import { CHANNEL_RATE_LIMITS } from '#server/deliveries/channel-rate-limits.ts'
import { KILLED_LEASE_MS, sendAndKillWorker } from '#server/testing/app/killed-worker.ts'
import type { ConnectedCreator, OutboxApp } from '#server/testing/app/outbox-app.ts'
import { applyVariant, FAKE_VARIANTS } from '#server/testing/fakes/fake-variants.ts'
import type { ContactQuiz } from './contact-questions.ts'
import { createRandom } from './create-random.ts'
import { createEnrollingQuizzes } from './enrolling-quizzes.ts'
import { createMappedContacts, keyAt, MAPPED_FIELDS, type Respondent } from './mapped-contacts.ts'
import { createToolFields } from './tool-fields.ts'

/** Creator with the expected contacts of their accounts. */
export type Side = {
  creator: ConnectedCreator
  quiz: ContactQuiz
  nb_participants: number
  nb_without_email: number
  /** Last value of each field for each address. */
  expected: Map<string, Respondent>
  /** Addresses whose last participant was deleted, so that older values may remain. */
  removed: Set<string>
  /** Values that the owner of the account deleted: tool, key of the field, address. */
  deleted: Set<string>
  /** Fields of another type, which stay empty: tool and field. */
  untyped: Set<string>
  /** Deleted fields that the tool does not name: tool and field. They are left out and named by the ledger. */
  unnamed: Set<string>
}

const FAULTS = [
  { mode: 'before', status: 500 },
  { mode: 'after', status: 504 },
  { mode: 'after' },
  { mode: 'before', status: 429 },
  { mode: 'before' },
] as const
const IN_A_ROUND = 20
const ADDRESSES_PER_PARTICIPANT = 0.6
const DAY_MS = 24 * 3_600_000
const STEP_MS = 20_000
const FIRST_NAMES = ['Camille', '', '=1+1', 'Zoé 😀', `${'É'.repeat(300)}`, 'Jean-Luc', 'أمينة']
/** Maximum length of a stored name. */
const MAX_NAME_LENGTH = 200

const fast = { per_second: 1_000, burst: 1_000, parallel: 4, calls: 1, lease_s: 60 }
/** Rate limits without waits, so that thousands of deliveries need few steps of the clock. */
export const FAST_RATE_LIMITS = {
  ...CHANNEL_RATE_LIMITS,
  convertkit: fast,
  systemio: fast,
  brevo: fast,
}

/** Lifts the rate limits of the fakes. Returns a function that restores them. */
const liftRateLimits = ({ convertkit, systemio, brevo }: OutboxApp['fakes']): (() => void) => {
  const { calls_per_minute } = convertkit.switches
  const { calls } = systemio.switches
  const { contacts_per_second } = brevo.switches
  const most = 1_000_000
  convertkit.switches.calls_per_minute = most
  systemio.switches.calls = most
  brevo.switches.contacts_per_second = most
  return () => {
    convertkit.switches.calls_per_minute = calls_per_minute
    systemio.switches.calls = calls
    brevo.switches.contacts_per_second = contacts_per_second
  }
}

/** Person whose blank fields keep their last value. */
const merge = (known: Respondent | undefined, given: Respondent): Respondent =>
  Object.fromEntries(
    Object.entries(given).map(([name, value]) => [
      name,
      value === '' ? (known?.[name as keyof Respondent] ?? '') : value,
    ]),
  ) as Respondent

type RandomRun = {
  seed: number
  nb_participants: number
  nb_creators: number
  /** Calls that are never answered; each waits for the real time limit of a call. */
  nb_timeouts: number
}

/**
 * Runs participants through quizzes of several creators while tools fail, lose answers, refuse fields and time out.
 * Meanwhile fields are deleted and workers are killed. Returns the expected contacts after all deliveries are
 * completed.
 */
export const runRandomFaults = async (
  app: OutboxApp,
  { seed, nb_participants, nb_creators, nb_timeouts }: RandomRun,
): Promise<Side[]> => {
  const { fakes, advanceClock, finishDeliveries } = app
  const random = createRandom(seed)
  const { addContactFields, submitRespondent } = createMappedContacts(app)
  const { addEnrollingRules } = createEnrollingQuizzes(app)
  const { deleteField } = createToolFields(app)
  const variant = FAKE_VARIANTS[seed % FAKE_VARIANTS.length]
  const restoreLimits = liftRateLimits(fakes)
  const turnBack = variant ? applyVariant(fakes, variant) : () => undefined

  const createSide = async (): Promise<Side> => {
    const creator = await app.connectCreator()
    const plain = await app.createForwardingQuiz(creator)
    const { id, question_id, answer_ids, result_ids } = plain
    for (const provider of PROVIDERS) {
      const ofAnswer = { question_id, answer_id: answer_ids[0], label_name: 'Agenda rempli' }
      const ofResult = { result_id: result_ids[1], label_name: 'Grand saut' }
      for (const rule of [ofAnswer, ofResult])
        await creator.client.automations.add({ id, body: { provider, ...rule } })
    }
    await addEnrollingRules(creator, plain, 'convertkit')
    await addEnrollingRules(creator, plain, 'systemio')
    const quiz = await addContactFields(creator, plain, PROVIDERS)
    return {
      creator,
      quiz,
      nb_participants: 0,
      nb_without_email: 0,
      expected: new Map(),
      removed: new Set(),
      deleted: new Set(),
      untyped: new Set(),
      unnamed: new Set(),
    }
  }
  const sides: Side[] = []
  for (let index = 0; index < nb_creators; index += 1) sides.push(await createSide())
  const pick = <T>(all: readonly T[]): T => {
    const one = all[random(all.length)]
    if (one === undefined) throw new Error('There is nothing to pick')
    return one
  }
  const submitted: { side: Side; participant_uuid: string; email: string }[] = []
  const come = async (side: Side, rank: number): Promise<void> => {
    const email = `p${10_000 + rank}@exemple.fr`
    const first_name = pick(FIRST_NAMES)
    const person: Respondent = {
      email: random(12) === 0 ? '' : email,
      first_name,
      last_name: random(4) === 0 ? '' : `Durand ${random(1_000)}`,
      phone: random(4) === 0 ? '' : `06${String(10_000_000 + rank * 10 + random(10))}`,
      choice: random(2),
    }
    side.nb_participants += 1
    if (person.email !== email) side.nb_without_email += 1
    const { participant_uuid } = await submitRespondent(side.quiz, person)
    if (person.email !== email) return
    const stored = { ...person, first_name: first_name.slice(0, MAX_NAME_LENGTH) }
    side.expected.set(email, merge(side.expected.get(email), stored))
    // Mapped values are never blank, so that the tools have them again.
    for (const field of Object.keys(MAPPED_FIELDS))
      for (const provider of PROVIDERS) side.deleted.delete(`${provider} ${field} ${email}`)
    submitted.push({ side, participant_uuid, email })
  }
  const go = async (): Promise<void> => {
    const [gone] = submitted.splice(random(submitted.length), 1)
    if (!gone) return
    const { side, participant_uuid, email } = gone
    const at = { id: side.quiz.id, participantId: participant_uuid }
    await side.creator.client.participants.remove(at)
    side.nb_participants -= 1
    side.expected.delete(email)
    side.removed.add(email)
  }
  /** Deletes a mapped field and its values at a tool, as the owner of the account may do. */
  const loseField = (side: Side, provider: ProviderName, field: keyof typeof MAPPED_FIELDS) => {
    deleteField(side.creator, provider, keyAt(provider, field))
    if (provider === 'systemio' && fakes.systemio.switches.field_path === 'none')
      side.unnamed.add(`${provider} ${field}`)
    for (const email of side.expected.keys()) side.deleted.add(`${provider} ${field} ${email}`)
  }
  /** Replaces a mapped field at Brevo by a field of another type. */
  const changeType = (side: Side, field: keyof typeof MAPPED_FIELDS): void => {
    loseField(side, 'brevo', field)
    const name = MAPPED_FIELDS[field]
    const { attributes } = fakes.brevo.accountOf(side.creator.account)
    attributes.set(name, { name, category: 'normal', type: 'boolean' })
    side.untyped.add(`brevo ${field}`)
  }

  const nb_rounds = Math.ceil(nb_participants / IN_A_ROUND)
  const nb_addresses = Math.ceil((nb_participants / nb_creators) * ADDRESSES_PER_PARTICIPANT)
  for (let round = 0; round < nb_rounds; round += 1) {
    // An address is never submitted twice at the same time, so that its last values are certain.
    const first = random(nb_addresses)
    await Promise.all(
      Array.from({ length: IN_A_ROUND }, (_, index) =>
        come(pick(sides), (first + index) % nb_addresses),
      ),
    )
    const fault = FAULTS[random(FAULTS.length * 2)]
    const fake = pick(Object.values(fakes))
    if (fault) fake.fail({ ...fault, times: 1 + random(8) })
    if (round % Math.ceil(nb_rounds / 5) === 1) await sendAndKillWorker(app)
    if (round < nb_timeouts) fake.fail({ mode: 'hang', times: 1 + random(3) })
    if (random(2) === 0) await advanceClock(1_000 * random(20) + 1)
    if (random(3) === 0) await go()
    if (random(Math.ceil(nb_rounds / 4)) === 0)
      loseField(pick(sides), pick(PROVIDERS), pick(['question', 'score']))
    if (round === Math.floor(nb_rounds / 2)) changeType(pick(sides), 'result')
  }
  for (const fake of Object.values(fakes)) fake.heal()
  await advanceClock(KILLED_LEASE_MS)
  await finishDeliveries(STEP_MS)
  // Brevo reports no missing attribute for new contacts, so that the daily check has to find it.
  await advanceClock(DAY_MS + 1_000)
  for (const side of sides) await come(side, nb_addresses + 1)
  await finishDeliveries(STEP_MS)
  turnBack()
  restoreLimits()
  return sides
}
