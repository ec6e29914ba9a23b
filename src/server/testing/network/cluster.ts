import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  appendFileSync,
  chmodSync,
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import {
  type Account,
  chooseAccount,
  giveTo,
  launchAs,
} from '#server/db/embedded/postgres-account.ts'
import { findBinaries } from '#server/db/embedded/postgres-binaries.ts'

/** PostgreSQL server on a Unix socket. */
type Server = {
  connection: { host: string; user: string; database: string }
  pid: () => number
  /** Starts the server again after it stopped or crashed. */
  start: () => Promise<void>
  /** Sends a signal to the server and waits for its exit. */
  end: (signal: NodeJS.Signals) => Promise<void>
}

/** PostgreSQL server with its replicas. */
export type Cluster = Server & {
  version: string
  /** Data folder. */
  data: string
  /** Copies the running server into a streaming replica with additional settings, and starts the replica. */
  addReplica: (settings?: Record<string, string>) => Promise<Server>
  /** Ends all servers and deletes their folders. */
  cleanUp: () => Promise<void>
}

type Programs = { initdb: string; postgres: string; env: Record<string, string> }

const MAX_START_MS = 30_000
const POLL_MS = 20

/** Returns the newest PostgreSQL of Debian, or the embedded binaries if there is none. */
const findPrograms = (): Programs => {
  const [debian] = globSync('/usr/lib/postgresql/*/bin').sort().reverse()
  if (!debian) return findEmbedded()
  return { initdb: join(debian, 'initdb'), postgres: join(debian, 'postgres'), env: {} }
}
const findEmbedded = (): Programs => findBinaries(join(tmpdir(), 'quizaine-libraries'))

type Options = {
  max_connections?: number
  /** True to use the binaries of the embedded database, even if PostgreSQL of Debian is installed. */
  is_embedded?: boolean
  /** Maximum time until the server answers, in milliseconds. */
  max_start_ms?: number
  /** Lines that are added to postgresql.conf of an empty database. */
  config?: string
  /** Returns environment variables for the server and its commands. */
  envOf?: (folders: { data: string; host: string }) => Record<string, string>
  /** Creates the data folder under the account of the server; by default with an empty database. */
  createData?: (folders: { data: string; host: string }, account: Account) => Promise<void>
}

/** Creates and starts a temporary PostgreSQL cluster on a Unix socket with the default durability settings. */
export const startCluster = async ({
  max_connections = 100,
  is_embedded = false,
  max_start_ms = MAX_START_MS,
  config = '',
  envOf = () => ({}),
  createData,
}: Options = {}): Promise<Cluster> => {
  const folder = mkdtempSync(join(tmpdir(), 'quizaine-pg-'))
  chmodSync(folder, 0o711)
  const data = join(folder, 'data')
  const account = chooseAccount(data)
  giveTo(account, folder)
  const { env, ...programs } = is_embedded ? findEmbedded() : findPrograms()
  const folders = { data, host: folder }
  const run = createRunner({ ...programs, env: { ...env, ...envOf(folders) } }, account)
  const initialize = (): void => {
    const { command, args, options } = run(programs.initdb, data, [
      ...['-D', data, '-U', 'quizaine', '-A', 'trust', '-E', 'UTF8', '--locale=C'],
    ])
    const { status, stderr } = spawnSync(command, args, { ...options, encoding: 'utf8' })
    if (status !== 0) throw new Error(`initdb failed: ${stderr}`)
    appendFileSync(join(data, 'postgresql.conf'), config)
  }
  if (createData) await createData(folders, account)
  else initialize()
  const version = spawnSync(programs.postgres, ['--version'], {
    encoding: 'utf8',
    env,
  }).stdout.trim()
  const settings = { max_connections: String(max_connections), log_min_messages: 'fatal' }
  const servers: Server[] = []
  const add = async (server: Server): Promise<Server> => {
    servers.push(server)
    await server.start()
    return server
  }
  const launch = (program_args: string[], own_data: string): ChildProcess => {
    const { command, args, options } = run(programs.postgres, own_data, program_args)
    return spawn(command, args, { ...options, stdio: 'ignore', detached: true })
  }
  const primary = await add(createServer(launch, { data, socket: folder, settings, max_start_ms }))
  return {
    ...primary,
    version,
    data,
    addReplica: async (replica_settings = {}) => {
      const name = `replica${servers.length}`
      const [copy, socket] = [join(folder, name), join(folder, `${name}-socket`)]
      mkdirSync(socket)
      giveTo(account, socket)
      await copyData(primary.connection, { data, copy, account })
      return add(
        createServer(launch, {
          data: copy,
          socket,
          max_start_ms,
          settings: { ...settings, ...replica_settings },
        }),
      )
    },
    cleanUp: async () => {
      for (const server of servers) await server.end('SIGQUIT')
      rmSync(folder, { recursive: true, force: true, maxRetries: 20 })
    },
  }
}

/** Returns a function that prepares the command of a program with access to a data folder. */
const createRunner =
  (programs: Programs, account: Account) =>
  (program: string, data: string, program_args: string[]) => {
    const { command, args, ...identity } = launchAs(account, {
      program,
      args: program_args,
      paths: [data],
    })
    return { command, args, options: { ...identity, env: { LC_ALL: 'C', ...programs.env } } }
  }

type ServerOptions = {
  data: string
  socket: string
  settings: Record<string, string>
  max_start_ms: number
}

/** Creates a server that is not yet started. */
const createServer = (
  launch: (args: string[], data: string) => ChildProcess,
  { data, socket, settings, max_start_ms }: ServerOptions,
): Server => {
  let server: ChildProcess | undefined
  const isRunning = (): boolean => server?.exitCode === null && server.signalCode === null
  const all_settings = { listen_addresses: '', unix_socket_directories: socket, ...settings }
  const args = Object.entries(all_settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const connection = { host: socket, user: 'quizaine', database: 'postgres' }
  return {
    connection,
    pid: () => server?.pid ?? 0,
    start: async () => {
      const until = performance.now() + max_start_ms
      while (performance.now() < until) {
        if (!isRunning()) server = launch(['-D', data, ...args], data)
        if (await answers(connection)) return
        await pause(POLL_MS)
      }
      throw new Error('The external PostgreSQL did not start')
    },
    end: async (signal) => {
      if (!server || !isRunning()) return
      const exited = once(server, 'exit')
      server.kill(signal)
      // A suspended server handles the signal when it continues.
      server.kill('SIGCONT')
      await exited
    },
  }
}

/** Files and folders that are not copied: they belong to the running server, or the replica receives them from it. */
const EXCLUDED_FROM_COPY = ['postmaster.pid', 'postmaster.opts', 'pg_wal', 'pg_replslot']

/** Copies the data folder of a running server as `pg_basebackup` does. Not every installation has that program. */
const copyData = async (
  connection: pg.ClientConfig,
  { data, copy, account }: { data: string; copy: string; account: Account },
): Promise<void> => {
  const client = new pg.Client(connection)
  await client.connect()
  try {
    const slot = basename(copy)
    await client.query('select pg_create_physical_replication_slot($1, true)', [slot])
    await client.query("select pg_backup_start('replica', true)")
    cpSync(data, copy, {
      recursive: true,
      filter: (path) => !EXCLUDED_FROM_COPY.includes(basename(path)),
    })
    const { rows } = await client.query<{ labelfile: string }>(
      'select * from pg_backup_stop(false)',
    )
    for (const name of ['pg_wal', 'pg_replslot']) mkdirSync(join(copy, name))
    writeFileSync(join(copy, 'backup_label'), rows[0]?.labelfile ?? '')
    writeFileSync(join(copy, 'standby.signal'), '')
    const source = `host=${connection.host} user=${connection.user}`
    writeFileSync(
      join(copy, 'postgresql.auto.conf'),
      `primary_conninfo = '${source}'\nprimary_slot_name = '${slot}'\n`,
    )
  } finally {
    await client.end()
  }
  for (const name of ['', ...readdirSync(copy, { recursive: true, encoding: 'utf8' })])
    giveTo(account, join(copy, name))
  chmodSync(copy, 0o700)
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
