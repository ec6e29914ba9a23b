import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { startTestServer } from './app/test-server.ts'

const ROOT = join(import.meta.dirname, '../../..')

let stop: (() => Promise<void>) | undefined

/**
 * Runs once before all test files. Builds the browser's files and starts one database server, because parallel builds
 * would conflict. Test files get both through environment variables. A database that still runs is used again.
 */
export const globalSetup = async (): Promise<void> => {
  const built = spawnSync(process.execPath, ['scripts/build.ts', '--if-stale'], { cwd: ROOT })
  assert.equal(built.status, 0, `The browser's files are built: ${built.stderr}`)
  process.env.QUIZAINE_TEST_PLAYER = pathToFileURL(`${join(ROOT, 'dist/player')}/`).href
  if (stop) return
  const started = await startTestServer()
  stop = started.stop
  process.env.QUIZAINE_TEST_SERVER = JSON.stringify(started.server)
}

export const globalTeardown = async (): Promise<void> => {
  await stop?.()
}
