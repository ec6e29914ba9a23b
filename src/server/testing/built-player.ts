import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const ROOT = join(import.meta.dirname, '../../..')

/** Returns the folder of the built player. Builds the player first if the global setup did not run. */
export const buildPlayer = (): { player_folder: URL; remove: () => void } => {
  const built = process.env.QUIZAINE_TEST_PLAYER
  if (built) return { player_folder: new URL(built), remove: () => undefined }
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
