import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join, matchesGlob } from 'node:path'
import { describe, test } from 'node:test'

const ROOT = join(import.meta.dirname, '../..')
const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8')

type Manager = { managerFilePatterns: string[]; matchStrings: string[]; depNameTemplate?: string }
type Rule = {
  groupName?: string
  enabled?: boolean
  automerge?: boolean
  matchDepNames?: string[]
  matchUpdateTypes?: string[]
}
const { automerge, enabledManagers, customManagers, packageRules } = JSON.parse(
  read('renovate.json'),
) as {
  automerge: boolean
  enabledManagers: string[]
  customManagers: Manager[]
  packageRules: Rule[]
}
const { dependencies, devDependencies, optionalDependencies } = JSON.parse(
  read('package.json'),
) as Record<string, Record<string, string>>
const NODE = dependencies?.node ?? ''

/** Texts by which a pinned version is recognised, whichever file it is in. */
const PINNED = [
  /\b(?:node|postgres|caddy):(\d[\w.-]*)/g,
  /\bnpm_version=(\S+)/g,
  /\buses: \S+@([0-9a-f]{40})/g,
  new RegExp(`(?<![\\d.])(${NODE.replaceAll('.', '\\.')})(?![\\d.])`, 'g'),
]
/** Files that the manager of npm updates, and those that tell of versions without choosing one. */
const OTHERS = /^(?:package(?:-lock)?\.json|CHANGELOG\.md|docs\/.*|.*\.(?:test|spec)\.ts)$/
const IS_TEXT =
  /(?:^|\/)(?:Dockerfile|Procfile|\.[\w-]+|[\w-]+|.*\.(?:ts|json|ya?ml|sh|md|cfg|conf))$/

/** Returns the versions that the custom managers read in a file, with the names of their packages. */
const readByManagers = (file: string, text: string): { name: string; value: string }[] =>
  customManagers
    .filter(({ managerFilePatterns }) =>
      managerFilePatterns.some((pattern) => new RegExp(pattern.slice(1, -1)).test(file)),
    )
    .flatMap(({ matchStrings, depNameTemplate }) =>
      matchStrings.flatMap((pattern) =>
        [...text.matchAll(new RegExp(pattern, 'g'))].map(({ groups = {} }) => ({
          name: depNameTemplate ?? groups.depName ?? '',
          value: groups.currentDigest ?? groups.currentValue ?? '',
        })),
      ),
    )

const files = execFileSync('git', ['ls-files', '-z'], { cwd: ROOT, encoding: 'utf8' })
  .split('\0')
  .filter((file) => IS_TEXT.test(file) && !OTHERS.test(file))

describe('renovate.json', () => {
  test('each place with a pinned version is read by a manager', () => {
    const places = files.flatMap((file) => {
      const text = read(file)
      const managed = readByManagers(file, text)
      const pinned = PINNED.flatMap((pattern) => [...text.matchAll(pattern)])
      // A version may be found by two patterns.
      const offsets = new Set(pinned.map((found) => found.index + found[0].indexOf(found[1] ?? '')))
      assert.equal(managed.length, offsets.size, file)
      for (const [, version = ''] of pinned)
        assert.ok(
          managed.some(({ value }) => version === value || version.startsWith(`${value}-`)),
          `${file}: ${version}`,
        )
      return managed.map(({ name }) => `${file}: ${name}`)
    })
    assert.deepEqual(places.sort(), [
      '.devcontainer/devcontainer.json: node',
      '.github/workflows/versions.yaml: actions/checkout',
      '.github/workflows/versions.yaml: actions/setup-node',
      '.node-version: node',
      'Dockerfile: node',
      'Dockerfile: node',
      'Dockerfile: node',
      'compose.production.yaml: caddy',
      'compose.production.yaml: postgres',
      'ops/release.sh: npm',
    ])
  })

  test('Node has the version of the package node everywhere', () => {
    const versions = files
      .flatMap((file) => readByManagers(file, read(file)))
      .filter(({ name }) => name === 'node')
      .map(({ value }) => value)
    assert.deepEqual([...new Set(versions)], [NODE])
  })

  test('nothing is merged without a person, and no version is read by two managers', () => {
    assert.equal(automerge, false)
    assert.ok(packageRules.every((rule) => !rule.automerge))
    assert.deepEqual(enabledManagers, ['npm', 'custom.regex'])
  })

  test('each package is in one group at most, and each group has packages', () => {
    const groups = packageRules.filter(({ groupName }) => groupName !== undefined)
    const names = Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies })
    const matches = ({ matchDepNames = [] }: Rule, name: string): boolean =>
      matchDepNames.some((pattern) => matchesGlob(name, pattern))
    for (const name of [...names, 'npm', 'postgres'])
      assert.ok(groups.filter((group) => matches(group, name)).length <= 1, name)
    for (const group of groups)
      for (const pattern of group.matchDepNames ?? [])
        assert.ok(
          [...names, 'npm', 'postgres'].some((name) => matchesGlob(name, pattern)),
          `${group.groupName}: ${pattern}`,
        )
  })
})
