import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type pg from 'pg'
import { createEmptyDatabases } from '#server/testing/app/empty-databases.ts'
import { migrate } from './migrate.ts'
import { GROWING_TABLES } from './partition.ts'

const databases = await createEmptyDatabases()
let client: pg.Client
before(async () => {
  const empty = await databases.newDatabase()
  await migrate(empty.connection)
  client = empty.client
})
after(databases.cleanUp)

/** Counters and versions have as many rows as a quiz has answers, days and scores. */
const COUNTERS = `
select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace
  and (relname like '%\\_counts' or relname like '%\\_checks' or relname in ('quiz_versions', 'rare_answer_progress'))`
const rowsOf = async <T extends pg.QueryResultRow>(
  text: string,
  values: unknown[] = [],
): Promise<T[]> => (await client.query<T>(text, values)).rows

/** Lists the columns of each index in order; an expression has no name. */
const INDEXES = `
select table_class.relname as table, index_class.relname as name, indisunique as is_unique,
  array(
    select coalesce(attname::text, '') from unnest(indkey) with ordinality as index_column(number, place)
    left join pg_attribute on attrelid = indrelid and attnum = number and number > 0
    order by place
  ) as columns
from pg_index join pg_class as index_class on index_class.oid = indexrelid join pg_class as table_class on table_class.oid = indrelid
where table_class.relname = any($1)`

test('every table that names participants is listed as growing', async () => {
  const rows = await rowsOf<{ table_name: string }>(
    `select distinct table_name from information_schema.columns
    where table_schema = 'public' and column_name in ('participant_uuid', 'digest')`,
  )
  assert.deepEqual(rows.map(({ table_name }) => table_name).sort(), [...GROWING_TABLES].sort())
})

test('quiz_id leads every key and unique index of growing tables and counters', async () => {
  const counters = await rowsOf<{ name: string }>(COUNTERS)
  const names = [...GROWING_TABLES, ...counters.map(({ name }) => name)]
  const indexes = await rowsOf<{ table: string; is_unique: boolean; columns: string[] }>(INDEXES, [
    names,
  ])
  const unique = indexes.filter(({ is_unique }) => is_unique)
  assert.deepEqual(
    [...new Set(unique.map(({ table }) => table))].sort(),
    [...new Set(names)].sort(),
  )
  for (const { table, columns } of unique) assert.equal(columns[0], 'quiz_id', table)
})

test('quiz_id leads all other indexes except those of the outbox, of confirmations and of certificates', async () => {
  const indexes = await rowsOf<{ name: string; columns: string[] }>(INDEXES, [[...GROWING_TABLES]])
  const others = indexes.filter(({ columns }) => columns[0] !== 'quiz_id')
  assert.deepEqual(others.map(({ name }) => name).sort(), [
    // The number on a certificate does not name its quiz.
    'certificates_by_number',
    'deliveries_due',
    'deliveries_leased',
    'delivery_attempts_at_idx',
    // Finds the confirmations of all quizzes that are due.
    'email_confirmations_waiting',
    // Find the invitations of a person, of a mailbox and of a worker in all quizzes.
    'invitations_by_email',
    'invitations_by_mailbox',
    'invitations_leased',
    // Indexes on expressions that start with quiz_id.
    'responses_by_contact',
    'responses_by_parameter',
  ])
})

test('no foreign key crosses quizzes or references a growing table', async () => {
  const keys = await rowsOf<{ from: string; to: string; columns: string[] }>(`
    select conrelid::regclass::text as from, confrelid::regclass::text as to,
      array(select attname::text from pg_attribute where attrelid = conrelid and attnum = any(conkey)) as columns
    from pg_constraint where contype = 'f'`)
  const growing: readonly string[] = GROWING_TABLES
  for (const { from, to, columns } of keys) {
    assert.ok(!growing.includes(to), `${from} points to ${to}`)
    if (growing.includes(from) || from.endsWith('_counts'))
      assert.deepEqual({ from, to, columns }, { from, to: 'all_quizzes', columns: ['quiz_id'] })
  }
})

/** Statements on growing tables, in SQL or through the query builder. */
const NAMES = GROWING_TABLES.join('|')
const STATEMENT = new RegExp(
  `\\b(from|join|into|update|using)\\s+(${NAMES})\\b|(selectFrom|insertInto|updateTable|deleteFrom|innerJoin|leftJoin)\\('(${NAMES})'`,
)
const DECLARATION = /^(?=(?:export )?(?:const|function|async function) )/m

test('every statement on growing tables filters by quiz, except those of the outbox', () => {
  const server = join(import.meta.dirname, '..')
  const sources = globSync('**/*.ts', { cwd: server }).filter(
    (file) => !file.endsWith('.test.ts') && !file.startsWith('testing/'),
  )
  const without = sources.sort().flatMap((file) =>
    readFileSync(join(server, file), 'utf8')
      .split(DECLARATION)
      .filter((part) => STATEMENT.test(part) && !part.includes('quiz_id'))
      .map((part) => `${file} ${/(?:const|function) (\w+)/.exec(part)?.[1]}`),
  )
  assert.deepEqual(without, [
    // Reads a bounded number of waiting deliveries of the whole installation.
    'admin/overview.store.ts readQueues',
    'deliveries/claim-deliveries.store.ts dueConnections',
    'deliveries/settlements.store.ts deleteOldAttempts',
    'integrations/replace-account.store.ts countWaitingDeliveries',
    // Filters by the quizzes of a creator (`isOfPerson`).
    'statistics/participants/person-invitations.store.ts deleteInvitationsOfPerson',
    // Callers of this statement filter by quiz.
    'statistics/selection/responses.store.ts selectResponses',
  ])
})
