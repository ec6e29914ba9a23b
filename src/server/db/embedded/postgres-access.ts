import { createHash } from 'node:crypto'
import {
  closeSync,
  fsyncSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import type { Config } from '#server/config/config.ts'
import { loadKey, readKey, syncFolder } from '#server/runtime/secret-key.ts'
import { type Account, chooseAccount, giveTo } from './postgres-account.ts'
import { clusterFolder, isAlive, SUPERUSER, socketFolder } from './postgres-folder.ts'
import { findRunning } from './postgres-process.ts'
import type { Connection } from './postgres-session.ts'

/** Returns the file that holds the password of a data folder's database. */
export const passwordFile = (data_dir: string): string => join(data_dir, 'postgres.password')

const IF_BROKEN = 'remove it while nothing runs on the folder, for the next start to make another'

/**
 * Returns the password of a data folder's database and creates it if there is none. Its file belongs to the owner of
 * the folder.
 */
export const loadPassword = (data_dir: string): string => {
  const file = passwordFile(data_dir)
  const password = loadKey(file, IF_BROKEN).toString('base64url')
  // A command run as root must leave the file to the account that runs the server.
  const { uid, gid } = statSync(data_dir)
  if (process.getuid?.() === 0) giveTo({ uid, gid }, file)
  return password
}

/**
 * Returns the connection to the embedded server of a data folder. The password is undefined if an earlier version,
 * which asked for none, created the folder.
 */
export const embeddedConnection = (data_dir: string): Connection => ({
  host: socketFolder(data_dir, chooseAccount(clusterFolder(data_dir))),
  user: SUPERUSER,
  database: 'postgres',
  password: readKey(passwordFile(data_dir), IF_BROKEN)?.toString('base64url'),
})

/**
 * Returns the access rules of a database folder. The rules contain a digest of the password, which tells whether the
 * role has this password.
 */
const rulesFor = (password: string): string => {
  const digest = createHash('sha256').update(password).digest('base64url')
  return [
    '# Written by Quizaine. The password is in postgres.password of DATA_DIR; its SHA-256:',
    `# ${digest}`,
    'local all all scram-sha-256',
    '',
  ].join('\n')
}

/**
 * Removes files that an interrupted start, or one with the same process number, left between writing and renaming.
 */
const removeUnfinished = (cluster: string): void => {
  for (const name of readdirSync(cluster)) {
    const pid = Number(/^pg_hba\.conf\.(\d+)$/.exec(name)?.[1])
    if (pid === process.pid || (pid > 0 && !isAlive(pid)))
      rmSync(join(cluster, name), { force: true })
  }
}

/** Runs a statement as the superuser of a database folder on which no server runs. */
type RunSingleUser = (cluster: string, statement: string) => Promise<void>

/**
 * Makes a database folder require the password. The role gets the password before the rules name it. The next call
 * repeats both after a kill or a replaced password file.
 */
export const requirePassword = async (
  cluster: string,
  {
    password,
    account,
    runSingleUser,
  }: { password: string; account: Account; runSingleUser: RunSingleUser },
): Promise<void> => {
  const file = join(cluster, 'pg_hba.conf')
  const rules = rulesFor(password)
  if (readFileSync(file, 'utf8') === rules) return
  await runSingleUser(cluster, `alter role ${SUPERUSER} password '${password}'`)
  removeUnfinished(cluster)
  const unfinished = `${file}.${process.pid}`
  const descriptor = openSync(unfinished, 'wx', 0o600)
  writeSync(descriptor, rules)
  fsyncSync(descriptor)
  closeSync(descriptor)
  giveTo(account, unfinished)
  renameSync(unfinished, file)
  syncFolder(cluster)
}

/**
 * Opens a connection for a command: to the server of DATABASE_URL, or to the embedded server while its application
 * runs. Returns undefined if it does not run.
 */
export const connectForCommand = async ({
  database_url,
  data_dir,
}: Pick<Config, 'database_url' | 'data_dir'>): Promise<pg.Client | undefined> => {
  if (!database_url && findRunning(data_dir) === undefined) return undefined
  const client = new pg.Client(
    database_url ? { connectionString: database_url } : embeddedConnection(data_dir),
  )
  await client.connect()
  return client
}
