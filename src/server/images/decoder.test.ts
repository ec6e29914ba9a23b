import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { isAlive } from '#server/db/embedded/postgres-folder.ts'
import {
  createFlatPicture,
  createNoisePicture,
  LARGEST_AVIF,
} from '#server/testing/quizzes/pictures.ts'
import { describeInAll, testInAll } from '#server/testing/test-in-all.ts'
import { type DecoderSettings, decode } from './decoder.ts'

// Starts early, because its tests take more than 15 s.
// Runs in test:all, because it decodes many pictures.

const MIB = 1_048_576
const folder = mkdtempSync(join(tmpdir(), 'quizaine-decoder-'))
after(() => rmSync(folder, { recursive: true, force: true }))

const REFUSED = { refusal: 'exhausted' }
const small = await createFlatPicture(60, 40).png().toBuffer()

/** Returns the peak resident memory of this process during `work`, in bytes. */
const highestMemory = async (work: () => Promise<unknown>): Promise<number> => {
  let highest = 0
  const looking = setInterval(() => {
    highest = Math.max(highest, process.memoryUsage.rss())
  }, 5)
  await work()
  clearInterval(looking)
  return highest
}

describeInAll('an image that needs too much', () => {
  test('an image that needs too much memory is refused, and the next image is decoded', async () => {
    assert.deepEqual(await decode(LARGEST_AVIF, { max_resident_bytes: 300 * MIB }), REFUSED)
    assert.ok('files' in (await decode(small)))
  })

  test('an image that needs too much memory does not use the server’s memory', async () => {
    const before = process.memoryUsage.rss()
    const highest = await highestMemory(() => decode(LARGEST_AVIF))
    assert.ok(highest - before < 64 * MIB, `${(highest - before) / MIB} MiB`)
  })

  test('an image that needs too much time is refused, and the next image is decoded', async () => {
    assert.deepEqual(await decode(LARGEST_AVIF, { max_s: 0.5 }), REFUSED)
    assert.ok('files' in (await decode(small)))
  })
})

testInAll('the largest accepted image fits into a decoder’s memory', async () => {
  assert.ok('files' in (await decode(LARGEST_AVIF, { max_s: 60 })))
})

describe('a compromised decoder', () => {
  const program = join(import.meta.dirname, '../testing/hostile-decoder.ts')
  const hostile = (deed: string, settings: Partial<DecoderSettings> = {}) =>
    decode(Buffer.from(deed), { program, ...settings })

  test('a decoder that does not end is killed', async () => {
    assert.deepEqual(await hostile('hang', { max_s: 2 }), REFUSED)
  })
  test('a decoder whose caller has left is killed', async () => {
    const left = new Error('left')
    const abort = new AbortController()
    const hanging = decode(Buffer.from('hang'), { program, max_s: 60, signal: abort.signal })
    abort.abort(left)
    await assert.rejects(hanging, left)
  })
  testInAll(
    'a compromised decoder gets no more memory than the kernel limit',
    {
      skip: process.platform !== 'linux' && 'only Linux counts mapped memory in RLIMIT_DATA',
    },
    async () => {
      // Without the limit the decoder would allocate until it is killed, and exhaust the machine's memory first.
      assert.deepEqual(await hostile('allocate', { max_s: 60 }), REFUSED)
    },
  )
  testInAll('a decoder whose answer does not end is killed', async () => {
    const before = process.memoryUsage.rss()
    const highest = await highestMemory(async () =>
      assert.deepEqual(await hostile('flood', { max_s: 60 }), REFUSED),
    )
    assert.ok(highest - before < 64 * MIB, `${(highest - before) / MIB} MiB`)
  })
  test('the answer of a compromised decoder is not trusted', async () => {
    for (const deed of ['junk', 'wrong_size', 'crash', 'nothing'])
      assert.deepEqual(await hostile(deed), REFUSED, deed)
  })
  test('a compromised decoder finds no environment variables and cannot write files', async () => {
    assert.deepEqual(await hostile('look_around'), { refusal: 'broken' })
    assert.deepEqual(await hostile('write'), REFUSED)
  })
})

test('a decoder that does not start is an internal error with its reason', async () => {
  await assert.rejects(
    decode(small, { program: join(folder, 'none.ts') }),
    /did not start: .*none/s,
  )
})

test('a server without free file descriptors refuses an image and continues', () => {
  const code = `
    import { closeSync, openSync } from 'node:fs'
    import { decode } from '${new URL('decoder.ts', import.meta.url)}'
    const held = []
    try { for (;;) held.push(openSync('/dev/null')) } catch {}
    const reason = await decode(Buffer.from('')).catch((error) => error.code)
    for (const descriptor of held) closeSync(descriptor)
    await new Promise(setImmediate)
    console.log(reason)
  `
  const command = [process.execPath, '--input-type=module', '-e', code]
  const { stdout, stderr } = spawnSync(
    '/bin/sh',
    ['-c', 'ulimit -n 100; exec "$@"', 'sh', ...command],
    { encoding: 'utf8' },
  )
  assert.equal(stdout, 'EMFILE\n', stderr)
})

const childrenOf = (pid: number | undefined): number[] =>
  spawnSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' })
    .stdout.trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
    .flatMap(([child = 0, parent]) => (parent === pid ? [child] : []))

testInAll('a decoder ends with its server, even if the server is killed', async () => {
  const file = join(folder, 'noise.avif')
  writeFileSync(file, await createNoisePicture(2_500, 2_500).avif({ effort: 0 }).toBuffer())
  const program = join(import.meta.dirname, '../testing/decoding-process.ts')
  const server = spawn(process.execPath, [program, file], { stdio: ['ignore', 'pipe', 'inherit'] })
  const exited = once(server, 'exit')
  await once(server.stdout, 'data')
  const [decoder = 0] = childrenOf(server.pid)
  assert.ok(isAlive(decoder))
  server.kill('SIGKILL')
  await exited
  while (isAlive(decoder)) await pause(20)
})
