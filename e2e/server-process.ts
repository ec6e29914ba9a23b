import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test as base, expect } from '@playwright/test'
import { findRunning } from '../src/server/db/postgres-process.ts'

export { expect }

/** The server process of `npm start`. */
export type Running = { child: ChildProcess; said: () => string; exit: Promise<unknown[]> }

type Fixtures = {
  /** A new data folder. */
  DATA_DIR: string
  /** Starts a server, which is killed at the end of the test. */
  run: (env: Record<string, string>) => Running
}

const start = (env: Record<string, string>): Running => {
  // Playwright sets FORCE_COLOR, and Node warns of it on the error stream where NO_COLOR is set too.
  const { FORCE_COLOR: _, ...own } = process.env
  const child = spawn(process.execPath, ['src/server/main.ts'], { env: { ...own, ...env } })
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (text: Buffer) => {
      said += text
    })
  return { child, said: () => said, exit: once(child, 'exit') }
}

const isOver = ({ child }: Running): boolean => child.exitCode !== null || child.signalCode !== null

export const test = base.extend<Fixtures>({
  DATA_DIR: async ({ baseURL: _ }, use) => {
    const folder = mkdtempSync(join(tmpdir(), 'quizaine-process-'))
    await use(folder)
    const left = findRunning(folder)
    if (left) process.kill(left, 'SIGKILL')
    rmSync(folder, { recursive: true, force: true, maxRetries: 20 })
  },
  run: async ({ DATA_DIR }, use) => {
    const started: Running[] = []
    await use((env) => {
      const running = start({ LOG_LEVEL: 'silent', DATA_DIR, ...env })
      started.push(running)
      return running
    })
    for (const running of started.filter((one) => !isOver(one))) {
      running.child.kill('SIGTERM')
      await running.exit
    }
  },
})

export const isReady = ({ said }: Running): Promise<void> =>
  expect.poll(said, { timeout: 30_000 }).toContain('Quizaine is ready on')
