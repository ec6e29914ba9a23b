import assert from 'node:assert/strict'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { freePort } from './network/proxies/free-port.ts'

const ROOT = join(import.meta.dirname, '../../..')
const SECRET_KEY = 'a secret that only tests know of'
const MAX_START_MS = 180_000

/** Running server process, started like `npm start`. */
export type ServerProcess = {
  origin: string
  child: ChildProcess
  /** Sends a signal and returns the exit code; null if the signal killed the process. */
  end: (signal?: NodeJS.Signals) => Promise<number | null>
}

/** Returns the database address in the form of DATABASE_URL. */
export const databaseUrl = (connection: pg.ClientConfig): string => {
  if (connection.connectionString) return connection.connectionString
  const { user, password, database, host } = new pg.Client(connection)
  return `postgres://${user}:${password ?? ''}@localhost/${database}?host=${encodeURIComponent(host)}`
}

/** Environment variables passed to child processes. */
const INHERITED = { PATH: process.env.PATH }

/** Starts a server that must refuse to start, and waits for its exit. */
export const refuseProcess = (env: Record<string, string>) =>
  spawnSync(process.execPath, ['src/server/main.ts'], {
    cwd: ROOT,
    encoding: 'utf8',
    timeout: MAX_START_MS,
    env: { ...INHERITED, SECRET_KEY, PORT: '0', HOST: '127.0.0.1', ...env },
  })

/** Starts a script of `scripts/` without waiting for its exit. */
export const startCommand = (script: string, env: Record<string, string>) =>
  spawn(process.execPath, [join('scripts', script)], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...INHERITED, ...env },
  })

/** Starts a server as in production and waits until it is ready. */
export const startProcess = async (env: Record<string, string>): Promise<ServerProcess> => {
  const port = await freePort()
  const data_dir = mkdtempSync(join(tmpdir(), 'quizaine-process-'))
  const child = spawn(process.execPath, ['src/server/main.ts'], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...INHERITED,
      PORT: String(port),
      HOST: '127.0.0.1',
      DATA_DIR: data_dir,
      SECRET_KEY,
      RATE_LIMITS: 'off',
      HTTP_LOOP_DELAY_MS: '600000',
      LOG_LEVEL: 'silent',
      ...env,
    },
  })
  const ended = once(child, 'exit').then(([code]: (number | null)[]) => {
    rmSync(data_dir, { recursive: true, force: true })
    return code ?? null
  })
  const origin = `http://127.0.0.1:${port}`
  // The log is checked too, because another server may listen on the port.
  let printed = ''
  child.stdout.on('data', (chunk) => {
    printed += chunk
  })
  const until = performance.now() + MAX_START_MS
  while (!(printed.includes('is ready on') && (await isReady(origin)))) {
    assert.ok(child.exitCode === null && performance.now() < until, 'the server started')
    await pause(50)
  }
  return {
    origin,
    child,
    end: (signal = 'SIGTERM') => {
      child.kill(signal)
      return ended
    },
  }
}

const isReady = (origin: string): Promise<boolean> =>
  fetch(`${origin}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  )
