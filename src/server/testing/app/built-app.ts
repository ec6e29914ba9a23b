import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildPlayer } from '#server/testing/built-player.ts'
import { createTestApp, type TestApp } from './test-app.ts'

/** Returns the folders of the built player and of a dashboard of one small file. `remove` deletes them. */
export const createBuiltFolders = (): {
  folders: { player: URL; dashboard: string }
  remove: () => void
} => {
  const dashboard = mkdtempSync(join(tmpdir(), 'quizaine-dashboard-'))
  mkdirSync(join(dashboard, 'assets'))
  writeFileSync(join(dashboard, 'index.html'), '<!doctype html><title>Quizaine</title>')
  writeFileSync(join(dashboard, 'assets/app-1234.js'), 'console.log()')
  const { player_folder: player, remove } = buildPlayer()
  return {
    folders: { player, dashboard },
    remove: () => {
      remove()
      rmSync(dashboard, { recursive: true })
    },
  }
}

/** Starts the whole app with the player built from the sources, and a dashboard of one small file. */
export const createBuiltApp = async (
  env: Record<string, string> = {},
  options: Pick<NonNullable<Parameters<typeof createTestApp>[1]>, 'log'> = {},
): Promise<TestApp> => {
  const { folders, remove } = createBuiltFolders()
  const app = await createTestApp(env, { ...options, has_pages: true, folders })
  return {
    ...app,
    close: async () => {
      await app.close()
      remove()
    },
  }
}
