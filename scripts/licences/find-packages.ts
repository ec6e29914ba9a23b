import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { CONTAINED_WORKS, findMissingText } from './missing-texts.ts'
import { licenceOf } from './permitted-licences.ts'

/** A package that a built product contains. */
export type DeliveredPackage = {
  name: string
  version: string
  /** SPDX expression; undefined if neither package.json nor our list names one. */
  licence: string | undefined
  /** Text of the licence with its copyright; undefined if neither the package nor our list has it. */
  text: string | undefined
  place: 'browser' | 'server'
}

/** Package in the list that Vite writes beside its bundles (`build.license`). */
type BundledEntry = { name: string; version: string; identifier?: string; text?: string }
type LockEntry = { version: string; dev?: boolean; link?: boolean }
type Manifest = { name: string; version: string; license?: unknown }

const LICENCE_FILE = /^(?:licen[cs]e|copying)/i
/** Package of an import or of a file in a stylesheet: `@import "tailwindcss"`, `url("@fontsource/lora/files/a.woff2")`. */
const STYLE_PACKAGE = /(?:@import|url\()\s*"((?:@[\w.-]+\/)?[a-z][\w.-]*)(?:\/[^"]*)?"/g
/** Packages whose helpers Vite adds to the bundles without naming them. */
const HELPERS = ['rolldown']

const readJson = <T>(file: string): T => JSON.parse(readFileSync(file, 'utf8')) as T

/** Reads the name, version and licence of an installed package from its folder. */
const readPackage = (folder: string, place: DeliveredPackage['place']): DeliveredPackage => {
  const { name, version, license } = readJson<Manifest>(join(folder, 'package.json'))
  const file = readdirSync(folder).find((entry) => LICENCE_FILE.test(entry))
  const text = file ? readFileSync(join(folder, file), 'utf8') : findMissingText(name)
  return { name, version, licence: licenceOf(name, license), text, place }
}

/** Returns the packages whose code the bundles contain. */
const findBundledPackages = (root: string): DeliveredPackage[] => {
  const files = globSync('dist/*/.vite/licences*.json', { cwd: root })
  if (files.length === 0) throw new Error('dist names no packages of its bundles: build first')
  return files.flatMap((file) =>
    readJson<BundledEntry[]>(join(root, file)).map(({ name, version, identifier, text }) => ({
      name,
      version,
      licence: licenceOf(name, identifier),
      text: text ?? findMissingText(name),
      place: 'browser' as const,
    })),
  )
}

/** Returns the packages from which stylesheets take rules and fonts, and those whose helpers are in the bundles. */
const findStylePackages = (root: string): DeliveredPackage[] => {
  const names = globSync('src/web/**/*.css', { cwd: root }).flatMap((file) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(STYLE_PACKAGE)].map(
      ([, name = '']) => name,
    ),
  )
  return [...new Set([...names, ...HELPERS])]
    .map((name) => join(root, 'node_modules', name))
    .map((folder) => readPackage(folder, 'browser'))
}

/**
 * Returns the installed production packages. Optional packages for other platforms are not installed and are left out.
 */
const findServerPackages = (root: string): DeliveredPackage[] => {
  const { packages } = readJson<{ packages: Record<string, LockEntry> }>(
    join(root, 'package-lock.json'),
  )
  return Object.entries(packages)
    .filter(([path, { dev, link }]) => path !== '' && !dev && !link)
    .map(([path]) => join(root, path))
    .filter((folder) => existsSync(join(folder, 'package.json')))
    .map((folder) => readPackage(folder, 'server'))
}

/** Returns the works of others inside packages of the server, which send them to browsers. */
const findContainedWorks = (packages: DeliveredPackage[]): DeliveredPackage[] =>
  packages.flatMap(({ name: parent, version }) => {
    const work = CONTAINED_WORKS[parent]
    if (!work) return []
    const { name, licence, text } = work
    return [{ name: `${name}, dans ${parent}`, version, licence, text: text(), place: 'browser' }]
  })

/** Returns the packages that the bundles and stylesheets of the browser contain. Throws if nothing was built. */
export const findBrowserPackages = (root: string): DeliveredPackage[] => [
  ...findBundledPackages(root),
  ...findStylePackages(root),
]

/**
 * Returns every package of the built product once, sorted by name: those of the bundles and styles, and production packages of
 * the server. A package in both has the place `browser`.
 */
export const findDeliveredPackages = (root: string): DeliveredPackage[] => {
  const server = findServerPackages(root)
  const found = new Map<string, DeliveredPackage>()
  const browser = findBrowserPackages(root)
  for (const one of [...browser, ...findContainedWorks(server), ...server]) {
    const key = `${one.name} ${one.version}`
    if (!found.has(key)) found.set(key, one)
  }
  // Compares code units, so that every machine writes the same order.
  return [...found].sort(([left], [right]) => (left < right ? -1 : 1)).map(([, one]) => one)
}
