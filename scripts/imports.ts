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
