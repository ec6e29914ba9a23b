import { globSync } from 'node:fs'
import { relative } from 'node:path'
import { ROOT } from '../imports.ts'

/** Counts of one file, as Node's test runner reports them. */
type FileCoverage = { path: string } & Record<`${'total' | 'covered'}${Kind}Count`, number>
type Kind = (typeof KINDS)[number]
const KINDS = ['Line', 'Branch', 'Function'] as const

/** Product code; tests and their helpers are not measured. */
const MEASURED = 'src/**/*.{ts,tsx}'
const FOR_TESTS = ['src/**/*.{test,spec,d}.ts', 'src/**/testing/**']

/** Options of Node's test runner that measure coverage with V8. */
export const COVERAGE_OPTIONS = {
  coverage: true,
  coverageIncludeGlobs: MEASURED,
  coverageExcludeGlobs: FOR_TESTS,
}

/** Returns the folder by which a file is counted, such as `src/domain/run`. */
const folderOf = (file: string): string => file.split('/').slice(0, -1).slice(0, 3).join('/')

const percent = (covered: number, total: number): string =>
  total === 0 ? '–' : `${((covered / total) * 100).toFixed(1)} %`

const sum = (files: FileCoverage[], name: keyof Omit<FileCoverage, 'path'>): number =>
  files.reduce((total, file) => total + file[name], 0)

/**
 * Prints the covered lines, branches and functions of each folder that has a loaded file. Files that no test loads are
 * counted apart, because V8 knows nothing about them.
 */
export const printCoverage = (files: FileCoverage[]): void => {
  const loaded = Map.groupBy(files, ({ path }) => folderOf(relative(ROOT, path)))
  const paths = new Set(files.map(({ path }) => relative(ROOT, path)))
  const missing = globSync(MEASURED, { cwd: ROOT, exclude: FOR_TESTS }).filter(
    (file) => !paths.has(file),
  )
  const elsewhere = missing.filter((file) => !loaded.has(folderOf(file))).length
  const row = (name: string, group: FileCoverage[], nb_missing: number): string[] => [
    name,
    ...KINDS.map((kind) =>
      percent(sum(group, `covered${kind}Count`), sum(group, `total${kind}Count`)),
    ),
    `${group.length}`,
    `${nb_missing}`,
  ]
  const rows = [
    ['folder', 'lines', 'branches', 'functions', 'files', 'not loaded'],
    ...[...loaded]
      .toSorted(([left], [right]) => left.localeCompare(right))
      .map(([name, group]) =>
        row(name, group, missing.filter((file) => folderOf(file) === name).length),
      ),
    row('together', files, missing.length - elsewhere),
  ]
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((cells) => cells[column]?.length ?? 0)),
  )
  for (const cells of rows)
    console.log(
      cells
        .map((cell, column) =>
          column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
        )
        .join('  '),
    )
  if (elsewhere > 0) console.log(`No file of other folders is loaded: ${elsewhere} files`)
}
