/** Runs the server and the build of the browser files for development. Both react to changes of their sources. */
import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const vite = join(root, 'node_modules/vite/bin/vite.js')

const start = (...args: string[]): ChildProcess =>
  spawn(process.execPath, args, { cwd: root, stdio: 'inherit' })

const children = [
  start(vite, 'build', '--watch', '--config', 'vite.config.ts'),
  start(vite, 'build', '--watch', '--config', 'vite.player.config.ts'),
  start('--watch-path=src/server', '--watch-path=dist', 'src/server/main.ts'),
]

for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => {
    for (const child of children) child.kill(signal)
  })
