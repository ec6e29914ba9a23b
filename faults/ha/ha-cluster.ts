import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import { chooseAccount, giveTo } from '#server/db/embedded/postgres-account.ts'
import { startDatabaseRelay } from '#server/testing/network/proxies/database-relay.ts'
import { freePort } from '#server/testing/network/proxies/free-port.ts'
import { unmountDisk } from '../runner/small-disk.ts'
import { createHaNode, type HaNode } from './ha-node.ts'
import { findPrograms, type HaPrograms } from './programs.ts'
import { type Service, startService } from './service.ts'

/** Two PostgreSQL servers with Patroni, one etcd and one HAProxy on this machine, configured by `ops/ha`. */
export type HaCluster = {
  nodes: HaNode[]
  /** Address of the product's database, behind HAProxy. */
  primary_url: string
  /** Address of a replica, behind HAProxy. */
  replica_url: string
  /** Connection to the primary behind HAProxy, for checks. */
  connection: pg.ClientConfig
  /** Returns the nodes whose PostgreSQL accepts writes. More than one would be a split brain. */
  findPrimaries: () => Promise<HaNode[]>
  /** Waits until one node is the primary and the other follows it synchronously. Returns both. */
  waitUntilHealthy: () => Promise<{ primary: HaNode; replica: HaNode }>
  /** Waits until another node than `from` has the role of the primary. */
  waitForTakeover: (from: HaNode) => Promise<void>
  /** Hands the role of the primary to the replica, as an operator does before a maintenance. */
  switchOver: () => Promise<void>
  cleanUp: () => Promise<void>
}

/** Options of the machines of the cluster. */
export type HaClusterOptions = {
  /** Size of a disk for each node in MB; by default, nodes use the disk of temporary files. */
  disk_mb?: number
  /** True if the clock of each node can be shifted. */
  has_own_clocks?: boolean
}

const OPS = join(import.meta.dirname, '../../ops/ha')
const USER = 'quizaine'
const PASSWORD = 'quizaine-try'
const MAX_HEALTHY_MS = 90_000
const POLL_MS = 200

/** Starts the cluster in a temporary folder and creates the database of the product. */
export const startHaCluster = async ({
  disk_mb,
  has_own_clocks = false,
}: HaClusterOptions = {}): Promise<HaCluster> => {
  const programs = findPrograms('etcd', 'patroni', 'haproxy')
  const folder = mkdtempSync(join(tmpdir(), 'quizaine-ha-'))
  chmodSync(folder, 0o711)
  const services: Service[] = []
  const etcd_port = await startEtcd(programs, folder, services)
  const relays = [await relayTo(etcd_port), await relayTo(etcd_port)]
  const nodes: HaNode[] = []
  for (const [rank, relay] of relays.entries())
    nodes.push(
      createHaNode({
        name: `node${rank + 1}`,
        programs,
        folder: join(folder, `node${rank + 1}`),
        relay,
        config: join(OPS, 'patroni.yml'),
        disk_mb,
        has_own_clocks,
        port: await freePort(),
        patroni_port: await freePort(),
      }),
    )
  const [primary_port, replica_port] = [await freePort(), await freePort()]
  services.push(
    startService(programs.haproxy, ['-db', '-f', join(OPS, 'haproxy.cfg')], {
      HA_PRIMARY: `127.0.0.1:${primary_port}`,
      HA_REPLICA: `127.0.0.1:${replica_port}`,
      ...Object.fromEntries(
        nodes.flatMap(({ port, patroni_port }, rank) => [
          [`HA_NODE${rank + 1}`, `127.0.0.1:${port}`],
          [`HA_NODE${rank + 1}_PATRONI`, String(patroni_port)],
        ]),
      ),
    }),
  )
  const urlOf = (port: number): string => `postgres://${USER}:${PASSWORD}@127.0.0.1:${port}/${USER}`
  const primary_url = urlOf(primary_port)

  const findPrimaries = async (): Promise<HaNode[]> => {
    const roles = await Promise.all(nodes.map((node) => node.acceptsWrites()))
    return nodes.filter((_, rank) => roles[rank])
  }
  const waitUntilHealthy: HaCluster['waitUntilHealthy'] = async () => {
    const until = performance.now() + MAX_HEALTHY_MS
    while (performance.now() < until) {
      const [primary, ...others] = await findPrimaries()
      const replica = nodes.find((node) => node !== primary)
      if (primary && replica && others.length === 0 && (await primary.hasSynchronousReplica()))
        return { primary, replica }
      await pause(POLL_MS)
    }
    throw new Error(
      `The cluster is not healthy after ${MAX_HEALTHY_MS / 1_000} s: ${nodes.map((node) => node.readOutput().slice(-600)).join('\n')}`,
    )
  }
  const waitForTakeover: HaCluster['waitForTakeover'] = async (from) => {
    const until = performance.now() + MAX_HEALTHY_MS
    while (!(await findPrimaries()).some((node) => node !== from)) {
      if (performance.now() > until) throw new Error(`Nobody took over from ${from.name}`)
      await pause(POLL_MS)
    }
  }
  const cleanUp = async (): Promise<void> => {
    await Promise.all(nodes.map((node) => node.kill()))
    await Promise.all(services.map((service) => service.kill()))
    for (const relay of relays) relay.close()
    if (disk_mb) for (const node of nodes) unmountDisk(node.folder)
    rmSync(folder, { recursive: true, force: true, maxRetries: 20 })
  }
  try {
    // The first node creates the database, so that the second copies it.
    await nodes[0]?.start()
    await waitUntilPrimary(findPrimaries).catch((error: unknown) => {
      throw new Error(`${String(error)}: ${nodes[0]?.readOutput().slice(-6_000)}`)
    })
    await nodes[1]?.start()
    const { primary } = await waitUntilHealthy()
    await createDatabase(primary)
  } catch (error) {
    await cleanUp()
    throw error
  }
  return {
    nodes,
    primary_url,
    replica_url: urlOf(replica_port),
    connection: { connectionString: primary_url },
    findPrimaries,
    waitUntilHealthy,
    waitForTakeover,
    switchOver: async () => {
      const { primary, replica } = await waitUntilHealthy()
      await primary.handOverTo(replica.name)
    },
    cleanUp,
  }
}

const startEtcd = async (
  { etcd }: HaPrograms,
  folder: string,
  services: Service[],
): Promise<number> => {
  const data = join(folder, 'etcd')
  mkdirSync(data, { mode: 0o700 })
  giveTo(chooseAccount(data), data)
  const [port, peer_port] = [await freePort(), await freePort()]
  const [client, peer] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${peer_port}`]
  services.push(
    startService(
      etcd,
      [
        ...['--name', 'try', '--data-dir', data, '--log-level', 'error'],
        ...['--listen-client-urls', client, '--advertise-client-urls', client],
        ...['--listen-peer-urls', peer, '--initial-advertise-peer-urls', peer],
        ...['--initial-cluster', `try=${peer}`],
      ],
      {},
      chooseAccount(data),
    ),
  )
  await waitForEtcdVersion(client)
  return port
}

/** Waits until etcd reports the version of its cluster, because Patroni does not start before. */
const waitForEtcdVersion = async (client: string): Promise<void> => {
  const until = performance.now() + MAX_HEALTHY_MS
  for (;;) {
    const version = await fetch(`${client}/version`).then(
      (response) => response.text(),
      () => '',
    )
    if (/"etcdcluster":"\d/.test(version)) return
    if (performance.now() > until) throw new Error(`etcd is not ready: ${version}`)
    await pause(POLL_MS)
  }
}

const relayTo = (port: number) => startDatabaseRelay({ host: '127.0.0.1', port })

const waitUntilPrimary = async (findPrimaries: HaCluster['findPrimaries']): Promise<void> => {
  const until = performance.now() + MAX_HEALTHY_MS
  while ((await findPrimaries()).length === 0) {
    if (performance.now() > until) throw new Error('The first node did not become the primary')
    await pause(POLL_MS)
  }
}

const createDatabase = (primary: HaNode): Promise<void> =>
  primary.query(async (client) => {
    await client.query(`create role ${USER} login password '${PASSWORD}'`)
    await client.query(`create database ${USER} owner ${USER}`)
  })
