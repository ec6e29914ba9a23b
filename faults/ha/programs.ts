import { existsSync, globSync } from 'node:fs'
import { join } from 'node:path'

/** Programs of a cluster with a replica, and the Debian packages that have them. */
const PACKAGES = {
  etcd: ['etcd-server', '/usr/bin/etcd'],
  patroni: ['patroni', '/usr/bin/patroni'],
  haproxy: ['haproxy', '/usr/sbin/haproxy'],
} as const

/** Paths of the programs; `postgres_bin` is the folder of PostgreSQL's programs. */
export type HaPrograms = Record<keyof typeof PACKAGES, string> & { postgres_bin: string }

/** Returns the paths of all programs. Throws an error that names the missing Debian packages. */
export const findHaPrograms = (): HaPrograms => {
  const [postgres_bin] = globSync('/usr/lib/postgresql/*/bin').sort().reverse()
  const missing = [
    ...Object.values(PACKAGES).flatMap(([name, path]) => (existsSync(path) ? [] : name)),
    ...(postgres_bin && existsSync(join(postgres_bin, 'postgres')) ? [] : ['postgresql']),
  ]
  if (missing.length > 0 || !postgres_bin)
    throw new Error(
      `Install the missing packages: apt-get install --no-install-recommends ${missing.join(' ')} python3-etcd`,
    )
  const { etcd, patroni, haproxy } = PACKAGES
  return { etcd: etcd[1], patroni: patroni[1], haproxy: haproxy[1], postgres_bin }
}

/** Returns the path of libfaketime, which gives a program its own clock. Throws an error that names its package. */
export const findFaketime = (): string => {
  const [path] = globSync('/usr/lib/*/faketime/libfaketimeMT.so.1')
  if (!path)
    throw new Error(
      'Install the missing package: apt-get install --no-install-recommends libfaketime',
    )
  return path
}
