import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type pg from 'pg'
import { pino } from 'pino'
import { pickByRun } from '#domain/testing/pick-by-run.ts'
import { openPool } from '#server/db/database.ts'
import { migrate, readMigrations, UnfinishedRestore } from '#server/db/migrate.ts'
import {
  createBackup,
  describeSchema,
  LATER_MIGRATION,
  splitIntoPieces,
} from '#server/testing/app/backups.ts'
import { createEmptyDatabases } from '#server/testing/app/empty-databases.ts'
import { RefusedBackup } from './backup-format.ts'
import { readBackup } from './read-backup.ts'
import { AlreadyRestored, RefusedTarget, restoreInto } from './restore.ts'

// Runs in test:all, because it starts or restores databases.

const { newDatabase, openSession, cleanUp } = await createEmptyDatabases()
after(cleanUp)

const QUIZZES = 400
let source: pg.Client
let bytes: Buffer
before(async () => {
  const { client, connection } = await newDatabase()
  await migrate(connection)
  await client.query(
    `insert into quizzes (id, creator_id, name, type)
    select gen_random_uuid(), gen_random_uuid(), 'Quiz ' || n, 'quiz' from generate_series(1, $1) n`,
    [QUIZZES],
  )
  await client.query(
    "insert into questions select gen_random_uuid(), id, 'Q', 'text', 1, 1, 1 from quizzes",
  )
  source = client
  bytes = await createBackup(client)
})

const restore = async (
  from: AsyncIterable<Buffer>,
  target: pg.Client,
  migrations = readMigrations(),
) => restoreInto(target, await readBackup(from), migrations)
const countQuizzes = async (client: pg.Client): Promise<unknown> =>
  (await client.query('select count(*)::integer as n from quizzes')).rows[0]?.n

describe('a damaged backup', () => {
  const restoresNothing = async (damaged: Buffer): Promise<void> => {
    const { client } = await newDatabase()
    await assert.rejects(restore(splitIntoPieces(damaged), client), RefusedBackup)
    assert.deepEqual(await describeSchema(client), [])
    await restore(splitIntoPieces(bytes), client)
    assert.equal(await countQuizzes(client), QUIZZES)
  }

  test('a backup that is truncated at any point restores nothing', async () => {
    const ends = [0.1, 0.5, 0.9].map((part) => Math.floor(bytes.length * part))
    // Includes the start of the last line and the position before its last character.
    for (const end of [
      ...pickByRun({ daily: ends.slice(1, 2), all: ends }),
      bytes.lastIndexOf('\n', -2) + 1,
      bytes.length - 1,
    ])
      await restoresNothing(bytes.subarray(0, end))
  })

  test('a backup with a changed bit or an appended byte restores nothing', async () => {
    const [name, rows] = [bytes.indexOf('Quiz 77'), bytes.indexOf('"rows":400')]
    assert.ok(name > 0 && rows > 0)
    for (const at of pickByRun({
      daily: [name + 2],
      all: [name + 2, rows + 8, bytes.length - 10],
    })) {
      const changed = Buffer.from(bytes)
      changed[at] = (changed[at] ?? 0) ^ 1
      await restoresNothing(changed)
    }
    await restoresNothing(Buffer.concat([bytes, Buffer.from('{}\n')]))
  })

  test('a backup with a broken foreign key restores nothing', async () => {
    const { client, connection } = await newDatabase()
    await migrate(connection)
    await client.query('alter table questions drop constraint questions_quiz_id_fkey')
    await client.query(
      "insert into questions values (gen_random_uuid(), gen_random_uuid(), 'Q', 'text', 1, 1, 1)",
    )
    const broken = await createBackup(client)
    const { client: target } = await newDatabase()
    await assert.rejects(
      restore(splitIntoPieces(broken), target),
      new RefusedBackup(
        'Rows of questions refer to rows that are not in the backup (questions_quiz_id_fkey).',
      ),
    )
    assert.deepEqual(await describeSchema(target), [])
  })

  test('a damaged backup gets a different error from a file that is not a backup', async () => {
    const refusal = new RefusedBackup(
      'The file is not a backup, or this version does not support its format.',
    )
    for (const text of ['{}\n', '{"format":"quizaine-backup","version":2}\n'])
      await assert.rejects(readBackup(splitIntoPieces(Buffer.from(text))), refusal)
  })
})

describe('the refusals of a restore', () => {
  test('a backup of a newer version is refused before the restore changes anything', async () => {
    const { client } = await newDatabase()
    const older = readMigrations().slice(0, -1)
    await assert.rejects(restore(splitIntoPieces(bytes), client, older), {
      message: `The backup has migration ${readMigrations().at(-1)?.name}, which this version does not know: use the version that made it, or an older backup (docs/backup.md).`,
    })
    assert.deepEqual(await describeSchema(client), [])
  })

  test('a restore refuses a database with a row and leaves it unchanged', async () => {
    const { client } = await newDatabase()
    await restore(splitIntoPieces(bytes), client)
    await assert.rejects(restore(splitIntoPieces(bytes), client), AlreadyRestored)
    assert.equal(await countQuizzes(client), QUIZZES)
    await client.query('delete from quizzes where name <> $1', ['Quiz 7'])
    await assert.rejects(
      restore(splitIntoPieces(bytes), client),
      new RefusedTarget(
        'The database is not empty (table all_quizzes has rows): use an empty database.',
      ),
    )
    assert.equal(await countQuizzes(client), 1)
  })

  test('a restore refuses an empty database that a server uses or whose schema is newer', async () => {
    const { client, connection } = await newDatabase()
    await migrate(connection)
    const server = openPool(connection, pino({ level: 'silent' }))
    assert.equal(await server.isReady(), true)
    await assert.rejects(
      restore(splitIntoPieces(bytes), client),
      new RefusedTarget('A Quizaine server uses this database: stop the server first.'),
    )
    await server.close()
    const { client: newer, connection: place } = await newDatabase()
    const migrations = [...readMigrations(), LATER_MIGRATION]
    await migrate(place, migrations)
    await assert.rejects(
      restore(splitIntoPieces(bytes), newer, migrations),
      new RefusedTarget(
        'The database has a newer schema than the backup: use a database without tables.',
      ),
    )
    // An empty schema of the same version counts as an empty database.
    await restore(splitIntoPieces(bytes), client)
    assert.equal(await countQuizzes(client), QUIZZES)
  })
})

test('an interrupted restore marks the database, and no server uses it until it is restored', async () => {
  const { client, connection } = await newDatabase()
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  const half = bytes.indexOf('"table":"all_quizzes"') + 20_000
  async function* interruptedBackup(): AsyncGenerator<Buffer> {
    yield bytes.subarray(0, half)
    await source.query('select pg_terminate_backend($1, 5000)', [rows[0]?.pid])
    yield bytes.subarray(half)
  }
  await assert.rejects(
    restore(interruptedBackup(), client),
    (error) => !(error instanceof RefusedBackup),
  )

  await assert.rejects(migrate(connection), UnfinishedRestore)
  const again = await openSession(connection)
  await assert.rejects(createBackup(again), UnfinishedRestore)
  // A failed restore does not remove the mark.
  await assert.rejects(restore(splitIntoPieces(bytes.subarray(0, half)), again), RefusedBackup)
  await assert.rejects(migrate(connection), UnfinishedRestore)
  await restore(splitIntoPieces(bytes), again)
  assert.equal(await countQuizzes(again), QUIZZES)
  await again.end()
  assert.deepEqual(await migrate(connection), [])
})
