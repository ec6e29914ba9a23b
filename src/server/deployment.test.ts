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
  privileged?: boolean
  cap_add?: string[]
  cap_drop?: string[]
  security_opt?: string[]
  ports?: string[]
  env_file?: { path: string; required: boolean }[]
  environment?: Record<string, string>
  volumes?: string[]
  command?: string[]
  healthcheck?: { disable?: boolean }
  depends_on?: Record<string, unknown>
}

/** Variables whose values in a copy of .env.example would make a container unreachable or lose its data. */
const CONTAINER_VARIABLES = ['HOST', 'PORT', 'DATA_DIR']

const COMPOSE_FILES: { file: string; services: string[]; fixed: string[]; published: string[] }[] =
  [
    { file: 'compose.yaml', services: ['quizaine'], fixed: [], published: ['quizaine'] },
    {
      file: 'compose.production.yaml',
      services: ['app-1', 'app-2', 'worker', 'database', 'caddy'],
      fixed: ['DATABASE_URL', 'SECRET_KEY', 'PUBLIC_URL', 'TRUST_PROXY', 'DRAIN_SECONDS', 'WORKER'],
      published: ['caddy'],
    },
  ]

for (const { file, services: names, fixed, published } of COMPOSE_FILES)
  describe(file, () => {
    const { services, volumes } = parse(read(file), { merge: true }) as {
      services: Record<string, Service>
      volumes: Record<string, unknown>
    }
    const ours = Object.entries(services).filter(([, { image }]) => image === 'quizaine')

    test(`${file} starts ${names.join(', ')}`, () => assert.deepEqual(Object.keys(services), names))
    test(`${file} passes every variable of .env.example to our containers`, () => {
      assert.ok(ours.length > 0)
      for (const [name, { env_file, environment = {} }] of ours) {
        assert.deepEqual(env_file, [{ path: '.env', required: false }], name)
        // All other variables keep the values of .env, because no setting of the file replaces them.
        assert.deepEqual(Object.keys(environment).sort(), [...CONTAINER_VARIABLES, ...fixed].sort())
        for (const variable of Object.keys(environment))
          assert.ok(VARIABLES.includes(variable), `${name}: ${variable}`)
        assert.equal(environment.DATA_DIR, '/data')
        assert.equal(environment.HOST, '0.0.0.0')
      }
    })
    test(`${file} lets our containers write only to their volume and gives no container privileges`, () => {
      for (const [name, service] of ours) {
        assert.equal(service.read_only, true, name)
        assert.deepEqual(service.cap_drop, ['ALL'], name)
        assert.equal(service.cap_add, undefined, name)
        assert.deepEqual(service.security_opt, ['no-new-privileges:true'], name)
        assert.deepEqual(service.volumes, ['data:/data'], name)
        const [, script] = service.command ?? []
        if (script) assert.ok(existsSync(join(ROOT, script)), script)
        // The image has a health check, which applies to every server.
        if (!script) assert.equal(service.healthcheck, undefined, name)
      }
      for (const [name, { privileged, cap_add = [] }] of Object.entries(services)) {
        assert.equal(privileged, undefined, name)
        assert.deepEqual(cap_add, name === 'caddy' ? ['NET_BIND_SERVICE'] : [], name)
      }
    })
    test(`${file} exposes only ${published.join()} and pins all other images`, () => {
      for (const [name, { ports, image }] of Object.entries(services)) {
        assert.equal(ports !== undefined, published.includes(name), name)
        if (image !== 'quizaine') assert.match(image, PINNED)
      }
    })
    test(`${file} names existing volumes and contains no secret`, () => {
      for (const { environment = {}, volumes: mounts = [] } of Object.values(services)) {
        for (const [variable, value] of Object.entries(environment))
          if (/SECRET|TOKEN|PASSWORD/.test(variable)) assert.match(value, /^\$\{/)
        for (const mount of mounts) {
          const [source = ''] = mount.split(':')
          assert.ok(source.startsWith('./') ? existsSync(join(ROOT, source)) : source in volumes)
        }
      }
    })
  })

test('our servers of compose.production.yaml wait for the database', () => {
  const { services } = parse(read('compose.production.yaml'), { merge: true }) as {
    services: Record<string, Service>
  }
  for (const name of ['app-1', 'app-2', 'worker'])
    assert.ok(services[name]?.depends_on?.database, name)
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
