import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { ROOT } from '../../scripts/imports.ts'
import type { journeyEnvironment } from '../../scripts/test/journey-environment.ts'
import { embeddedConnection } from '../../src/server/db/embedded/postgres-access.ts'
import { disableDiskSync } from '../../src/server/testing/app/test-server.ts'
import { startProgram, stopProgram } from './drivers/child-process.ts'

/**
 * Builds the browser's files if they are stale, and starts the product on a new database and the fake email tools, for all
 * journeys outside Playwright. Returns the function that stops them.
 */
export const startServers = async ({
  server,
  fakes,
}: ReturnType<typeof journeyEnvironment>): Promise<() => Promise<void>> => {
  const built = spawnSync(process.execPath, ['scripts/build.ts', '--if-stale'], { cwd: ROOT })
  if (built.status !== 0) throw new Error(`The browser's files were not built: ${built.stderr}`)
  const tools = await startProgram(process.execPath, {
    args: ['scripts/fakes.ts'],
    env: fakes,
    pattern: /Three email tools run/,
  })
  const product = await startProgram(process.execPath, {
    args: ['src/server/main.ts'],
    env: server,
    pattern: /Quizaine \S+ is ready on/,
  })
  await disableDiskSync(embeddedConnection(server.DATA_DIR))
  return async () => {
    await stopProgram(product.child)
    await stopProgram(tools.child)
    rmSync(server.DATA_DIR, { recursive: true, force: true, maxRetries: 20 })
  }
}
