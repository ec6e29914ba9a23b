import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type pg from 'pg'
import { embeddedConnection } from '#server/db/embedded/postgres-access.ts'
import { findRunning } from '#server/db/embedded/postgres-process.ts'
import { type Relay, startRelay } from '#server/testing/network/database-relay.ts'
import { freePort } from '#server/testing/network/free-port.ts'
import { type Cluster, startCluster } from '../bench/cluster.ts'
import { type Launch, launch, type Product, untilReady } from './product.ts'

export type Engine = 'embedded' | 'external'

/** Where the product runs: its folder, its port, its database, and ways to harm each. */
export type Installation = {
  engine: Engine
  data_dir: string
  /** What commands beside the product need to find the same place. */
  env: Record<string, string>
  /** The product that was started last. */
  product: () => Product
  /** Starts the product; settles once it is ready. */
  start: (more?: Partial<Launch>) => Promise<Product>
  /** The same without waiting. */
  launch: (more?: Partial<Launch>) => Product
  /** The number of the database's first process. */
  databasePid: () => number
  /** Brings the database back where the product does not do it itself. */
  startDatabase: () => Promise<void>
  /** Past the proxy, for whoever checks. */
  connection: pg.ClientConfig
  cluster: Cluster | undefined
  proxy: Relay | undefined
  cleanUp: () => Promise<void>
}

type Needs = { engine: Engine; has_proxy?: boolean; env?: Record<string, string>; folder?: string }

export const SECRET = 'a secret that only the faults know of'

/** What is left to take away when the runner itself is told to end. */
const open = new Set<Installation>()
export const cleanUpAll = async (): Promise<void> => {
  for (const installation of open) await installation.cleanUp()
}

/** Makes an empty place; nothing of the product runs in it yet. */
export const openInstallation = async ({
  engine,
  has_proxy,
  env = {},
  folder,
}: Needs): Promise<Installation> => {
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
      await untilReady(started)
      return started
    },
    databasePid: () => (cluster ? cluster.pid() : (findRunning(data_dir) ?? 0)),
    startDatabase: async () => cluster?.start(),
    // The embedded database has a password from its first start on.
    get connection() {
      return cluster?.connection ?? embeddedConnection(data_dir)
    },
    cluster,
    proxy,
    cleanUp: async () => {
      open.delete(installation)
      product?.kill('SIGCONT')
      proxy?.set('pass')
      if (product && !product.isOver()) {
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
