import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, globSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { chooseAccount, giveTo, launchAs } from '#server/db/embedded/postgres-account.ts'
import { findBinaries } from '#server/db/embedded/postgres-binaries.ts'

/** External PostgreSQL server. */
export type Cluster = {
  version: string
  connection: { host: string; user: string; database: string }
  pid: () => number
  /** Starts the server again after it stopped or crashed. */
  start: () => Promise<void>
  /** Sends a signal to the server and waits for its exit. */
  end: (signal: NodeJS.Signals) => Promise<void>
  cleanUp: () => Promise<void>
}

const START_MS = 30_000
const POLL_MS = 20

/** Returns the newest PostgreSQL of Debian, or the embedded binaries if there is none. */
const findPrograms = (): { initdb: string; postgres: string; env: Record<string, string> } => {
  const [debian] = globSync('/usr/lib/postgresql/*/bin').sort().reverse()
  if (!debian) return findBinaries(join(tmpdir(), 'quizaine-libraries'))
  return { initdb: join(debian, 'initdb'), postgres: join(debian, 'postgres'), env: {} }
}

/** Creates and starts a temporary PostgreSQL cluster on a Unix socket with the default durability settings. */
export const startCluster = async ({ max_connections = 100 } = {}): Promise<Cluster> => {
  const folder = mkdtempSync(join(tmpdir(), 'quizaine-pg-'))
  chmodSync(folder, 0o711)
  const data = join(folder, 'data')
  const account = chooseAccount(data)
  giveTo(account, folder)
  const programs = findPrograms()
  const env = { LC_ALL: 'C', ...programs.env }
  const run = (program: string, args: string[]) => {
    const {
      command,
      args: given,
      ...identity
    } = launchAs(account, { program, args, paths: [data] })
    return { command, args: given, options: { ...identity, env } }
  }
  const made = run(programs.initdb, [
    '-D',
    data,
    '-U',
    'quizaine',
    '-A',
    'trust',
    '-E',
    'UTF8',
    '--locale=C',
  ])
  const { status, stderr } = spawnSync(made.command, made.args, {
    ...made.options,
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`initdb failed: ${stderr}`)
  const version = spawnSync(programs.postgres, ['--version'], {
    encoding: 'utf8',
    env,
  }).stdout.trim()

  let server: ChildProcess | undefined
  const settings = [
    ...['-c', 'listen_addresses=', '-c', `unix_socket_directories=${folder}`],
    ...['-c', `max_connections=${max_connections}`, '-c', 'log_min_messages=fatal'],
  ]
  const spawnServer = (): ChildProcess => {
    const { command, args, options } = run(programs.postgres, ['-D', data, ...settings])
    return spawn(command, args, { ...options, stdio: 'ignore', detached: true })
  }
  const connection = { host: folder, user: 'quizaine', database: 'postgres' }
  const start = async (): Promise<void> => {
    const until = performance.now() + START_MS
    while (performance.now() < until) {
      if (!server || server.exitCode !== null || server.signalCode !== null) server = spawnServer()
      if (await answers(connection)) return
      await pause(POLL_MS)
    }
    throw new Error('The external PostgreSQL did not start')
  }
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (!server || server.exitCode !== null || server.signalCode !== null) return
    const gone = once(server, 'exit')
    server.kill(signal)
    await gone
  }
  await start()
  return {
    version,
    connection,
    pid: () => server?.pid ?? 0,
    start,
    end,
    cleanUp: async () => {
      server?.kill('SIGCONT')
      await end('SIGQUIT')
      rmSync(folder, { recursive: true, force: true, maxRetries: 20 })
    },
  }
}

const answers = async (connection: pg.ClientConfig): Promise<boolean> => {
  const client = new pg.Client({ ...connection, connectionTimeoutMillis: 2_000 })
  client.on('error', () => undefined)
  try {
    await client.connect()
    await client.end()
    return true
  } catch {
    return false
  }
}
