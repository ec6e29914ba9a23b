import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { globalTeardown } from '../../src/server/testing/global-setup.ts'
import { forgetImports, needsServer, selectAffected } from './affected-tests.ts'
import { readDurations, runServerSuite } from './server-suite.ts'
import { printTally } from './tally.ts'
import { watchFolders } from './watch-folders.ts'

/** Milliseconds without a change after which tests start, because editors save several files at once. */
const QUIET_MS = 100
/** Files that tests read. Temporary files of editors have other names. */
const IS_SOURCE = /\.(?:tsx?|css|sql|json|txt|html)$/

/**
 * Runs the tests that import a changed file at each save, until the process is told to stop. Begins with the files in
 * `changed`. `only` limits the runs to these test files; undefined means all. The database of the first run that needs one
 * serves all later runs.
 */
export const watchTests = async ({
  changed: first,
  only,
  scratch,
  budget_ms,
}: {
  changed: string[]
  only: string[] | undefined
  scratch: string
  budget_ms: number
}): Promise<void> => {
  const changed = new Set(first)
  let saved = Promise.withResolvers<void>()
  watchFolders('src', (file) => {
    if (!IS_SOURCE.test(file)) return
    changed.add(file)
    saved.resolve()
  })
  const { promise: stopped, resolve: stop } = Promise.withResolvers<'stopped'>()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop('stopped'))

  const runAffected = async (): Promise<void> => {
    const names = [...changed]
    changed.clear()
    forgetImports()
    const { files, left_out } = selectAffected(names, {
      durations: readDurations(),
      budget_ms,
      only,
    })
    const started = performance.now()
    console.log(`\n${describeFiles(names)} changed: ${files.length} test files run`)
    if (left_out > 0) console.log(`${left_out} more test files would take longer than a minute`)
    if (files.length === 0) return
    // Rules come first, because they wait for no build and no database.
    const rules = files.filter((file) => !needsServer([file]))
    const others = files.filter((file) => !rules.includes(file))
    for (const group of [rules, others].filter((one) => one.length > 0)) {
      const folder = mkdtempSync(join(scratch, 'run-'))
      const options = { has_database: group === others, keeps_database: true }
      printTally(await runServerSuite(group, { scratch: folder, ...options }))
      rmSync(folder, { recursive: true, force: true })
    }
    console.log(`${((performance.now() - started) / 1_000).toFixed(1)} s`)
  }

  const repeat = async (): Promise<void> => {
    if (changed.size > 0) await runAffected()
    for (;;) {
      console.log('Waiting for changes of src')
      await saved.promise
      await new Promise((resolve) => setTimeout(resolve, QUIET_MS))
      saved = Promise.withResolvers()
      await runAffected()
    }
  }
  await Promise.race([repeat(), stopped])
  await globalTeardown()
}

const describeFiles = ([first = 'nothing', ...others]: string[]): string =>
  others.length > 0 ? `${first} and ${others.length} more` : first
