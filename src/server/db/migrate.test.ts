import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { findTestServer, onDatabase, runOn } from '#server/testing/test-server.ts'
import { migrate, readMigrations } from './migrate.ts'

const { server, stop } = await findTestServer()

let connection: pg.ClientConfig
const names: string[] = []
const newDatabase = async (options = ''): Promise<void> => {
  const name = `migrate_${randomUUID().replaceAll('-', '')}`
  await runOn(server.connection, `create database ${name} ${options}`)
  names.push(name)
  connection = onDatabase(server.connection, name)
}
before(() => newDatabase())
after(async () => {
  for (const name of names) await runOn(server.connection, `drop database ${name} with (force)`)
  await stop()
})

const step = (name: string, sql: string, checksum = sql) => ({ name, sql, checksum })
const ONE = step('001_one.sql', 'create table one (n integer)')
const TWO = step('002_two.sql', 'alter table one add column m integer')

test('each file has a number of its own, in three digits', () => {
  const names = readMigrations().map(({ name }) => name)
  for (const name of names) assert.match(name, /^\d{3}_[a-z_]+\.sql$/)
  assert.equal(new Set(names.map((name) => name.slice(0, 3))).size, names.length)
})

test('each is applied once, in order, even when two start at once', async () => {
  const applied = await Promise.all([migrate(connection, [ONE]), migrate(connection, [ONE])])
  assert.deepEqual(applied.flat(), [ONE.name])
  assert.deepEqual(await migrate(connection, [ONE, TWO]), [TWO.name])
  assert.deepEqual(await migrate(connection, [ONE, TWO]), [])
})

test('one that fails leaves nothing of itself', async () => {
  const broken = step('003_three.sql', 'create table three (); select nothing_of_the_sort()')
  await assert.rejects(migrate(connection, [ONE, TWO, broken]), /003_three\.sql failed/)
  assert.deepEqual(
    await migrate(connection, [ONE, TWO, step('003_three.sql', 'create table three ()')]),
    ['003_three.sql'],
  )
})

test('a database that is newer, or whose files have changed, is refused', async () => {
  await assert.rejects(migrate(connection, [ONE]), /which this version does not know/)
  await assert.rejects(
    migrate(connection, [step(ONE.name, ONE.sql, 'other'), TWO]),
    /has changed since/,
  )
})

test('a quiz that exists keeps how its participants agree; a new one announces the transfer', async () => {
  await newDatabase()
  const steps = readMigrations()
  const insert = (name: string): Promise<void> =>
    runOn(
      connection,
      `insert into quizzes (id, creator_id, name, type)
        values (gen_random_uuid(), gen_random_uuid(), '${name}', 'quiz')`,
    )
  const newer = steps.findIndex(({ name }) => name === '152_consent_requested.sql')
  await migrate(connection, steps.slice(0, newer))
  await insert('Ancien')
  await migrate(connection, steps)
  await insert('Nouveau')
  const client = new pg.Client(connection)
  await client.connect()
  const { rows } = await client.query('select name, consent_mode from quizzes order by name')
  await client.end()
  assert.deepEqual(rows, [
    { name: 'Ancien', consent_mode: 'box' },
    { name: 'Nouveau', consent_mode: 'requested' },
  ])
})

test('deliveries of before keep their tries, their figures and their last count, by connection', async () => {
  await newDatabase()
  const steps = readMigrations()
  const newer = steps.findIndex(({ name }) => name === '230_webhooks.sql')
  await migrate(connection, steps.slice(0, newer))
  const [quiz, user, kit, brevo, one, two] = Array.from({ length: 6 }, () => randomUUID())
  const delivery = (uuid: string | undefined, tool: string, account = kit): string =>
    `insert into deliveries (quiz_id, participant_uuid, provider, connection_id, status, created_at)
      values ('${quiz}', '${uuid}', '${tool}', '${account}', 'delivered', now());
    insert into delivery_attempts (quiz_id, participant_uuid, provider, at, outcome, ms)
      values ('${quiz}', '${uuid}', '${tool}', now(), 'delivered', 7);`
  await runOn(
    connection,
    `insert into quizzes (id, creator_id, name, type) values ('${quiz}', '${user}', 'Q', 'quiz');
    insert into integration_connections (id, user_id, provider, sealed_secret, status) values
      ('${kit}', '${user}', 'convertkit', '\\x00', 'active'),
      ('${brevo}', '${user}', 'brevo', '\\x00', 'active');
    ${delivery(one, 'convertkit')} ${delivery(two, 'convertkit')} ${delivery(one, 'brevo', brevo)}
    insert into delivery_checks values ('${quiz}', 'brevo', now(), 5, 1);`,
  )
  await migrate(connection, steps)
  const client = new pg.Client(connection)
  await client.connect()
  const read = async (text: string): Promise<unknown[]> => (await client.query(text)).rows
  assert.deepEqual(
    await read(
      `select connection_id, provider, count::integer from delivery_counts order by count`,
    ),
    [
      { connection_id: brevo, provider: 'brevo', count: 1 },
      { connection_id: kit, provider: 'convertkit', count: 2 },
    ],
  )
  assert.deepEqual(
    await read(`select connection_id, count(*)::integer as tries, min(ms) as ms
      from delivery_attempts join deliveries using (quiz_id, participant_uuid, connection_id)
      group by 1 order by 2`),
    [
      { connection_id: brevo, tries: 1, ms: 7 },
      { connection_id: kit, tries: 2, ms: 7 },
    ],
  )
  assert.deepEqual(await read('select connection_id, nb_checked::integer from delivery_checks'), [
    { connection_id: brevo, nb_checked: 5 },
  ])
  await client.end()
})

test('addresses and texts of before come to the form in which new ones are stored, with their counts', async () => {
  await newDatabase()
  const steps = readMigrations()
  const newer = steps.findIndex(({ name }) => name === '310_canonical_emails.sql')
  await migrate(connection, steps.slice(0, newer))
  const [quiz, question] = [randomUUID(), randomUUID()]
  const client = new pg.Client(connection)
  await client.connect()
  await client.query(
    `insert into quizzes (id, creator_id, name, type) values ($1, gen_random_uuid(), 'Q', 'quiz')`,
    [quiz],
  )
  const responses: [email: string, text: string][] = [
    ['ｌｅａ＠exemple。ｆｒ', 'cafe\u0301'],
    ['\u200blea\u2060@ex\u00ademple.fr\ufeff', 'café'],
    ['Lea@Exemple.fr', 'the\u0301'],
  ]
  for (const [email, text] of responses) {
    await client.query(
      `insert into responses (quiz_id, participant_uuid, version, email, choices, texts)
        values ($1, gen_random_uuid(), 1, $2, '{}', $3)`,
      [quiz, email, [text, 'e\u0301']],
    )
    await client.query(
      `insert into text_counts values ($1, $2, sha256(convert_to($3, 'UTF8')), $3, 1)`,
      [quiz, question, text],
    )
  }
  await migrate(connection, steps)
  const read = async (text: string): Promise<unknown[]> => (await client.query(text)).rows
  const emails = await read('select email, texts from responses order by texts, email')
  const counts = await read(
    `select text, count::integer, digest = sha256(convert_to(text, 'UTF8')) as is_digest
      from text_counts order by text`,
  )
  await client.end()
  assert.deepEqual(emails, [
    { email: 'lea@exemple.fr', texts: ['café', 'é'] },
    { email: 'lea@exemple.fr', texts: ['café', 'é'] },
    { email: 'Lea@Exemple.fr', texts: ['thé', 'é'] },
  ])
  assert.deepEqual(counts, [
    { text: 'café', count: 2, is_digest: true },
    { text: 'thé', count: 1, is_digest: true },
  ])
})

test('a database in another encoding than UTF-8 keeps its addresses and texts', async () => {
  await newDatabase(`encoding 'LATIN1' template template0`)
  const steps = readMigrations()
  const newer = steps.findIndex(({ name }) => name === '310_canonical_emails.sql')
  await migrate(connection, steps.slice(0, newer))
  const client = new pg.Client(connection)
  await client.connect()
  await client.query(`
    with quiz as (
      insert into quizzes (id, creator_id, name, type)
      values (gen_random_uuid(), gen_random_uuid(), 'Q', 'quiz') returning id
    ), counted as (
      insert into parameter_counts (quiz_id, name, value, count)
      select id, 'utm_source', 'été', 1 from quiz
    )
    insert into responses (quiz_id, participant_uuid, version, email, choices, texts, parameters)
    select id, gen_random_uuid(), 1, 'léa@exemple.fr', '{}', '{thé}', '{"utm_source": "été"}' from quiz
  `)
  await migrate(connection, steps)
  const { rows } = await client.query('select email, texts, parameters from responses')
  await client.end()
  assert.deepEqual(rows, [
    { email: 'léa@exemple.fr', texts: ['thé'], parameters: { utm_source: 'été' } },
  ])
})
