import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../imports.ts'
import { PLAYER_FOLDER } from './folders.ts'

const VITE = join(ROOT, 'node_modules/vite/bin/vite.js')

/** Scripts that begin an element of a page or are files of their own. The other scripts of a page follow `player.js` in its element. */
const MAPPED = '{player,framed,embed,assets/*}.js'

/**
 * Builds the public page's files, not minified, and with source maps for the scripts that begin an element. Returns false
 * after an error, which Vite prints, and if `signal` ends the build.
 */
export const buildPlayer = async (
  env: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<boolean> => {
  const options = ['--config', 'vite.player.config.ts', '--mode', 'development']
  const output = ['--outDir', PLAYER_FOLDER, '--emptyOutDir', '--logLevel', 'warn']
  const child = spawn(process.execPath, [VITE, 'build', ...options, ...output], {
    cwd: ROOT,
    env,
    stdio: ['ignore', 'inherit', 'inherit'],
    signal,
  })
  const [code] = await once(child, 'exit').catch(() => [])
  if (code !== 0) return false
  for (const name of globSync(MAPPED, { cwd: PLAYER_FOLDER })) linkMap(join(PLAYER_FOLDER, name))
  return true
}

/**
 * Puts the address of its source map into the first line of a script, because other scripts may follow in the same element.
 * Vite serves the map from the disk.
 */
const linkMap = (path: string): void => {
  const map_path = `${path}.map`
  const map = JSON.parse(readFileSync(map_path, 'utf8')) as { mappings: string }
  writeFileSync(map_path, JSON.stringify({ ...map, mappings: `;${map.mappings}` }))
  writeFileSync(path, `//# sourceMappingURL=/@fs${map_path}\n${readFileSync(path, 'utf8')}`)
}
