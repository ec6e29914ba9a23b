import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

/** Root folder of the repository. */
export const root = join(import.meta.dirname, '..')
const READY_MS = 60_000
const POLL_MS = 10

/** Running process of the product, as started by `npm start`. */
export type Product = {
  origin: string
  pid: number
  /** Returns the output of both streams. */
  readOutput: () => string
  /** Returns true if the process has ended. */
  hasExited: () => boolean
  kill: (signal: NodeJS.Signals) => void
  /** Closes the output streams, so that writing to them fails. */
  closeOutput: () => void
  /** Exit code and signal after the process has ended. */
  exited: Promise<[number | null, NodeJS.Signals | null]>
}

/** Settings of one start of the product. */
export type Launch = {
  port: number
  env: Record<string, string>
  node_options?: string[]
  /** File descriptor for the output, for example of /dev/full. */
  output?: number
}

/** Running processes, to be ended with the runner. */
const running = new Set<Product>()

/** Starts the product without waiting for it. */
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
      said = `${said}${text}`.slice(-MAX_OUTPUT_LENGTH)
    })
  const product: Product = {
    origin: `http://127.0.0.1:${port}`,
    pid: child.pid ?? 0,
    readOutput: () => said,
    hasExited: () => child.exitCode !== null || child.signalCode !== null,
    kill: (signal) => void child.kill(signal),
    closeOutput: () => {
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

const MAX_OUTPUT_LENGTH = 100_000

/** Waits until the product answers with its database. Throws its output if it ends or exceeds the timeout. */
export const waitUntilReady = async (product: Product, patience_ms = READY_MS): Promise<void> => {
  const until = performance.now() + patience_ms
  while (performance.now() < until && !product.hasExited()) {
    if (await isReady(product)) return
    await pause(POLL_MS)
  }
  throw new Error(`The product did not become ready: ${product.readOutput().slice(-500)}`)
}

/** Returns true if the product answers with its database. */
export const isReady = ({ origin }: Product): Promise<boolean> =>
  fetch(`${origin}/readyz`, { signal: AbortSignal.timeout(5_000) }).then(
    ({ ok }) => ok,
    () => false,
  )

/** Stops the product with SIGTERM and returns its exit code. */
export const stop = async (product: Product): Promise<number | null> => {
  if (!product.hasExited()) product.kill('SIGTERM')
  const [code] = await product.exited
  return code
}

/** Ends all processes left by a failed scenario. */
export const endAll = async (): Promise<void> => {
  for (const product of running) product.kill('SIGCONT')
  await Promise.all([...running].map(stop))
}
