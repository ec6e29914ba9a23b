import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { localDay } from '#domain/common/time-zone.ts'
import { pickByRun } from '#domain/testing/pick-by-run.ts'
import { recountQuarters } from '#server/testing/app/recount-quarters.ts'
import { createTestApp, type SignedUp } from '#server/testing/app/test-app.ts'
import { refuses } from '#server/testing/network/bodies/refusals.ts'
import { publishedScoreQuiz, type SampleQuiz } from '#server/testing/quizzes/sample-quizzes.ts'
import { findDifferences } from './counters/verify-counters.store.ts'
import { announceRemovals } from './participants/retention.store.ts'

// Runs in test:all, because it compares days of many time zones.

const app = await createTestApp()
after(() => app.close())

/** Times around midnight in Nouméa (13:00 UTC), Kolkata (18:30 UTC), Kathmandu (18:15 UTC) and Paris (23:00 UTC). */
const MOMENTS = [
  '2026-03-09T12:59:59Z',
  '2026-03-09T13:00:00Z',
  '2026-03-09T18:14:59Z',
  '2026-03-09T18:15:00Z',
  '2026-03-09T18:30:00Z',
  '2026-03-09T22:59:59Z',
  '2026-03-09T23:00:00Z',
  '2026-03-10T13:00:00Z',
]
const ZONES = [
  'Europe/Paris',
  'Pacific/Noumea',
  'Asia/Kolkata',
  'Asia/Kathmandu',
  'America/Martinique',
  'Indian/Reunion',
  'Australia/Adelaide',
]

const quizWithParticipants = async ({ client }: SignedUp): Promise<SampleQuiz> => {
  const quiz = await publishedScoreQuiz(client)
  for (const [rank, at] of MOMENTS.entries()) {
    const email = `p${rank}@exemple.fr`
    const answers = { [quiz.question_id]: quiz.answer_ids[0] ?? '', [quiz.open_id]: email }
    const { participant_uuid } = await app.client.publicQuiz.submit({
      id: quiz.id,
      body: { answers, email },
    })
    await app.pool.query('update responses set created_at = $2 where participant_uuid = $1', [
      participant_uuid,
      at,
    ])
  }
  await recountQuarters(app.pool, quiz.id)
  return quiz
}
const countsOf = (days: readonly { day: string; count: number }[]) =>
  new Map(days.filter(({ count }) => count > 0).map(({ day, count }) => [day, count]))
const choose = ({ client }: SignedUp, time_zone: string) =>
  client.preferences.set({ body: { time_zone } })

test('the table, filters, charts, key figures, shared figures and exports have the same days in any time zone', async () => {
  const creator = await app.signUp()
  const { client } = creator
  const quiz = await quizWithParticipants(creator)
  const { id } = quiz
  const { token } = (await client.statisticsLinks.create({ id })).link
  const line = async () => {
    const { url } = await client.exports.link({ id, body: { format: 'csv' } })
    return (await app.raw({ url })).body.split('\r\n')
  }
  for (const time_zone of pickByRun({ daily: ZONES.slice(0, 2), all: ZONES })) {
    await choose(creator, time_zone)
    const expected = new Map<string, number>()
    for (const at of MOMENTS) {
      const day = localDay(new Date(at), time_zone)
      expected.set(day, (expected.get(day) ?? 0) + 1)
    }
    const { figures, details } = await client.statistics.responses({ id, figures: '1' })
    const all = await client.statistics.keyFigures({ id })
    const shared = await app.client.sharedStatistics.get({ token })
    assert.equal(all.time_zone, time_zone)
    assert.equal(shared.time_zone, time_zone)
    for (const days of [figures?.days, all.now.days, shared.shared?.figures.days])
      assert.deepEqual(countsOf(days ?? []), expected, time_zone)
    const filtered = await client.statistics.responses({
      id,
      figures: '1',
      answer: quiz.answer_ids[0] ?? '',
    })
    assert.deepEqual(countsOf(filtered.figures?.days ?? []), expected, time_zone)
    const exported = Map.groupBy((await line()).slice(1, -1), (text) => text.slice(0, 10))
    const found = new Map([...exported].map(([day, lines]) => [day, lines.length]))
    assert.deepEqual(new Map([...found].sort()), new Map([...expected].sort()), time_zone)
    for (const [day, count] of expected) {
      const days = { from: day, to: day }
      const selected = await client.statistics.responses({ id, figures: '1', ...days })
      const { now } = await client.statistics.keyFigures({ id, ...days })
      assert.equal(selected.figures?.nb_participants, count)
      assert.equal(now.nb_participants, count)
      assert.deepEqual(now.days, [{ day, count }])
      const own = details.filter(
        (detail) => localDay(new Date(detail.created_at), time_zone) === day,
      )
      assert.deepEqual(
        selected.details.map(({ participant_uuid }) => participant_uuid),
        own.map(({ participant_uuid }) => participant_uuid),
      )
    }
    assert.deepEqual(await findDifferences(app.pool, id), [])
  }
})

test('dates of exports are local and name the time zone unless it is Paris', async () => {
  const creator = await app.signUp()
  const { client } = creator
  const { id } = await quizWithParticipants(creator)
  const body = async (format: 'csv' | 'csv_excel' | 'json') => {
    const { url, file_name } = await client.exports.link({ id, body: { format, to: '2026-03-10' } })
    return { text: (await app.raw({ url })).body, file_name }
  }
  assert.match((await body('csv')).text, /^Date,Email/)
  await choose(creator, 'Asia/Kolkata')
  const { text, file_name } = await body('csv')
  assert.match(text, /^Date \(heure de Calcutta\),Email/)
  assert.match(text, /\r\n2026-03-10 00:00:00,p4@exemple.fr,/)
  assert.match(text, /\r\n2026-03-09 23:44:59,p2@exemple.fr,/)
  assert.ok(file_name.includes(localDay(new Date(), 'Asia/Kolkata')))
  assert.match((await body('csv_excel')).text, /\r\n10\/03\/2026 00:00:00;p4@exemple.fr;/)
  const json = JSON.parse((await body('json')).text) as {
    time_zone: string
    participants: { date: string }[]
  }
  assert.equal(json.time_zone, 'Asia/Kolkata')
  assert.ok(json.participants.some(({ date }) => date === '2026-03-10T00:00:00+05:30'))
})

test('visits belong to days of the chosen time zone, also after a change', async () => {
  const creator = await app.signUp()
  const { client } = creator
  const { id } = await publishedScoreQuiz(client)
  await app.pool.query(
    `insert into visit_counts (quiz_id, version, quarter, step, count)
    values ($1, 1, '2026-03-09T12:45Z', 1, 3), ($1, 1, '2026-03-09T13:00Z', 1, 4)`,
    [id],
  )
  const openedOn = async (day: string) =>
    (await client.statistics.keyFigures({ id, from: day, to: day })).now.nb_opened
  assert.deepEqual([await openedOn('2026-03-09'), await openedOn('2026-03-10')], [7, 0])
  await choose(creator, 'Pacific/Noumea')
  assert.deepEqual([await openedOn('2026-03-09'), await openedOn('2026-03-10')], [3, 4])
  await choose(creator, 'Europe/Paris')
  assert.deepEqual([await openedOn('2026-03-09'), await openedOn('2026-03-10')], [7, 0])
})

test('removing a participant around midnight leaves no day with negative visits', async () => {
  const creator = await app.signUp()
  const { client } = creator
  const quiz = await publishedScoreQuiz(client)
  const { id } = quiz
  const { participant_uuid } = await app.client.publicQuiz.submit({
    id,
    body: {
      answers: {
        [quiz.question_id]: quiz.answer_ids[0] ?? '',
        [quiz.open_id]: 'tard@exemple.fr',
      },
    },
  })
  await app.pool.query(
    `update responses set created_at = '2026-03-09T23:05Z' where participant_uuid = $1`,
    [participant_uuid],
  )
  await recountQuarters(app.pool, id)
  await app.pool.query(
    `insert into visit_counts (quiz_id, version, quarter, step, count)
    values ($1, 1, '2026-03-09T22:45Z', 1, 1)`,
    [id],
  )
  await client.participants.remove({ id, participantId: participant_uuid })
  const openedOn = async (from: string, to: string) =>
    (await client.statistics.keyFigures({ id, from, to })).now.nb_opened
  assert.equal(await openedOn('2026-03-09', '2026-03-10'), 0)
  assert.equal(await openedOn('2026-03-10', '2026-03-10'), 0)
})

test('retention ends at midnight in the creator’s time zone, with the exact number of participants', async () => {
  const creator = await app.signUp()
  await choose(creator, 'Asia/Kathmandu')
  const { id } = await quizWithParticipants(creator)
  await app.pool.query('insert into retention (quiz_id, months) values ($1, 6)', [id])
  await announceRemovals(app.db, id)
  const { announced } = await creator.client.retention.get({ id })
  assert.ok(announced)
  assert.match(announced.before, /T18:15:00/)
  assert.match(announced.due_at, /T21:15:00/)
  assert.equal(announced.nb_participants, MOMENTS.length)
})

test('a closing date in a text is in the account’s time zone or in the named time zone', async () => {
  const creator = await app.signUp()
  const { client } = creator
  await choose(creator, 'Pacific/Noumea')
  const importText = async (line: string) => {
    const text = `# Mon quiz\nType : sondage\nClôture : ${line}\n`
    return (await client.quizzes.importText({ body: { text } })).quiz
  }
  const quiz = await importText('31/12/2026 18:00')
  assert.equal(quiz.closes_at, '2026-12-31T07:00:00.000Z')
  const written = await client.quizzes.text({ id: quiz.id })
  assert.match(String(written), /Clôture : 31\/12\/2026 18:00 Pacific\/Noumea/)
  const named = await importText('31/12/2026 18:00 Indian/Reunion')
  assert.equal(named.closes_at, '2026-12-31T14:00:00.000Z')
})

test('an unknown time zone is refused in French', async () => {
  const { client } = await app.signUp()
  const before = await client.preferences.get()
  assert.deepEqual(before.preferences, {
    time_zone: 'Europe/Paris',
    time_zone_name: 'heure de Paris',
    country: 'FR',
  })
  for (const time_zone of ['Europe/Nulle_Part', '+05:30', '', 'paris', 'Pacific/Noumea; drop'])
    await refuses(client.preferences.set({ body: { time_zone } }), 422, 'invalid')
  assert.deepEqual(await client.preferences.get(), before)
  const answer = await client.preferences.set({ body: { time_zone: 'Pacific/Noumea' } })
  assert.equal(answer.preferences.time_zone_name, 'heure de Nouméa')
  const data = await client.account.exportData()
  assert.deepEqual([data.time_zone, data.country], ['Pacific/Noumea', 'NC'])
})

test('the time zone of a creator is deleted with the account', async () => {
  const creator = await app.signUp()
  await choose(creator, 'Pacific/Noumea')
  await creator.client.account.remove({ body: { confirmation: 'SUPPRIMER' } })
  const left = await app.db
    .selectFrom('creator_settings')
    .select('time_zone')
    .where('user_id', '=', creator.user_id)
    .execute()
  assert.deepEqual(left, [])
})
