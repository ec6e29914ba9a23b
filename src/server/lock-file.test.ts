import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'

type Entry = {
  version: string
  integrity?: string
  /** True for a package inside the archive of another. */
  inBundle?: boolean
  os?: string[]
  cpu?: string[]
  libc?: string[]
  optionalDependencies?: Record<string, string>
}

const { packages } = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../package-lock.json'), 'utf8'),
) as { packages: Record<string, Entry> }

/** Platforms on which developers and operators install the packages. */
const PLATFORMS = [
  { os: 'linux', cpu: 'x64', libc: 'glibc' },
  { os: 'linux', cpu: 'arm64', libc: 'glibc' },
  { os: 'linux', cpu: 'x64', libc: 'musl' },
  { os: 'linux', cpu: 'arm64', libc: 'musl' },
  { os: 'darwin', cpu: 'x64' },
  { os: 'darwin', cpu: 'arm64' },
  { os: 'win32', cpu: 'x64' },
]

/** Platforms for which a package offers no native code, by its path, with what is used there. */
const WITHOUT_NATIVE_CODE: Record<string, string[]> = {
  // The embedded PostgreSQL: on Windows, the server needs DATABASE_URL.
  '': ['win32 x64'],
  // The checker of expressions then runs in JavaScript.
  'node_modules/recheck': ['linux arm64 glibc', 'linux arm64 musl'],
}

/** Minimum number of packages for platforms by which a package with native code is recognised. */
const MIN_PLATFORM_PACKAGES = 3

/** Returns the entry that a package at `path` loads under a name: the nearest one up to the root. */
const findEntry = (path: string, name: string): Entry | undefined => {
  for (
    let folder = path;
    ;
    folder = folder.slice(0, Math.max(folder.lastIndexOf('/node_modules/'), 0))
  ) {
    const found = packages[`${folder ? `${folder}/` : ''}node_modules/${name}`]
    if (found || folder === '') return found
  }
}

const suits = ({ os, cpu, libc }: Entry, platform: (typeof PLATFORMS)[number]): boolean =>
  (os?.includes(platform.os) ?? false) &&
  (cpu?.includes(platform.cpu) ?? false) &&
  (platform.libc === undefined || libc === undefined || libc.includes(platform.libc))

describe('package-lock.json', () => {
  test('every package has a checksum, also those for other platforms', () => {
    const without = Object.entries(packages)
      .filter(
        ([path, { integrity, inBundle }]) =>
          path !== '' && !inBundle && !/^sha512-/.test(integrity ?? ''),
      )
      .map(([path]) => path)
    assert.deepEqual(without, [])
  })

  test('every optional package is in the lock file', () => {
    const missing = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
      Object.keys(optionalDependencies)
        .filter((name) => findEntry(path, name) === undefined)
        .map((name) => `${name} of ${path}`),
    )
    assert.deepEqual(missing, [])
  })

  const natives = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) => {
    const entries = Object.keys(optionalDependencies).flatMap((name) => findEntry(path, name) ?? [])
    const parts = entries.filter(({ os }) => os !== undefined)
    return parts.length < MIN_PLATFORM_PACKAGES ? [] : [{ path, parts }]
  })

  test('packages with native code are found', () => {
    const names = natives.map(({ path }) => path.split('node_modules/').at(-1) ?? '')
    for (const name of ['', 'rolldown', 'lightningcss', 'sharp', '@biomejs/biome'])
      assert.ok(names.includes(name), name)
  })

  for (const { path, parts } of natives)
    test(`${path || 'package.json'} has native code for every platform`, () => {
      const without = PLATFORMS.filter((platform) => !parts.some((part) => suits(part, platform)))
      assert.deepEqual(
        without.map((platform) => Object.values(platform).join(' ')),
        WITHOUT_NATIVE_CODE[path] ?? [],
      )
    })
})
