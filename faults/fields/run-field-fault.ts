import type { ProviderName } from '#domain/common/vocabulary.ts'
import { reconcile } from '#server/deliveries/reconcile.store.ts'
import { findDifferences } from '#server/statistics/counters/verify-counters.store.ts'
import type { OutboxApp } from '#server/testing/app/outbox-app.ts'
import {
  type ContactField,
  createMappedContacts,
  fieldsAt,
  keyAt,
  ledgerNameOf,
  type Respondent,
  valueAt,
} from '#server/testing/quizzes/mapped-contacts.ts'
import { createToolFields } from '#server/testing/quizzes/tool-fields.ts'
import type { FieldFault } from './field-faults.ts'

/** Figures of a field: contacts with its right last value, and deliveries whose ledger entry names the field. */
type FieldFigures = { nb_right: number; nb_named: number }

/** Figures of one run: one tool, one fault. */
export type FaultFigures = {
  nb_participants: number
  nb_contacts: number
  nb_lost: number
  nb_double: number
  nb_calls: number
  /** Calls until the end of the outage. */
  nb_calls_in_outage: number
  fields: Partial<Record<ContactField, FieldFigures>>
  /** Differences between the ledger, the counters and the participants. */
  problems: string[]
}

const NB_PEOPLE = 30
/** People who answer a second time, with other values. */
const NB_REPEATS = 10

const respondentOf = (rank: number, round: number): Respondent => ({
  email: `p${100 + rank}@exemple.test`,
  first_name: `Camille ${rank}${'b'.repeat(round)}`,
  last_name: `Durand ${rank}${'b'.repeat(round)}`,
  phone: `06${String(10_000_000 + rank * 10 + round)}`,
  choice: (rank + round) % 2,
})

/** Lists the reasons of all deliveries of a quiz as the ledger shows them. */
const listReasons = async (
  client: Awaited<ReturnType<OutboxApp['connectCreator']>>['client'],
  id: string,
): Promise<string[]> => {
  const reasons: string[] = []
  let cursor: string | undefined
  do {
    const page = await client.deliveries.list({ id, cursor })
    reasons.push(...page.deliveries.map(({ reason }) => reason ?? ''))
    cursor = page.next_cursor ?? undefined
  } while (cursor)
  return reasons
}

/** Runs one fault at one tool with a new creator. `field` is the refused field, if the fault refuses one. */
export const runFieldFault = async (
  app: OutboxApp,
  fault: FieldFault,
  { provider, field }: { provider: ProviderName; field: ContactField },
): Promise<FaultFigures> => {
  const { addContactFields, submitRespondent } = createMappedContacts(app)
  const { listContacts } = createToolFields(app)
  const fake = app.fakes[provider]
  const usual = { ...fake.switches }
  const creator = await app.connectCreator()
  const scene = { creator, provider }
  const quiz = await addContactFields(
    creator,
    await app.createForwardingQuiz(creator, [provider]),
    [provider],
  )
  const changes = await fault.begin(scene, field)
  const last = new Map<string, Respondent>()
  const submit = async (rank: number, round: number): Promise<void> => {
    const person = { ...respondentOf(rank, round), ...changes }
    last.set(person.email, person)
    await submitRespondent(quiz, person)
  }
  const before = fake.journal.length
  for (let rank = 0; rank < NB_PEOPLE; rank += 1) await submit(rank, 0)
  await fault.go(scene)
  for (let rank = 0; rank < NB_REPEATS; rank += 1) await submit(rank, 1)
  const nb_calls_in_outage = fault.is_outage ? fake.journal.length - before : 0
  await fault.end(scene)
  await app.finishDeliveries(2_000)
  const nb_calls = fake.journal.length - before
  fake.heal()
  Object.assign(fake.switches, usual)

  const contacts = listContacts(creator, provider).filter(([email]) => last.has(email))
  const byEmail = new Map(contacts)
  const people = [...last.values()]
  const reasons = await listReasons(creator.client, quiz.id)
  const refused = fault.is_per_field ? field : undefined
  const isRight = (checked: ContactField, person: Respondent): boolean =>
    byEmail.get(person.email)?.[keyAt(provider, checked)] === valueAt(provider, checked, person)
  const fields = Object.fromEntries(
    fieldsAt(provider).map((checked) => [
      checked,
      {
        nb_right: people.filter((person) => isRight(checked, person)).length,
        nb_named: reasons.filter((reason) => reason.includes(`« ${ledgerNameOf(checked)} »`))
          .length,
      },
    ]),
  )
  const expected = fieldsAt(provider).filter((other) => other !== refused)
  const { ledgers } = await creator.client.deliveries.list({ id: quiz.id })
  const nb_participants = NB_PEOPLE + NB_REPEATS
  const problems = [
    ...ledgers
      .filter(({ balance }) => balance.delivered !== nb_participants)
      .map(({ balance }) => `unbalanced ledger: ${JSON.stringify(balance)}`),
    ...(await findDifferences(app.pool)).map(
      (difference) => `wrong counter: ${JSON.stringify(difference)}`,
    ),
    ...((await reconcile(app.db)) === 0 ? [] : ['a delivery was missing']),
    ...(refused && fields[refused]?.nb_named !== nb_participants
      ? [`the ledger does not name ${ledgerNameOf(refused)} in each delivery`]
      : []),
    ...expected
      .filter((other) => (fields[other]?.nb_named ?? 0) > 0)
      .map((other) => `the ledger names ${ledgerNameOf(other)}, which the tool did not refuse`),
  ]
  return {
    nb_participants,
    nb_contacts: contacts.length,
    nb_calls,
    nb_calls_in_outage,
    fields,
    problems,
    nb_lost: people.filter((person) => !expected.every((other) => isRight(other, person))).length,
    nb_double: contacts.length - byEmail.size,
  }
}
