import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync, constants as zlib } from 'node:zlib'
import { checkBudgets, checkPlayerBudgets } from './budgets.ts'
import { importsOf } from './imports.ts'
import { writeLicences } from './licences/write-licences.ts'

/** Minimum size of a compressed file; smaller files fit into one network packet anyway. */
const MIN_BYTES = 1_024

const BROTLI = { params: { [zlib.BROTLI_PARAM_QUALITY]: zlib.BROTLI_MAX_QUALITY } }

/** Compresses the text files of a folder to .br and .gz files, which the server sends if the browser accepts them. */
export const compressFolder = (folder: string): void => {
  for (const name of globSync('**/*.{js,css,html,svg,txt}', { cwd: folder })) {
    const file = join(folder, name)
    const bytes = readFileSync(file)
    if (bytes.length <= MIN_BYTES) continue
    const compressedVariants = [
      { ending: 'br', packed: brotliCompressSync(bytes, BROTLI) },
      { ending: 'gz', packed: gzipSync(bytes, { level: zlib.Z_BEST_COMPRESSION }) },
    ]
    for (const { ending, packed } of compressedVariants)
      if (packed.length < bytes.length) writeFileSync(`${file}.${ending}`, packed)
  }
}

const CONFIGURATIONS = ['vite.config.ts', 'vite.player.config.ts']
const SOURCES = [
  'src/{web,domain,contract}/**/*',
  'package-lock.json',
  'LICENSE',
  'scripts/{build,budgets}.ts',
  'scripts/licences/**/*',
  ...CONFIGURATIONS,
  // Plugins and settings that both name.
  ...CONFIGURATIONS.flatMap((file) => importsOf(file)),
]

/** Returns a hash of all sources of the browser files, so that a build can be skipped if nothing has changed. */
export const sourcesDigest = (root: string): string => {
  const hash = createHash('sha256')
  for (const pattern of SOURCES) {
    const entries = globSync(pattern, { cwd: root, withFileTypes: true })
    const files = entries.filter((entry) => entry.isFile() && !entry.name.includes('.test.'))
    for (const file of files.map((entry) => join(entry.parentPath, entry.name)).sort())
      hash.update(file.slice(root.length)).update(readFileSync(file))
  }
  return hash.digest('hex')
}

/** Builds the browser files into dist/; with --if-stale, only if their sources have changed. */

const root = join(import.meta.dirname, '..')
const stamp = join(root, 'dist/built-from')
const vite = join(root, 'node_modules/vite/bin/vite.js')
const builds = [
  ['--config', 'vite.config.ts'],
  ['--config', 'vite.player.config.ts'],
]

const digest = sourcesDigest(root)
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
  // Loaded here, because hosts remove the packages of the build before `npm start` finds that the build is fresh.
  const { checkVisitorEngines } = await import('./visitor-engines.ts')
  if (!checkBudgets(dashboard)) process.exit(1)
  if (!checkPlayerBudgets(join(root, 'dist/player'))) process.exit(1)
  if (!checkVisitorEngines(join(root, 'dist/player'))) process.exit(1)
  const problems = writeLicences(root)
  for (const line of problems) console.error(line)
  if (problems.length > 0) process.exit(1)
  compressFolder(dashboard)
  writeFileSync(stamp, digest)
}
