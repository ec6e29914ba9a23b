import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type pg from 'pg'
import { embeddedConnection } from '#server/db/embedded/postgres-access.ts'
import { findRunning } from '#server/db/embedded/postgres-process.ts'
import { type Cluster, startCluster } from '#server/testing/network/cluster.ts'
import {
  type DatabaseRelay,
  startDatabaseRelay,
} from '#server/testing/network/proxies/database-relay.ts'
import { freePort } from '#server/testing/network/proxies/free-port.ts'
import { type LaunchOptions, type Product, startWithoutWaiting, waitUntilReady } from './product.ts'

/** Database engine: `embedded` is started by the product, `external` is a separate server. */
export type Engine = 'embedded' | 'external'

/** Installation of the product for tests: data folder, port and database, with functions to start and damage them. */
export type Installation = {
  engine: Engine
  data_dir: string
  /** Environment variables of the product, also for other commands on the same installation. */
  env: Record<string, string>
  /** Returns the most recently started process of the product. */
  product: () => Product
  /** Starts the product and resolves when it is ready. */
  start: (options?: Partial<LaunchOptions>) => Promise<Product>
  /** Starts the product without waiting until it is ready. */
  startWithoutWaiting: (options?: Partial<LaunchOptions>) => Product
  /** Returns the process id of the database server. */
  databasePid: () => number
  /** Restarts an external database; the product restarts an embedded one itself. */
  startDatabase: () => Promise<void>
  /** Connection to the database that bypasses the proxy, for checks. */
  connection: pg.ClientConfig
  cluster: Cluster | undefined
  proxy: DatabaseRelay | undefined
  cleanUp: () => Promise<void>
}

type InstallationOptions = {
  engine: Engine
  /** External database that is running already; by default a new server is started. */
  database?: { url: string; connection: pg.ClientConfig }
  has_database_proxy?: boolean
  env?: Record<string, string>
  folder?: string
}

/** SECRET_KEY of installations with an external database. */
export const TEST_SECRET_KEY = 'a secret key for fault tests only'

/** Installations that are not cleaned up yet. */
const openInstallations = new Set<Installation>()
/** Stops and deletes all installations. */
export const cleanUpAll = async (): Promise<void> => {
  for (const installation of openInstallations) await installation.cleanUp()
}

/** Creates an installation in a temporary folder (or `folder`) without starting the product. */
export const openInstallation = async ({
  engine,
  database,
  has_database_proxy,
  env = {},
  folder,
}: InstallationOptions): Promise<Installation> => {
  const data_dir = folder ?? mkdtempSync(join(tmpdir(), 'quizaine-faults-'))
  const port = await freePort()
  const cluster = engine === 'external' && !database ? await startCluster() : undefined
  const proxy =
    cluster && has_database_proxy
      ? await startDatabaseRelay({ host: cluster.connection.host, port: 5_432 })
      : undefined
  const host = proxy ? `127.0.0.1:${proxy.port}` : 'localhost'
  const socket_query = proxy ? '' : `?host=${cluster?.connection.host}`
  const product_env: Record<string, string> = {
    DATA_DIR: data_dir,
    ...(engine === 'external' && {
      DATABASE_URL: database?.url ?? `postgres://quizaine@${host}/postgres${socket_query}`,
      SECRET_KEY: TEST_SECRET_KEY,
    }),
    ...env,
  }
  let product: Product | undefined
  const startProduct = (options: Partial<LaunchOptions> = {}): Product => {
    product = startWithoutWaiting({ port, ...options, env: { ...product_env, ...options.env } })
    return product
  }
  const installation: Installation = {
    engine,
    data_dir,
    env: product_env,
    product: () => {
      if (!product) throw new Error('The product was not started')
      return product
    },
    startWithoutWaiting: startProduct,
    start: async (options) => {
      const started = startProduct(options)
      await waitUntilReady(started)
      return started
    },
    databasePid: () => (cluster ? cluster.pid() : (findRunning(data_dir) ?? 0)),
    startDatabase: async () => cluster?.start(),
    // A getter, because the password of the embedded database exists only after the first start.
    get connection() {
      return database?.connection ?? cluster?.connection ?? embeddedConnection(data_dir)
    },
    cluster,
    proxy,
    cleanUp: async () => {
      openInstallations.delete(installation)
      product?.kill('SIGCONT')
      proxy?.set('pass')
      if (product && !product.hasExited()) {
        product.kill('SIGTERM')
        await product.exited
      }
      proxy?.close()
      await cluster?.cleanUp()
      const database_pid = findRunning(data_dir)
      if (database_pid) process.kill(database_pid, 'SIGQUIT')
      if (!folder) rmSync(data_dir, { recursive: true, force: true, maxRetries: 20 })
    },
  }
  openInstallations.add(installation)
  return installation
}
