import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { after, test } from 'node:test'
import { ConfigError } from '#server/config/config.ts'
import { loadSecretKey } from './secret-key.ts'

const folder = mkdtempSync(join(tmpdir(), 'quizaine-key-'))
after(() => rmSync(folder, { recursive: true }))
const newFolder = (name: string): string => {
  const data_dir = join(folder, name)
  mkdirSync(data_dir)
  return data_dir
}
const load = (data_dir: string) => loadSecretKey({ secret_key: undefined, data_dir })

test('a configured key is used unchanged', () => {
  const data_dir = newFolder('given')
  assert.equal(loadSecretKey({ secret_key: 'given', data_dir }), 'given')
  assert.deepEqual(readdirSync(data_dir), [])
})

test('a configured key can contain the bytes of another installation’s key file', () => {
  const data_dir = newFolder('moved')
  const made = load(data_dir)
  const text = readFileSync(join(data_dir, 'secret.key'), 'utf8')
  const secret_key = `base64url:${text}`
  assert.deepEqual(loadSecretKey({ secret_key, data_dir: newFolder('elsewhere') }), made)
  for (const cut of [secret_key.slice(0, -4), 'base64url:', `${secret_key}AAAA`])
    assert.throws(
      () => loadSecretKey({ secret_key: cut, data_dir }),
      new ConfigError('SECRET_KEY: after base64url: must come what a secret.key holds'),
    )
})

test('a key is created once, is readable only by its owner, and is kept', () => {
  const data_dir = newFolder('made')
  const made = load(data_dir)
  assert.equal(made.length, 32)
  assert.deepEqual(load(data_dir), made)
  assert.deepEqual(readdirSync(data_dir), ['secret.key'])
  assert.equal(statSync(join(data_dir, 'secret.key')).mode & 0o777, 0o600)
  assert.notDeepEqual(load(newFolder('another')), made)
})

test('a file that is not a key is refused and left unchanged', () => {
  const data_dir = newFolder('broken')
  const file = join(data_dir, 'secret.key')
  for (const text of ['', 'short', '!'.repeat(43)]) {
    writeFileSync(file, text)
    const line = `${file} is no key: put the one that was there back from a backup`
    assert.throws(() => load(data_dir), new ConfigError(line))
    assert.equal(statSync(file).size, text.length)
  }
})

/** Starts a process that loads the key of each folder named to it and prints it. */
const startLoader = () => {
  const program = `
    import { createInterface } from 'node:readline'
    import { loadSecretKey } from ${JSON.stringify(join(import.meta.dirname, 'secret-key.ts'))}
    console.log('ready')
    for await (const data_dir of createInterface(process.stdin))
      console.log(Buffer.from(loadSecretKey({ data_dir })).toString('hex'))`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
  return { child, next: async () => String((await lines.next()).value) }
}

test('processes that start together on a new folder get the same key', async () => {
  const loaders = Array.from({ length: 4 }, startLoader)
  const children: ChildProcess[] = loaders.map(({ child }) => child)
  try {
    for (const { next } of loaders) assert.equal(await next(), 'ready')
    for (let round = 0; round < 40; round++) {
      const data_dir = newFolder(`round-${round}`)
      for (const child of children) child.stdin?.write(`${data_dir}\n`)
      const keys = await Promise.all(loaders.map(({ next }) => next()))
      assert.match(keys[0] ?? '', /^[0-9a-f]{64}$/)
      assert.equal(new Set(keys).size, 1)
      assert.deepEqual(readdirSync(data_dir), ['secret.key'])
    }
  } finally {
    for (const child of children) child.kill()
  }
})
