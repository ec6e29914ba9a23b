import { chownSync, existsSync, lstatSync, readFileSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/** The account that runs PostgreSQL, which refuses root; `null` is the account of this process. */
export type Account = { uid: number; gid: number } | null

/** How to start one of PostgreSQL's programs under an account. */
export type Launch = { command: string; args: string[]; uid?: number; gid?: number }

const UNPRIVILEGED_ID = 65_534
const SETPRIV = ['/usr/bin/setpriv', '/bin/setpriv']

/**
 * The account that PostgreSQL runs as, since it refuses to run as root: the owner of the database folder unless
 * that is root, then the system's unprivileged account. Null when this process is not root: it runs as ours.
 */
export const chooseAccount = (folder: string): Account => {
  if (process.getuid?.() !== 0) return null
  const owner = existsSync(folder) ? statSync(folder) : undefined
  return owner && owner.uid !== 0
    ? { uid: owner.uid, gid: owner.gid }
    : { uid: UNPRIVILEGED_ID, gid: UNPRIVILEGED_ID }
}

/** Gives one folder or file to the account. */
export const giveTo = (account: Account, path: string): void => {
  if (account) chownSync(path, account.uid, account.gid)
}

/**
 * The way to start `program` so that it can reach every one of `paths`. A folder such as /root closes
 * everything below it to other accounts; there the program keeps the single right to look through
 * folders, given by util-linux's setpriv.
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
  // Without the last one, access(2), by which initdb looks for its neighbours, would ignore the right.
  const rights = [
    ...[`--inh-caps=+${right}`, `--ambient-caps=+${right}`],
    '--securebits=+no_setuid_fixup',
  ]
  return { command: setpriv, args: [...privileges, ...rights, program, ...args] }
}

/** The first folder above `path` that the account may not enter. */
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

/** The smallest right that opens folders and that this process may hand on (containers drop some). */
const rightToLookThrough = (): string | undefined => {
  const bounding = /^CapBnd:\s*([0-9a-f]+)$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]
  const bounds = BigInt(`0x${bounding ?? '0'}`)
  return RIGHTS.find(({ bit }) => (bounds >> bit) & 1n)?.name
}
