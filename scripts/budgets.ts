/** Checks the bundle sizes of screens and of the player against their budgets. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'

type Chunk = { file: string; imports?: string[]; css?: string[] }
type Manifest = Record<string, Chunk>

const KB = 1_024
const APP = 'index.html'
const BUDGETS = [
  {
    screen: 'dashboard',
    entries: [APP, 'dashboard/dashboard-page.tsx'],
    js: 149 * KB,
    css: 15 * KB,
  },
  {
    screen: 'questions',
    entries: [APP, 'editor/questions/questions-page.tsx'],
    js: 230 * KB,
    css: 15 * KB,
  },
]

/**
 * Maximum sizes of the player's scripts. `player.js` is in every public page, `prefilled.js` in that of a prefilled link,
 * and `invited.js` in that of an invited person. The parts are in the pages whose quiz needs them (bench/public). The second file is loaded afterwards. The file that
 * finds slips in addresses comes with an email field, and the file that reads phone numbers with the first focus of a
 * phone field.
 */
const PLAYER_BUDGETS = {
  'player.js': 9.1 * KB,
  'prefilled.js': 9.3 * KB,
  'invited.js': 9.7 * KB,
  'texts.js': 1.45 * KB,
  'variants.js': 0.9 * KB,
  'options.js': 1.4 * KB,
  'formats.js': 1.2 * KB,
  'phones.js': 0.45 * KB,
  'grids.js': 1.7 * KB,
  'wording.js': 0.75 * KB,
  'auto_advance.js': 0.5 * KB,
  'assets/player-????????.js': 14 * KB,
  'assets/player-emails-*.js': 3 * KB,
  'assets/player-phones-*.js': 16 * KB,
}

/** Maximum size of the script that other sites load, in gzip because old caches and proxies know no brotli. */
const SITE_SCRIPT = { file: 'embed.js', budget: 2 * KB }

/** Returns the files that a screen loads before it is shown. */
const filesOf = (manifest: Manifest, entries: string[]): { js: string[]; css: string[] } => {
  const seen = new Set<string>()
  const visit = (name: string): void => {
    if (seen.has(name)) return
    seen.add(name)
    for (const imported of manifest[name]?.imports ?? []) visit(imported)
  }
  for (const entry of entries) {
    if (!manifest[entry]) throw new Error(`The build has no ${entry}`)
    visit(entry)
  }
  const chunks = [...seen].flatMap((name) => manifest[name] ?? [])
  return {
    js: chunks.map(({ file }) => file),
    css: [...new Set(chunks.flatMap(({ css = [] }) => css))],
  }
}

/** Prints the size of each screen. Returns false if a screen exceeds its budget. */
export const checkBudgets = (folder: string): boolean => {
  const manifest = JSON.parse(readFileSync(join(folder, '.vite/manifest.json'), 'utf8')) as Manifest
  const weigh = (files: string[]): number =>
    files.reduce(
      (sum, file) => sum + gzipSync(readFileSync(join(folder, file)), { level: 9 }).length,
      0,
    )
  let isKept = true
  for (const { screen, entries, ...budget } of BUDGETS) {
    const files = filesOf(manifest, entries)
    for (const kind of ['js', 'css'] as const) {
      const weight = weigh(files[kind])
      const verdict = weight <= budget[kind] ? 'of' : 'OVER'
      console.log(
        `${screen}: ${(weight / KB).toFixed(1)} KB ${kind} gzip, ${verdict} ${budget[kind] / KB} KB`,
      )
      if (weight > budget[kind]) isKept = false
    }
  }
  return isKept
}

/**
 * Prints the brotli size of each script of the player, and the size of the script of other sites. Returns false if a
 * script exceeds its budget.
 */
export const checkPlayerBudgets = (folder: string): boolean => {
  let isKept = true
  for (const [pattern, budget] of Object.entries(PLAYER_BUDGETS)) {
    const [file = pattern] = globSync(pattern, { cwd: folder })
    const { length: weight } = brotliCompressSync(readFileSync(join(folder, file)))
    const verdict = weight <= budget ? 'of' : 'OVER'
    console.log(`${file}: ${(weight / KB).toFixed(1)} KB brotli, ${verdict} ${budget / KB} KB`)
    if (weight > budget) isKept = false
  }
  return isSiteScriptKept(folder) && isKept
}

const isSiteScriptKept = (folder: string): boolean => {
  const { file, budget } = SITE_SCRIPT
  const { length: weight } = gzipSync(readFileSync(join(folder, file)), { level: 9 })
  const verdict = weight <= budget ? 'of' : 'OVER'
  console.log(`${file}: ${(weight / KB).toFixed(1)} KB gzip, ${verdict} ${budget / KB} KB`)
  return weight <= budget
}
