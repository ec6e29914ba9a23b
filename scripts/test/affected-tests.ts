import { spawnSync } from 'node:child_process'
import { existsSync, globSync } from 'node:fs'
import { join, relative } from 'node:path'
import { importsOf, ROOT } from '../imports.ts'
import { type Durations, estimateMs, isOnlyInTestAll } from './file-queue.ts'

/** Test helper that creates databases. */
const DATABASE_HELPER = 'src/server/testing/app/test-server.ts'
/** Test helpers that need the built files of the browser. */
const BUILD_HELPER = 'src/server/testing/built-player.ts'

/** Returns every test file of the rules, the API and the browser's modules. */
export const listTestFiles = (): string[] => globSync('src/**/*.test.ts', { cwd: ROOT }).sort()

/** Returns the test files of `npm test`, which leaves out long simulations and proofs. */
export const listDailyTestFiles = (): string[] =>
  listTestFiles().filter((file) => !isOnlyInTestAll(file))

/** Returns all files that a file imports, directly or not, with the number of imports between both. */
const distancesFrom = (file: string): Map<string, number> => {
  const distances = new Map([[file, 0]])
  // A map yields entries that are added while it is read.
  for (const [current, distance] of distances)
    for (const imported of knownImportsOf(current))
      if (!distances.has(imported)) distances.set(imported, distance + 1)
  return distances
}

/** Imports of each file that was read. */
const known = new Map<string, string[]>()

/** Makes the next call read the imports of all files again. */
export const forgetImports = (): void => known.clear()

const knownImportsOf = (file: string): string[] => {
  const found = known.get(file)
  if (found) return found
  const isSource = /\.tsx?$/.test(file) && existsSync(join(ROOT, file))
  const imported = isSource ? importsOf(file) : []
  known.set(file, imported)
  return imported
}

/** Returns true if a test file needs the built files of the public page. */
export const needsPlayer = (file: string): boolean => distancesFrom(file).has(BUILD_HELPER)

/** Returns true if one of the test files needs a database server or the built files of the browser. */
export const needsServer = (files: string[]): boolean =>
  files.some((file) => {
    const imported = distancesFrom(file)
    return imported.has(DATABASE_HELPER) || imported.has(BUILD_HELPER)
  })

/** Returns the files that differ from a commit, new files included. */
export const changedFiles = (commit: string): string[] => {
  const git = (...args: string[]): string[] =>
    spawnSync('git', args, { cwd: ROOT, encoding: 'utf8' }).stdout.split('\n').filter(Boolean)
  return [
    ...git('diff', '--name-only', commit),
    ...git('ls-files', '--others', '--exclude-standard'),
  ]
}

/**
 * Returns the test files of `npm test` that import a changed file, and changed test files, nearest first. `only` limits the
 * search to these test files.
 */
export const listAffected = (changed: string[], only: string[] = listTestFiles()): string[] =>
  only
    .map((file) => {
      const distances = distancesFrom(file)
      return { file, distance: Math.min(...changed.map((name) => distances.get(name) ?? Infinity)) }
    })
    .filter(
      ({ file, distance }) => distance < Infinity && (distance === 0 || !isOnlyInTestAll(file)),
    )
    .toSorted((left, right) => left.distance - right.distance)
    .map(({ file }) => file)

/**
 * Returns the test files of `listAffected` until their estimated time reaches `budget_ms`. `left_out` counts the others.
 */
export const selectAffected = (
  changed: string[],
  {
    durations,
    budget_ms,
    only = listTestFiles(),
  }: { durations: Durations; budget_ms: number; only?: string[] | undefined },
): { files: string[]; left_out: number } => {
  const affected = listAffected(changed, only)
  let ms = 0
  const files = affected.filter((file) => {
    ms += estimateMs(file, durations)
    return ms <= budget_ms
  })
  return { files, left_out: affected.length - files.length }
}

/** Returns the path of a file as the lists of tests have it. */
export const toListed = (path: string): string => relative(ROOT, join(process.cwd(), path))
