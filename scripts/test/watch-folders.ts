import { globSync, statSync, watch } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../imports.ts'

/**
 * Calls `onChange` with the path of each changed file below a folder of the repository. Each folder has its own watcher,
 * because Node's recursive watcher on Linux loses a file that an editor replaces.
 */
export const watchFolders = (folder: string, onChange: (file: string) => void): void => {
  const watched = new Set<string>()
  const add = (name: string): void => {
    if (watched.has(name)) return
    watched.add(name)
    const watcher = watch(join(ROOT, name), (_, entry) => {
      if (entry === null) return
      const path = join(name, entry)
      if (statSync(join(ROOT, path), { throwIfNoEntry: false })?.isDirectory()) addAll(path)
      else onChange(path)
    })
    // A folder that is removed ends its watcher.
    watcher.on('error', () => {
      watcher.close()
      watched.delete(name)
    })
  }
  const addAll = (name: string): void => {
    add(name)
    const entries = globSync('**/*', { cwd: join(ROOT, name), withFileTypes: true })
    for (const entry of entries)
      if (entry.isDirectory()) add(join(entry.parentPath, entry.name).slice(ROOT.length + 1))
  }
  addAll(folder)
}
