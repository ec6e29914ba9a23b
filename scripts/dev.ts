/**
 * Runs the product for development at one address. Vite replaces changed modules of the screens in the open page; the server
 * restarts if its own files or those of the public page change.
 */
import { relative } from 'node:path'
import { freePort } from '../src/server/testing/network/proxies/free-port.ts'
import { startBrowserServer } from './dev/browser-server.ts'
import { buildPlayer } from './dev/player-build.ts'
import { createProductServer } from './dev/product-server.ts'
import { ROOT } from './imports.ts'

/** Environment of child processes, without the variables that Vite sets in this process. */
const env = { ...process.env }
const port = Number(env.PORT || 3000)
const host = env.HOST || '127.0.0.1'
const address = env.PUBLIC_URL || `http://localhost:${port}`

/** Milliseconds without a change after which changes take effect, because editors save several files at once. */
const QUIET_MS = 100

/** Sources of the server, and of the public page. Tests are in neither. */
const SERVER = /^src\/(?:server|domain|contract)\//
const PLAYER = /^src\/(?:web\/(?:player|embed)|domain)\//
const FOR_TESTS = /\/testing\/|\.(?:test|spec)\.tsx?$/

const server_port = await freePort()
const product = createProductServer({
  ...env,
  PORT: String(server_port),
  HOST: '127.0.0.1',
  PUBLIC_URL: address,
})
const stopping = new AbortController()
let isPlayerBuilt = buildPlayer(env, stopping.signal)
const vite = await startBrowserServer({
  host,
  port,
  origin: `http://127.0.0.1:${server_port}`,
  untilReady: async () => {
    await isPlayerBuilt
    await product.settled()
  },
})

const changed = new Set<string>()
let timer: NodeJS.Timeout | undefined

const applyChanges = async (): Promise<void> => {
  const files = [...changed]
  changed.clear()
  console.log(`${files.join(', ')} changed: the server restarts`)
  if (files.some((file) => PLAYER.test(file))) {
    isPlayerBuilt = isPlayerBuilt.then(() => buildPlayer(env, stopping.signal))
    if (!(await isPlayerBuilt)) return
  }
  await product.restart()
}

vite.watcher.add(['server', 'domain', 'contract'].map((folder) => `${ROOT}/src/${folder}`))
vite.watcher.on('all', (_, path) => {
  const file = relative(ROOT, path)
  if (FOR_TESTS.test(file) || !(SERVER.test(file) || PLAYER.test(file))) return
  changed.add(file)
  clearTimeout(timer)
  timer = setTimeout(() => void applyChanges(), QUIET_MS)
})

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, async () => {
    if (stopping.signal.aborted) return
    stopping.abort()
    clearTimeout(timer)
    await Promise.all([product.stop(), vite.close()])
    process.exit(0)
  })

await Promise.all([product.restart(), isPlayerBuilt])
console.log(`Open ${address}. Screens change without a reload; reload public pages after a change.`)
