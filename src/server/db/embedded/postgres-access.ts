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

/** The file of a data folder that keeps the password of its database, made on the first start. */
export const passwordFile = (data_dir: string): string => join(data_dir, 'postgres.password')

const IF_BROKEN = 'remove it while nothing runs on the folder, for the next start to make another'

/** The password of a data folder's database, made when there is none; its file belongs to the folder's owner. */
export const loadPassword = (data_dir: string): string => {
  const file = passwordFile(data_dir)
  const password = loadKey(file, IF_BROKEN).toString('base64url')
  // A command run as root must not lock out the account that runs the server.
  const { uid, gid } = statSync(data_dir)
  if (process.getuid?.() === 0) giveTo({ uid, gid }, file)
  return password
}

/**
 * Where the embedded server of a data folder is reached. A server of a version that asked for no password
 * may still run there, and the folder have none.
 */
export const embeddedConnection = (data_dir: string): Connection => ({
  host: socketFolder(data_dir, chooseAccount(clusterFolder(data_dir))),
  user: SUPERUSER,
  database: 'postgres',
  password: readKey(passwordFile(data_dir), IF_BROKEN)?.toString('base64url'),
})

/** The access rules of a database folder. They name the password by its digest, which tells whether the role has it. */
const rulesFor = (password: string): string => {
  const digest = createHash('sha256').update(password).digest('base64url')
  return [
    '# Written by Quizaine. The password is in postgres.password of DATA_DIR; its SHA-256:',
    `# ${digest}`,
    'local all all scram-sha-256',
    '',
  ].join('\n')
}

/** What a start that was killed between writing and renaming has left, or another program of its number. */
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
 * Has a database folder ask every connection for the password. The role gets the password before the rules
 * name it: after a kill in between, or once the password's file was replaced, the next call does both again.
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
 * One connection beside the application's, for a command that may take its time: to the server that
 * DATABASE_URL names, else to the embedded one while its application runs; undefined when it does not.
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
