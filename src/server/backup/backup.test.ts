import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import type pg from 'pg'
import { migrate, readMigrations } from '#server/db/migrate.ts'
import { findDifferences } from '#server/statistics/counters/verify-counters.store.ts'
import {
  concatenate,
  createBackup,
  describeSchema,
  LATER_MIGRATION,
  readAllRows,
  splitIntoPieces,
} from '#server/testing/app/backups.ts'
import { createEmptyDatabases } from '#server/testing/app/empty-databases.ts'
import { createTestApp } from '#server/testing/app/test-app.ts'
import { publishDimensionQuiz, takeDimensionQuiz } from '#server/testing/quizzes/dimension-quiz.ts'
import { uploadPicture } from '#server/testing/quizzes/pictures.ts'
import { publishedScoreQuiz, type SampleQuiz } from '#server/testing/quizzes/sample-quizzes.ts'
import { testInAll } from '#server/testing/test-in-all.ts'
import { readBackup } from './read-backup.ts'
import { restoreInto } from './restore.ts'
import { writeBackup } from './write-backup.ts'

const databases = await createEmptyDatabases()
const app = await createTestApp()
after(async () => {
  await app.close()
  await databases.cleanUp()
})
const { host, user, password, database, connectionString } = app.pool.options
const place: pg.ClientConfig = connectionString
  ? { connectionString }
  : { host, user, password, database }

/** Texts that COPY, JSON or a careless program could misread. */
const TEXTS = [
  '\\.',
  '\\N',
  'a\tb\\tc',
  'un\ndeux\r\ntrois',
  '🎈 é\u0301 日本',
  '"{},\'',
  'x'.repeat(500),
]
const creator = await app.signUp()
const { client } = creator
let quiz: SampleQuiz
let longer_id = ''
const submit = (email: string, text = 'Oui', participant_uuid = randomUUID()) =>
  app.client.publicQuiz.submit({
    id: quiz.id,
    body: {
      answers: {
        [quiz.question_id]: quiz.answer_ids[1] ?? '',
        [quiz.open_id]: email,
        [longer_id]: text,
      },
      participant_uuid,
    },
  })
/** Inserts an anonymous campaign with a waiting reply and an invited person who has begun. */
const insertCampaign = () =>
  app.pool.query(
    `with campaign as (
      insert into campaigns (
        quiz_id, id, name, is_anonymous, invitation_subject, invitation_text, reminder_subject, reminder_text,
        reminder_days, starts_at, ends_at, sealed_replies
      ) values ($1, gen_random_uuid(), $2, true, 'a', 'b', 'c', 'd', '{1,3}', now(), now() + interval '9 days', '\\x0001')
      returning quiz_id, id
    )
    insert into invitations (quiz_id, id, campaign_id, email, mailbox_hash, token_hash, started_at, sent_at)
    select quiz_id, gen_random_uuid(), id, 'ada@exemple.fr', '\\x01', '\\x02', now(), array[now(), null] from campaign`,
    [quiz.id, TEXTS.join('').slice(0, 100)],
  )
before(async () => {
  quiz = await publishedScoreQuiz(client, 'Été \\. \t 🎈')
  const { id: welcome_image_id } = await uploadPicture(app, creator)
  await client.quizzes.update({ id: quiz.id, body: { welcome_image_id, welcome_image_alt: '' } })
  const options = {
    help: TEXTS.slice(0, -1).join(''),
    is_required: false,
    max_choices: null,
    has_other: true,
  }
  await client.questions.update({ id: quiz.question_id, body: options })
  const { question } = await client.questions.create({
    id: quiz.id,
    body: { type: 'textarea', text: TEXTS.join(''), global_position: 9, page_number: 2 },
  })
  longer_id = question.id
  await client.quizzes.publish({ id: quiz.id })
  for (const [rank, text] of TEXTS.entries()) await submit(`ada${rank}@exemple.fr`, text)
  await insertCampaign()
  const wheel = await publishDimensionQuiz(client)
  const run = { version: 1, several: [], scale: 3 }
  for (const way of ['past', 'out', 'out'] as const)
    await takeDimensionQuiz(app.client, wheel, { ...run, way })
})

const restore = async (bytes: Buffer, target: pg.Client, migrations = readMigrations()) =>
  restoreInto(target, await readBackup(splitIntoPieces(bytes)), migrations)

describe('a restored backup', () => {
  test('a restored backup has every row, key, trigger and counter, and servers accept it', async () => {
    const source = await databases.openSession(place)
    const { client: target, connection } = await databases.newDatabase()
    const restored = await restore(await createBackup(source), target)
    const rows = await readAllRows(source)
    assert.deepEqual(await readAllRows(target), rows)
    assert.deepEqual(await describeSchema(target), await describeSchema(source))
    assert.equal(restored.rows, Object.values(rows).flat().length)
    assert.equal(restored.tables, Object.keys(rows).length)
    assert.ok(restored.rows > TEXTS.length && restored.foreign_keys > 20)
    assert.deepEqual(restored.differences, [])
    assert.deepEqual(restored.migrated, [])
    // A percent of the one dimension in all runs, and of the other in the run that is shown both.
    const percents = await target.query(
      'select rank, percent, count::integer from dimension_counts order by 1, 2',
    )
    assert.deepEqual(percents.rows, [
      { rank: 1, percent: 50, count: 1 },
      { rank: 1, percent: 100, count: 2 },
      { rank: 2, percent: 50, count: 1 },
    ])
    await target.end()
    assert.deepEqual(await migrate(connection), [])
  })

  testInAll('a backup includes tables with any column types', async () => {
    const odd = {
      name: '999_odd.sql',
      checksum: 'odd',
      sql: `
        create table odd_values (
          id bigserial primary key, parent_id bigint references odd_values, "a ""name" text,
          bytes bytea, json jsonb, number numeric, real double precision, span interval, days date[],
          at timestamptz, doubled numeric generated always as (number * 2) stored
        );
        create table odd_parts (quiz_id uuid, n integer, primary key (quiz_id, n)) partition by hash (quiz_id);
        create table odd_part_0 partition of odd_parts for values with (modulus 2, remainder 0);
        create table odd_part_1 partition of odd_parts for values with (modulus 2, remainder 1);
        create table odd_empty ();
        create function refuse_rows() returns trigger language plpgsql as $$ begin raise 'no'; end $$;
        create trigger odd_rows after insert on odd_values for each row
          when (new.parent_id is not null) execute function refuse_rows();`,
    }
    const migrations = [...readMigrations(), odd]
    const { client: source, connection } = await databases.newDatabase()
    await migrate(connection, migrations)
    await source.query(
      `insert into odd_values (parent_id, "a ""name", bytes, json, number, real, span, days, at)
      select null, repeat(n::text, 9), decode(repeat(lpad(to_hex(n % 256), 2, '0'), n), 'hex'),
        jsonb_build_object('n', n, 'é', array[null, '\\.']), n / 7.0, n / 7.0::float8,
        make_interval(days => n, secs => n / 3.0), array[null, '2026-03-29'::date], now()
      from generate_series(1, 700) n`,
    )
    await source.query('update odd_values set parent_id = 701 - id')
    await source.query(
      'insert into odd_parts select gen_random_uuid(), n from generate_series(1, 99) n',
    )
    await source.query(
      "insert into odd_values (bytes) values (decode(repeat('ab', 300000), 'hex'))",
    )
    const { client: target } = await databases.newDatabase()
    await restore(await createBackup(source, migrations), target, migrations)
    assert.deepEqual(await readAllRows(target, migrations), await readAllRows(source, migrations))
    assert.deepEqual(await describeSchema(target), await describeSchema(source))
    const { rows } = await target.query('insert into odd_values default values returning id')
    assert.deepEqual(rows, [{ id: '702' }])
    await assert.rejects(
      target.query('insert into odd_values (parent_id) values (1)'),
      /^error: no$/,
    )
  })

  testInAll(
    'a backup is a consistent snapshot of a database under writes, with all acknowledged writes',
    async () => {
      const source = await databases.openSession(place)
      const known = randomUUID()
      await submit('avant@exemple.fr', 'Oui', known)
      let isOver = false
      const visitors = Array.from({ length: 8 }, async (_, rank) => {
        let sent = 0
        while (!isOver) await submit(`pendant${rank}.${sent++}@exemple.fr`)
        return sent
      })
      const backup: Buffer[] = []
      const countAtHeader = await countResponses()
      let countInside = countAtHeader
      for await (const bytes of writeBackup(source, { secret_key_id: null })) {
        backup.push(bytes)
        // A visitor submits between two tables.
        if (bytes.includes('"columns"')) {
          await submit(`table${backup.length}@exemple.fr`)
          countInside = await countResponses()
        }
      }
      isOver = true
      await Promise.all(visitors)
      assert.ok(countInside > countAtHeader + 10, 'visitors submitted while the backup was written')

      const { client: target } = await databases.newDatabase()
      const restored = await restore(Buffer.concat(backup), target)
      assert.deepEqual(restored.differences, [])
      assert.deepEqual(await findDifferences(target), [])
      const { rows } = await target.query<{ stored: number; counted: number }>(
        `select (select sum(nb_responses)::integer from quiz_versions) as stored,
        (select count(*)::integer from responses) as counted`,
      )
      assert.equal(rows[0]?.stored, rows[0]?.counted)
      assert.ok((rows[0]?.counted ?? 0) >= countAtHeader)
      const found = await target.query('select from responses where participant_uuid = $1', [known])
      assert.equal(found.rowCount, 1)
    },
  )

  testInAll('a restored backup of an earlier schema gets the newer migrations', async () => {
    const source = await databases.openSession(place)
    const { client: target } = await databases.newDatabase()
    const newer = [...readMigrations(), LATER_MIGRATION]
    const restored = await restore(await createBackup(source), target, newer)
    assert.deepEqual(restored.migrated, [LATER_MIGRATION.name])
    assert.deepEqual(restored.differences, [])
    const { all_quizzes: quizzes = [], ...rows } = await readAllRows(target)
    const { all_quizzes: earlier = [], ...others } = await readAllRows(source)
    assert.deepEqual(rows, others)
    assert.deepEqual(
      quizzes.map((row) => JSON.parse(row) as unknown),
      earlier.map((row) => ({ ...(JSON.parse(row) as object), later: 7 })),
    )
    const { client: clean, connection } = await databases.newDatabase()
    await migrate(connection, newer)
    assert.deepEqual(await describeSchema(target), await describeSchema(clean))
  })

  test('a backup from before the trash is restored, with a view that has the columns of later migrations', async () => {
    const before = readMigrations().filter(({ name }) => name < '015')
    const { client: source, connection } = await databases.newDatabase()
    await migrate(connection, before)
    await source.query(
      "insert into quizzes (id, creator_id, name, type) values (gen_random_uuid(), gen_random_uuid(), 'Ancien', 'quiz')",
    )
    const { client: target } = await databases.newDatabase()
    const newer = [...readMigrations(), LATER_MIGRATION]
    await restore(await createBackup(source, before), target, newer)
    const { rows } = await target.query('select name, later, trashed_at from quizzes')
    assert.deepEqual(rows, [{ name: 'Ancien', later: 7, trashed_at: null }])
    await target.query('update all_quizzes set trashed_at = now()')
    assert.equal((await target.query('select from quizzes')).rowCount, 0)
  })

  testInAll('a backup names the foreign tables that it omits', async () => {
    const { client: source, connection } = await databases.newDatabase()
    await migrate(connection)
    await source.query('create table somebody_elses (n integer)')
    let others: string[] = []
    const bytes = await concatenate(
      writeBackup(source, {
        secret_key_id: null,
        onEnd: (totals) => {
          others = totals.others
        },
      }),
    )
    assert.deepEqual(others, ['somebody_elses'])
    assert.ok(!bytes.includes('somebody_elses'))
  })
})

const countResponses = async (): Promise<number> => {
  const { rows } = await app.pool.query<{ count: number }>('select count(*) from responses')
  return rows[0]?.count ?? 0
}
