import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { parse } from 'yaml'

const ROOT = join(import.meta.dirname, '../..')
const SCRIPT = 'scripts/production/check-versions.ts'

const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8')
const versionIn = (file: string, pattern: RegExp): string => pattern.exec(read(file))?.[1] ?? ''
const POSTGRESQL = versionIn('compose.production.yaml', /postgres:([\d.]+)/)
const CADDY = versionIn('compose.production.yaml', /caddy:([\d.]+)/)
const NODE = read('.node-version').trim()
const lineOf = (version: string): string => version.split('.')[0] ?? ''

/** Returns the output and exit code of the script. */
const check = async (options: string[]): Promise<{ code: number; lines: string[] }> => {
  const child = spawn(process.execPath, [SCRIPT, ...options], { cwd: ROOT })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (bytes: Buffer) => {
      output += bytes
    })
  const [code] = (await once(child, 'close')) as [number]
  return { code, lines: output.split('\n').filter(Boolean) }
}

const CURRENT = {
  postgresql: { [lineOf(POSTGRESQL)]: '18.0' },
  caddy: { [lineOf(CADDY)]: CADDY },
  nodejs: { [lineOf(NODE)]: NODE },
}

describe('the check of versions', () => {
  const folder = mkdtempSync(join(tmpdir(), 'quizaine-versions-'))
  after(() => rmSync(folder, { recursive: true }))
  const withNewest = (newest: unknown): string[] => {
    const file = join(folder, 'newest.json')
    writeFileSync(file, JSON.stringify(newest))
    return ['--newest', file]
  }

  test('versions that are current or ahead are not reported', async () =>
    assert.deepEqual(await check(withNewest(CURRENT)), { code: 0, lines: [] }))

  test('every version that is behind has one line, compared number by number', async () => {
    const { code, lines } = await check(
      withNewest({
        postgresql: { [lineOf(POSTGRESQL)]: '18.100' },
        caddy: { [lineOf(CADDY)]: `${CADDY}.1` },
        nodejs: { [lineOf(NODE)]: `${lineOf(NODE)}.999.0` },
      }),
    )
    assert.equal(code, 1)
    assert.deepEqual(
      lines.filter((line) => !line.startsWith('package.json: postgresql')),
      [
        `compose.production.yaml: postgresql ${POSTGRESQL} is behind 18.100`,
        `compose.production.yaml: caddy ${CADDY} is behind ${CADDY}.1`,
        `package.json: nodejs ${NODE} is behind ${lineOf(NODE)}.999.0`,
      ],
    )
    assert.equal(lines.length, 4)
  })

  test('a file without a release line that we use is an error', async () => {
    const { code, lines } = await check(withNewest({ ...CURRENT, caddy: { 1: '1.0.5' } }))
    assert.equal(code, 2)
    assert.match(lines.join(), /names no newest caddy 2$/)
  })
})

describe('the check of versions at an address', () => {
  const newest: Record<string, string> = {}
  const server = createServer((request, response) => {
    const [, product = '', line = ''] =
      /^\/api\/v1\/products\/(\w+)\/releases\/(\d+)$/.exec(request.url ?? '') ?? []
    const name = newest[`${product} ${line}`]
    if (name === undefined) response.writeHead(404)
    response.end(JSON.stringify({ result: { name: line, latest: { name } } }))
  })
  let address = ''
  before(async () => {
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1`
  })
  after(() => server.close())

  test('the newest versions are asked for each release line', async () => {
    newest[`postgresql ${lineOf(POSTGRESQL)}`] = '18.0'
    newest[`caddy ${lineOf(CADDY)}`] = '2.999.0'
    newest[`nodejs ${lineOf(NODE)}`] = NODE
    assert.deepEqual(await check(['--address', address]), {
      code: 1,
      lines: [`compose.production.yaml: caddy ${CADDY} is behind 2.999.0`],
    })
  })

  test('an address that does not answer with a version is an error', async () => {
    const { code, lines } = await check(['--address', `${address}/nothing`])
    assert.equal(code, 2)
    assert.match(lines.join(), /answers 404$/)
  })
})

test('the weekly workflow runs the check with few rights and pinned actions', () => {
  const { permissions, jobs } = parse(read('.github/workflows/versions.yaml')) as {
    permissions: Record<string, string>
    jobs: Record<string, { steps: { uses?: string; run?: string }[] }>
  }
  assert.deepEqual(permissions, { contents: 'read' })
  const steps = Object.values(jobs).flatMap((job) => job.steps)
  assert.deepEqual(
    steps.flatMap(({ run }) => run ?? []),
    [`node ${SCRIPT}`],
  )
  for (const { uses } of steps) if (uses) assert.match(uses, /^[\w-]+\/[\w-]+@[0-9a-f]{40}$/)
})
