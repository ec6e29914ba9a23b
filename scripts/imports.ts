import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Folder of the repository. */
export const ROOT = join(import.meta.dirname, '..')

const IMPORTS = /(?:from|import|import\() ?'([#.][^']+)'/g

/**
 * Returns our files that a file imports, types included. Paths are relative to the repository. Aliases such as
 * `#domain/` are resolved; packages are left out.
 */
export const importsOf = (file: string): string[] =>
  [...readFileSync(join(ROOT, file), 'utf8').matchAll(IMPORTS)].map(([, name = '']) =>
    name.startsWith('#') ? join('src', name.slice(1)) : join(dirname(file), name),
  )

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
