import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { chooseAccount, giveTo, launchAs } from '#server/db/embedded/postgres-account.ts'
import { freePort } from './free-port.ts'

const PATHS = ['/usr/sbin/pgbouncer', '/usr/bin/pgbouncer', '/usr/local/bin/pgbouncer']

const MAX_START_MS = 60_000

/** Running PgBouncer. */
export type Pgbouncer = {
  url: string
  /**
   * Ends PgBouncer by a signal, then starts a new process on the same port. SIGTERM ends it at once; SIGINT waits for
   * running transactions, as `systemctl restart` of Debian does.
   */
  restart: (signal: 'SIGINT' | 'SIGTERM' | 'SIGKILL') => Promise<void>
  stop: () => Promise<void>
}

/** Starts PgBouncer in transaction mode, so that consecutive statements use different database sessions. */
export const startPgbouncer = async (connection: pg.ClientConfig): Promise<Pgbouncer> => {
  const program = PATHS.find((path) => existsSync(path))
  assert.ok(program, 'PgBouncer is installed (Debian: apt-get install pgbouncer)')
  const { user, password, database, host, port } = new pg.Client(connection)
  const folder = mkdtempSync(join(tmpdir(), 'quizaine-pooler-'))
  const account = chooseAccount(join(folder, 'nobody'))
  const listen_port = await freePort()
  const file = join(folder, 'pgbouncer.ini')
  writeFileSync(
    file,
    [
      '[databases]',
      `* = host=${host} port=${port} user=${user} password=${password}`,
      '[pgbouncer]',
      'pool_mode = transaction',
      'default_pool_size = 4',
      'server_round_robin = 1',
      'auth_type = any',
      'listen_addr = 127.0.0.1',
      `listen_port = ${listen_port}`,
      'unix_socket_dir =',
      '',
    ].join('\n'),
  )
  giveTo(account, folder)
  giveTo(account, file)
  const paths = host?.startsWith('/') ? [file, join(host, 'socket')] : [file]
  const { command, args, uid, gid } = launchAs(account, { program, args: ['--quiet', file], paths })
  const url = `postgres://${user}@127.0.0.1:${listen_port}/${database}`
  const start = async (): Promise<ChildProcess> => {
    const child = spawn(command, args, { stdio: ['ignore', 'ignore', 'inherit'], uid, gid })
    const until = performance.now() + MAX_START_MS
    while (!(await answers(url))) {
      assert.ok(child.exitCode === null && performance.now() < until, 'PgBouncer started')
      await pause(50)
    }
    return child
  }
  let child = await start()
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const exited = once(child, 'exit')
    child.kill(signal)
    await exited
  }
  return {
    url,
    restart: async (signal) => {
      await end(signal)
      child = await start()
    },
    stop: async () => {
      await end('SIGTERM')
      rmSync(folder, { recursive: true })
    },
  }
}

const answers = async (connectionString: string): Promise<boolean> => {
  const pool = new pg.Pool({ connectionString, connectionTimeoutMillis: 1_000 })
  pool.on('error', () => undefined)
  try {
    await pool.query('select 1')
    return true
  } catch {
    return false
  } finally {
    await pool.end()
  }
}
