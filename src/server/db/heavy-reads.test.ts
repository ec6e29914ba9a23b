import assert from 'node:assert/strict'
import { PassThrough } from 'node:stream'
import { after, describe, type TestContext, test } from 'node:test'
import { sql } from 'kysely'
import { pino } from 'pino'
import { createLog } from '#server/runtime/log.ts'
import { runStatement } from '#server/testing/app/test-server.ts'
import { startCluster } from '#server/testing/network/cluster.ts'
import { freePort } from '#server/testing/network/proxies/free-port.ts'
import { databaseUrl } from '#server/testing/server-process.ts'
import { type Database, readInOneSnapshot } from './database.ts'
import { openDatabase } from './open-database.ts'

// Runs in test:all, because it starts several clusters with replicas.

const cluster = await startCluster({ is_embedded: true })
// A replayed change that conflicts with a read ends the read at once.
const replica = await cluster.addReplica({ max_standby_streaming_delay: '0' })
const DATABASE_URL = databaseUrl(cluster.connection)
const DATABASE_READ_URL = databaseUrl(replica.connection)
after(cluster.cleanUp)

const silent = pino({ level: 'silent' })
/** Opens a database that is closed at the end of the test. */
const open = async (
  t: TestContext,
  read_url?: string,
  { database_url = DATABASE_URL, log = silent } = {},
): Promise<Database> => {
  const database = await openDatabase({
    config: { data_dir: '/nowhere', database_url, read_url },
    log,
  })
  t.after(database.close)
  return database
}

test('without a replica, a read uses the connections of the primary and is not counted', async (t) => {
  const database = await open(t)
  await database.heavyReads.run(async (source) => {
    assert.equal(source.db, database.db)
    assert.equal(source.pool, database.pool)
  })
  assert.deepEqual(database.heavyReads.countReads(), [])
})

test('a read that conflicts with a replayed change is run again on the primary', async (t) => {
  const database = await open(t, DATABASE_READ_URL)
  await runStatement(
    cluster.connection,
    'create table changed_rows as select generate_series(1, 1000) as n',
  )
  const tries: string[] = []
  const deleteRows = async (): Promise<void> => {
    await runStatement(cluster.connection, 'delete from changed_rows where n > 10')
    await runStatement(cluster.connection, 'vacuum changed_rows')
  }
  const count = await database.heavyReads.run(({ db }) =>
    readInOneSnapshot(db, async (read) => {
      const [state] = (
        await sql<{ is_replica: boolean }>`
          select pg_is_in_recovery() as is_replica, count(*) from changed_rows`.execute(read)
      ).rows
      tries.push(state?.is_replica ? 'replica' : 'primary')
      const seconds = state?.is_replica ? 30 : 0
      const [{ rows }] = await Promise.all([
        sql<{ count: number }>`
          select count(*) from changed_rows, (select pg_sleep(${seconds}::float8)) as pause`.execute(
          read,
        ),
        state?.is_replica ? deleteRows() : undefined,
      ])
      return rows[0]?.count
    }),
  )
  assert.deepEqual(tries, ['replica', 'primary'])
  assert.equal(count, 10)
  assert.deepEqual(database.heavyReads.countReads(), [
    { labels: { server: 'primary', reason: 'conflict' }, value: 1 },
  ])
})

test('a time-out on the replica is not repeated on the primary', async (t) => {
  const database = await open(t, DATABASE_READ_URL)
  let nb_tries = 0
  const reading = database.heavyReads.run(({ db }) =>
    readInOneSnapshot(db, async (state) => {
      nb_tries++
      await sql`select set_config('statement_timeout', '50', true)`.execute(state)
      await sql`select pg_sleep(1)`.execute(state)
    }),
  )
  await assert.rejects(reading, { code: '57014' })
  assert.equal(nb_tries, 1)
})

test('an unusable replica is logged once, without the password of its address', async (t) => {
  const log = new PassThrough()
  const port = await freePort()
  const database = await open(t, `postgres://quizaine:hidden@127.0.0.1:${port}/postgres`, {
    log: createLog({ log_level: 'info' }, { destination: log }),
  })
  for (let read = 0; read < 3; read++) await database.heavyReads.run(async () => undefined)
  const lines = String(log.read()).trim().split('\n')
  const warnings = lines.filter((line) => line.includes('heavy reads use the primary'))
  assert.equal(warnings.length, 1)
  assert.match(warnings[0] ?? '', /"reason":"unreachable"/)
  assert.ok(!lines.join().includes('hidden'))
})

describe('an address that does not lead to a replica of the primary', () => {
  /** Runs a read with this address of a replica, and returns the reasons why the primary answered. */
  const findReasons = async (
    t: TestContext,
    read_url: string,
    database_url = DATABASE_URL,
  ): Promise<string[]> => {
    const database = await open(t, read_url, { database_url })
    const isReplica = await database.heavyReads.run(async ({ db }) => {
      const { rows } = await sql<{ is_replica: boolean }>`
        select pg_is_in_recovery() as is_replica`.execute(db)
      return rows[0]?.is_replica
    })
    assert.equal(isReplica, false)
    const counts = database.heavyReads.countReads()
    return counts.map(({ labels }) => labels.reason)
  }

  test('the address of the primary is not used as a replica', async (t) => {
    assert.deepEqual(await findReasons(t, DATABASE_URL), ['not_a_replica'])
  })

  test('a replica of another cluster is not used', async (t) => {
    const other_cluster = await startCluster({ is_embedded: true })
    t.after(other_cluster.cleanUp)
    const other_replica = await other_cluster.addReplica()
    assert.deepEqual(await findReasons(t, databaseUrl(other_replica.connection)), ['not_a_replica'])
  })

  test('a replica of the former primary is not used after a failover, even if its log is longer', async (t) => {
    const promoted = await cluster.addReplica()
    await runStatement(promoted.connection, 'select pg_promote()')
    await runStatement(cluster.connection, 'create table missing_on_new_primary as select 1')
    const database_url = databaseUrl(promoted.connection)
    assert.deepEqual(await findReasons(t, DATABASE_READ_URL, database_url), ['other_timeline'])
  })
})
