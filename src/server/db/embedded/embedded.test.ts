import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { pino } from 'pino'
import { createEmbeddedFolders, query } from '#server/testing/embedded-folders.ts'
import { testInAll } from '#server/testing/test-in-all.ts'
import { startEmbedded } from './embedded.ts'
import { clusterFolder, isAlive } from './postgres-folder.ts'
import { findRunning } from './postgres-process.ts'
import type { Connection } from './postgres-session.ts'

// Starts early, because its tests take more than 15 s.
// Runs in test:all, because it starts or restores databases.

/** Returns the database processes that hold the lock of an application. */
const lockHolders = async (connection: Connection): Promise<number[]> => {
  const rows = await query(
    connection,
    "select pid from pg_locks where locktype = 'advisory' and granted and objid = 7305114",
  )
  return (rows as { pid: number }[]).map(({ pid }) => pid)
}
const log = pino({ level: 'silent' })
const { newFolder, startProcess, spawnOn, cleanUp } = createEmbeddedFolders()
after(cleanUp)

test('data survives a clean stop, after which no process runs', async () => {
  const data_dir = newFolder()
  const first = await startEmbedded({ data_dir, log })
  await query(first.connection, 'create table kept as select 7 as n')
  await first.stop()
  assert.equal(findRunning(data_dir), undefined)
  const second = await startEmbedded({ data_dir, log })
  assert.deepEqual(await query(second.connection, 'select n from kept'), [{ n: 7 }])
  await second.stop()
})

test('a second process on the folder is refused with the reason, and the first continues', async () => {
  const folder = newFolder()
  const first = await startProcess(folder)
  assert.equal(first.said, 'ready')
  const second = await startProcess(folder)
  assert.match(
    second.said,
    /^Another Quizaine is running on .*: stop it, or choose another DATA_DIR\.$/,
  )
  assert.deepEqual(await second.exited, [3, null])
  first.child.kill('SIGTERM')
  assert.deepEqual(await first.exited, [0, null])
  assert.equal(findRunning(folder), undefined)
})

test('the server of a killed process is replaced without losing commits', async () => {
  const data_dir = newFolder()
  const first = await startProcess(data_dir)
  const orphan = findRunning(data_dir)
  assert.ok(orphan)
  first.child.kill('SIGKILL')
  await first.exited
  assert.equal(findRunning(data_dir), orphan, 'it outlives its parent')
  const next = await startEmbedded({ data_dir, log })
  assert.notEqual(findRunning(data_dir), orphan)
  assert.deepEqual(await query(next.connection, 'select 1 as n'), [{ n: 1 }])
  await next.stop()
})

/** Returns the watchers of the servers of a data folder. */
const watchersOf = (data_dir: string): number[] =>
  spawnSync('ps', ['-A', '-ww', '-o', 'pid=,args='], { encoding: 'utf8' })
    .stdout.split('\n')
    .filter((line) => line.includes('quizaine-watcher') && line.includes(data_dir))
    .map((line) => Number.parseInt(line, 10))

testInAll('the server of a killed process stops by itself, cleanly, within a minute', async () => {
  const data_dir = newFolder()
  const { child, exited } = await startProcess(data_dir)
  const [watcher = 0] = watchersOf(data_dir)
  assert.ok(isAlive(watcher))
  child.kill('SIGKILL')
  await exited
  while (findRunning(data_dir) !== undefined) await pause(100)
  while (isAlive(watcher)) await pause(100)
  assert.ok(!existsSync(join(clusterFolder(data_dir), 'postmaster.pid')))
})

testInAll(
  'a server started after a kill is not stopped by the watcher of the first one',
  async () => {
    const data_dir = newFolder()
    const first = await startProcess(data_dir)
    const [watcher = 0] = watchersOf(data_dir)
    first.child.kill('SIGKILL')
    await first.exited
    const next = await startEmbedded({ data_dir, log })
    const taken_over = findRunning(data_dir)
    while (isAlive(watcher)) await pause(100)
    assert.equal(findRunning(data_dir), taken_over)
    assert.deepEqual(await query(next.connection, 'select 1 as n'), [{ n: 1 }])
    await next.stop()
    while (watchersOf(data_dir).length > 0) await pause(100)
  },
)

testInAll(
  'an application that starts waits while a watcher stops an abandoned server, and then gets the folder',
  async () => {
    const data_dir = newFolder()
    const first = await startProcess(data_dir)
    first.child.kill('SIGKILL')
    await first.exited
    const orphan = findRunning(data_dir) ?? 0
    // Stops the server as the watcher does.
    const starting = startEmbedded({ data_dir, log })
    process.kill(orphan, 'SIGINT')
    const next = await starting
    assert.deepEqual(await query(next.connection, 'select 1 as n'), [{ n: 1 }])
    await next.stop()
  },
)

testInAll('a killed first start does not prevent the next one', async () => {
  const data_dir = newFolder()
  const child = spawnOn(data_dir)
  const exited = once(child, 'exit')
  while (!readdirSync(data_dir).some((name) => name.startsWith('postgres-new-')))
    await new Promise((resolve) => setImmediate(resolve))
  child.kill('SIGKILL')
  await exited
  assert.equal(existsSync(clusterFolder(data_dir)), false)
  const { connection, stop } = await startEmbedded({ data_dir, log })
  assert.deepEqual(await query(connection, 'select 1 as n'), [{ n: 1 }])
  await stop()
})

testInAll(
  'the remains of a killed first start are removed, and the files of a running start are kept',
  async () => {
    const data_dir = newFolder()
    const gone = spawnSync(process.execPath, ['--version']).pid
    for (const pid of [gone, process.pid])
      mkdirSync(join(data_dir, `postgres-new-${pid}-x/base`), { recursive: true })
    const { stop } = await startEmbedded({ data_dir, log })
    await stop()
    const left = readdirSync(data_dir).filter((name) => name.startsWith('postgres-new-'))
    assert.deepEqual(left, [`postgres-new-${process.pid}-x`])
  },
)

testInAll('a server that dies is restarted', async () => {
  const data_dir = newFolder()
  const embedded = await startEmbedded({ data_dir, log })
  const first = findRunning(data_dir)
  assert.ok(first)
  process.kill(first, 'SIGKILL')
  const answer = async (): Promise<unknown[]> => {
    try {
      return await query(embedded.connection, 'select 2 as n')
    } catch {
      return answer()
    }
  }
  assert.deepEqual(await answer(), [{ n: 2 }])
  assert.notEqual(findRunning(data_dir), first)
  await embedded.stop()
})

testInAll('a server that hangs is killed and restarted', async () => {
  const data_dir = newFolder()
  const embedded = await startEmbedded({ data_dir, log, silence_ms: 500 })
  await query(embedded.connection, 'create table kept as select 7 as n')
  const first = findRunning(data_dir)
  assert.ok(first)
  const [held] = await lockHolders(embedded.connection)
  for (const pid of [first, Number(held)]) process.kill(pid, 'SIGSTOP')
  while ([undefined, first].includes(findRunning(data_dir)))
    await new Promise((resolve) => setImmediate(resolve))
  const read = async (): Promise<unknown[]> =>
    query(embedded.connection, 'select n from kept').catch(read)
  assert.deepEqual(await read(), [{ n: 7 }])
  await embedded.stop()
})

testInAll('if a process of the server dies, its application keeps the folder', async () => {
  const data_dir = newFolder()
  const embedded = await startEmbedded({ data_dir, log })
  const server = findRunning(data_dir)
  const [held] = await lockHolders(embedded.connection)
  process.kill(Number(held), 'SIGKILL')
  const holders = async (): Promise<number[]> => {
    const pids = await lockHolders(embedded.connection).catch(() => [])
    return pids.length > 0 && pids[0] !== held ? pids : holders()
  }
  assert.equal((await holders()).length, 1)
  const second = await startProcess(data_dir)
  assert.match(second.said, /^Another Quizaine is running on /)
  assert.equal(findRunning(data_dir), server, 'the same server serves on')
  await embedded.stop()
})
