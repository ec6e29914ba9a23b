/**
 * Prints how contact data and mapped fields arrive at each email tool under each fault: `npm run faults:fields`. The
 * real app runs on a temporary database, with fake tools and one clock for all. docs/faults.md describes the table.
 */
import { PROVIDERS, type ProviderName } from '#domain/common/vocabulary.ts'
import { PROVIDER_LABELS } from '#domain/deliveries/integrations.ts'
import { createOutboxApp } from '#server/testing/app/outbox-app.ts'
import { compareContacts } from '#server/testing/quizzes/compare-contacts.ts'
import {
  CONTACT_FIELDS,
  type ContactField,
  fieldsAt,
} from '#server/testing/quizzes/mapped-contacts.ts'
import { FAST_RATE_LIMITS, runRandomFaults } from '#server/testing/quizzes/random-faults.ts'
import { createFieldFaults, type FieldFault } from './field-faults.ts'
import { type FaultFigures, runFieldFault } from './run-field-fault.ts'

const COLUMNS: Record<ContactField, string> = {
  first_name: 'Prénom',
  last_name: 'Nom',
  phone: 'Téléphone',
  question: 'réponse',
  score: 'score',
  result: 'résultat',
}
const HEADINGS = [
  'tool',
  'fault',
  'participants',
  'contacts',
  'lost',
  'double',
  'calls',
  'in outage',
]

/** Seeds of the random faults, so that each variant of the fake tools occurs. */
const SEEDS = [1, 2, 3]
const NB_RANDOM = 2_000

const printRow = (cells: readonly unknown[]): void => console.log(`| ${cells.join(' | ')} |`)

const app = await createOutboxApp()
const failures: string[] = []

/** Runs a fault at a tool, once or for each of its fields. */
const runFault = async (
  fault: FieldFault,
  provider: ProviderName,
): Promise<[ContactField, FaultFigures][]> => {
  const fields = fault.is_per_field ? fieldsAt(provider) : fieldsAt(provider).slice(0, 1)
  const runs: [ContactField, FaultFigures][] = []
  for (const field of fields) {
    const figures = await runFieldFault(app, fault, { provider, field })
    runs.push([field, figures])
    const { nb_lost, nb_double, problems } = figures
    const found = nb_lost + nb_double > 0 ? [`${nb_lost} lost, ${nb_double} double`] : []
    for (const text of [...found, ...problems])
      failures.push(`${PROVIDER_LABELS[provider]}, ${fault.name}, ${field}: ${text}`)
  }
  return runs
}

/** Returns the cell of a field: contacts with the right value, and deliveries whose ledger entry names the field. */
const cellOf = (runs: readonly [ContactField, FaultFigures][], field: ContactField): string => {
  const [, figures] =
    runs.find(([run_field]) => runs.length > 1 && run_field === field) ?? runs[0] ?? []
  const own = figures?.fields[field]
  return own ? `${own.nb_right} · ${own.nb_named}` : '–'
}

printRow([...HEADINGS, ...CONTACT_FIELDS.map((field) => COLUMNS[field])])
printRow([...HEADINGS, ...CONTACT_FIELDS].map(() => '---'))
for (const provider of PROVIDERS)
  for (const fault of createFieldFaults(app)) {
    const runs = await runFault(fault, provider)
    const sum = (count: (figures: FaultFigures) => number): number =>
      runs.reduce((total, [, figures]) => total + count(figures), 0)
    printRow([
      PROVIDER_LABELS[provider],
      fault.name,
      sum((figures) => figures.nb_participants),
      sum((figures) => figures.nb_contacts),
      sum((figures) => figures.nb_lost),
      sum((figures) => figures.nb_double),
      sum((figures) => figures.nb_calls),
      fault.is_outage ? sum((figures) => figures.nb_calls_in_outage) : '–',
      ...CONTACT_FIELDS.map((field) => cellOf(runs, field)),
    ])
  }
await app.close()

console.log()
printRow(['seed', 'participants', 'contacts', 'values', 'enrolments', 'left out', 'problems'])
printRow(Array.from({ length: 7 }, () => '---'))
const fastApp = await createOutboxApp({}, { rateLimits: FAST_RATE_LIMITS })
for (const seed of SEEDS) {
  const run = { seed, nb_participants: NB_RANDOM, nb_creators: 4, nb_timeouts: 2 }
  const { problems, ...figures } = await compareContacts(
    fastApp,
    await runRandomFaults(fastApp, run),
  )
  printRow([seed, ...Object.values(figures), problems.length])
  for (const text of problems) failures.push(`seed ${seed}: ${text}`)
}
await fastApp.close()
for (const text of failures) console.error(text)
process.exit(failures.length > 0 ? 1 : 0)
