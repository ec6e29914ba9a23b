import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { parseEnv } from 'node:util'
import { validate } from 'dockerfile-utils'
import { parse } from 'yaml'
import { createTestApp } from './testing/app/test-app.ts'

const ROOT = join(import.meta.dirname, '../..')
const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8')
const VARIABLES = Object.keys(parseEnv(read('.env.example')))
const PINNED = /:\d+\.\d+(?:\.\d+)?-[a-z]+/

describe('the Dockerfile', () => {
  const text = read('Dockerfile')
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  const stages = text.split(/^(?=FROM )/m).slice(1)
  const last = stages.at(-1) ?? ''

  test('the Dockerfile passes a linter', () => {
    assert.deepEqual(validate(text), [])
  })
  test('the image is built in stages from versioned base images', () => {
    assert.ok(stages.length > 1)
    for (const stage of stages) assert.match(stage.split('\n')[0] ?? '', PINNED)
  })
  test('the container runs without root, has a health check and receives signals', () => {
    assert.ok(last.indexOf('\nUSER node') > 0)
    assert.ok(last.indexOf('\nUSER node') < last.indexOf('\nCMD ['))
    assert.match(last, /\nHEALTHCHECK [\s\S]*\/healthz/)
    assert.match(last, /\nCMD \["node", "src\/server\/main.ts"\]/)
    assert.match(last, /\nVOLUME \/data/)
  })
  test('the image installs exactly the lock file and contains no secret', () => {
    for (const line of lines) {
      assert.doesNotMatch(line, /^ADD |npm install|curl|wget|latest/)
      assert.doesNotMatch(line, /SECRET|TOKEN|PASSWORD/)
    }
    assert.equal(text.match(/npm ci/g)?.length, 2)
    assert.match(text, /npm ci --omit=dev/)
  })
  test('the Dockerfile copies only existing files that are sent to the builder', () => {
    const sent = read('.dockerignore')
    const copied = lines.flatMap(
      (line) => /^COPY (?!--from)(.+) \S+$/.exec(line)?.[1]?.split(' ') ?? [],
    )
    for (const path of copied) {
      assert.ok(path && existsSync(join(ROOT, path)), path)
      if (path !== '.')
        assert.match(sent, new RegExp(`^!${path.replaceAll('.', '\\.')}`, 'm'), path)
    }
    assert.match(sent, /^\*\*$/m)
  })
})

test('all files that choose a version of Node choose the one of package.json', () => {
  const { dependencies } = JSON.parse(read('package.json')) as { dependencies: { node: string } }
  assert.equal(read('.node-version').trim(), dependencies.node)
  for (const file of ['Dockerfile', '.devcontainer/devcontainer.json'])
    for (const [, version] of read(file).matchAll(/\bnode:(\d[\d.]*)/g))
      assert.equal(version, dependencies.node, file)
})

type Service = {
  image: string
  read_only?: boolean
  cap_drop?: string[]
  security_opt?: string[]
  ports?: string[]
  environment?: Record<string, string>
  volumes?: string[]
  command?: string[]
  depends_on?: Record<string, unknown>
}

describe('compose.yaml', () => {
  const { services, volumes } = parse(read('compose.yaml'), { merge: true }) as {
    services: Record<string, Service>
    volumes: Record<string, unknown>
  }
  const ours = Object.entries(services).filter(([, { image }]) => image === 'quizaine')

  test('compose.yaml starts two servers, a worker, PostgreSQL and Caddy', () => {
    assert.deepEqual(Object.keys(services), ['app-1', 'app-2', 'worker', 'database', 'caddy'])
    assert.deepEqual(
      ours.map(([name]) => name),
      ['app-1', 'app-2', 'worker'],
    )
  })
  test('compose.yaml lets our containers write only to their volume and gives them no privileges', () => {
    for (const [name, service] of ours) {
      assert.equal(service.read_only, true, name)
      assert.deepEqual(service.cap_drop, ['ALL'], name)
      assert.deepEqual(service.security_opt, ['no-new-privileges:true'], name)
      assert.ok(service.depends_on?.database, name)
    }
    assert.ok(existsSync(join(ROOT, services.worker?.command?.[1] ?? '')))
  })
  test('compose.yaml exposes only Caddy and pins all other images', () => {
    for (const [name, { ports, image }] of Object.entries(services)) {
      assert.equal(ports !== undefined, name === 'caddy', name)
      if (image !== 'quizaine') assert.match(image, PINNED)
    }
  })
  test('compose.yaml names existing variables and volumes, and no secret', () => {
    for (const [name, { environment = {} }] of ours)
      for (const [variable, value] of Object.entries(environment)) {
        assert.ok(VARIABLES.includes(variable), `${name}: ${variable}`)
        if (/SECRET|TOKEN/.test(variable)) assert.match(value, /^\$\{/)
      }
    for (const { volumes: used = [] } of Object.values(services))
      for (const one of used) {
        const [from = ''] = one.split(':')
        assert.ok(from.startsWith('./') ? existsSync(join(ROOT, from)) : from in volumes, from)
      }
  })
})

test('Caddy hides the routes of operators from the public', () => {
  const caddy = read('ops/Caddyfile')
  assert.match(caddy, /@operators path \/metrics \/healthz \/readyz\n\trespond @operators 404/)
  assert.match(caddy, /health_uri \/readyz/)
})

test('the systemd unit runs the server under an account that can write one folder', () => {
  const unit = read('ops/quizaine.service')
  for (const line of [
    'User=quizaine',
    'ProtectSystem=strict',
    'NoNewPrivileges=yes',
    'CapabilityBoundingSet=',
    'StateDirectory=quizaine',
  ])
    assert.ok(unit.split('\n').includes(line), line)
  const [, set = ''] = /^Environment=(.+)$/m.exec(unit) ?? []
  for (const one of set.split(' '))
    assert.ok(['NODE_ENV', ...VARIABLES].includes(one.split('=')[0] ?? ''), one)
})

describe('the dashboard and the alerts', () => {
  const KNOWN_ELSEWHERE = ['up']

  test('the dashboard and the alerts use existing series of /metrics', async (t) => {
    const app = await createTestApp()
    t.after(() => app.close())
    const { body } = await app.raw({ url: '/metrics' })
    const series = new Set(
      [...body.matchAll(/^# TYPE (\w+) (\w+)$/gm)].flatMap(([, name, type]) =>
        type === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
      ),
    )
    const { groups } = parse(read('ops/alerts.yaml')) as {
      groups: { rules: { alert: string; expr: string; annotations: Record<string, string> }[] }[]
    }
    const rules = groups.flatMap((group) => group.rules)
    const { panels } = JSON.parse(read('ops/grafana-dashboard.json')) as {
      panels: { targets: { expr: string }[] }[]
    }
    const asked = [
      ...rules.map(({ expr }) => expr),
      ...panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
    ]
    assert.ok(asked.length > 20)
    for (const expr of asked)
      for (const [, name = ''] of expr
        .replaceAll(/\{[^}]*\}|by \([^)]*\)/g, '')
        .matchAll(/\b([a-z]+(?:_[a-z0-9]+)*)\b(?! *\()/g))
        if (!['by', 'and', 'le', 'm', ...KNOWN_ELSEWHERE].includes(name))
          assert.ok(series.has(name), `${name} in ${expr}`)
    for (const { alert, annotations } of rules)
      assert.ok(annotations.summary && annotations.action, alert)
  })
})
