import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from '#server/testing/network/proxies/free-port.ts'

const root = join(import.meta.dirname, '..')
const START_MS = 60_000
/** Maximum duration of the migration of an existing database. */
const UPGRADE_MS = 600_000

/** Builds the browser files into `dist/` if their sources have changed. */
export const buildIfStale = (): void => {
  const { status } = spawnSync(process.execPath, ['scripts/build.ts', '--if-stale'], {
    cwd: root,
    stdio: 'inherit',
  })
  if (status !== 0) throw new Error('The build failed')
}

/** Running server. `data_dir` contains the socket of the embedded database. */
export type RunningServer = {
  origin: string
  data_dir: string
  pid: number
  stop: () => Promise<void>
}

/**
 * Starts the server and waits until it is ready. The database is temporary, or that of `existing_folder`, or that of
 * DATABASE_URL.
 */
export const startServer = async (
  node_options: string[] = [],
  env: Record<string, string> = {},
  existing_folder?: string,
): Promise<RunningServer> => {
  const port = await freePort()
  const data_dir = existing_folder ?? mkdtempSync(join(tmpdir(), 'quizaine-bench-'))
  const server = spawn(process.execPath, [...node_options, 'src/server/main.ts'], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      ...process.env,
      PORT: String(port),
      HOST: '127.0.0.1',
      DATA_DIR: data_dir,
      RATE_LIMITS: 'off',
      // Load generators reuse their connections, as proxies do.
      HTTP_REQUESTS_PER_CONNECTION: '9999999',
      LOG_LEVEL: 'warn',
      ...env,
    },
  })
  const origin = `http://localhost:${port}`
  const stop = async (): Promise<void> => {
    if (server.exitCode === null) {
      server.kill('SIGTERM')
      await once(server, 'exit')
    }
    if (!existing_folder) rmSync(data_dir, { recursive: true, force: true })
  }
  try {
    await waitUntilReady(origin, server, existing_folder ? UPGRADE_MS : START_MS)
  } catch (error) {
    await stop()
    throw error
  }
  return { origin, data_dir, pid: server.pid ?? 0, stop }
}

const waitUntilReady = async (
  origin: string,
  server: ChildProcess,
  within_ms: number,
): Promise<void> => {
  const deadline = Date.now() + within_ms
  while (Date.now() < deadline && server.exitCode === null) {
    const isReady = await fetch(`${origin}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    )
    if (isReady) return
    await pause(100)
  }
  throw new Error('The server did not start')
}
