import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { pino } from 'pino'
import { FolderInUse } from '#server/db/embedded/embedded.ts'
import { clusterFolder } from '#server/db/embedded/postgres-folder.ts'
import { UnfinishedRestore } from '#server/db/migrate.ts'
import { openDatabase, restoringFolder } from '#server/db/open-database.ts'
import { createBackup, splitIntoPieces } from '#server/testing/app/backups.ts'
import { createEmptyDatabases } from '#server/testing/app/empty-databases.ts'
import { createEmbeddedFolders } from '#server/testing/embedded-folders.ts'
import { readBackup } from './read-backup.ts'
import { RefusedTarget, restoreInto } from './restore.ts'
import { withSource, withStoppedDatabase, withTarget } from './source-and-target.ts'

// Runs in test:all, because each of its data folders starts a database.

const log = pino({ level: 'silent' })
const { newFolder, cleanUp } = createEmbeddedFolders()
const databases = await createEmptyDatabases()
after(async () => {
  await databases.cleanUp()
  cleanUp()
})

const openOn = (data_dir: string) =>
  openDatabase({ config: { data_dir, database_url: undefined }, log })
const restore = async (bytes: Buffer, data_dir: string) => {
  const backup = await readBackup(splitIntoPieces(bytes))
  return withTarget({ database_url: undefined, data_dir }, (client) => restoreInto(client, backup))
}
const namesOn = async (data_dir: string): Promise<string[]> => {
  const { db, close } = await openOn(data_dir)
  const rows = await db.selectFrom('quizzes').select('name').orderBy('name').execute()
  await close()
  return rows.map(({ name }) => name)
}

const NAMES = ['Un', 'Deux', 'Trois'].sort()
let first = ''
let bytes: Buffer
before(async () => {
  first = newFolder()
  const { pool, close } = await openOn(first)
  await pool.query(
    `insert into quizzes (id, creator_id, name, type)
    select gen_random_uuid(), gen_random_uuid(), unnest($1::text[]), 'quiz'`,
    [NAMES],
  )
  // The backup connects to the socket of the running database.
  bytes = await withSource({ database_url: undefined, data_dir: first }, (client) =>
    createBackup(client),
  )
  await close()
})

test('a stopped database is backed up and remains stopped', async () => {
  const place = { database_url: undefined, data_dir: first }
  const { header } = await readBackup(
    splitIntoPieces(await withSource(place, (client) => createBackup(client))),
  )
  assert.deepEqual(header.migrations, (await readBackup(splitIntoPieces(bytes))).header.migrations)
  assert.deepEqual(await namesOn(first), NAMES)
  await assert.rejects(
    withSource({ database_url: undefined, data_dir: newFolder() }, (client) =>
      createBackup(client),
    ),
    RefusedTarget,
  )
})

test('a data folder without a database gets one, and a folder with a database is unchanged', async () => {
  const data_dir = join(newFolder(), 'new')
  const { rows, differences } = await restore(bytes, data_dir)
  assert.deepEqual([rows, differences], [NAMES.length, []])
  assert.deepEqual(readdirSync(data_dir), ['postgres'])
  assert.deepEqual(await namesOn(data_dir), NAMES)
  await assert.rejects(
    restore(bytes, data_dir),
    new RefusedTarget(`${data_dir} already has a database: choose a DATA_DIR without a database.`),
  )
})

test('a refused backup leaves the folder without a database', async () => {
  const data_dir = newFolder()
  await assert.rejects(restore(bytes.subarray(0, -5), data_dir))
  assert.deepEqual(readdirSync(data_dir), [])
})

test('servers refuse a killed restore until it is repeated', async () => {
  const data_dir = newFolder()
  const file = join(newFolder(), 'backup')
  writeFileSync(file, bytes)
  const program = join(import.meta.dirname, '../testing/half-restore-process.ts')
  const child = spawn(process.execPath, [program, file, data_dir], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = once(child, 'exit')
  await once(child.stdout, 'data')
  // Waits until the database of the restore runs in the folder `restoring`.
  while (!existsSync(join(restoringFolder(data_dir), 'postgres/postmaster.pid')))
    await new Promise((resolve) => setImmediate(resolve))
  await assert.rejects(openOn(data_dir), UnfinishedRestore, 'while the restore runs')
  child.kill('SIGKILL')
  await exited
  await assert.rejects(openOn(data_dir), UnfinishedRestore)
  await assert.rejects(
    withSource({ database_url: undefined, data_dir }, (client) => createBackup(client)),
    UnfinishedRestore,
  )
  assert.equal(existsSync(clusterFolder(data_dir)), false)
  await restore(bytes, data_dir)
  assert.deepEqual(readdirSync(data_dir), ['postgres'])
  assert.deepEqual(await namesOn(data_dir), NAMES)
})

test('a stopped database moves to a server completely, and a running one is refused', async () => {
  const { client } = await databases.newDatabase()
  await withStoppedDatabase(first, async (source) => {
    const backup = await readBackup(splitIntoPieces(await createBackup(source)))
    assert.equal((await restoreInto(client, backup)).rows, NAMES.length)
  })
  const { rows } = await client.query<{ name: string }>('select name from quizzes order by name')
  assert.deepEqual(
    rows.map(({ name }) => name),
    NAMES,
  )
  const { close } = await openOn(first)
  await assert.rejects(
    withStoppedDatabase(first, () => Promise.reject(new Error('not reached'))),
    FolderInUse,
  )
  await close()
})
