import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, readFileSync, rmdirSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { pino } from 'pino'
import { createEmbeddedFolders, query } from '#server/testing/embedded-folders.ts'
import { FolderInUse, startEmbedded } from './embedded.ts'
import { chooseAccount } from './postgres-account.ts'
import { clusterFolder } from './postgres-folder.ts'
import { findRunning, stopPostgres } from './postgres-process.ts'

// Runs in test:all, because its faults around a start are rare and each starts databases.
// Starts early, because its tests take more than 15 s.

const log = pino({ level: 'silent' })
const { newFolder, startProcess, cleanUp } = createEmbeddedFolders()
after(cleanUp)

describe('the location of the data folder', () => {
  const worksIn = async (data_dir: string): Promise<string> => {
    const { connection, stop } = await startEmbedded({ data_dir, log })
    assert.deepEqual(await query(connection, 'select 1 as n'), [{ n: 1 }])
    await stop()
    assert.equal(findRunning(data_dir), undefined)
    return connection.host
  }

  test('the data folder may be inside a folder that is closed to other accounts', async () => {
    const closed = newFolder()
    assert.equal(statSync(closed).mode & 0o777, 0o700)
    const data_dir = join(closed, 'data')
    assert.equal(await worksIn(data_dir), join(data_dir, 'socket'))
    assert.equal(statSync(clusterFolder(data_dir)).mode & 0o777, 0o700)
    assert.equal(statSync(data_dir).mode & 0o777, 0o711)
  })

  test('the data folder may be inside an open folder and may exist or be new', async () => {
    const open = newFolder()
    chmodSync(open, 0o755)
    await worksIn(join(open, 'made'))
    mkdirSync(join(open, 'given'), { mode: 0o700 })
    await worksIn(join(open, 'given'))
    assert.equal(statSync(join(open, 'given')).mode & 0o777, 0o700)
  })

  test('the path of the data folder may be too long for a socket and may contain spaces and accents', async () => {
    const folder = newFolder()
    for (const data_dir of [join(folder, 'long'.repeat(30)), join(folder, 'l’été à la mer, oui')]) {
      const elsewhere = await worksIn(data_dir)
      assert.ok(!elsewhere.startsWith(data_dir), elsewhere)
      assert.equal(statSync(elsewhere).mode & 0o777, 0o700)
      rmdirSync(elsewhere)
    }
  })
})

test('if two applications start together on a new folder, one runs and the other gets the reason', async () => {
  const folder = newFolder()
  const both = await Promise.all([startProcess(folder), startProcess(folder)])
  const [ready, refused] = both.sort((process) => (process.said === 'ready' ? -1 : 1))
  assert.equal(ready?.said, 'ready')
  assert.match(refused?.said ?? '', /^Another Quizaine is running on /)
  assert.deepEqual(await refused?.exited, [3, null])
  ready?.child.kill('SIGTERM')
  assert.deepEqual(await ready?.exited, [0, null])
  assert.equal(findRunning(folder), undefined)
})

test('if two applications find an abandoned server, one of them takes it over', async () => {
  const folder = newFolder()
  const first = await startProcess(folder)
  first.child.kill('SIGKILL')
  await first.exited
  const both = await Promise.all([startProcess(folder), startProcess(folder)])
  const said = both.map((process) => process.said).sort()
  assert.match(said[0] ?? '', /^Another Quizaine is running on /)
  assert.equal(said[1], 'ready')
})

describe('the process number that a killed server left', () => {
  /** Creates a folder whose application and server were killed, with `pid` now another program. */
  const killedWith = async (pid: number): Promise<string> => {
    const data_dir = newFolder()
    const { child, exited } = await startProcess(data_dir)
    const server = findRunning(data_dir)
    assert.ok(server)
    child.kill('SIGKILL')
    process.kill(server, 'SIGKILL')
    await exited
    const lock = join(data_dir, 'socket/.s.PGSQL.5432.lock')
    for (const file of [join(clusterFolder(data_dir), 'postmaster.pid'), lock]) {
      const lines = readFileSync(file, 'utf8').split('\n')
      writeFileSync(file, lines.with(0, String(pid)).join('\n'))
    }
    return data_dir
  }
  const worksIn = async (data_dir: string): Promise<void> => {
    const { connection, stop } = await startEmbedded({ data_dir, log })
    assert.deepEqual(await query(connection, 'select 1 as n'), [{ n: 1 }])
    await stop()
  }

  test('a stale process number that belongs to another program is ignored, and that program is not touched', async () => {
    // The program runs under the account of the database, which PostgreSQL would take for another server.
    const stranger = spawn('sleep', ['600'], { ...chooseAccount('/none') })
    try {
      await worksIn(await killedWith(stranger.pid ?? 0))
      assert.equal(stranger.exitCode ?? stranger.signalCode, null)
    } finally {
      stranger.kill('SIGKILL')
    }
  })

  test('a stale process number that belongs to the server of another folder is ignored, and that server is not touched', async () => {
    const other = newFolder()
    const neighbour = await startEmbedded({ data_dir: other, log })
    await worksIn(await killedWith(findRunning(other) ?? 0))
    assert.deepEqual(await query(neighbour.connection, 'select 1 as n'), [{ n: 1 }])
    await neighbour.stop()
  })
})

test('empty lock files of a killed start are removed after a while', async () => {
  const data_dir = newFolder()
  const { connection, stop } = await startEmbedded({ data_dir, log })
  await stop()
  for (const path of [
    join(clusterFolder(data_dir), 'postmaster.pid'),
    join(connection.host, '.s.PGSQL.5432.lock'),
  ])
    writeFileSync(path, '')
  const again = await startEmbedded({ data_dir, log })
  assert.deepEqual(await query(again.connection, 'select 1 as n'), [{ n: 1 }])
  await again.stop()
})

test('a socket that answers belongs to another application, even in another container', async () => {
  const data_dir = newFolder()
  const { connection, stop } = await startEmbedded({ data_dir, log })
  await stop()
  const elsewhere = createServer().listen(join(connection.host, '.s.PGSQL.5432'))
  await once(elsewhere, 'listening')
  await assert.rejects(startEmbedded({ data_dir, log }), FolderInUse)
  elsewhere.close()
})

test('a stop during a restart leaves no server behind', async () => {
  const data_dir = newFolder()
  const { stop } = await startEmbedded({ data_dir, log })
  const first = findRunning(data_dir)
  assert.ok(first)
  await stopPostgres(first)
  await stop()
  assert.equal(findRunning(data_dir), undefined)

  const again = await startEmbedded({ data_dir, log })
  const second = findRunning(data_dir)
  assert.ok(second)
  process.kill(second, 'SIGKILL')
  // The next server is starting and not known yet.
  while ([undefined, second].includes(findRunning(data_dir)))
    await new Promise((resolve) => setImmediate(resolve))
  await again.stop()
  assert.equal(findRunning(data_dir), undefined)
})
