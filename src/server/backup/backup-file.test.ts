import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { pickByRun } from '#domain/testing/pick-by-run.ts'
import { migrate } from '#server/db/migrate.ts'
import { concatenate, createBackup, splitIntoPieces } from '#server/testing/app/backups.ts'
import { createEmptyDatabases } from '#server/testing/app/empty-databases.ts'
import { readBackupFile, writeBackupFile } from './backup-file.ts'
import { RefusedBackup } from './backup-format.ts'
import { checkBackup } from './read-backup.ts'

// Runs in test:all, because it starts or restores databases.

const folder = mkdtempSync(join(tmpdir(), 'quizaine-backup-'))
const { newDatabase, cleanUp } = await createEmptyDatabases()
after(async () => {
  rmSync(folder, { recursive: true })
  await cleanUp()
})

const SECRET = 'Un nom que personne ne doit lire'
const PASSPHRASE = 'une phrase de passe'
let bytes: Buffer
before(async () => {
  const { client, connection } = await newDatabase()
  await migrate(connection)
  // The text exceeds a piece of an encrypted file even when compressed.
  await client.query(
    `insert into quizzes (id, creator_id, name, type)
    select gen_random_uuid(), gen_random_uuid(), $1, 'quiz' from generate_series(1, 4000) n`,
    [SECRET],
  )
  bytes = await createBackup(client)
})

const write = async (name: string, passphrase?: string): Promise<string> => {
  const file = join(folder, name)
  const size = await writeBackupFile(file, splitIntoPieces(bytes), { passphrase })
  assert.equal(statSync(file).size, size)
  return file
}
const read = (file: string, passphrase?: string) =>
  concatenate(readBackupFile(file, { passphrase }))
const check = (file: string, passphrase?: string) =>
  checkBackup(readBackupFile(file, { passphrase }))

test('a backup file is readable only by its owner and returns its content', async () => {
  const file = await write('plain')
  assert.ok(bytes.equals(await read(file)))
  assert.equal(statSync(file).mode & 0o777, 0o600)
  assert.ok(statSync(file).size < bytes.length / 2)
  assert.deepEqual(readdirSync(folder), ['plain'])
})

test('an encrypted file opens only with its passphrase', async () => {
  const file = await write('encrypted', PASSPHRASE)
  assert.ok(bytes.equals(await read(file, PASSPHRASE)))
  assert.ok(!readFileSync(file).subarray(0, 100).includes('\x1f\x8b'), 'no gzip header is visible')
  await assert.rejects(
    check(file, `${PASSPHRASE}.`),
    new RefusedBackup('BACKUP_PASSPHRASE is wrong, or the backup is damaged.'),
  )
  await assert.rejects(
    check(file),
    new RefusedBackup('The backup is encrypted: set BACKUP_PASSPHRASE.'),
  )
  // Otherwise an attacker could replace the encrypted file with an unencrypted one.
  await assert.rejects(
    check(join(folder, 'plain'), PASSPHRASE),
    new RefusedBackup('The backup is not encrypted: unset BACKUP_PASSPHRASE to restore it.'),
  )
  const twice = await write('encrypted-again', PASSPHRASE)
  assert.notDeepEqual(readFileSync(twice).subarray(0, 100), readFileSync(file).subarray(0, 100))
})

test('a truncated or changed file is refused, encrypted or not', async () => {
  for (const [name, passphrase] of [['plain'], ['encrypted', PASSPHRASE]] as const) {
    const complete = readFileSync(join(folder, name))
    const file = join(folder, `${name}-damaged`)
    const isRefused = async (damaged: Buffer): Promise<void> => {
      writeFileSync(file, damaged)
      await assert.rejects(check(file, passphrase), RefusedBackup)
    }
    // The ends include the exact end of an encrypted piece.
    const ends = [40, complete.length >> 1, 34 + 65_536 + 16, complete.length - 1]
    for (const end of pickByRun({ daily: ends.slice(1, 2), all: ends }))
      await isRefused(complete.subarray(0, end))
    for (const part of pickByRun({ daily: [0.5], all: [0.2, 0.5, 0.8, 0.9999] })) {
      const changed = Buffer.from(complete)
      const at = Math.floor(complete.length * part)
      changed[at] = (changed[at] ?? 0) ^ 4
      await isRefused(changed)
    }
  }
})

test('an existing file is not replaced, and a failure leaves no file', async () => {
  const before = readdirSync(folder)
  const plain = readFileSync(join(folder, 'plain'))
  await assert.rejects(write('plain'), /already exists: choose another name/)
  assert.deepEqual(readFileSync(join(folder, 'plain')), plain)
  await assert.rejects(write('new', 'short'), /must have 12 characters or more/)
  const truncated = splitIntoPieces(bytes.subarray(0, -5))
  await assert.rejects(
    writeBackupFile(join(folder, 'truncated'), truncated, { passphrase: undefined }),
    RefusedBackup,
  )
  async function* failing(): AsyncGenerator<Buffer> {
    yield bytes.subarray(0, 9)
    throw new Error('the connection was lost')
  }
  await assert.rejects(
    writeBackupFile(join(folder, 'lost'), failing(), { passphrase: PASSPHRASE }),
    /the connection was lost/,
  )
  assert.deepEqual(readdirSync(folder), before)
})
