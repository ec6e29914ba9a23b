import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, openSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { type Account, giveTo, launchAs } from './postgres-account.ts'
import type { Binaries } from './postgres-binaries.ts'
import { clusterFolder, isAlive } from './postgres-folder.ts'

/** Everything PostgreSQL is told; fsync, full_page_writes and synchronous_commit stay on. */
const SETTINGS = {
  listen_addresses: '',
  unix_socket_permissions: '0700',
  max_connections: '60',
  shared_buffers: '128MB',
  max_wal_size: '1GB',
  wal_compression: 'on',
  checkpoint_completion_target: '0.9',
  log_min_messages: 'warning',
  timezone: 'UTC',
}

const LARGEST_LOG = 10 * 1024 * 1024
const POLL_MS = 20

/** Starts the server as a child in a session of its own, so that a Ctrl-C reaches it only through us. */
export const spawnPostgres = (
  data_dir: string,
  { binaries, account, socket }: { binaries: Binaries; account: Account; socket: string },
): ChildProcess => {
  const cluster = clusterFolder(data_dir)
  const settings = { ...SETTINGS, unix_socket_directories: socket }
  const { command, args, ...identity } = launchAs(account, {
    program: binaries.postgres,
    args: [
      ...['-D', cluster],
      ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    ],
    paths: [join(cluster, 'base'), join(socket, 'x')],
  })
  const log = openLog(join(data_dir, 'postgres.log'), account)
  const child = spawn(command, args, {
    ...identity,
    detached: true,
    stdio: ['ignore', log, log],
    env: { LC_ALL: 'C', ...binaries.env },
  })
  closeSync(log)
  return child
}

const openLog = (path: string, account: Account): number => {
  if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > LARGEST_LOG) rmSync(path)
  const log = openSync(path, 'a', 0o600)
  giveTo(account, path)
  return log
}

/** The last line of the server's log, which says why it did not start. */
export const lastLogLine = (data_dir: string): string =>
  readFileSync(join(data_dir, 'postgres.log'), 'utf8').trim().split('\n').at(-1) ?? ''

/** The running server of a data folder according to its own pid file, whoever started it. */
export const findRunning = (data_dir: string): number | undefined => {
  const file = join(clusterFolder(data_dir), 'postmaster.pid')
  if (!statSync(file, { throwIfNoEntry: false })) return undefined
  const pid = Number(readFileSync(file, 'utf8').split('\n')[0])
  return Number.isInteger(pid) && pid > 0 && isAlive(pid) && isPostgres(pid) ? pid : undefined
}

/** False when the number has gone to another program since; where that cannot be told, true. */
const isPostgres = (pid: number): boolean => {
  if (process.platform !== 'linux') return true
  const command = `/proc/${pid}/cmdline`
  if (!statSync(command, { throwIfNoEntry: false })) return false
  return readFileSync(command, 'utf8').split('\0')[0]?.includes('postgres') ?? false
}

const PATIENCE_MS = 20_000

/** Stops a server at once but cleanly (« fast »), by its number; harder when it does not listen. */
export const stopPostgres = async (pid: number): Promise<void> => {
  signal(pid, 'SIGINT')
  const hardAt = performance.now() + PATIENCE_MS
  let isHard = false
  while (isAlive(pid)) {
    if (!isHard && performance.now() > hardAt) {
      isHard = true
      signal(pid, 'SIGQUIT')
    }
    await pause(POLL_MS)
  }
}

const signal = (pid: number, name: NodeJS.Signals): void => {
  try {
    process.kill(pid, name)
  } catch (error) {
    const isGone = error instanceof Error && 'code' in error && error.code === 'ESRCH'
    if (!isGone) throw error
  }
}
