import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { pino } from 'pino'
import { createEmbeddedFolders, query } from '#server/testing/embedded-folders.ts'
import { startEmbedded } from './embedded.ts'
import { clusterFolder } from './postgres-folder.ts'
import { findRunning } from './postgres-process.ts'

const log = pino({ level: 'silent' })
const { newFolder, startProcess, spawnOn, cleanUp } = createEmbeddedFolders()
after(cleanUp)

test('what was stored is there after a clean stop, and nothing runs in between', async () => {
  const data_dir = newFolder()
  const first = await startEmbedded({ data_dir, log })
  await query(first.connection, 'create table kept as select 7 as n')
  await first.stop()
  assert.equal(findRunning(data_dir), undefined)
  const second = await startEmbedded({ data_dir, log })
  assert.deepEqual(await query(second.connection, 'select n from kept'), [{ n: 7 }])
  await second.stop()
})

test('a second process on the folder is refused in so many words, and the first goes on', async () => {
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

test('the server of a killed process is taken over, with what was committed', async () => {
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

test('a first start that was killed is in nobody’s way', async () => {
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

test('what a killed first start left is taken away, and what a living one makes is not', async () => {
  const data_dir = newFolder()
  const gone = spawnSync(process.execPath, ['--version']).pid
  for (const pid of [gone, process.pid])
    mkdirSync(join(data_dir, `postgres-new-${pid}-x/base`), { recursive: true })
  const { stop } = await startEmbedded({ data_dir, log })
  await stop()
  const left = readdirSync(data_dir).filter((name) => name.startsWith('postgres-new-'))
  assert.deepEqual(left, [`postgres-new-${process.pid}-x`])
})

test('a server that dies is started again', async () => {
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
