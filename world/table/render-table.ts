import { listTextFields } from '../texts/text-fields.ts'
import { cellOf, SURROUNDINGS } from './cells.ts'
import { FEATURES } from './features.ts'

const SIGNS = { not_applicable: '', tried: '✓', gap: 'gap', missing: '**missing**' }

/** Returns rows of cells as lines of a Markdown table. */
const tableOf = (head: readonly string[], rows: readonly (readonly string[])[]): string[] =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`)

/**
 * Returns the table of surroundings and features in Markdown. `failed` are test files that failed in this run; a feature
 * that one of them tries is marked.
 */
export const renderTable = (failed: ReadonlySet<string> = new Set()): string[] =>
  tableOf(
    ['feature', ...SURROUNDINGS.map(({ name }) => name)],
    FEATURES.map((feature) => [
      feature.name,
      ...SURROUNDINGS.map((surrounding) => {
        const cell = cellOf(feature, surrounding)
        const hasFailed = cell.kind === 'tried' && cell.tests.some((test) => failed.has(test))
        return hasFailed ? '✗' : SIGNS[cell.kind]
      }),
    ]),
  )

const fieldTable = (): string[] => {
  const paths = new Map<string, string[]>()
  for (const { call, path } of listTextFields()) paths.set(call, [...(paths.get(call) ?? []), path])
  return tableOf(
    ['call', 'fields'],
    [...paths].map(([call, fields]) => [
      `\`${call}\``,
      fields.map((field) => `\`${field}\``).join(', '),
    ]),
  )
}

/** Returns docs/world.md: the table, the tests of each surrounding, the gaps, and the fields that get every text. */
export const renderWorldPage = (): string =>
  [
    '# Surroundings',
    '',
    'Where every feature is tried, and by which tests. `npm run test:world` runs them and prints this table with its failures.',
    '`npm run world` writes this page from `world/table`, where a new feature is added. A feature, screen, group of calls or field that is missing',
    'here fails `npm run test:world`.',
    '',
    '✓: tried. Empty: no part of the feature meets the surrounding.',
    '',
    ...renderTable(),
    '',
    '## Tests of each surrounding',
    '',
    ...tableOf(
      ['surrounding', 'what it is', 'tests'],
      SURROUNDINGS.map(({ name, description, proofs }) => [
        name,
        description,
        [...new Set(proofs.flatMap(({ tests }) => tests))].map((test) => `\`${test}\``).join(' '),
      ]),
    ),
    '',
    '## Gaps',
    '',
    ...SURROUNDINGS.flatMap(({ name, gaps = [] }) =>
      gaps.map(({ features, reason }) => `- ${name}, ${features.join(', ')}: ${reason}`),
    ),
    '',
    '## Fields that get every text of strangers',
    '',
    ...fieldTable(),
    '',
  ].join('\n')
