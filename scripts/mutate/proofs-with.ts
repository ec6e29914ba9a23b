import { readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { pathToFileURL } from 'node:url'

type Isolation = { proveIsolation: () => Promise<void> }
type Ownership = {
  PROOFS: Record<string, Record<string, () => Promise<void>>>
  proveOwnership: (proofs: readonly (() => Promise<void>)[]) => Promise<void>
}

const LONGEST_MS = 240_000

/**
 * Runs proofs of the server with one source in another state, each time on modules of its own; each gives
 * what it says is wrong, or undefined. `root` is a copy of the repository, so that nobody's work on the
 * repository is in the way.
 */
export const createProofsWith = (root: string) => {
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

  const withSource = async (
    { file, source }: { file: string; source: string },
    prove: (mark: string) => Promise<void>,
  ): Promise<string | undefined> => {
    runs++
    changed = { url: pathToFileURL(`${root}/${file}`).href, source }
    let timer: NodeJS.Timeout | undefined
    const end = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => reject(new Error('it does not end')), LONGEST_MS)
    })
    try {
      await Promise.race([prove(`run=${runs}`), end])
      return undefined
    } catch (error) {
      return error instanceof Error ? error.message : String(error)
    } finally {
      clearTimeout(timer)
    }
  }

  /** Whether a set of proofs calls this source itself: it is run before the others. */
  const calls = (set: string, file: string): boolean =>
    readFileSync(`${root}/src/server/testing/ownership/${set}.ts`, 'utf8').includes(
      file.replace('src/server/', '#server/'),
    )

  return {
    /** That each function of the stores asks whose it is (src/server/testing/ownership). */
    ownership: (file: string, source: string) =>
      withSource({ file, source }, async (mark) => {
        const { PROOFS, proveOwnership }: Ownership = await import(
          `${server}testing/ownership/prove.ts?${mark}`
        )
        const inTurn = Object.entries(PROOFS)
          .toSorted(([a], [b]) => Number(calls(b, file)) - Number(calls(a, file)))
          .flatMap(([, proofs]) => Object.values(proofs))
        await proveOwnership(inTurn)
      }),
    /** That two creators on one server do not meet. */
    isolation: (file: string, source: string) =>
      withSource({ file, source }, async (mark) => {
        const { proveIsolation }: Isolation = await import(
          `${server}ownership/isolation.ts?${mark}`
        )
        await proveIsolation()
      }),
  }
}
