import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Folder of the repository. */
export const ROOT = join(import.meta.dirname, '..')

const LAZY_IMPORT = /\bimport\([^)]*\)/g
const IMPORTS = /(?:from|import|import\() ?'([#.][^']+)'/g

/**
 * Returns our files that a file imports, types included. Paths are relative to the repository. Aliases such as
 * `#domain/` are resolved; packages are left out. `follows_lazy` false leaves out `import()`.
 */
export const importsOf = (file: string, { follows_lazy = true } = {}): string[] => {
  const text = readFileSync(join(ROOT, file), 'utf8')
  const read = follows_lazy ? text : text.replaceAll(LAZY_IMPORT, '')
  return [...read.matchAll(IMPORTS)].map(([, name = '']) =>
    name.startsWith('#') ? join('src', name.slice(1)) : join(dirname(file), name),
  )
}

/**
 * Returns the given files and all files of ours that they import, directly or not. `follows_lazy` false leaves out files that are
 * loaded by `import()` alone.
 */
export const closureOf = (files: string[], { follows_lazy = true } = {}): string[] => {
  const found = new Set(files)
  // A set yields entries that are added while it is read.
  for (const file of found)
    if (/\.tsx?$/.test(file) && existsSync(join(ROOT, file)))
      for (const imported of importsOf(file, { follows_lazy })) found.add(imported)
  return [...found]
}

const PACKAGE_IMPORTS =
  /\b(?:import|export)\s+(?!type\b)(?:[^'";]*?\bfrom\s+)?'([^'#.][^']*)'|import\('([^'#.][^']*)'\)/g

/** Returns the names of the npm packages that a file loads when it runs. Imports of types alone are left out. */
export const loadedPackagesOf = (file: string): string[] =>
  [...readFileSync(join(ROOT, file), 'utf8').matchAll(PACKAGE_IMPORTS)]
    .map(([, name = '', lazy_name = '']) => name || lazy_name)
    .filter((name) => !name.startsWith('node:'))
    .map((name) =>
      name
        .split('/')
        .slice(0, name.startsWith('@') ? 2 : 1)
        .join('/'),
    )
