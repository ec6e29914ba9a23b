import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { findDifferences } from '#server/statistics/counters/verify-counters.store.ts'
import { createTestApp } from '#server/testing/app/test-app.ts'
import { requireUnpartitionedServer } from '#server/testing/app/test-server.ts'
import { createPerson, type Person } from '#server/testing/ownership/person.ts'
import {
  type DimensionQuiz,
  publishDimensionQuiz,
  takeDimensionQuiz,
} from '#server/testing/quizzes/dimension-quiz.ts'
import { publishedScoreQuiz, type SampleQuiz } from '#server/testing/quizzes/sample-quizzes.ts'
import { GROWING_TABLES, partitionTable } from './partition.ts'

const PARTITIONS = 3

requireUnpartitionedServer()
const app = await createTestApp()
const client = new pg.Client(app.connection)
await client.connect()
after(async () => {
  await client.end()
  await app.close()
})

const submit = (quiz: SampleQuiz, participant_uuid: string = randomUUID()) =>
  app.client.publicQuiz.submit({
    id: quiz.id,
    body: {
      answers: {
        [quiz.question_id]: quiz.answer_ids[0] ?? '',
        [quiz.open_id]: `${participant_uuid}@exemple.fr`,
      },
      email: `${participant_uuid}@exemple.fr`,
      participant_uuid,
    },
  })

/** Returns the columns, indexes, keys, triggers and privileges of growing tables as SQL. */
const shapeOf = async (): Promise<unknown> => {
  const { rows } = await client.query(
    `with wanted as (select unnest($1::text[])::regclass as oid)
    select attrelid::regclass::text as table, attname as name,
      concat_ws(' ', format_type(atttypid, atttypmod), attnotnull, attstorage, pg_get_expr(adbin, adrelid)) as definition
    from pg_attribute join wanted on attrelid = wanted.oid
    left join pg_attrdef on adrelid = attrelid and adnum = attnum where attnum > 0 and not attisdropped
    union all
    select indrelid::regclass::text, relname, replace(pg_get_indexdef(indexrelid), ' ON ONLY ', ' ON ')
    from pg_index join wanted on indrelid = wanted.oid join pg_class on pg_class.oid = indexrelid
    union all
    select conrelid::regclass::text, conname, pg_get_constraintdef(pg_constraint.oid)
    from pg_constraint join wanted on conrelid = wanted.oid
    union all
    select tgrelid::regclass::text, tgname, pg_get_triggerdef(pg_trigger.oid)
    from pg_trigger join wanted on tgrelid = wanted.oid where not tgisinternal
    union all
    select pg_class.oid::regclass::text, 'rights', (
      select string_agg(privilege_type || grantee::regrole, ' ' order by privilege_type, grantee)
      from aclexplode(relacl) where grantee <> relowner and grantee <> 0
    ) from pg_class join wanted using (oid)
    order by 1, 2, 3`,
    [GROWING_TABLES],
  )
  return rows
}

/** Returns all rows of growing tables. */
const rowsOf = async (): Promise<unknown[][]> => {
  const all: unknown[][] = []
  for (const table of GROWING_TABLES)
    all.push((await client.query(`select * from ${table} order by ${table}::text`)).rows)
  return all
}

let person: Person
let quiz: SampleQuiz
let wheel: DimensionQuiz
const takeWheel = (way: 'past' | 'out'): Promise<string> =>
  takeDimensionQuiz(app.client, wheel, { version: 1, way, several: [], scale: 3 })
/** Returns the number of stored percents of the quiz with dimensions. */
const countPercents = async (): Promise<number> => {
  const { rows } = await client.query<{ count: number }>(
    'select coalesce(sum(count), 0)::integer as count from dimension_counts where quiz_id = $1',
    [wheel.id],
  )
  return rows[0]?.count ?? Number.NaN
}
before(async () => {
  person = await createPerson(app)
  quiz = await publishedScoreQuiz(person.client)
  for (let rank = 0; rank < 5; rank++) await submit(quiz)
  wheel = await publishDimensionQuiz(person.client)
  await takeWheel('past')
})

test('partitioned tables keep their rows, columns, indexes, triggers and privileges', async () => {
  await client.query('grant select on responses to pg_monitor')
  const [shape, rows] = [await shapeOf(), await rowsOf()]
  for (const [rank, table] of GROWING_TABLES.entries())
    assert.equal(await partitionTable(client, table, PARTITIONS), rows[rank]?.length)
  assert.deepEqual(await shapeOf(), shape)
  assert.deepEqual(await rowsOf(), rows)
  const { rows: parts } = await client.query(
    `select inhparent::regclass::text as table, count(*)::integer as parts from pg_inherits
    join pg_class on pg_class.oid = inhrelid where relkind = 'r' group by 1 order by 1`,
  )
  const each = [...GROWING_TABLES].sort().map((table) => ({ table, parts: PARTITIONS }))
  assert.deepEqual(parts, each)
})

test('repeating the partitioning changes nothing', async () => {
  for (const table of GROWING_TABLES)
    assert.equal(await partitionTable(client, table, PARTITIONS), null)
})

test('visitors and creators notice no difference after the partitioning', async () => {
  const participant_uuid = randomUUID()
  await submit(quiz, participant_uuid)
  await submit(quiz, participant_uuid)
  const { figures, details } = await person.client.statistics.responses({
    id: quiz.id,
    figures: '1',
    email: `${participant_uuid}@`,
  })
  assert.equal(figures?.nb_participants, 1)
  assert.equal(figures?.nb_all_participants, 6)
  assert.deepEqual(
    details.map((detail) => detail.participant_uuid),
    [participant_uuid],
  )
  await person.client.participants.remove({ id: quiz.id, participantId: participant_uuid })
  assert.equal((await person.client.quizzes.get({ id: quiz.id })).quiz.nb_responses, 5)
  assert.deepEqual(await findDifferences(app.pool), [])
})

test('the percents of dimensions are counted and subtracted in partitioned tables', async () => {
  const last = await takeWheel('out')
  assert.equal(await countPercents(), 3)
  assert.deepEqual(await findDifferences(app.pool), [])
  const { id } = wheel
  const strong = await person.client.statistics.responses({ id, figures: '1', tier: wheel.strong })
  assert.deepEqual(
    strong.figures?.dimensions.map(({ name, mean }) => [name, mean]),
    [
      ['Santé', 75],
      ['Argent', 50],
    ],
  )
  await person.client.participants.remove({ id, participantId: last })
  assert.equal(await countPercents(), 2)
  assert.deepEqual(await findDifferences(app.pool), [])
})

test('deleting a quiz deletes its participants, their deliveries and percents in partitioned tables', async () => {
  for (const { id } of [person.quiz, wheel]) {
    await person.client.quizzes.remove({ id, permanently: '1' })
    for (const table of [...GROWING_TABLES, 'dimension_counts']) {
      const { rows } = await client.query(`select from ${table} where quiz_id = $1`, [id])
      assert.equal(rows.length, 0, table)
    }
  }
  assert.equal((await client.query('select from responses')).rows.length, 5)
  assert.deepEqual(await findDifferences(app.pool), [])
})
