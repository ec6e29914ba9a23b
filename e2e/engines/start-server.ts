import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ROOT } from '../../scripts/imports.ts'
import { embeddedConnection } from '../../src/server/db/embedded/postgres-access.ts'
import { disableDiskSync } from '../../src/server/testing/app/test-server.ts'
import { startProgram, stopProgram } from './drivers/child-process.ts'

/**
 * Builds the browser's files if they are stale, and starts the server on a new database for all journeys. They find its
 * address in the environment. Returns the function that stops it.
 */
export const startServer = async (): Promise<() => Promise<void>> => {
  const built = spawnSync(process.execPath, ['scripts/build.ts', '--if-stale'], { cwd: ROOT })
  if (built.status !== 0) throw new Error(`The browser's files were not built: ${built.stderr}`)
  const folder = mkdtempSync(join(tmpdir(), 'quizaine-engines-'))
  const port = process.env.E2E_PORT ?? '4187'
  const { child } = await startProgram(process.execPath, {
    args: ['src/server/main.ts'],
    env: {
      PORT: port,
      DATA_DIR: folder,
      RATE_LIMITS: 'off',
      HTTP_LOOP_DELAY_MS: '600000',
      LOG_LEVEL: 'warn',
      WEBHOOKS_TO_LOOPBACK: 'on',
    },
    pattern: /Quizaine is ready on/,
  })
  await disableDiskSync(embeddedConnection(folder))
  process.env.ENGINES_ORIGIN = `http://localhost:${port}`
  return async () => {
    await stopProgram(child)
    rmSync(folder, { recursive: true, force: true, maxRetries: 20 })
  }
}
