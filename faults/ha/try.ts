/**
 * Starts the cluster of `ops/ha` on this machine (`npm run ha:try`) and prints how to use it, until Ctrl-C. Its data is
 * temporary.
 */
import { startHaCluster } from './ha-cluster.ts'

const cluster = await startHaCluster()
const { primary, replica } = await cluster.waitUntilHealthy()
console.log(`The primary is ${primary.name}, and ${replica.name} confirms each commit.

In another terminal:
  SECRET_KEY=only-for-trying-this-cluster-on-one-machine DATABASE_URL=${cluster.primary_url} DATABASE_READ_URL=${cluster.replica_url} npm start

${cluster.nodes.map(({ name, port, patroni_port }) => `${name}: PostgreSQL on port ${port}, state on http://127.0.0.1:${patroni_port}/cluster`).join('\n')}
Statistics and exports use the replica on ${cluster.replica_url}

Ctrl-C ends the cluster and deletes its data.`)
// Open timers and connections do not end with the last line of a module.
const alive = setInterval(() => undefined, 60_000)
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, async () => {
    clearInterval(alive)
    await cluster.cleanUp()
    process.exit(0)
  })
