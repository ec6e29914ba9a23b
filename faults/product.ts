import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

export const root = join(import.meta.dirname, '..')
const READY_MS = 60_000
const POLL_MS = 10

/** The product as `npm start` runs it, in a process of its own. */
export type Product = {
  origin: string
  pid: number
  /** What it wrote, to both streams. */
  said: () => string
  isOver: () => boolean
  kill: (signal: NodeJS.Signals) => void
  /** Reads nothing of what it writes any more: its streams break. */
  deafen: () => void
  /** Its exit code and signal, once it has ended. */
  exited: Promise<[number | null, NodeJS.Signals | null]>
}

export type Launch = {
  port: number
  env: Record<string, string>
  node_options?: string[]
  /** Files that its output goes to instead of to us, as /dev/full. */
  output?: number
}

/** What is running, so that nothing outlives the runner whatever fails. */
const running = new Set<Product>()

/** Starts the product and does not wait for it. */
export const launch = ({ port, env, node_options = [], output }: Launch): Product => {
  const child = spawn(process.execPath, [...node_options, 'src/server/main.ts'], {
    cwd: root,
    stdio: ['ignore', output ?? 'pipe', output ?? 'pipe'],
    env: {
      ...process.env,
      PORT: String(port),
      RATE_LIMITS: 'off',
      LOG_LEVEL: 'warn',
      ...env,
    },
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (text: Buffer) => {
      said = `${said}${text}`.slice(-LONGEST_SAID)
    })
  const product: Product = {
    origin: `http://127.0.0.1:${port}`,
    pid: child.pid ?? 0,
    said: () => said,
    isOver: () => child.exitCode !== null || child.signalCode !== null,
    kill: (signal) => void child.kill(signal),
    deafen: () => {
      child.stdout?.destroy()
      child.stderr?.destroy()
    },
    exited: once(child, 'exit') as Product['exited'],
  }
  running.add(product)
  product.exited.then(
    () => running.delete(product),
    () => running.delete(product),
  )
  return product
}

const LONGEST_SAID = 100_000

/** Waits until the product answers with its database; throws what it said when it ends or takes too long. */
export const untilReady = async (product: Product, patience_ms = READY_MS): Promise<void> => {
  const until = performance.now() + patience_ms
  while (performance.now() < until && !product.isOver()) {
    if (await isReady(product)) return
    await pause(POLL_MS)
  }
  throw new Error(`The product did not become ready: ${product.said().slice(-500)}`)
}

/** True when it answers with its database. */
export const isReady = ({ origin }: Product): Promise<boolean> =>
  fetch(`${origin}/readyz`, { signal: AbortSignal.timeout(5_000) }).then(
    ({ ok }) => ok,
    () => false,
  )

/** Stops it as a supervisor would; gives its exit code. */
export const stop = async (product: Product): Promise<number | null> => {
  if (!product.isOver()) product.kill('SIGTERM')
  const [code] = await product.exited
  return code
}

/** Ends whatever a scenario that failed has left. */
export const endAll = async (): Promise<void> => {
  for (const product of running) product.kill('SIGCONT')
  await Promise.all([...running].map(stop))
}
