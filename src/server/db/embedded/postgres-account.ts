import { chownSync, existsSync, lstatSync, readFileSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/** Account that runs PostgreSQL, which refuses root; null for the account of this process. */
export type Account = { uid: number; gid: number } | null

/** Command that starts a program of PostgreSQL under an account. */
export type Launch = { command: string; args: string[]; uid?: number; gid?: number }

const UNPRIVILEGED_ID = 65_534
const SETPRIV = ['/usr/bin/setpriv', '/bin/setpriv']

/**
 * Returns the account for PostgreSQL, which refuses to run as root: the owner of the database folder, or the
 * unprivileged system account for a folder of root. Returns null if this process is not root.
 */
export const chooseAccount = (folder: string): Account => {
  if (process.getuid?.() !== 0) return null
  const owner = existsSync(folder) ? statSync(folder) : undefined
  return owner && owner.uid !== 0
    ? { uid: owner.uid, gid: owner.gid }
    : { uid: UNPRIVILEGED_ID, gid: UNPRIVILEGED_ID }
}

/** Changes the owner of a folder or file to the account. */
export const giveTo = (account: Account, path: string): void => {
  if (account) chownSync(path, account.uid, account.gid)
}

/**
 * Returns the command that starts `program` with access to all of `paths`. A folder such as /root is closed to other
 * accounts; then util-linux's setpriv gives the program the single right to pass through folders.
 */
export const launchAs = (
  account: Account,
  { program, args, paths }: { program: string; args: string[]; paths: string[] },
): Launch => {
  if (!account) return { command: program, args }
  const closed = [program, ...paths].map((path) => closedFolder(account, path)).find(Boolean)
  if (!closed) return { command: program, args, ...account }
  const setpriv = SETPRIV.find((path) => existsSync(path))
  const right = rightToLookThrough()
  if (!setpriv || !right)
    throw new Error(
      `PostgreSQL does not run as root, and account ${account.uid} cannot look into ${closed}: ` +
        `allow it (chmod o+x ${closed}), install Quizaine and DATA_DIR elsewhere, or run as another user.`,
    )
  const privileges = [`--reuid=${account.uid}`, `--regid=${account.gid}`, '--clear-groups']
  // Without the last right, access(2), with which initdb finds its neighbours, would ignore the others.
  const rights = [
    ...[`--inh-caps=+${right}`, `--ambient-caps=+${right}`],
    '--securebits=+no_setuid_fixup',
  ]
  return { command: setpriv, args: [...privileges, ...rights, program, ...args] }
}

/** Returns the first folder above `path` that the account cannot enter. */
const closedFolder = (account: { uid: number; gid: number }, path: string): string | undefined => {
  const folder = dirname(path)
  const above = folder === path ? undefined : closedFolder(account, folder)
  if (above) return above
  const { mode, uid, gid } = lstatSync(folder)
  if (uid === account.uid) return mode & 0o100 ? undefined : folder
  if (gid === account.gid) return mode & 0o010 ? undefined : folder
  return mode & 0o001 ? undefined : folder
}

const RIGHTS = [
  { name: 'dac_read_search', bit: 2n },
  { name: 'dac_override', bit: 1n },
]

/**
 * Returns the smallest capability that opens folders and that this process can pass on, because containers drop some.
 */
const rightToLookThrough = (): string | undefined => {
  const bounding = /^CapBnd:\s*([0-9a-f]+)$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]
  const bounds = BigInt(`0x${bounding ?? '0'}`)
  return RIGHTS.find(({ bit }) => (bounds >> bit) & 1n)?.name
}
