import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { findTestServer, runStatement, withDatabaseName } from '#server/testing/app/test-server.ts'
import { migrate, readMigrations } from './migrate.ts'

const { server, stop } = await findTestServer()

let connection: pg.ClientConfig
const names: string[] = []
const newDatabase = async (options = ''): Promise<void> => {
  const name = `migrate_${randomUUID().replaceAll('-', '')}`
  await runStatement(server.connection, `create database ${name} ${options}`)
  names.push(name)
  connection = withDatabaseName(server.connection, name)
}
before(() => newDatabase())
after(async () => {
  for (const name of names)
    await runStatement(server.connection, `drop database ${name} with (force)`)
  await stop()
})

const step = (name: string, sql: string, checksum = sql) => ({ name, sql, checksum })
const ONE = step('001_one.sql', 'create table one (n integer)')
const TWO = step('002_two.sql', 'alter table one add column m integer')

test('each migration file has a unique three-digit number', () => {
  const names = readMigrations().map(({ name }) => name)
  for (const name of names) assert.match(name, /^\d{3}_[a-z_]+\.sql$/)
  assert.equal(new Set(names.map((name) => name.slice(0, 3))).size, names.length)
})

test('each migration is applied once, in order, even if two processes start together', async () => {
  const applied = await Promise.all([migrate(connection, [ONE]), migrate(connection, [ONE])])
  assert.deepEqual(applied.flat(), [ONE.name])
  assert.deepEqual(await migrate(connection, [ONE, TWO]), [TWO.name])
  assert.deepEqual(await migrate(connection, [ONE, TWO]), [])
})

test('a failed migration changes nothing', async () => {
  const broken = step('003_three.sql', 'create table three (); select nothing_of_the_sort()')
  await assert.rejects(migrate(connection, [ONE, TWO, broken]), /003_three\.sql failed/)
  assert.deepEqual(
    await migrate(connection, [ONE, TWO, step('003_three.sql', 'create table three ()')]),
    ['003_three.sql'],
  )
})

test('a newer database or changed migration files are refused', async () => {
  await assert.rejects(migrate(connection, [ONE]), /which this version does not know/)
  await assert.rejects(
    migrate(connection, [step(ONE.name, ONE.sql, 'other'), TWO]),
    /has changed since/,
  )
})

test('the schema can be applied to a database in another encoding than UTF-8', async () => {
  await newDatabase(`encoding 'LATIN1' template template0`)
  const names = readMigrations().map(({ name }) => name)
  assert.deepEqual(await migrate(connection), names)
})

test('scales of an older schema keep their net promoter score', async () => {
  await newDatabase()
  const steps = readMigrations()
  const before = steps.findIndex(({ name }) => name === '002_recommendation.sql')
  await migrate(connection, steps.slice(0, before))
  const [quiz_id, question_id] = [randomUUID(), randomUUID()]
  const client = new pg.Client(connection)
  await client.connect()
  try {
    await client.query(
      `insert into quizzes (id, creator_id, name, type) values ($1, $2, 'Avant', 'sondage')`,
      [quiz_id, randomUUID()],
    )
    await client.query(
      `insert into questions (id, quiz_id, text, type, position, global_position, page_number)
       values ($1, $2, 'Nous recommanderiez-vous ?', 'scale', 0, 0, 1)`,
      [question_id, quiz_id],
    )
    await migrate(connection, steps)
    const { rows } = await client.query('select id, text, shows_recommendation from questions')
    assert.deepEqual(rows, [
      { id: question_id, text: 'Nous recommanderiez-vous ?', shows_recommendation: true },
    ])
  } finally {
    await client.end()
  }
})
