import { cpSync, existsSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../imports.ts'

/** Files that a run of tests writes or does not read. */
const LEFT_OUT = ['.git', 'dist', 'node_modules']

/**
 * Copies the repository into a new folder, whose sources can then be changed. Packages are links to the installed ones;
 * caches are those of the copy alone, so that no build of a changed source stays in the repository.
 */
export const copyRepository = (folder: string): string => {
  mkdirSync(folder)
  for (const name of readdirSync(ROOT).filter((entry) => !LEFT_OUT.includes(entry)))
    cpSync(join(ROOT, name), join(folder, name), { recursive: true })
  const packages = join(folder, 'node_modules')
  mkdirSync(join(packages, '.cache'), { recursive: true })
  for (const name of readdirSync(join(ROOT, 'node_modules')))
    if (!existsSync(join(packages, name)))
      symlinkSync(join(ROOT, 'node_modules', name), join(packages, name))
  return folder
}
