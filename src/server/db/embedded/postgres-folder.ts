import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { OperatorError } from '#server/config/operator-error.ts'
import { type Account, giveTo, launchAs } from './postgres-account.ts'
import type { Binaries } from './postgres-binaries.ts'

/** Superuser and owner of the embedded database. */
export const SUPERUSER = 'quizaine'

/** Returns the database folder of a data folder. */
export const clusterFolder = (data_dir: string): string => join(data_dir, 'postgres')

const UNFINISHED = 'postgres-new-'

/**
 * Creates the database folder if there is none. The folder is written, synced and secured under another name and then
 * renamed, so that a kill leaves no partial folder.
 */
export const initialiseCluster = async (
  data_dir: string,
  {
    binaries,
    account,
    secure,
  }: { binaries: Binaries; account: Account; secure: (cluster: string) => Promise<void> },
): Promise<void> => {
  removeUnfinished(data_dir)
  const cluster = clusterFolder(data_dir)
  if (existsSync(cluster)) return
  const unfinished = mkdtempSync(join(data_dir, `${UNFINISHED}${process.pid}-`))
  giveTo(account, unfinished)
  // A new WAL segment is written completely before use, and all writers wait for it: 16 MB by default.
  const log = '--wal-segsize=1'
  const options = ['--encoding=UTF8', '--locale=C', '--data-checksums', '--auth=reject', log]
  const { command, args, ...identity } = launchAs(account, {
    program: binaries.initdb,
    args: ['-D', unfinished, `--username=${SUPERUSER}`, '--no-instructions', ...options],
    paths: [join(unfinished, 'base')],
  })
  const { status, stderr, error } = spawnSync(command, args, {
    ...identity,
    encoding: 'utf8',
    env: { LC_ALL: 'C', ...binaries.env },
  })
  if (status !== 0) {
    rmSync(unfinished, { recursive: true, force: true })
    throw new OperatorError(
      `The embedded database could not be made: ${error?.message ?? findErrorLine(stderr)}`,
    )
  }
  try {
    await secure(unfinished)
    renameSync(unfinished, cluster)
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true })
    // Another process created it first, which is just as good.
    if (!existsSync(cluster)) throw error
  }
}

/** Returns the line of a program's output that names the error; otherwise its last line. */
const findErrorLine = (output: string): string => {
  const lines = output.trim().split('\n')
  return lines.find((line) => /error|fatal/i.test(line)) ?? lines.at(-1) ?? ''
}

/** Removes the remains of interrupted starts. A later start retries where initdb is still writing. */
const removeUnfinished = (data_dir: string): void => {
  for (const name of readdirSync(data_dir)) {
    if (!name.startsWith(UNFINISHED)) continue
    const pid = Number(name.slice(UNFINISHED.length).split('-')[0])
    if (isAlive(pid)) continue
    try {
      rmSync(join(data_dir, name), { recursive: true, force: true })
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOTEMPTY')) throw error
    }
  }
}

/** Returns true if a process with this number runs, under any account. */
export const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

/** Maximum length of a folder name that leaves room for `/.s.PGSQL.5432` in the 107 bytes of a socket path. */
const MAX_SOCKET_FOLDER_LENGTH = 90

/** Returns the private folder of the database's socket: in the data folder, or elsewhere if that path is too long. */
export const socketFolder = (data_dir: string, account: Account): string => {
  const inside = join(data_dir, 'socket')
  const isUsable =
    Buffer.byteLength(inside) <= MAX_SOCKET_FOLDER_LENGTH && /^[\w/.-]+$/.test(inside)
  const digest = createHash('sha256').update(realpathSync(data_dir)).digest('hex').slice(0, 16)
  const folder = isUsable ? inside : join(tmpdir(), `quizaine-${digest}`)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const { uid } = lstatSync(folder)
  if (uid !== process.getuid?.() && uid !== account?.uid)
    throw new Error(`${folder} belongs to somebody else: remove it or choose another DATA_DIR.`)
  // An earlier version or a person may have created the folder.
  chmodSync(folder, 0o700)
  giveTo(account, folder)
  return folder
}
