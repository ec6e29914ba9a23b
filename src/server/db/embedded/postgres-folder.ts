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
import { type Account, giveTo, launchAs } from './postgres-account.ts'
import type { Binaries } from './postgres-binaries.ts'

export const SUPERUSER = 'quizaine'

/** Where a data folder keeps its database. */
export const clusterFolder = (data_dir: string): string => join(data_dir, 'postgres')

const UNFINISHED = 'postgres-new-'

/**
 * Makes the database folder unless it is there. It is written, synced and secured under another name and then
 * renamed, so that a kill at any moment leaves either none or a whole one.
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
  // A new segment of the log is written whole before it is used: all writers wait for its 16 MB.
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
    throw new Error(`The embedded database could not be made: ${error?.message ?? stderr.trim()}`)
  }
  try {
    await secure(unfinished)
    renameSync(unfinished, cluster)
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true })
    // Another process made it first: theirs is as good.
    if (!existsSync(cluster)) throw error
  }
}

/** What starts that were killed have left behind; where their initdb still writes, a later start tries again. */
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

/** True when a process of that number runs, of any account. */
export const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

/** Longest folder name that leaves room for `/.s.PGSQL.5432` in a socket's 107 bytes. */
const LONGEST_SOCKET_FOLDER = 90

/** The folder of the database's socket, closed to other accounts: in the data folder, or a private one elsewhere when that path is too long. */
export const socketFolder = (data_dir: string, account: Account): string => {
  const inside = join(data_dir, 'socket')
  const isUsable = Buffer.byteLength(inside) <= LONGEST_SOCKET_FOLDER && /^[\w/.-]+$/.test(inside)
  const digest = createHash('sha256').update(realpathSync(data_dir)).digest('hex').slice(0, 16)
  const folder = isUsable ? inside : join(tmpdir(), `quizaine-${digest}`)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const { uid } = lstatSync(folder)
  if (uid !== process.getuid?.() && uid !== account?.uid)
    throw new Error(`${folder} belongs to somebody else: remove it or choose another DATA_DIR.`)
  // It may be there already, made by an earlier version or by hand.
  chmodSync(folder, 0o700)
  giveTo(account, folder)
  return folder
}
