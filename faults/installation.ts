import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type pg from 'pg'
import { embeddedConnection } from '#server/db/embedded/postgres-access.ts'
import { findRunning } from '#server/db/embedded/postgres-process.ts'
import { type Relay, startRelay } from '#server/testing/network/database-relay.ts'
import { freePort } from '#server/testing/network/free-port.ts'
import { type Cluster, startCluster } from '../bench/cluster.ts'
import { type Launch, launch, type Product, waitUntilReady } from './product.ts'

/** Database of the product: started by the product, or a separate server. */
export type Engine = 'embedded' | 'external'

/** Environment of a product under test: folder, port, database, and functions that damage each of them. */
export type Installation = {
  engine: Engine
  data_dir: string
  /** Environment variables for other commands on the same installation. */
  env: Record<string, string>
  /** Returns the most recently started product. */
  product: () => Product
  /** Starts the product and resolves when it is ready. */
  start: (more?: Partial<Launch>) => Promise<Product>
  /** Starts the product without waiting. */
  launch: (more?: Partial<Launch>) => Product
  /** Returns the process id of the database server. */
  databasePid: () => number
  /** Restarts an external database; the product restarts an embedded one itself. */
  startDatabase: () => Promise<void>
  /** Direct database connection for checks, without the proxy. */
  connection: pg.ClientConfig
  cluster: Cluster | undefined
  proxy: Relay | undefined
  cleanUp: () => Promise<void>
}

type InstallationOptions = {
  engine: Engine
  has_proxy?: boolean
  env?: Record<string, string>
  folder?: string
}

/** SECRET_KEY of installations with an external database. */
export const SECRET = 'a secret that only the faults know of'

/** Installations to clean up if the runner is stopped. */
const open = new Set<Installation>()
/** Stops and deletes all open installations. */
export const cleanUpAll = async (): Promise<void> => {
  for (const installation of open) await installation.cleanUp()
}

/** Creates an installation without starting the product. */
export const openInstallation = async ({
  engine,
  has_proxy,
  env = {},
  folder,
}: InstallationOptions): Promise<Installation> => {
  const data_dir = folder ?? mkdtempSync(join(tmpdir(), 'quizaine-faults-'))
  const port = await freePort()
  const cluster = engine === 'external' ? await startCluster() : undefined
  const proxy =
    cluster && has_proxy
      ? await startRelay({ host: cluster.connection.host, port: 5_432 })
      : undefined
  const host = proxy ? `127.0.0.1:${proxy.port}` : 'localhost'
  const where = proxy ? '' : `?host=${cluster?.connection.host}`
  const all: Record<string, string> = {
    DATA_DIR: data_dir,
    ...(cluster && {
      DATABASE_URL: `postgres://quizaine@${host}/postgres${where}`,
      SECRET_KEY: SECRET,
    }),
    ...env,
  }
  let product: Product | undefined
  const begin = (more: Partial<Launch> = {}): Product => {
    product = launch({ port, ...more, env: { ...all, ...more.env } })
    return product
  }
  const installation: Installation = {
    engine,
    data_dir,
    env: all,
    product: () => {
      if (!product) throw new Error('Nothing was started')
      return product
    },
    launch: begin,
    start: async (more) => {
      const started = begin(more)
      await waitUntilReady(started)
      return started
    },
    databasePid: () => (cluster ? cluster.pid() : (findRunning(data_dir) ?? 0)),
    startDatabase: async () => cluster?.start(),
    // The password of the embedded database exists after its first start.
    get connection() {
      return cluster?.connection ?? embeddedConnection(data_dir)
    },
    cluster,
    proxy,
    cleanUp: async () => {
      open.delete(installation)
      product?.kill('SIGCONT')
      proxy?.set('pass')
      if (product && !product.hasExited()) {
        product.kill('SIGTERM')
        await product.exited
      }
      proxy?.close()
      await cluster?.cleanUp()
      const left = findRunning(data_dir)
      if (left) process.kill(left, 'SIGQUIT')
      if (!folder) rmSync(data_dir, { recursive: true, force: true, maxRetries: 20 })
    },
  }
  open.add(installation)
  return installation
}
