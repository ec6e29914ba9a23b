import { PROVIDERS, type ProviderName } from '#domain/common/vocabulary.ts'
import { reconcile } from '#server/deliveries/reconcile.store.ts'
import { findDifferences } from '#server/statistics/counters/verify-counters.store.ts'
import type { OutboxApp } from '#server/testing/app/outbox-app.ts'
import { createEnrollingQuizzes } from './enrolling-quizzes.ts'
import { type ContactField, fieldsAt, keyAt, ledgerNameOf, valueAt } from './mapped-contacts.ts'
import type { Side } from './random-faults.ts'
import { createToolFields } from './tool-fields.ts'

/** Figures of a run of random faults. `problems` is empty if nothing was lost, doubled or wrong. */
export type ComparedContacts = {
  nb_participants: number
  nb_contacts: number
  /** Values of fields that were compared. */
  nb_values: number
  nb_enrolments: number
  /** Empty values of fields that the tool refuses without naming them. The ledger names each. */
  nb_left_out: number
  problems: string[]
}

/** Value of a field of a contact at a tool. */
type Place = { provider: ProviderName; field: ContactField; email?: string }

/** Returns true if a delivery of the person, or one of the newest deliveries, names the field in the ledger. */
const isNamed = async ({ creator, quiz }: Side, { field, ...of }: Place): Promise<boolean> => {
  const { deliveries } = await creator.client.deliveries.list({ id: quiz.id, ...of })
  return deliveries.some(({ reason }) => reason?.includes(`« ${ledgerNameOf(field)} »`))
}

/** Compares the contacts at the fake tools, the enrolments and the ledgers with the expected ones. */
export const compareContacts = async (
  app: OutboxApp,
  sides: readonly Side[],
): Promise<ComparedContacts> => {
  const { listContacts } = createToolFields(app)
  const { countEnrolments } = createEnrollingQuizzes(app)
  const figures: ComparedContacts = {
    nb_participants: 0,
    nb_contacts: 0,
    nb_values: 0,
    nb_enrolments: 0,
    nb_left_out: 0,
    problems: [],
  }
  const { problems } = figures
  const leftOut: [Side, Required<Place>][] = []

  const compareValue = (
    side: Side,
    { provider, field, email }: Required<Place>,
    found: unknown,
  ): void => {
    const person = side.expected.get(email)
    if (!person) return
    figures.nb_values += 1
    const value = valueAt(provider, field, person)
    const isEmpty = side.untyped.has(`${provider} ${field}`)
    const expected = isEmpty || value === '' ? undefined : value
    const mayBeEmpty = side.deleted.has(`${provider} ${field} ${email}`)
    // A deleted participant may have left a value in a field that is blank now.
    const mayRemain = value === '' && side.removed.has(email)
    if (found === expected || mayRemain || (found === undefined && mayBeEmpty)) return
    if (found === undefined && side.unnamed.has(`${provider} ${field}`)) {
      leftOut.push([side, { provider, field, email }])
      return
    }
    problems.push(`${provider} ${email} ${field}: ${String(found)} instead of ${String(expected)}`)
  }

  const comparePeople = (side: Side, provider: ProviderName): void => {
    const listed = listContacts(side.creator, provider)
    const contacts = new Map(listed)
    figures.nb_contacts += contacts.size
    if (contacts.size !== listed.length)
      problems.push(`${provider}: ${listed.length - contacts.size} contacts twice`)
    for (const email of contacts.keys())
      if (!side.expected.has(email) && !side.removed.has(email))
        problems.push(`${provider}: ${email} is unknown`)
    for (const email of side.expected.keys()) {
      const values = contacts.get(email)
      if (!values) problems.push(`${provider}: ${email} is lost`)
      else
        for (const field of fieldsAt(provider))
          compareValue(side, { provider, field, email }, values[keyAt(provider, field)])
    }
  }

  const compareEnrolments = (side: Side, provider: 'convertkit' | 'systemio'): void => {
    for (const [email, counts] of Object.entries(countEnrolments(side.creator, provider)))
      for (const count of counts) {
        figures.nb_enrolments += count
        const isDue = side.expected.get(email)?.choice === 0
        if (count > 1 || (isDue && count === 0))
          problems.push(`${provider}: ${email} is enrolled ${count} times`)
      }
  }

  const compareLedgers = async (side: Side): Promise<void> => {
    const { ledgers } = await side.creator.client.deliveries.list({ id: side.quiz.id })
    const no_email = side.nb_without_email
    for (const { provider, balance } of ledgers) {
      const { nb_participants, delivered } = balance
      const isBalanced =
        nb_participants === side.nb_participants &&
        balance.no_email === no_email &&
        delivered === nb_participants - no_email
      if (!isBalanced) problems.push(`${provider}: unbalanced ledger ${JSON.stringify(balance)}`)
    }
    for (const text of side.untyped) {
      const [provider, field] = text.split(' ') as [ProviderName, ContactField]
      if (!(await isNamed(side, { provider, field })))
        problems.push(`${provider}: the ledger does not name ${ledgerNameOf(field)}`)
    }
  }

  for (const side of sides) {
    figures.nb_participants += side.nb_participants
    for (const provider of PROVIDERS) comparePeople(side, provider)
    compareEnrolments(side, 'convertkit')
    compareEnrolments(side, 'systemio')
    await compareLedgers(side)
    const { confirmation_mails } = app.fakes.convertkit.accountOf(side.creator.account)
    if (new Set(confirmation_mails).size !== confirmation_mails.length)
      problems.push('convertkit: somebody got two confirmation mails')
  }
  figures.nb_left_out = leftOut.length
  for (const [side, place] of leftOut)
    if (!(await isNamed(side, place)))
      problems.push(`${place.provider} ${place.email}: the ledger does not name ${place.field}`)
  for (const difference of await findDifferences(app.pool))
    problems.push(`wrong counter: ${JSON.stringify(difference)}`)
  if ((await reconcile(app.db)) > 0) problems.push('a delivery was missing')
  if (app.findLeaks().length > 0) problems.push('a secret was logged')
  return figures
}
