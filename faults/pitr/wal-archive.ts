import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chooseAccount, giveTo } from '#server/db/embedded/postgres-account.ts'
import { type Cluster, startCluster } from '#server/testing/network/cluster.ts'
import { findPrograms } from '../ha/programs.ts'
import { runProgram } from '../runner/run-program.ts'

/** Archive of pgBackRest in a temporary folder, with the files of `ops/pitr`. */
export type WalArchive = {
  /** Longest time in ms until a segment that is not full is sent (`archive_timeout`). */
  timeout_ms: number
  /** Starts an empty PostgreSQL server that sends its WAL to the archive. */
  startServer: () => Promise<Cluster>
  /** Makes a full backup of the running server and checks that its WAL arrives. */
  backUp: (server: Cluster) => Promise<void>
  /**
   * Restores into a new folder and starts a server on it, which also sends its WAL. Without a target, all of the
   * archive is restored. Resolves when the server accepts writes.
   */
  restoreServer: (target?: Date) => Promise<Cluster>
  /** Returns the sizes of the last backup in bytes: of the database, and of the compressed files. */
  readSizes: (server: Cluster) => Promise<{ database: number; stored: number }>
  /** Ends all servers and deletes the archive. */
  cleanUp: () => Promise<void>
}

type Folders = { data: string; host: string }

const OPS = join(import.meta.dirname, '../../ops/pitr')
const STANZA = '--stanza=quizaine'
/** Time for the replay of the WAL since the last backup. */
const MAX_REPLAY_MS = 600_000

/** Opens an empty archive. */
export const openWalArchive = (): WalArchive => {
  const { pgbackrest } = findPrograms('pgbackrest')
  const folder = mkdtempSync(join(tmpdir(), 'quizaine-archive-'))
  chmodSync(folder, 0o711)
  const account = chooseAccount(folder)
  const inside = (name: string): string => join(folder, name)
  for (const name of ['repository', 'log', 'spool', 'lock']) {
    mkdirSync(inside(name), { mode: 0o700 })
    giveTo(account, inside(name))
  }
  const config_file = inside('pgbackrest.conf')
  copyFileSync(join(OPS, 'pgbackrest.conf'), config_file)
  copyFileSync(join(OPS, 'finish-restore'), inside('finish-restore'))
  const config = readFileSync(join(OPS, 'archive.conf'), 'utf8')
  const timeout_ms = Number(/^archive_timeout = (\d+)$/m.exec(config)?.[1]) * 1_000

  const envOf = ({ data, host }: Folders): Record<string, string> => ({
    PATH: process.env.PATH ?? '',
    PGBACKREST_CONFIG: config_file,
    PGBACKREST_REPO1_PATH: inside('repository'),
    PGBACKREST_REPO1_CIPHER_PASS: 'a passphrase for fault tests only',
    PGBACKREST_LOG_PATH: inside('log'),
    PGBACKREST_SPOOL_PATH: inside('spool'),
    PGBACKREST_LOCK_PATH: inside('lock'),
    PGBACKREST_PG1_PATH: data,
    PGBACKREST_PG1_SOCKET_PATH: host,
    PGBACKREST_PG1_USER: 'quizaine',
  })
  const run = (folders: Folders, ...args: string[]): Promise<string> =>
    runProgram(pgbackrest, [STANZA, ...args], { env: envOf(folders), account })
  const runOn = ({ data, connection: { host } }: Cluster, ...args: string[]): Promise<string> =>
    run({ data, host }, ...args)

  const servers: Cluster[] = []
  const start = async (options: Parameters<typeof startCluster>[0]): Promise<Cluster> => {
    const server = await startCluster({ envOf, ...options })
    servers.push(server)
    return server
  }

  return {
    timeout_ms,
    startServer: async () => {
      const server = await start({ config })
      await runOn(server, 'stanza-create')
      await runOn(server, 'check')
      return server
    },
    backUp: async (server) => {
      await runOn(server, '--type=full', 'backup')
      await runOn(server, 'check')
    },
    restoreServer: async (target) => {
      const point = target
        ? ['--type=time', `--target=${formatTarget(target)}`, '--target-action=promote']
        : []
      const server = await start({
        max_start_ms: MAX_REPLAY_MS,
        createData: async (folders, owner) => {
          mkdirSync(folders.data, { mode: 0o700 })
          giveTo(owner, folders.data)
          await run(folders, ...point, 'restore')
        },
      })
      const { host, user, database } = server.connection
      await runProgram('sh', [inside('finish-restore')], {
        env: { PATH: process.env.PATH, PGHOST: host, PGUSER: user, PGDATABASE: database },
        account,
        timeout: MAX_REPLAY_MS,
      })
      return server
    },
    readSizes: async (server) => {
      const [{ backup }] = JSON.parse(await runOn(server, '--output=json', 'info')) as [
        { backup: { info: { size: number; repository: { delta: number } } }[] },
      ]
      const last = backup.at(-1)?.info
      return { database: last?.size ?? 0, stored: last?.repository.delta ?? 0 }
    },
    cleanUp: async () => {
      for (const server of servers) await server.cleanUp()
      rmSync(folder, { recursive: true, force: true, maxRetries: 20 })
    },
  }
}

/** Returns a time in the form that pgBackRest reads. */
const formatTarget = (time: Date): string =>
  time.toISOString().replace('T', ' ').replace('Z', '+00')
