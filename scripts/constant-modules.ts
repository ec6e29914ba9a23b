import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { isDeepStrictEqual } from 'node:util'
import type { Plugin } from 'vite'

/** Modules that export data only. */
const MODULES = ['src/domain/questionnaire/defaults.ts', 'src/domain/editing/draft-fields.ts']

/**
 * Replaces modules that compute constants from the records of fields by their values, so that a screen that needs the
 * defaults does not load the records with their French names.
 */
export const constantModules = (): Plugin => {
  const paths = new Set(MODULES.map((path) => resolve(path)))
  return {
    name: 'constant-modules',
    apply: 'build',
    async load(id) {
      if (!paths.has(id)) return undefined
      const exports: Record<string, unknown> = await import(pathToFileURL(id).href)
      return Object.entries(exports)
        .map(([name, value]) => {
          const json = JSON.stringify(value)
          if (!isDeepStrictEqual(JSON.parse(json ?? 'null'), value))
            throw new Error(`${name} of ${id} is no plain data`)
          return `export const ${name} = ${json}`
        })
        .join('\n')
    },
  }
}
