import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import pg from 'pg'
import { chooseAccount, giveTo } from '#server/db/embedded/postgres-account.ts'
import type { DatabaseRelay } from '#server/testing/network/proxies/database-relay.ts'
import { mountSmallDisk } from '../runner/small-disk.ts'
import { findFaketime, type HaPrograms } from './programs.ts'
import { type Service, startService } from './service.ts'

/** Database machine of the cluster: Patroni with its PostgreSQL. */
export type HaNode = {
  name: string
  /** Folder of the node, on its own disk if it has one. */
  folder: string
  /** Port of PostgreSQL. */
  port: number
  patroni_port: number
  /** Network between Patroni and etcd. */
  relay: DatabaseRelay
  start: () => Promise<void>
  /** Ends Patroni and PostgreSQL at once (SIGKILL), as if the machine lost its power. */
  kill: () => Promise<void>
  /** Returns true if PostgreSQL answers and is no replica. */
  acceptsWrites: () => Promise<boolean>
  /** Returns true if a replica confirms each commit. */
  hasSynchronousReplica: () => Promise<boolean>
  /** Makes Patroni hand the role of the primary to another node. */
  handOverTo: (name: string) => Promise<void>
  /** Sets the clock of Patroni and PostgreSQL ahead by these seconds. Takes effect within a second. */
  setClock: (ahead_s: number) => void
  /** Runs queries as superuser on this node. */
  query: <T>(run: (client: pg.Client) => Promise<T>) => Promise<T>
  readOutput: () => string
}

type NodeOptions = {
  name: string
  programs: HaPrograms
  folder: string
  /** Path of patroni.yml. */
  config: string
  port: number
  patroni_port: number
  relay: DatabaseRelay
  disk_mb: number | undefined
  has_own_clocks: boolean
}

const CONNECT_TIMEOUT_MS = 2_000
/** Free space below which a node with its own disk gives up the role of the primary. */
const MIN_FREE_MB = 20
const SUPERUSER = { user: 'postgres', password: 'superuser-try' }

/** Creates a node with its own data folder. `start` may be called again after `kill`. */
export const createHaNode = (options: NodeOptions): HaNode => {
  const { name, programs, folder, config, port, patroni_port, relay } = options
  const data = join(folder, 'data')
  mkdirSync(folder, { mode: 0o700 })
  if (options.disk_mb) mountSmallDisk(folder, options.disk_mb)
  const account = chooseAccount(folder)
  giveTo(account, folder)
  const env = {
    PATRONI_NAME: name,
    PATRONI_ETCD3_HOSTS: `127.0.0.1:${relay.port}`,
    // Makes Patroni use the relay, instead of the address that etcd names.
    PATRONI_ETCD3_USE_PROXIES: 'true',
    PATRONI_RESTAPI_LISTEN: `127.0.0.1:${patroni_port}`,
    PATRONI_RESTAPI_CONNECT_ADDRESS: `127.0.0.1:${patroni_port}`,
    PATRONI_POSTGRESQL_LISTEN: `127.0.0.1:${port}`,
    PATRONI_POSTGRESQL_CONNECT_ADDRESS: `127.0.0.1:${port}`,
    PATRONI_POSTGRESQL_DATA_DIR: data,
    PATRONI_POSTGRESQL_BIN_DIR: programs.postgres_bin,
    PATRONI_POSTGRESQL_PGPASS: join(folder, 'pgpass'),
    PATRONI_SUPERUSER_USERNAME: SUPERUSER.user,
    PATRONI_SUPERUSER_PASSWORD: SUPERUSER.password,
    PATRONI_REPLICATION_USERNAME: 'replicator',
    PATRONI_REPLICATION_PASSWORD: 'replicator-try',
    PATRONI_REWIND_USERNAME: 'rewinder',
    PATRONI_REWIND_PASSWORD: 'rewinder-try',
    ...(options.has_own_clocks && fakeClock(folder)),
  }
  let service: Service | undefined
  let diskWatch: Service | undefined

  const query: HaNode['query'] = async (run) => {
    const client = new pg.Client({
      ...SUPERUSER,
      host: '127.0.0.1',
      port,
      database: 'postgres',
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      query_timeout: CONNECT_TIMEOUT_MS,
    })
    client.on('error', () => undefined)
    try {
      await client.connect()
      return await run(client)
    } finally {
      await client.end().catch(() => undefined)
    }
  }
  /** Returns the result of a query of one boolean; false if the server does not answer. */
  const queryBoolean = (sql: string): Promise<boolean> =>
    query(
      async (client) => (await client.query<{ value: boolean }>(sql)).rows[0]?.value === true,
    ).catch(() => false)
  return {
    name,
    folder,
    port,
    patroni_port,
    relay,
    query,
    start: async () => {
      service = startService(programs.patroni, [config], env, account)
      if (!options.disk_mb) return
      await diskWatch?.kill()
      diskWatch = startService('/bin/sh', [join(dirname(config), 'disk-watch.sh')], {
        ...env,
        MIN_FREE_MB: String(MIN_FREE_MB),
        LEAVE_COMMAND: `kill ${service.pid}`,
      })
    },
    kill: async () => {
      await diskWatch?.kill()
      await service?.kill()
      killPostmaster(data)
    },
    acceptsWrites: () => queryBoolean('select not pg_is_in_recovery() as value'),
    hasSynchronousReplica: () => hasSynchronousMember(patroni_port),
    handOverTo: async (candidate) => {
      const response = await fetch(`http://127.0.0.1:${patroni_port}/switchover`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ leader: name, candidate }),
      })
      if (!response.ok) throw new Error(`Switchover refused: ${await response.text()}`)
    },
    setClock: (ahead_s) => writeFileSync(clockFile(folder), formatOffset(ahead_s)),
    readOutput: () => service?.readOutput() ?? '',
  }
}

const clockFile = (folder: string): string => join(folder, 'clock')
const formatOffset = (ahead_s: number): string => `${ahead_s < 0 ? '' : '+'}${ahead_s}`

/** Python module that replaces `time.sleep`, because libfaketime does not support its use of the monotonic clock. */
const PYTHON_SLEEP = `import threading, time
time.sleep = lambda seconds: threading.Event().wait(seconds)
`

/** Returns environment variables that make the wall clock of a program follow the file `clock`. Durations stay right. */
const fakeClock = (folder: string): Record<string, string> => {
  writeFileSync(clockFile(folder), formatOffset(0))
  writeFileSync(join(folder, 'sitecustomize.py'), PYTHON_SLEEP)
  return {
    LD_PRELOAD: findFaketime(),
    FAKETIME_TIMESTAMP_FILE: clockFile(folder),
    FAKETIME_CACHE_DURATION: '1',
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
    PYTHONPATH: folder,
  }
}

/** Returns true if Patroni may hand the role of the primary to a replica without a loss. */
const hasSynchronousMember = async (patroni_port: number): Promise<boolean> => {
  try {
    const response = await fetch(`http://127.0.0.1:${patroni_port}/cluster`, {
      signal: AbortSignal.timeout(CONNECT_TIMEOUT_MS),
    })
    const { members } = (await response.json()) as { members: { role: string; state: string }[] }
    return members.some(({ role, state }) => role === 'sync_standby' && state === 'running')
  } catch {
    // The node does not answer yet.
    return false
  }
}

/** Kills the PostgreSQL server of a data folder and thereby all of its sessions. */
const killPostmaster = (data: string): void => {
  const file = join(data, 'postmaster.pid')
  if (!existsSync(file)) return
  const pid = Number(readFileSync(file, 'utf8').split('\n', 1)[0])
  try {
    if (pid > 0) process.kill(pid, 'SIGKILL')
  } catch (error) {
    // ESRCH: the server has already ended but left its file.
    if (!(error instanceof Error) || !('code' in error) || error.code !== 'ESRCH') throw error
  }
}
