import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test as base, expect } from '@playwright/test'
import { findRunning } from '../../src/server/db/embedded/postgres-process.ts'
import { freePort } from '../../src/server/testing/network/proxies/free-port.ts'

export { expect }

/** The server process of `npm start`. */
export type ServerProcess = {
  child: ChildProcess
  readOutput: () => string
  exit: Promise<unknown[]>
}

type Run = (env: Record<string, string>) => ServerProcess

type Fixtures = {
  /** A new data folder. */
  DATA_DIR: string
  /** Starts a server, which is killed at the end of the test. */
  run: Run
}

const start = (env: Record<string, string>): ServerProcess => {
  // FORCE_COLOR, which Playwright sets, is removed, because Node prints a warning if NO_COLOR is set too.
  const { FORCE_COLOR: _, ...own } = process.env
  const child = spawn(process.execPath, ['src/server/main.ts'], { env: { ...own, ...env } })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (text: Buffer) => {
      output += text
    })
  return { child, readOutput: () => output, exit: once(child, 'exit') }
}

const hasExited = ({ child }: ServerProcess): boolean =>
  child.exitCode !== null || child.signalCode !== null

const withDataFolder = async (use: (folder: string) => Promise<void>): Promise<void> => {
  const folder = mkdtempSync(join(tmpdir(), 'quizaine-process-'))
  await use(folder)
  const orphan_pid = findRunning(folder)
  if (orphan_pid) process.kill(orphan_pid, 'SIGKILL')
  rmSync(folder, { recursive: true, force: true, maxRetries: 20 })
}

const withServers = async (DATA_DIR: string, use: (run: Run) => Promise<void>): Promise<void> => {
  const started: ServerProcess[] = []
  await use((env) => {
    const running = start({ LOG_LEVEL: 'silent', HOST: '127.0.0.1', DATA_DIR, ...env })
    started.push(running)
    return running
  })
  for (const running of started.filter((server) => !hasExited(server))) {
    running.child.kill('SIGTERM')
    await running.exit
  }
}

export const test = base.extend<Fixtures>({
  DATA_DIR: ({ baseURL: _ }, use) => withDataFolder(use),
  run: ({ DATA_DIR }, use) => withServers(DATA_DIR, use),
})

export const waitUntilReady = ({ readOutput }: ServerProcess): Promise<void> =>
  expect.poll(readOutput, { timeout: 180_000 }).toMatch(/Quizaine \S+ is ready on/)

/** A server that the tests of one worker share, because a start takes longer than most tests. */
export type OwnServer = { origin: string; folder: string }

/** Starts a separate server on a free port, passes it to `use` and stops it afterwards. */
export const withOwnServer = (
  env: Record<string, string>,
  use: (server: OwnServer) => Promise<void>,
): Promise<void> =>
  withDataFolder((folder) =>
    withServers(folder, async (run) => {
      const port = await freePort()
      await waitUntilReady(
        run({ PORT: String(port), RATE_LIMITS: 'off', HTTP_LOOP_DELAY_MS: '600000', ...env }),
      )
      await use({ origin: `http://localhost:${port}`, folder })
    }),
  )
