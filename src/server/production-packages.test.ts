import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'node:test'

const ROOT = join(import.meta.dirname, '../..')
const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8')

/** Names of the programs in scripts that `npm run check` treats as programs of operators. */
const [, list = ''] = /OPERATOR_PROGRAMS = \[([^\]]*)\]/.exec(read('scripts/check-rings.ts')) ?? []
const PROGRAMS = [...list.matchAll(/'([^']+)'/g)].map(([, name = '']) => name)

const RINGS = `Inside the server, each folder imports only the folders before it.
\`\`\`text
config → main.ts
\`\`\``

/** Runs the check of imports on a small project, in which files replace those of the same name. Returns its lines. */
const checkImports = (files: Record<string, string>): string[] => {
  const root = mkdtempSync(join(tmpdir(), 'quizaine-imports-'))
  const project: Record<string, string> = {
    'ARCHITECTURE.md': RINGS,
    'package.json': JSON.stringify({ type: 'module', dependencies: { fastify: '5.0.0' } }),
    'src/server/config/config.ts': '',
    'src/server/main.ts': "import fastify from 'fastify'\n",
    'scripts/build.ts': "const part = await import('./visitor-engines.ts')\n",
    'scripts/visitor-engines.ts': "import { parse } from 'acorn'\n",
    ...Object.fromEntries(PROGRAMS.map((name) => [`scripts/${name}.ts`, ''])),
    ...files,
  }
  for (const [file, text] of Object.entries(project)) {
    mkdirSync(dirname(join(root, file)), { recursive: true })
    writeFileSync(join(root, file), text)
  }
  for (const name of ['check-rings.ts', 'imports.ts'])
    cpSync(join(ROOT, 'scripts', name), join(root, 'scripts', name))
  const { stderr, status } = spawnSync(process.execPath, ['scripts/check-rings.ts'], {
    cwd: root,
    encoding: 'utf8',
  })
  rmSync(root, { recursive: true })
  const lines = stderr.split('\n').filter(Boolean)
  assert.equal(status, lines.length > 0 ? 1 : 0, stderr)
  return lines
}

test('every program of scripts that the pages for operators start is checked', () => {
  const pages = ['operations', 'backup', 'audit', 'hosts/vps', 'hosts/scalingo', 'hosts/render']
  const text = pages.map((page) => read(`docs/${page}.md`)).join('\n')
  const named = [...text.matchAll(/\bscripts\/([\w/-]+)\.ts\b/g)].map(([, name = '']) => name)
  assert.ok(named.length > 5)
  for (const name of named) assert.ok(PROGRAMS.includes(name), name)
})

test('a program of operators may load the packages of a production installation', () =>
  assert.deepEqual(checkImports({ 'scripts/backup.ts': "import fastify from 'fastify'\n" }), []))

test('a file that the server, a program of operators or `npm start` loads may use no package of the build', () => {
  const refused = (file: string) =>
    `${file} loads vite, which is not in the dependencies of package.json`
  const vite = "import { build } from 'vite'\n"
  assert.deepEqual(checkImports({ 'src/server/main.ts': vite }), [refused('src/server/main.ts')])
  const backup = { 'scripts/backup.ts': "import './helper.ts'\n", 'scripts/helper.ts': vite }
  assert.deepEqual(checkImports(backup), [refused('scripts/helper.ts')])
  const start = { 'scripts/build.ts': "import './helper.ts'\n", 'scripts/helper.ts': vite }
  assert.deepEqual(checkImports(start), [refused('scripts/helper.ts')])
})

test('a program of operators may load no file that the image does not contain', () => {
  const files = { 'scripts/seed.ts': "import '../e2e/names.ts'\n", 'e2e/names.ts': '' }
  assert.deepEqual(checkImports(files), [
    'e2e/names.ts is loaded by a program of operators, which may import src and scripts',
  ])
})
