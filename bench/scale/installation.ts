import { startBrevo } from '#server/testing/fakes/brevo.ts'
import { type Cluster, startCluster } from '#server/testing/network/cluster.ts'
import { databaseUrl } from '#server/testing/server-process.ts'
import { type Nginx, startNginx } from '../nginx.ts'
import { type RunningServer, startServer } from '../server.ts'

/** Numbers of processes that are compared. */
export const PROCESS_COUNTS = [1, 2, 4] as const
/** Number of processes that are started. */
export const MAX_PROCESSES = Math.max(...PROCESS_COUNTS)
/** Database connections: 17 for each process, 32 for pgbench, the rest for inspection. */
const CONNECTIONS = 200

/** Running database, processes of the product, nginx, and a fake email tool. */
export type Installation = {
  cluster: Cluster
  nginx: Nginx
  servers: RunningServer[]
  /** Returns the nginx address in front of the first `process_count` processes. */
  frontOf: (process_count: number) => string
  brevo: Awaited<ReturnType<typeof startBrevo>>
  stop: () => Promise<void>
}

/**
 * Starts PostgreSQL, all processes, an nginx address for each number of processes, and a fake email tool. Processes
 * without requests stay idle.
 */
export const startInstallation = async (): Promise<Installation> => {
  const cleanups: (() => Promise<void>)[] = []
  const stop = async (): Promise<void> => {
    for (const cleanUp of cleanups.reverse()) await cleanUp()
  }
  try {
    const cluster = await startCluster({ max_connections: CONNECTIONS })
    cleanups.push(cluster.cleanUp)
    const brevo = await startBrevo({ flows: true })
    brevo.switches.contacts_per_second = 1_000_000
    cleanups.push(brevo.close)
    const env = {
      ...brevo.env,
      DATABASE_URL: databaseUrl(cluster.connection),
      SECRET_KEY: 'a secret that only this benchmark uses',
      PUBLIC_URL: 'https://quiz.example',
    }
    const servers: RunningServer[] = []
    while (servers.length < MAX_PROCESSES) {
      const server = await startServer([], env)
      cleanups.push(server.stop)
      servers.push(server)
    }
    const groups = PROCESS_COUNTS.map((count) =>
      servers.slice(0, count).map(({ origin }) => origin),
    )
    const nginx = await startNginx(groups)
    cleanups.push(nginx.stop)
    const frontOf = (process_count: number): string =>
      nginx.origins[groups.findIndex(({ length }) => length === process_count)] ?? ''
    return { cluster, nginx, servers, frontOf, brevo, stop }
  } catch (error) {
    await stop()
    throw error
  }
}
