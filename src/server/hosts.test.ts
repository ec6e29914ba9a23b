import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import {
  accessSync,
  chmodSync,
  constants,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { parseEnv } from 'node:util'
import { parse } from 'yaml'

const ROOT = join(import.meta.dirname, '../..')
const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8')
const VARIABLES = Object.keys(parseEnv(read('.env.example')))

const assertVariables = (names: string[]): void =>
  assert.deepEqual(
    names.filter((name) => !VARIABLES.includes(name)),
    [],
  )

describe('the program that passes on the database of a host', () => {
  const folder = mkdtempSync(join(tmpdir(), 'quizaine-hosts-'))
  const program = join(folder, 'ops/with-addon-database')
  before(() => {
    cpSync(join(ROOT, 'ops/with-addon-database'), program)
    mkdirSync(join(folder, 'node_modules/.bin'), { recursive: true })
    const node = join(folder, 'node_modules/.bin/node')
    writeFileSync(node, '#!/bin/sh\necho "$DATABASE_URL" "$@"\n')
    chmodSync(node, 0o755)
  })
  after(() => rmSync(folder, { recursive: true }))

  const run = (env: Record<string, string>, ...program_arguments: string[]): string =>
    execFileSync('/usr/bin/env', [
      ...[
        '-i',
        'PATH=/usr/bin:/bin',
        ...Object.entries(env).map(([name, text]) => `${name}=${text}`),
      ],
      ...[program, ...program_arguments],
    ])
      .toString()
      .trim()

  const address = 'postgresql://u:p@db.example:31000/quiz'
  const cases: [name: string, env: Record<string, string>, database_url: string][] = [
    [
      'Scalingo',
      { SCALINGO_POSTGRESQL_URL: `${address}?sslmode=prefer`, DATABASE_URL: 'an alias' },
      `${address}?sslmode=prefer&uselibpqcompat=true`,
    ],
    ['Scalingo without parameters', { SCALINGO_POSTGRESQL_URL: address }, address],
    ['Clever Cloud', { POSTGRESQL_ADDON_URI: address }, address],
    ['another host', { DATABASE_URL: address }, address],
  ]
  for (const [name, env, database_url] of cases)
    test(`the server gets the address of the database of ${name}`, () =>
      assert.equal(run(env), `${database_url} src/server/main.ts`))

  test('another of our programs gets its arguments', () =>
    assert.equal(
      run({ POSTGRESQL_ADDON_URI: address }, 'scripts/backup.ts', 'a file'),
      `${address} scripts/backup.ts a file`,
    ))
})

test('the files for Scalingo start an existing program and name existing variables', () => {
  const [, program = '', script = ''] = /^web: (\S+) (\S+)$/m.exec(read('Procfile')) ?? []
  accessSync(join(ROOT, program), constants.X_OK)
  assert.ok(existsSync(join(ROOT, script)))
  const { env } = JSON.parse(read('scalingo.json')) as {
    env: Record<string, { value?: string; generator?: string }>
  }
  assertVariables(Object.keys(env))
  assert.deepEqual(
    Object.entries(env).map(([name, { value, generator }]) => [name, value ?? generator]),
    [
      ['SECRET_KEY', 'secret'],
      ['PUBLIC_URL', 'url'],
      ['TRUST_PROXY', 'true'],
    ],
  )
})

test('the blueprint for Render keeps the data on its disk and contains no secret', () => {
  const { services } = parse(read('render.yaml')) as {
    services: {
      buildCommand: string
      startCommand: string
      disk: { mountPath: string }
      envVars: { key: string; value?: string; generateValue?: boolean }[]
    }[]
  }
  assert.equal(services.length, 1)
  for (const { buildCommand, startCommand, disk, envVars } of services) {
    assert.equal(buildCommand, 'npm ci --include=dev && npm run build')
    assert.ok(existsSync(join(ROOT, startCommand.split(' ')[1] ?? '')))
    assertVariables(envVars.map(({ key }) => key))
    const readValue = (name: string) => envVars.find(({ key }) => key === name)?.value
    assert.ok(readValue('DATA_DIR')?.startsWith(`${disk.mountPath}/`))
    assert.equal(readValue('METRICS_TOKEN'), undefined)
    // The default listens on all addresses, because Render sets PORT.
    assert.equal(readValue('HOST'), undefined)
  }
})

describe('the Helm chart', () => {
  const template = (name: string): string => read(`ops/helm/quizaine/templates/${name}.yaml`)

  test('the chart has the version of the product, and its values name existing variables', () => {
    const { appVersion } = parse(read('ops/helm/quizaine/Chart.yaml')) as { appVersion: string }
    const { version } = JSON.parse(read('package.json')) as { version: string }
    assert.equal(appVersion, version)
    const { env, secretEnv } = parse(read('ops/helm/quizaine/values.yaml')) as {
      env: Record<string, unknown>
      secretEnv: Record<string, unknown>
    }
    assertVariables(Object.keys(env))
    assert.deepEqual(secretEnv, {})
    for (const text of Object.values(env)) assert.equal(typeof text, 'string')
  })
  test('every value that a template reads is in values.yaml', () => {
    const values = parse(read('ops/helm/quizaine/values.yaml')) as Record<string, unknown>
    const folder = join(ROOT, 'ops/helm/quizaine/templates')
    const texts = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'))
    const paths = texts.flatMap((text) =>
      [...text.matchAll(/\.Values\.([\w.]+)/g)].map(([, path = '']) => path.split('.')),
    )
    assert.ok(paths.length > 10)
    for (const path of paths) {
      let found: unknown = values
      for (const part of path) {
        assert.ok(typeof found === 'object' && found !== null && part in found, path.join('.'))
        found = (found as Record<string, unknown>)[part]
      }
    }
  })
  test('the container runs one replica without root on a read-only file system', () => {
    const lines = template('statefulset')
      .split('\n')
      .map((line) => line.trim())
    for (const line of [
      'replicas: 1',
      'runAsNonRoot: true',
      'readOnlyRootFilesystem: true',
      'allowPrivilegeEscalation: false',
      'capabilities: { drop: [ALL] }',
      'automountServiceAccountToken: false',
    ])
      assert.ok(lines.includes(line), line)
  })
})

test('the index of hosts names every page', () => {
  const index = read('docs/hosts/README.md')
  const pages = readdirSync(join(ROOT, 'docs/hosts')).filter((name) => name !== 'README.md')
  assert.ok(pages.length > 5)
  for (const page of pages) assert.ok(index.includes(`](${page})`), page)
})
