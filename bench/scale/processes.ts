import { startBrevo } from '#server/testing/fakes/brevo.ts'
import { type Cluster, startCluster } from '../cluster.ts'
import { type Nginx, startNginx } from '../nginx.ts'
import { type Started, startServer } from '../server.ts'

/** How many processes serve, in each arm. */
export const ARMS = [1, 2, 4] as const
const MOST = Math.max(...ARMS)
/** Each process has 17, pgbench 32; the rest is for whoever looks. */
const CONNECTIONS = 200

export type Installation = {
  cluster: Cluster
  nginx: Nginx
  servers: Started[]
  /** Where the first so many processes are reached through nginx. */
  frontOf: (processes: number) => string
  brevo: Awaited<ReturnType<typeof startBrevo>>
  stop: () => Promise<void>
}

/**
 * One PostgreSQL, all processes at once, and nginx with a door for each number of them; a tool that takes
 * whatever comes. The processes that an arm leaves out are idle meanwhile.
 */
export const startInstallation = async (): Promise<Installation> => {
  const ends: (() => Promise<void>)[] = []
  const stop = async (): Promise<void> => {
    for (const end of ends.reverse()) await end()
  }
  try {
    const cluster = await startCluster({ max_connections: CONNECTIONS })
    ends.push(cluster.cleanUp)
    const brevo = await startBrevo({ flows: true })
    brevo.switches.contacts_per_second = 1_000_000
    ends.push(brevo.close)
    const env = {
      ...brevo.env,
      DATABASE_URL: `postgres://quizaine@localhost/postgres?host=${cluster.connection.host}`,
      SECRET_KEY: 'a secret that only this measure knows of',
      PUBLIC_URL: 'https://quiz.example',
    }
    const servers: Started[] = []
    while (servers.length < MOST) {
      const server = await startServer([], env)
      ends.push(server.stop)
      servers.push(server)
    }
    const groups = ARMS.map((count) => servers.slice(0, count).map(({ origin }) => origin))
    const nginx = await startNginx(groups)
    ends.push(nginx.stop)
    const frontOf = (processes: number): string =>
      nginx.origins[groups.findIndex(({ length }) => length === processes)] ?? ''
    return { cluster, nginx, servers, frontOf, brevo, stop }
  } catch (error) {
    await stop()
    throw error
  }
}
