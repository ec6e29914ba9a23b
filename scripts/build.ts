/** Builds the browser's files into dist/. With --if-stale, only when their sources changed since. */
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { checkBudgets, checkPlayerBudgets } from './budgets.ts'
import { compressFolder } from './compress.ts'
import { sourcesDigest } from './sources.ts'

const root = join(import.meta.dirname, '..')
const stamp = join(root, 'dist/built-from')
const vite = join(root, 'node_modules/vite/bin/vite.js')
const builds = [
  ['--config', 'vite.config.ts'],
  ['--config', 'vite.player.config.ts'],
]

const runtime = process.env.PUBLIC_RUNTIME ?? 'preact'
const digest = sourcesDigest(root, runtime)
const isFresh = existsSync(stamp) && readFileSync(stamp, 'utf8') === digest

if (!(isFresh && process.argv.includes('--if-stale'))) {
  rmSync(join(root, 'dist'), { recursive: true, force: true })
  for (const options of builds) {
    const { status } = spawnSync(process.execPath, [vite, 'build', '--logLevel=warn', ...options], {
      cwd: root,
      stdio: 'inherit',
    })
    if (status !== 0) process.exit(status ?? 1)
  }
  const dashboard = join(root, 'dist/dashboard')
  if (!checkBudgets(dashboard)) process.exit(1)
  // On React itself, the player is only compared with what visitors get.
  if (runtime !== 'react' && !checkPlayerBudgets(join(root, 'dist/player'))) process.exit(1)
  compressFolder(dashboard)
  writeFileSync(stamp, digest)
}
