import { globSync } from 'node:fs'
import { listWorldTests } from '../../world/table/cells.ts'
import { renderTable } from '../../world/table/render-table.ts'
import { ROOT } from '../imports.ts'
import type { Tally } from './tally.ts'

/** Returns the files of `npm run test:world`: the tests of the table, and those of the table itself. */
export const listWorldSuite = (): string[] =>
  [...new Set([...listWorldTests(), ...globSync('world/**/*.test.ts', { cwd: ROOT })])].sort()

/** Folder of the journeys in Firefox and WebKit, whose failures name the fixtures of all of them. */
const ENGINES = 'e2e/engines/'

const hasFailed = (file: string, failures: readonly string[]): boolean =>
  failures.some((failure) => failure.startsWith(file.startsWith(ENGINES) ? ENGINES : file))

/** Prints the table of surroundings and features with the failures of a run. */
export const printWorldTable = ({ failures }: Tally): void => {
  const failed = listWorldTests().filter((file) => hasFailed(file, failures))
  console.log(`\n${renderTable(new Set(failed)).join('\n')}`)
}
