import assert from 'node:assert/strict'
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { Writable } from 'node:stream'
import { after, describe, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import Fastify from 'fastify'
import { serveDashboard } from '#server/http/pages/serve-dashboard.ts'
import { createLog } from '#server/runtime/log.ts'
import { createTestApp } from '#server/testing/app/test-app.ts'
import { buildPlayer } from '#server/testing/built-player.ts'
import { createSourcePositions } from './source-positions.ts'

const ROOT = join(import.meta.dirname, '../../..')
const { remove, player_folder } = buildPlayer()
const folder = mkdtempSync(join(tmpdir(), 'quizaine-maps-'))
const maps = pathToFileURL(`${folder}/`)
after(() => {
  remove()
  rmSync(folder, { recursive: true })
})

const readLines = (file: string): string[] => readFileSync(join(ROOT, file), 'utf8').split('\n')

/** Words of a screen in quotation marks, which its source has as well. */
const WORDS = /"([\p{L} ’]{10,})"/gu

describe('positions in the built screens', () => {
  const { find } = createSourcePositions()
  for (const name of ['questions-page', 'statistics-page', 'account-page'])
    test(`words of ${name} are found in the line of our sources`, async () => {
      const [file = ''] = globSync(`dist/dashboard/assets/${name}-*.js`, { cwd: ROOT })
      const words = readLines(file).flatMap((line, index) =>
        [...line.matchAll(WORDS)].map(({ index: column, 1: word = '' }) => ({
          word,
          position: `${basename(file)}:${index + 1}:${column + 1}`,
        })),
      )
      assert.ok(words.length > 10)
      let nb_found = 0
      for (const { word, position } of words) {
        const source = await find(position)
        const [, path = '', line] = /^(src\/[\w/.-]+):(\d+):\d+$/.exec(String(source)) ?? []
        const near = path ? readLines(path).slice(Number(line) - 1, Number(line) + 1) : []
        if (near.join('\n').includes(word)) nb_found += 1
      }
      // Constants of other modules are written where they are used.
      assert.ok(nb_found / words.length > 0.9, `${nb_found} of ${words.length}`)
    })

  test('a file of another release, or a text that is no position, has no source', async () => {
    for (const position of ['other-page-Bx3.js:1:1', 'a.js', '../maps/a.js:1:1', 'a.js.map:1:1'])
      assert.equal(await find(position), undefined, position)
  })
})

test('no source map is served, and no built file names one', async (t) => {
  const app = Fastify()
  serveDashboard(app)
  t.after(() => app.close())
  const built = globSync('dist/maps/*', { cwd: ROOT })
  assert.ok(built.length > 100)
  const name = basename(built[0] ?? '')
  for (const url of [`/maps/${name}`, `/assets/${name}`, `/${name}`, `/assets/../../maps/${name}`])
    assert.equal((await app.inject({ url })).statusCode, 404, url)
  const served = ['dist/dashboard', 'dist/player']
  for (const file of served.flatMap((path) => globSync(`${path}/**/*`, { cwd: ROOT }))) {
    assert.doesNotMatch(file, /\.map$/)
    if (file.endsWith('.js'))
      assert.ok(!readFileSync(join(ROOT, file), 'utf8').includes('sourceMappingURL'), file)
  }
})

/** Returns a map whose first place is line 3 of a file, with as many bytes as asked. */
const mapOf = (source: string, bytes = 100): string =>
  JSON.stringify({ version: 3, sources: [source], names: ['a'.repeat(bytes)], mappings: 'AAEA' })

test('maps in memory have a limit of bytes, and the least recently used ones leave it', async () => {
  const { find } = createSourcePositions(maps)
  for (const name of ['first', 'second']) {
    writeFileSync(join(folder, `${name}.js.map`), mapOf(`src/web/${name}.tsx`, 600_000))
    assert.equal(await find(`${name}.js:1:1`), `src/web/${name}.tsx:3:1`)
  }
  // Maps that were deleted from the disk are read from memory.
  for (const name of ['first', 'second']) rmSync(join(folder, `${name}.js.map`))
  assert.equal(await find('first.js:1:1'), undefined)
  assert.equal(await find('second.js:1:1'), 'src/web/second.tsx:3:1')
})

test('the log names the source of a crash, and has a crash whose map is damaged', async (t) => {
  const lines: Record<string, unknown>[] = []
  const destination = new Writable({
    write: (chunk, _encoding, done) => {
      lines.push(JSON.parse(String(chunk)))
      done()
    },
  })
  const app = await createTestApp(
    {},
    {
      log: createLog({ log_level: 'warn' }, { destination }),
      folders: { player: player_folder, dashboard: folder, maps },
    },
  )
  t.after(() => app.close())
  writeFileSync(join(folder, 'whole.js.map'), mapOf('src/web/app/main.tsx'))
  writeFileSync(join(folder, 'damaged.js.map'), '{"version": 3, "sour')
  const { client } = await app.signUp()
  const report = { name: 'TypeError', message: 'x', screen: '/quiz/{id}', release: 'index.js' }
  for (const position of ['whole.js:1:1', 'damaged.js:1:1', 'unknown.js:1:1', null])
    await client.crashes.report({ body: { ...report, position } })
  const crashes = lines.filter(({ event }) => event === 'screen_crashed')
  assert.deepEqual(
    crashes.map(({ position, source }) => [position, source]),
    [
      ['whole.js:1:1', 'src/web/app/main.tsx:3:1'],
      ['damaged.js:1:1', undefined],
      ['unknown.js:1:1', undefined],
      [null, undefined],
    ],
  )
  assert.equal(lines.filter(({ msg }) => msg === 'a source map cannot be read').length, 1)
})
