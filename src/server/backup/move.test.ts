import assert from 'node:assert/strict'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import type pg from 'pg'
import { pino } from 'pino'
import { openDatabase } from '#server/db/open-database.ts'
import { findDifferences } from '#server/statistics/counters/verify-counters.store.ts'
import { readAllRows } from '#server/testing/app/backups.ts'
import { createEmptyDatabases } from '#server/testing/app/empty-databases.ts'
import { createEmbeddedFolders } from '#server/testing/embedded-folders.ts'
import { databaseUrl, startCommand } from '#server/testing/server-process.ts'
import { withStoppedDatabase } from './source-and-target.ts'

// Runs in test:all, because it moves 20,000 quizzes and kills the command.
// Starts early, because its tests take more than 15 s.

const NB_QUIZZES = 20_000
const NB_KILLS = 6

const { newFolder, cleanUp } = createEmbeddedFolders()
const databases = await createEmptyDatabases()
after(async () => {
  await databases.cleanUp()
  cleanUp()
})

const data_dir = newFolder()
const addQuizzes = async (count: number): Promise<void> => {
  const log = pino({ level: 'silent' })
  const config = { data_dir, database_url: undefined }
  const { pool, close } = await openDatabase({ config, log })
  await pool.query(
    `insert into quizzes (id, creator_id, name, type)
    select gen_random_uuid(), gen_random_uuid(), 'Quiz ' || n, 'quiz' from generate_series(1, $1) n`,
    [count],
  )
  // The image contains bytes of every value.
  await pool.query(
    `with new_image as (
      insert into images (id, creator_id, width, height, color, bytes)
      values (gen_random_uuid(), gen_random_uuid(), 400, 300, '#c8562a', 64000) returning id
    )
    insert into image_files (image_id, size, data)
    select id, 400, (select string_agg(sha512(n::text::bytea), '') from generate_series(1, 1000) n)
    from new_image`,
  )
  await close()
}
/** Returns the rows of a database, except audit events, because the command adds an event. */
const rowsOf = async (client: pg.Client): Promise<Record<string, string[]>> => {
  const { audit_events, ...rest } = await readAllRows(client)
  assert.ok(audit_events)
  return rest
}
let source_rows: Record<string, string[]>
before(async () => {
  await addQuizzes(NB_QUIZZES)
  source_rows = await withStoppedDatabase(data_dir, rowsOf)
  assert.equal(source_rows.all_quizzes?.length, NB_QUIZZES)
  assert.equal(source_rows.image_files?.length, 1)
})

/** Runs `npm run move`, and kills the process after `kill_after_ms` if given. */
const move = async (target: pg.ClientConfig, kill_after_ms?: number) => {
  const env = { DATA_DIR: data_dir, TARGET_DATABASE_URL: databaseUrl(target) }
  const child = startCommand('move.ts', env)
  const timeout =
    kill_after_ms === undefined ? undefined : setTimeout(() => child.kill('SIGKILL'), kill_after_ms)
  const output = Promise.all([text(child.stdout), text(child.stderr)])
  const [code] = (await once(child, 'exit')) as [number | null]
  clearTimeout(timeout)
  const [out, err] = await output
  return { code, out, err }
}

test('a repeated move reports that the rows are already stored, and a changed source is refused', async (t) => {
  const { connection, client } = await databases.newDatabase()
  const began = performance.now()
  const first = await move(connection)
  const took_ms = performance.now() - began
  assert.equal(first.code, 0, first.err)
  assert.match(first.out, /Verified: all rows were read back and compared/)
  assert.deepEqual(await rowsOf(client), source_rows)

  const again = await move(connection)
  assert.equal(again.code, 0, again.err)
  assert.match(again.out, /This backup was already restored here/)
  assert.deepEqual(await rowsOf(client), source_rows)

  await t.test(
    'a move that was killed several times copies all rows when it is repeated',
    async (sub) => {
      const target = await databases.newDatabase()
      for (let kill = 1; kill <= NB_KILLS; kill++) {
        const after_ms = Math.random() * took_ms
        const killed = await move(target.connection, after_ms)
        sub.diagnostic(`killed after ${Math.round(after_ms)} of ${Math.round(took_ms)} ms`)
        assert.ok(killed.code === null || killed.code === 0, killed.err)
      }
      const last = await move(target.connection)
      assert.equal(last.code, 0, last.err)
      assert.match(last.out, /all rows were read back|already restored here/)
      assert.deepEqual(await rowsOf(target.client), source_rows)
      assert.deepEqual(await findDifferences(target.client), [])
      const { rows } = await target.client.query("select to_regclass('unfinished_restore') as mark")
      assert.deepEqual(rows, [{ mark: null }])
    },
  )

  await addQuizzes(1)
  const other = await move(connection)
  assert.equal(other.code, 1)
  assert.match(other.err, /The database is not empty/)
  assert.deepEqual(await rowsOf(client), source_rows)
})
