import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { watchOrphan } from './orphan-watcher.ts'
import { type Account, giveTo, launchAs } from './postgres-account.ts'
import type { Binaries } from './postgres-binaries.ts'
import { clusterFolder, isAlive } from './postgres-folder.ts'

/** Settings of PostgreSQL; fsync, full_page_writes and synchronous_commit stay on. */
const SETTINGS = {
  listen_addresses: '',
  unix_socket_permissions: '0700',
  shared_buffers: '128MB',
  min_wal_size: '80MB',
  max_wal_size: '1GB',
  wal_compression: 'on',
  checkpoint_completion_target: '0.9',
  log_min_messages: 'warning',
  timezone: 'UTC',
}

/** Enough for the pools of one application, its commands and an administrator. */
const MAX_CONNECTIONS = 60
const MAX_LOG_BYTES = 10 * 1024 * 1024
const POLL_MS = 20

type Programs = { binaries: Binaries; account: Account }

/** Settings that keep statements with a password out of the log. */
const SILENT = ['exit_on_error=on', 'log_statement=none', 'log_min_error_statement=panic']

/**
 * Runs one statement in single-user mode, which needs no password and admits no other connection. PostgreSQL refuses
 * it while a server or another such statement uses the folder.
 */
export const runSingleUser = async (
  cluster: string,
  statement: string,
  { binaries, account }: Programs,
): Promise<void> => {
  const settings = [...SILENT, 'password_encryption=scram-sha-256']
  const { command, args, ...identity } = launchAs(account, {
    program: binaries.postgres,
    args: [
      '--single',
      '-D',
      cluster,
      ...settings.flatMap((setting) => ['-c', setting]),
      'postgres',
    ],
    paths: [join(cluster, 'base')],
  })
  const child = spawn(command, args, {
    ...identity,
    detached: true,
    stdio: ['pipe', 'ignore', 'pipe'],
    env: { LC_ALL: 'C', ...binaries.env, ...strangerToIgnore(cluster) },
  })
  // A process that ends before it has read its input explains why on its standard error.
  child.stdin.on('error', () => undefined)
  child.stdin.end(`${statement}\n`)
  const [error_output, [code]] = await Promise.all([text(child.stderr), once(child, 'close')])
  if (code !== 0)
    throw new Error(`The password of the embedded database was not set: ${error_output.trim()}`)
}

/**
 * Starts the server as a child in its own session, so that a Ctrl-C reaches it only through this process. A watcher
 * stops the server if this process ends first.
 */
export const spawnPostgres = (
  data_dir: string,
  {
    binaries,
    account,
    socket,
    max_connections = MAX_CONNECTIONS,
  }: Programs & { socket: string; max_connections?: number | undefined },
): ChildProcess => {
  const cluster = clusterFolder(data_dir)
  const settings = { ...SETTINGS, unix_socket_directories: socket, max_connections }
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
    env: { LC_ALL: 'C', ...binaries.env, ...strangerToIgnore(cluster) },
  })
  closeSync(log)
  if (child.pid !== undefined) child.once('exit', watchOrphan(child.pid, cluster))
  return child
}

const openLog = (path: string, account: Account): number => {
  if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > MAX_LOG_BYTES) rmSync(path)
  const log = openSync(path, 'a', 0o600)
  giveTo(account, path)
  return log
}

/**
 * Returns why a server did not start or stopped: its last fatal line in the log with the detail that follows, or the last
 * line of the log.
 */
export const failureReason = (data_dir: string, pid: number | undefined): string => {
  const lines = readFileSync(join(data_dir, 'postgres.log'), 'utf8').trim().split('\n')
  const isFatal = (line: string) => line.includes(`[${pid}]`) && /FATAL: |PANIC: /.test(line)
  const index = lines.findLastIndex(isFatal)
  const detail = index < 0 ? undefined : /DETAIL: .*/.exec(lines[index + 1] ?? '')?.[0]
  return [lines.at(index), detail].filter(Boolean).join(' ')
}

/**
 * Returns the process number of the running server of a data folder, from its pid file, whichever process started it.
 */
export const findRunning = (data_dir: string): number | undefined => {
  const cluster = clusterFolder(data_dir)
  const pid = pidIn(cluster)
  return pid !== undefined && isServerOf(cluster, commandOf(pid)) ? pid : undefined
}

/** Returns the number in a folder's pid file; negative for a single-user process. */
const ownerOf = (cluster: string): number | undefined => {
  const pid = Number(readOptionalFile(join(cluster, 'postmaster.pid')).split('\n')[0])
  return Number.isInteger(pid) && pid !== 0 ? pid : undefined
}

const pidIn = (cluster: string): number | undefined => {
  const pid = ownerOf(cluster)
  return pid !== undefined && pid > 0 ? pid : undefined
}

/** Reads a file; empty if it is gone, as files of running programs may vanish at any time. */
const readOptionalFile = (path: string): string => {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'ENOENT' || code === 'ESRCH') return ''
    throw error
  }
}

/** Age after which an empty lock file counts as abandoned; a server writes its file right after creating it. */
const EMPTY_LOCK_MS = 5_000

/**
 * Removes empty lock files of an interrupted start, because PostgreSQL would refuse to start as long as they exist.
 */
export const removeEmptyLocks = (data_dir: string, socket: string): void => {
  for (const path of [
    join(clusterFolder(data_dir), 'postmaster.pid'),
    join(socket, '.s.PGSQL.5432.lock'),
  ]) {
    const lock = statSync(path, { throwIfNoEntry: false })
    if (lock?.size === 0 && Date.now() - lock.mtimeMs > EMPTY_LOCK_MS) rmSync(path, { force: true })
  }
}

/** Returns the command line of a running process; empty once it has ended, even as a zombie. */
const commandOf = (pid: number): string[] => {
  if (!isAlive(pid)) return []
  if (process.platform === 'linux')
    return readOptionalFile(`/proc/${pid}/cmdline`).split('\0').slice(0, -1)
  const { stdout } = spawnSync('ps', ['-ww', '-o', 'args=', '-p', `${pid}`], { encoding: 'utf8' })
  const [program = '', settings] = stdout.trim().split(' -D ')
  const [folder, options] = settings?.split(' -c ') ?? []
  return folder && options !== undefined ? [program, '-D', folder] : [stdout.trim()]
}

/**
 * Returns true if a process runs. Starts no program where reading a file suffices, because it is called every few
 * milliseconds.
 */
const isRunning = (pid: number): boolean =>
  process.platform === 'linux' ? commandOf(pid).length > 0 : isAlive(pid)

/** Returns true if a command is a server of this folder, because process numbers are reused. */
const isServerOf = (cluster: string, command: string[]): boolean => {
  const folder = command[command.indexOf('-D') + 1]
  if (!command[0]?.includes('postgres') || !folder) return false
  const [running_folder, ours] = [folder, cluster].map((path) =>
    statSync(path, { throwIfNoEntry: false }),
  )
  return running_folder?.ino === ours?.ino && running_folder?.dev === ours?.dev
}

/**
 * Returns an environment variable that makes PostgreSQL ignore a foreign process with the number in a stale pid file.
 * In containers another program or a zombie often gets that number. PostgreSQL still checks shared memory.
 */
const strangerToIgnore = (cluster: string): Record<string, string> => {
  const pid = Math.abs(ownerOf(cluster) ?? 0)
  if (pid === 0 || !isAlive(pid)) return {}
  const command = commandOf(pid)
  const isUnclear = isServerOf(cluster, command) || command[0]?.startsWith('postgres:')
  return isUnclear ? {} : { PG_GRANDPARENT_PID: String(pid) }
}

const STOP_TIMEOUT_MS = 20_000

/** Stops a server cleanly without waiting for clients (« fast »), and immediately if it does not react. */
export const stopPostgres = async (pid: number): Promise<void> => {
  signal(pid, 'SIGINT')
  const hardAt = performance.now() + STOP_TIMEOUT_MS
  let isHard = false
  while (isRunning(pid)) {
    if (!isHard && performance.now() > hardAt) {
      isHard = true
      signal(pid, 'SIGQUIT')
      signal(pid, 'SIGCONT')
    }
    await pause(POLL_MS)
  }
}

/** Time that a server needs to end its sessions after an immediate stop. */
const HUNG_STOP_TIMEOUT_MS = 7_000

/** Kills a server that does not answer, even a suspended one (SIGSTOP), with its sessions. */
export const stopHung = async (pid: number): Promise<void> => {
  signal(pid, 'SIGQUIT')
  signal(pid, 'SIGCONT')
  const hardAt = performance.now() + HUNG_STOP_TIMEOUT_MS
  while (isRunning(pid) && performance.now() < hardAt) await pause(POLL_MS)
  if (isRunning(pid)) signal(pid, 'SIGKILL')
}

const signal = (pid: number, name: NodeJS.Signals): void => {
  try {
    process.kill(pid, name)
  } catch (error) {
    const isGone = error instanceof Error && 'code' in error && error.code === 'ESRCH'
    if (!isGone) throw error
  }
}
