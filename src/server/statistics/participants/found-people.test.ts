import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { hasContact } from '#server/statistics/selection/indexed-filters.store.ts'
import { recountQuarters } from '#server/testing/app/recount-quarters.ts'
import { runUnlimited } from '#server/testing/app/run-unlimited.ts'
import { createTestApp } from '#server/testing/app/test-app.ts'
import { refuses } from '#server/testing/network/bodies/refusals.ts'
import {
  askForContact,
  type ContactQuiz,
  contactReplies,
} from '#server/testing/quizzes/contact-questions.ts'
import { publishedScoreQuiz } from '#server/testing/quizzes/sample-quizzes.ts'
import { describeInAll } from '#server/testing/test-in-all.ts'

const app = await createTestApp()
after(() => app.close())
const { client } = await app.signUp()

/** Contact data of participants, by the address that names them in the tests. */
const PEOPLE: Record<string, { first_name?: string; last_name?: string; phone?: string }> = {
  'a@x.fr': { first_name: 'Éloïse', last_name: 'De La Tour-Dupin', phone: '06 12 34 56 78' },
  'b@x.fr': { first_name: 'ELOI', last_name: "O'Brien", phone: '+33 (0)6 98 76 54 32' },
  'c@x.fr': { first_name: 'Anne-Sophie', last_name: 'Œuvrard' },
  'd@x.fr': { first_name: 'مريم 🎈', phone: '+32 470 12 34 56' },
  'e@x.fr': { last_name: '100 % _\\' },
  'f@x.fr': {},
}
let quiz: ContactQuiz
const submitTo = async (to: ContactQuiz) => {
  for (const [email, contact] of Object.entries(PEOPLE))
    await app.client.publicQuiz.submit({
      id: to.id,
      body: { answers: contactReplies(to, { email, ...contact }) },
    })
}
before(async () => {
  quiz = await askForContact(client, await publishedScoreQuiz(client))
  await submitTo(quiz)
})

type Found = { details: { email: string | null }[] }
const namesOf = ({ details }: Found): string =>
  details
    .map(({ email }) => (email ?? '').charAt(0))
    .sort()
    .join('')
const readSearch = (search: string, id = quiz.id) => client.statistics.responses({ id, search })
const readFilter = (email: string, id = quiz.id) => client.statistics.responses({ id, email })

/** Texts with the participants that the filter finds. The search finds the same ones, and the words of replies. */
const TEXTS: [text: string, found: string][] = [
  ['elo', 'ab'],
  ['ÉLOÏ', 'ab'],
  ['éloise', 'a'],
  ['Eloïse tour', 'a'],
  ['dup ELOI', 'a'],
  ['la tour dupin', 'a'],
  ['o’bri', 'b'],
  ["o'b", 'b'],
  ['sophie', 'c'],
  ['anne-sop', 'c'],
  ['oeuv', 'c'],
  ['ŒUV', 'c'],
  ['مري', 'd'],
  ['🎈', 'd'],
  ['100', 'e'],
  ['0612', 'a'],
  ['06 12 34 56 78', 'a'],
  ['06.12.34', 'a'],
  ['+33 6 12', 'a'],
  ['0033612', 'a'],
  ['33612345678', 'a'],
  ['06987', 'b'],
  ['+32 470', 'd'],
  ['@x.fr', 'abcdef'],
  ['b@', 'b'],
]

describe('a text that names a person', () => {
  for (const [text, found] of TEXTS)
    test(`« ${text} » finds ${found} in the filter and in the search`, async () => {
      assert.equal(namesOf(await readFilter(text)), found)
      assert.equal(namesOf(await readSearch(text)), found)
    })

  test('a text that begins no word, or no number, finds nobody', async () => {
    for (const text of ['loise', 'brien anne', '34 56 78', '%', '_', '---', "'"])
      assert.equal(namesOf(await readFilter(text)), '', text)
  })

  test('a filter by name counts the participants that it lists', async () => {
    const { figures } = await client.statistics.responses({
      id: quiz.id,
      email: 'elo',
      figures: '1',
    })
    assert.equal(figures?.nb_participants, 2)
  })

  test('the list and the detail of a participant have the contact data', async () => {
    const { details } = await readFilter('éloïse')
    const [{ participant_uuid, first_name, last_name, phone } = assert.fail()] = details
    assert.deepEqual({ first_name, last_name, phone }, PEOPLE['a@x.fr'])
    const { participant } = await client.participants.explain({
      id: quiz.id,
      participantId: participant_uuid,
    })
    assert.equal(participant.first_name, 'Éloïse')
    const { details: others } = await readFilter('f@x.fr')
    const [{ first_name: none } = assert.fail()] = others
    assert.equal(none, null)
  })
})

describeInAll('people among many participants', () => {
  const MANY = 60_000
  let large: ContactQuiz
  /** Size of the index before and after the storage of participants without contact data. */
  const sizes: number[] = []
  const readSize = async (): Promise<void> => {
    const { rows } = await app.pool.query<{ bytes: number }>(
      `select sum(pg_relation_size(relid))::integer as bytes from pg_partition_tree('responses_by_contact')`,
    )
    sizes.push(rows[0]?.bytes ?? 0)
  }
  const fill = (name: string | null, count: number) =>
    runUnlimited(
      app.pool,
      `insert into responses (quiz_id, participant_uuid, version, result_position, choices, texts, first_name, contact_words, created_at)
      select $1::uuid, gen_random_uuid(), 2, 1, '{0}', '{}', $2 || rank,
        array_to_tsvector(array[right($1::uuid::text, 8) || lower(coalesce($2, '')) || rank]), now() - interval '1 hour' - rank * interval '1 second'
      from generate_series(1, $3::integer) as rank`,
      [large.id, name, count],
    )
  before(async () => {
    large = await askForContact(client, await publishedScoreQuiz(client))
    await submitTo(large)
    await readSize()
    await fill(null, MANY / 2)
    await readSize()
    await fill('Camille', MANY / 2)
    await app.pool.query(
      'update quiz_versions set nb_responses = $2 where quiz_id = $1 and version = 2',
      [large.id, MANY + Object.keys(PEOPLE).length],
    )
    await recountQuarters(app.pool, large.id)
    await app.pool.query('analyze responses')
  })

  test('participants without contact data take no place in the index', () => {
    assert.equal(sizes[0], sizes[1])
  })

  test('the index on contact data finds people among many participants', async () => {
    for (const text of ['elo', 'eloise tour', '0612', 'camille29999']) {
      const { rows } = await sql<Record<string, string>>`
        explain select participant_uuid from responses
        where quiz_id = ${large.id} and ${hasContact(large.id, text)} limit 2001`.execute(app.db)
      const plan = rows.map((row) => Object.values(row)[0]).join('\n')
      assert.match(plan, /Bitmap Index Scan on \S*contact/, plan)
    }
  })

  test('the search of many participants finds people, and is refused for words of nobody', async () => {
    for (const [text, found] of TEXTS)
      assert.equal(namesOf(await readSearch(text, large.id)), found, text)
    assert.equal((await readSearch('camille2999', large.id)).details.length, 11)
    await refuses(readSearch('personne', large.id), 422, 'invalid')
  })

  test('a name of many participants is found from the newest on', async () => {
    const { details, next_cursor } = await readSearch('CAMILLE', large.id)
    assert.deepEqual(
      details.map(({ first_name }) => first_name),
      Array.from({ length: 100 }, (_, rank) => `Camille${rank + 1}`),
    )
    assert.ok(next_cursor)
  })
})
