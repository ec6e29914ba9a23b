import { existsSync, globSync } from 'node:fs'
import { join } from 'node:path'

/** Debian package and path of each program that scenarios need. */
const PACKAGES = {
  etcd: ['etcd-server', '/usr/bin/etcd'],
  patroni: ['patroni', '/usr/bin/patroni'],
  haproxy: ['haproxy', '/usr/sbin/haproxy'],
  pgbackrest: ['pgbackrest', '/usr/bin/pgbackrest'],
} as const

type ProgramName = keyof typeof PACKAGES

/** Packages that a program needs although its own package does not depend on them. */
const COMPANIONS: Partial<Record<ProgramName, string>> = { patroni: 'python3-etcd' }

/** Paths of programs by name; `postgres_bin` is the folder of PostgreSQL's programs. */
export type Programs<Name extends ProgramName> = Record<Name, string> & { postgres_bin: string }

/** Programs of a cluster with a replica. */
export type HaPrograms = Programs<'etcd' | 'patroni' | 'haproxy'>

/** Returns the paths of PostgreSQL and of the named programs. Throws an error that names the missing Debian packages. */
export const findPrograms = <Name extends ProgramName>(...names: Name[]): Programs<Name> => {
  const [postgres_bin] = globSync('/usr/lib/postgresql/*/bin').sort().reverse()
  const missing = [
    ...names.flatMap((name) => {
      const [debian_package, path] = PACKAGES[name]
      return existsSync(path) ? [] : [debian_package, COMPANIONS[name] ?? []].flat()
    }),
    ...(postgres_bin && existsSync(join(postgres_bin, 'postgres')) ? [] : ['postgresql']),
  ]
  if (missing.length > 0 || !postgres_bin)
    throw new Error(
      `Install the missing packages: apt-get install --no-install-recommends ${missing.join(' ')}`,
    )
  const paths = Object.fromEntries(names.map((name) => [name, PACKAGES[name][1]]))
  return { ...(paths as Record<Name, string>), postgres_bin }
}

/** Returns the path of libfaketime, which gives a program its own clock. Throws an error that names a missing package. */
export const findFaketime = (): string => {
  const [path] = globSync('/usr/lib/*/faketime/libfaketimeMT.so.1')
  if (!path)
    throw new Error(
      'Install the missing package: apt-get install --no-install-recommends libfaketime',
    )
  return path
}
