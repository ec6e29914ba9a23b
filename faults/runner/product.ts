import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

/** Root folder of the repository. */
export const root = join(import.meta.dirname, '../..')
const READY_MS = 60_000
const POLL_MS = 10

/** Running process of the product, with the production build as in `npm start`. */
export type Product = {
  origin: string
  pid: number
  /** Returns the last MAX_OUTPUT_LENGTH characters of both output streams. */
  readOutput: () => string
  /** Returns true if the process has ended. */
  hasExited: () => boolean
  kill: (signal: NodeJS.Signals) => void
  /** Closes the output streams, so that the product can no longer write to them. */
  closeOutput: () => void
  /** Exit code and signal after the process has ended. */
  exited: Promise<[number | null, NodeJS.Signals | null]>
}

/** Options for starting one process of the product. */
export type LaunchOptions = {
  port: number
  env: Record<string, string>
  node_options?: string[]
  /** File descriptor that receives the output, such as a descriptor of /dev/full. */
  output?: number
}

/** Running processes, which `stopAllProducts` ends. */
const runningProducts = new Set<Product>()

/** Starts the product without waiting until it is ready. */
export const startWithoutWaiting = ({
  port,
  env,
  node_options = [],
  output,
}: LaunchOptions): Product => {
  const child = spawn(process.execPath, [...node_options, 'src/server/main.ts'], {
    cwd: root,
    stdio: ['ignore', output ?? 'pipe', output ?? 'pipe'],
    env: {
      ...process.env,
      PORT: String(port),
      HOST: '127.0.0.1',
      RATE_LIMITS: 'off',
      LOG_LEVEL: 'warn',
      ...env,
    },
  })
  let output_text = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (text: Buffer) => {
      output_text = `${output_text}${text}`.slice(-MAX_OUTPUT_LENGTH)
    })
  const product: Product = {
    origin: `http://127.0.0.1:${port}`,
    pid: child.pid ?? 0,
    readOutput: () => output_text,
    hasExited: () => child.exitCode !== null || child.signalCode !== null,
    kill: (signal) => void child.kill(signal),
    closeOutput: () => {
      child.stdout?.destroy()
      child.stderr?.destroy()
    },
    exited: once(child, 'exit') as Product['exited'],
  }
  runningProducts.add(product)
  product.exited.then(
    () => runningProducts.delete(product),
    () => runningProducts.delete(product),
  )
  return product
}

const MAX_OUTPUT_LENGTH = 100_000

/** Waits until the product is ready. Throws an error with its output if it ends or if the timeout is exceeded. */
export const waitUntilReady = async (product: Product, timeout_ms = READY_MS): Promise<void> => {
  const deadline = performance.now() + timeout_ms
  while (performance.now() < deadline && !product.hasExited()) {
    if (await isReady(product)) return
    await pause(POLL_MS)
  }
  throw new Error(`The product did not become ready: ${product.readOutput().slice(-500)}`)
}

/** Returns true if the product answers and reaches its database (`/readyz`). */
export const isReady = ({ origin }: Product): Promise<boolean> =>
  fetch(`${origin}/readyz`, { signal: AbortSignal.timeout(5_000) }).then(
    ({ ok }) => ok,
    () => false,
  )

/** Stops the product with SIGTERM and returns its exit code. */
export const stopProduct = async (product: Product): Promise<number | null> => {
  if (!product.hasExited()) product.kill('SIGTERM')
  const [code] = await product.exited
  return code
}

/** Ends all running processes of the product, for example after a failed scenario. */
export const stopAllProducts = async (): Promise<void> => {
  for (const product of runningProducts) product.kill('SIGCONT')
  await Promise.all([...runningProducts].map(stopProduct))
}
