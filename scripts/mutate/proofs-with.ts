import { readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { pathToFileURL } from 'node:url'

type Isolation = { proveIsolation: () => Promise<void> }
type Ownership = {
  PROOFS: Record<string, Record<string, () => Promise<void>>>
  proveOwnership: (proofs: readonly (() => Promise<void>)[]) => Promise<void>
}

const MAX_DURATION_MS = 240_000

/**
 * Creates functions that run the ownership and isolation tests with one replaced source file and newly loaded modules.
 * Each function returns an error message, or undefined if the tests pass. `root` is a copy of the repository.
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
      timer = setTimeout(() => reject(new Error('it does not end')), MAX_DURATION_MS)
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

  /** Returns true if a set of ownership tests calls this source file. These sets run first. */
  const calls = (set: string, file: string): boolean =>
    readFileSync(`${root}/src/server/testing/ownership/${set}.ts`, 'utf8').includes(
      file.replace('src/server/', '#server/'),
    )

  return {
    /** Checks that each store function tests ownership (src/server/testing/ownership). */
    ownership: (file: string, source: string) =>
      withSource({ file, source }, async (mark) => {
        const { PROOFS, proveOwnership }: Ownership = await import(
          `${server}testing/ownership/prove-ownership.ts?${mark}`
        )
        const inTurn = Object.entries(PROOFS)
          .toSorted(([a], [b]) => Number(calls(b, file)) - Number(calls(a, file)))
          .flatMap(([, proofs]) => Object.values(proofs))
        await proveOwnership(inTurn)
      }),
    /** Checks that two creators on one server cannot access the objects of each other. */
    isolation: (file: string, source: string) =>
      withSource({ file, source }, async (mark) => {
        const { proveIsolation }: Isolation = await import(
          `${server}testing/ownership/prove-isolation.ts?${mark}`
        )
        await proveIsolation()
      }),
  }
}
