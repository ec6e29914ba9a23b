import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const ROOT = join(import.meta.dirname, '../../..')

/** The player of these very sources, wherever and whenever the product was last built. */
export const buildPlayer = (): { player_folder: URL; remove: () => void } => {
  const folder = mkdtempSync(join(tmpdir(), 'quizaine-player-'))
  const vite = join(ROOT, 'node_modules/vite/bin/vite.js')
  const options = ['--config', 'vite.player.config.ts', '--outDir', folder, '--emptyOutDir']
  const { status, stderr } = spawnSync(
    process.execPath,
    [vite, 'build', '--logLevel=warn', ...options],
    { cwd: ROOT, encoding: 'utf8' },
  )
  assert.equal(status, 0, stderr)
  return {
    player_folder: pathToFileURL(`${folder}/`),
    remove: () => rmSync(folder, { recursive: true }),
  }
}
