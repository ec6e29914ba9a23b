import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, before, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { buildPlayer } from '#server/testing/built-player.ts'
import { describeInAll } from '#server/testing/test-in-all.ts'

const ROOT = join(import.meta.dirname, '../..')

test('versions are compared by the rules of Semantic Versioning', () => {
  const file = pathToFileURL(join(ROOT, 'scripts/release/versions.ts')).href
  const sorted = [
    ...['0.9.9', '1.0.0-alpha', '1.0.0-alpha.1', '1.0.0-alpha.beta', '1.0.0-beta', '1.0.0-beta.2'],
    ...['1.0.0-beta.11', '1.0.0-rc.1', '1.0.0', '1.0.1', '1.2.0', '1.10.0', '2.0.0-0', '2.0.0'],
  ]
  const refused = ['1.0', 'v1.0.0', '1.0.0.0', '01.0.0', '1.0.0-', '1.0.0-01', '1.0.0+1', '1.0.0-é']
  const code = `import { compareVersions } from '${file}'
    const isRefused = (text) => { try { compareVersions(text, text) } catch { return true } }
    const sorted = ${JSON.stringify(sorted)}
    const orders = sorted.flatMap((one, left) =>
      sorted.map((other, right) => Math.sign(compareVersions(one, other)) === Math.sign(left - right)))
    console.log(orders.every(Boolean), ${JSON.stringify(refused)}.every(isRefused))`
  const output = execFileSync(process.execPath, ['--input-type=module', '--eval', code])
  assert.equal(output.toString().trim(), 'true true')
})

/** Files that name the version of the product, and the place in each. */
const VERSION_PLACES: [file: string, place: RegExp][] = [
  ['package.json', /(?<before>"name": "quizaine",\s+"version": ")[^"]+/g],
  ['package-lock.json', /(?<before>"name": "quizaine",\s+"version": ")[^"]+/g],
  ['ops/helm/quizaine/Chart.yaml', /^(?<before>appVersion: ).+/gm],
  ['docs/hosts/kubernetes.md', /(?<before>registry\.example\/quizaine:)[\w.-]+/g],
]

const CHANGELOG = `# Changelog

## Unreleased

- **New.** A change.

## 1.0.0

- First release.
`

describeInAll('a release', () => {
  const { remove } = buildPlayer()
  const folder = mkdtempSync(join(tmpdir(), 'quizaine-release-test-'))
  const root = join(folder, 'project')
  const [programs, temporary] = [join(folder, 'programs'), join(folder, 'temporary')]
  after(() => {
    remove()
    rmSync(folder, { recursive: true })
  })

  const git = (...args: string[]): string =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 1024 ** 3 }).trim()
  /** Runs the command with stand-ins for the engines. Temporary files are in a folder of their own. */
  const release = (...args: string[]) =>
    spawnSync(
      '/bin/sh',
      [
        ...['-c', 'PATH="$1:$PATH" TMPDIR="$2"; export PATH TMPDIR; shift 2; exec "$@"', 'sh'],
        ...[programs, temporary, process.execPath, 'scripts/release/main.ts', ...args],
      ],
      { cwd: root, encoding: 'utf8' },
    )
  /** Writes a program that takes the place of one of this machine. */
  const writeProgram = (name: string, script: string): void => {
    writeFileSync(join(programs, name), `#!/bin/sh\n${script}\n`)
    chmodSync(join(programs, name), 0o755)
  }
  const read = (file: string): string => readFileSync(join(root, file), 'utf8')
  /** Returns everything that a failed release must leave as it was. */
  const readState = () => ({
    commit: git('rev-parse', 'HEAD'),
    tags: git('tag', '--list'),
    changes: git('status', '--porcelain'),
    release: existsSync(join(root, 'release')) && readdirSync(join(root, 'release')),
    next: existsSync(join(root, 'release.next')),
  })

  before(() => {
    mkdirSync(programs)
    mkdirSync(temporary)
    for (const engine of ['podman', 'buildah', 'docker']) writeProgram(engine, 'exit 1')
    // The project as it is in the folder, with changes that are not committed.
    const listed = ['ls-files', '-z', '--cached', '--others', '--exclude-standard']
    const files = execFileSync('git', listed, { cwd: ROOT, encoding: 'utf8' }).split('\0')
    for (const file of files.filter((name) => name !== '' && existsSync(join(ROOT, name)))) {
      mkdirSync(dirname(join(root, file)), { recursive: true })
      cpSync(join(ROOT, file), join(root, file))
    }
    cpSync(join(ROOT, 'dist'), join(root, 'dist'), { recursive: true })
    symlinkSync(join(ROOT, 'node_modules'), join(root, 'node_modules'))
    writeFileSync(join(root, 'CHANGELOG.md'), CHANGELOG)
    // The tests release 1.1.0, whichever version the product has.
    for (const [file, place] of VERSION_PLACES)
      writeFileSync(join(root, file), read(file).replace(place, '$<before>1.0.0'))
    git('init', '--quiet')
    writeFileSync(join(root, '.git/info/exclude'), '/node_modules\n')
    for (const [name, value] of [
      ['user.name', 'Test'],
      ['user.email', 'test@localhost'],
    ] as const)
      git('config', name, value)
    git('add', '--all')
    git('commit', '--quiet', '--message', 'start')
  })

  const refuse = (args: string[], reason: RegExp): void => {
    const state = readState()
    const { status, stderr } = release(...args)
    assert.equal(status, 1, stderr)
    assert.match(stderr, reason)
    assert.deepEqual(readState(), state)
  }

  test('a version that is none, or not greater than the present one, is refused', () => {
    refuse([], /npm run release -- VERSION/)
    refuse(['next'], /« next » is no version/)
    for (const version of ['1.0.0', '0.9.0', '1.0.0-rc.1'])
      refuse([version], new RegExp(`${version} is not greater than the present version 1\\.0\\.0`))
  })

  test('a release of uncommitted changes, or without a line in the changelog, is refused', () => {
    writeFileSync(join(root, 'new-file'), '')
    refuse(['1.1.0'], /changes that are not committed:\n\?\? new-file/)
    rmSync(join(root, 'new-file'))
    writeFileSync(join(root, 'CHANGELOG.md'), CHANGELOG.replace('- **New.** A change.\n', ''))
    git('commit', '--quiet', '--all', '--message', 'nothing new')
    refuse(['1.1.0'], /names no change below « Unreleased »/)
    git('reset', '--quiet', '--hard', 'HEAD^')
  })

  test('a check makes a release elsewhere and leaves nothing', () => {
    const state = readState()
    const { status, stdout, stderr } = release('--check')
    assert.equal(status, 0, stderr)
    assert.match(stdout, /SHA256SUMS, quizaine-1\.1\.0-licences\.txt, quizaine-1\.1\.0\.cdx\.json/)
    assert.deepEqual([readdirSync(temporary), readState()], [[], state])
  })

  test('a release that fails half way leaves commits, tags, files and release/ as they were', () => {
    mkdirSync(join(root, 'release'))
    writeFileSync(join(root, 'release/earlier.tar.gz'), 'earlier')
    // The image is the last file that is made.
    writeProgram('docker', '[ "$1" = info ] || { echo "no space left" >&2; exit 1; }')
    refuse(['1.1.0'], /docker build --tag failed \(1\): no space left/)
    assert.equal(read('release/earlier.tar.gz'), 'earlier')
    writeProgram('docker', 'exit 1')
  })

  test('a release changes the version, the changelog and the tags, and writes files that can be verified', () => {
    writeProgram(
      'docker',
      'case $1 in info) ;; build) test -e Dockerfile && ! test -e .git ;; save) echo image > "$3" ;; esac',
    )
    const { status, stdout, stderr } = release('1.1.0')
    assert.equal(status, 0, stderr)
    assert.match(stdout, /git push --follow-tags/)

    const day = new Date().toISOString().slice(0, 10)
    assert.equal(
      read('CHANGELOG.md'),
      CHANGELOG.replace('## Unreleased\n', `## Unreleased\n\n## 1.1.0 – ${day}\n`),
    )
    assert.equal(JSON.parse(read('package.json')).version, '1.1.0')
    const lock = JSON.parse(read('package-lock.json'))
    assert.deepEqual([lock.version, lock.packages[''].version], ['1.1.0', '1.1.0'])
    assert.match(read('ops/helm/quizaine/Chart.yaml'), /^appVersion: 1\.1\.0$/m)
    assert.equal(git('log', '-1', '--format=%s'), 'release: 1.1.0')
    assert.deepEqual(git('diff', '--stat', 'HEAD^').split('\n').length, 6)
    assert.equal(git('cat-file', '-t', 'v1.1.0'), 'tag')
    assert.equal(git('status', '--porcelain'), '')

    assert.deepEqual(readdirSync(join(root, 'release')).sort(), [
      'SHA256SUMS',
      'quizaine-1.1.0-image.tar',
      'quizaine-1.1.0-licences.txt',
      'quizaine-1.1.0.cdx.json',
      'quizaine-1.1.0.tar.gz',
    ])
    execFileSync('sha256sum', ['--check', '--strict', 'SHA256SUMS'], { cwd: join(root, 'release') })
  })

  test('the archive of the sources can be made again with the same bytes', () => {
    const archive = readFileSync(join(root, 'release/quizaine-1.1.0.tar.gz'))
    const [command = ''] =
      /^git .*archive .*$/m.exec(readFileSync(join(ROOT, 'docs/releases.md'), 'utf8')) ?? []
    const [made = ''] = command.split(' | ')
    const again = execFileSync('/bin/sh', ['-c', made.replaceAll('VERSION', '1.1.0')], {
      cwd: root,
      maxBuffer: 1024 ** 3,
    })
    const digest = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')
    assert.equal(digest(again), digest(archive))
    const names = execFileSync('tar', ['-tzf', '-'], { input: archive, maxBuffer: 1024 ** 3 })
    assert.match(names.toString(), /^quizaine-1\.1\.0\/package\.json$/m)
  })

  test('the SBOM has the packages of the server and of the browser, and no tool of the build', () => {
    const text = read('release/quizaine-1.1.0.cdx.json')
    const { bomFormat, metadata, components, dependencies } = JSON.parse(text) as {
      bomFormat: string
      metadata: { component: { name: string; version: string } }
      components: { name: string; group?: string; properties?: { name: string; value: string }[] }[]
      dependencies: { ref: string; dependsOn: string[] }[]
    }
    const { name: product, version } = metadata.component
    assert.deepEqual([bomFormat, product, version], ['CycloneDX', 'quizaine', '1.1.0'])
    const named = new Map(
      components.map((one) => [`${one.group ? `${one.group}/` : ''}${one.name}`, one]),
    )
    for (const name of ['fastify', 'pg', 'react', '@base-ui/react', '@fontsource/lora', 'sharp'])
      assert.ok(named.has(name), name)
    for (const name of ['vite', 'typescript', 'knip', '@playwright/test'])
      assert.ok(!named.has(name), name)
    const reaches = (name: string): boolean =>
      named.get(name)?.properties?.some(({ value }) => value === 'browser') ?? false
    assert.deepEqual([reaches('react'), reaches('pg')], [true, false])
    const refs = new Set(dependencies.map(({ ref }) => ref))
    for (const { dependsOn } of dependencies) for (const ref of dependsOn) assert.ok(refs.has(ref))
    const printed = spawnSync(process.execPath, ['scripts/sbom.ts'], { cwd: root })
    assert.equal(printed.stdout.toString(), text)
  })

  test('a version that has a tag is refused', () => {
    git('tag', 'v1.2.0')
    writeFileSync(join(root, 'CHANGELOG.md'), CHANGELOG)
    git('commit', '--quiet', '--all', '--message', 'more')
    refuse(['1.2.0'], /The tag v1\.2\.0 exists/)
  })
})
