import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, describe, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import Fastify from 'fastify'
import { serveDashboard } from '#server/http/pages/serve-dashboard.ts'
import { buildPlayer } from '#server/testing/built-player.ts'

const ROOT = join(import.meta.dirname, '../..')
const SCRIPT = pathToFileURL(join(ROOT, 'scripts/licences/write-licences.ts')).href
const FILE = 'dist/dashboard/licences.txt'

const withoutSpace = (text: string): string => text.replaceAll(/\s+/g, '')

describe('the licences of the built product', () => {
  const { remove } = buildPlayer()
  after(remove)
  const written = readFileSync(join(ROOT, FILE), 'utf8')
  const compact = withoutSpace(written)

  test('each package of the bundles is named with the text of its licence', () => {
    const files = globSync('dist/{dashboard,player}/.vite/licences*.json', { cwd: ROOT })
    assert.ok(files.length > 10)
    const packages = files.flatMap(
      (file) =>
        JSON.parse(readFileSync(join(ROOT, file), 'utf8')) as {
          name: string
          version: string
          text: string
        }[],
    )
    const names = new Set(packages.map(({ name }) => name))
    for (const name of ['react', '@base-ui/react', '@dnd-kit/react', 'libphonenumber-js'])
      assert.ok(names.has(name), name)
    for (const { name, version, text } of packages) {
      assert.ok(written.includes(`\n${name} ${version} (`), name)
      assert.ok(text.length > 100 && compact.includes(withoutSpace(text)), name)
    }
  })

  test('fonts, styles and production packages of the server are named, too', () => {
    const { dependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
      dependencies: Record<string, string>
    }
    const others = [
      '@fontsource-variable/inter',
      'tailwindcss',
      'swagger-ui-dist, dans @fastify/swagger-ui',
    ]
    for (const name of [...Object.keys(dependencies), ...others])
      assert.match(written, new RegExp(`\n${name} \\d+\\.\\d+\\.\\d+\\S* \\(`), name)
    assert.match(written, /SIL OPEN FONT LICENSE/)
    assert.match(written, /GNU LESSER GENERAL PUBLIC LICENSE/)
    assert.match(written, /Copyright \(c\) 2026 The Quizaine authors/)
  })

  test('the server sends the licences as it sends other built files', async (t) => {
    const app = Fastify()
    serveDashboard(app)
    t.after(() => app.close())
    const url = '/licences.txt'
    const { statusCode, headers, body } = await app.inject({ url })
    assert.deepEqual(
      [statusCode, headers['content-type'], headers['cache-control']],
      [200, 'text/plain; charset=utf-8', 'no-cache'],
    )
    assert.equal(body, written)
    const again = await app.inject({ url, headers: { 'if-none-match': String(headers.etag) } })
    assert.equal(again.statusCode, 304)
    const packed = await app.inject({ url, headers: { 'accept-encoding': 'br' } })
    assert.equal(packed.headers['content-encoding'], 'br')
  })
})

const TEXT = 'Permission is hereby granted, free of charge.'
type Package = { license?: string; text?: string; dev?: boolean }

/** Writes a built product with packages of the server and of one bundle. Returns the output and the written file. */
const writeLicencesOf = (
  packages: Record<string, Package>,
  bundled: { name: string; version: string; identifier?: string; text?: string }[] = [],
): { problems: string[]; written: string | undefined } => {
  const root = mkdtempSync(join(tmpdir(), 'quizaine-licences-'))
  const write = (file: string, content: string): void => {
    mkdirSync(dirname(join(root, file)), { recursive: true })
    writeFileSync(join(root, file), content)
  }
  const installed = { rolldown: { license: 'MIT', text: TEXT, dev: true }, ...packages }
  const entries = Object.entries<Package>(installed).map(([name, { license, text, dev }]) => {
    const described = { name, version: '1.2.3', ...(license && { license }) }
    write(`node_modules/${name}/package.json`, JSON.stringify(described))
    if (text) write(`node_modules/${name}/LICENSE`, text)
    return [`node_modules/${name}`, { version: '1.2.3', ...(dev && { dev }) }]
  })
  const absent = ['node_modules/other-platform', { version: '1.2.3', optional: true }]
  write('package-lock.json', JSON.stringify({ packages: Object.fromEntries([absent, ...entries]) }))
  write('LICENSE', 'Our own licence')
  write('dist/dashboard/.vite/licences.json', JSON.stringify(bundled))
  const code = `import { writeLicences } from '${SCRIPT}'; console.log(JSON.stringify(writeLicences(process.argv[1])))`
  const output = execFileSync(process.execPath, ['--input-type=module', '--eval', code, root], {
    encoding: 'utf8',
  })
  const problems = JSON.parse(output) as string[]
  const [file] = globSync(FILE, { cwd: root })
  const written = file && readFileSync(join(root, file), 'utf8')
  rmSync(root, { recursive: true })
  return { problems, written }
}

describe('the check of licences in a build', () => {
  test('a package without a text of its licence fails the build', () => {
    const { problems, written } = writeLicencesOf(
      { bare: { license: 'MIT' }, whole: { license: 'MIT', text: TEXT } },
      [{ name: 'bundled', version: '4.5.6', identifier: 'MIT' }],
    )
    assert.deepEqual(problems, [
      'bare 1.2.3 contains no text of its licence: add it to scripts/licences/missing-texts.ts',
      'bundled 4.5.6 contains no text of its licence: add it to scripts/licences/missing-texts.ts',
    ])
    assert.equal(written, undefined)
  })

  test('a package whose licence is not in the list, or not named, fails the build', () => {
    const { problems } = writeLicencesOf({
      copyleft: { license: 'GPL-3.0-only', text: TEXT },
      mixed: { license: 'MIT AND GPL-3.0-only', text: TEXT },
      either: { license: '(GPL-3.0-only OR MIT)', text: TEXT },
      unnamed: { text: TEXT },
      tool: { license: 'GPL-3.0-only', text: TEXT, dev: true },
    })
    const list = 'scripts/licences/permitted-licences.ts'
    assert.deepEqual(problems, [
      `copyleft 1.2.3 has the licence GPL-3.0-only, which ${list} does not permit`,
      `mixed 1.2.3 has the licence MIT AND GPL-3.0-only, which ${list} does not permit`,
      `unnamed 1.2.3 names no licence: read it and add it to ${list}`,
    ])
  })

  test('a package that only the server may load is refused in the browser', () => {
    const name = '@img/sharp-libvips-linux-x64'
    const license = 'LGPL-3.0-or-later'
    assert.deepEqual(writeLicencesOf({ [name]: { license } }).problems, [])
    const bundled = [{ name, version: '1.2.3', identifier: license, text: TEXT }]
    const { problems } = writeLicencesOf({}, bundled)
    assert.match(problems.join(), /^@img\/sharp-libvips-linux-x64 1\.2\.3 has the licence LGPL/)
  })

  test('packages with the same text share it, and packages of both places are named once', () => {
    const { written = '' } = writeLicencesOf(
      { first: { license: 'MIT', text: TEXT }, second: { license: 'MIT', text: `${TEXT}\r\n` } },
      [{ name: 'second', version: '1.2.3', identifier: 'MIT', text: TEXT }],
    )
    assert.equal(written.match(/Permission is hereby/g)?.length, 2)
    assert.equal(written.match(/^second 1\.2\.3 \(MIT\)$/gm)?.length, 1)
    assert.ok(written.indexOf('\nsecond ') < written.indexOf('\nfirst '))
  })
})
