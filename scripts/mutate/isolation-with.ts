import { registerHooks } from 'node:module'
import { pathToFileURL } from 'node:url'

type Isolation = { proveIsolation: () => Promise<void> }

const LONGEST_MS = 240_000

/**
 * Runs the proof of src/server/testing/isolation.ts with one source of the server in another state, each
 * time on modules of its own; gives what it says is wrong, or undefined.
 */
export const createIsolationWith = (root: string) => {
  const server = pathToFileURL(`${root}/src/server/`).href
  let changed = { url: '', source: '' }
  let runs = 0
  registerHooks({
    resolve: (specifier, context, next) => {
      const found = next(specifier, context)
      const mark = /\?run=\d+$/.exec(context.parentURL ?? '')?.[0]
      const isOurs = found.url.startsWith(server) && !found.url.includes('?')
      return mark && isOurs ? { ...found, url: found.url + mark } : found
    },
    load: (url, context, next) => {
      const [path, mark] = url.split('?')
      if (mark !== `run=${runs}` || path !== changed.url) return next(url, context)
      return { format: 'module-typescript', source: changed.source, shortCircuit: true }
    },
  })

  return async (file: string, source: string): Promise<string | undefined> => {
    runs++
    changed = { url: pathToFileURL(`${root}/${file}`).href, source }
    const address = `${server}testing/isolation.ts?run=${runs}`
    const { proveIsolation } = (await import(address)) as Isolation
    let timer: NodeJS.Timeout | undefined
    const end = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => reject(new Error('it does not end')), LONGEST_MS)
    })
    try {
      await Promise.race([proveIsolation(), end])
      return undefined
    } catch (error) {
      return error instanceof Error ? error.message : String(error)
    } finally {
      clearTimeout(timer)
    }
  }
}
