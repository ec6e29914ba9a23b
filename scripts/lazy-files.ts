import { join } from 'node:path'
import type { Plugin } from 'vite'

/** Module in which Vite keeps the function that it puts around each `import()`. */
const VITE_HELPER = '\0vite/preload-helper.js'
const HELPER = join(import.meta.dirname, '../src/web/api/load-files.ts')

/**
 * Returns a Vite plugin that gives each `import()` the product's own loader, with the files that the importing file
 * does not have yet. A version that renames its helper fails the build.
 */
export const lazyFiles = (): Plugin => {
  /** Files that each file imports statically. */
  const imports = new Map<string, readonly string[]>()
  let isReplaced = false
  const filesOf = (file: string, found = new Set<string>()): Set<string> => {
    if (found.has(file)) return found
    found.add(file)
    for (const imported of imports.get(file) ?? []) filesOf(imported, found)
    return found
  }
  return {
    name: 'lazy-files',
    apply: 'build',
    enforce: 'pre',
    config: () => ({
      build: {
        modulePreload: {
          polyfill: false,
          resolveDependencies: (file, files, { hostId, hostType }) => {
            if (hostType === 'html') return files
            const known = filesOf(hostId)
            return [...new Set([file, ...files])].filter((one) => !known.has(one))
          },
        },
      },
    }),
    load(id) {
      if (id !== VITE_HELPER) return null
      isReplaced = true
      return `export { importWithFiles as __vitePreload } from ${JSON.stringify(HELPER)}`
    },
    generateBundle: {
      order: 'pre',
      handler(_, bundle) {
        if (!isReplaced) this.error('Vite has another helper for import()')
        for (const file of Object.values(bundle))
          if (file.type === 'chunk') imports.set(file.fileName, file.imports)
      },
    },
  }
}
