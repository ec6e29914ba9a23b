import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import fc from 'fast-check'
import type { Replies } from '#domain/questionnaire/quiz.ts'
import { countCases } from '#domain/testing/pick-by-run.ts'
import { quarterOf } from '#server/db/counter-families.ts'
import { recountQuarters } from '#server/testing/app/recount-quarters.ts'
import { createTestApp } from '#server/testing/app/test-app.ts'
import {
  createGivenReplies,
  type GivenReply,
  REMAINING_REPLIES,
} from '#server/testing/quizzes/given-replies.ts'
import { publishPathQuiz, publishSecondVersion } from '#server/testing/quizzes/path-quiz.ts'
import {
  randomStepCounts,
  randomVisits,
  type Visit,
} from '#server/testing/quizzes/random-visits.ts'

const app = await createTestApp()
after(() => app.close())
const { client } = await app.signUp()
type Quiz = Awaited<ReturnType<typeof publishPathQuiz>>
const { rowsOf, listMatching, store, checkCrosstab } = await createGivenReplies(app.pool, client)

const take = async (quiz: Quiz, visit: Visit): Promise<string> => {
  const { id, way, several, mail, scale } = quiz
  const ways = [quiz.on, quiz.past, quiz.out]
  const offered = [quiz.a, quiz.b, quiz.c]
  const chosen = visit.several
    .map((rank) => offered[rank] ?? '')
    .filter((answer) => visit.version === 1 || answer !== quiz.b)
    .slice(0, visit.isOther ? 1 : 2)
  const passes2 = visit.way === 0
  const passes3 = visit.way < 2
  const parts = [...chosen, ...(visit.isOther ? ['other:à part'] : [])]
  const answers: Replies = {
    [way]: ways[visit.way] ?? '',
    ...(passes2 && parts.length > 0 && { [several]: parts }),
    ...(passes2 && { [mail]: visit.email }),
    ...(passes3 && visit.scale > 0 && { [scale]: `${visit.scale}` }),
  }
  const { participant_uuid, result } = await app.client.publicQuiz.submit({
    id,
    body: { answers, version: visit.version },
  })
  const given: GivenReply[] = [
    ['result', result?.id ?? 'none'],
    [way, ways[visit.way] ?? ''],
    ...(passes2 ? chosen.map((value): GivenReply => [several, value]) : []),
    ...(passes2 && visit.isOther ? [[several, `${several}:other`] as GivenReply] : []),
    ...(passes2 ? [[mail, visit.email] as GivenReply] : []),
    ...(passes3 && visit.scale > 0 ? [[scale, `${scale}:${visit.scale}`] as GivenReply] : []),
  ]
  await store(id, participant_uuid, given)
  await app.pool.query(
    `update responses set created_at = created_at - $3 * interval '1 day', elapsed_seconds = $4, consent_version = $5
    where quiz_id = $1 and participant_uuid = $2`,
    [id, participant_uuid, visit.day, visit.seconds, visit.consent],
  )
  if (visit.isDelivered)
    await app.pool.query(
      `insert into deliveries (quiz_id, participant_uuid, provider, connection_id, status, created_at)
      values ($1, $2, 'brevo', gen_random_uuid(), 'delivered', now()),
        ($1, $2, 'systemio', gen_random_uuid(), 'delivered', now()),
        ($1, $2, 'convertkit', gen_random_uuid(), 'refused', now())`,
      [id, participant_uuid],
    )
  return participant_uuid
}

const play = async (visits: Visit[], seen: [number, number, number, number][]): Promise<Quiz> => {
  const quiz = await publishPathQuiz(client)
  await publishSecondVersion(client, quiz)
  const removed: string[] = []
  for (const one of visits) {
    const participant_uuid = await take(quiz, one)
    if (one.isRemoved) removed.push(participant_uuid)
  }
  // The days were changed without updating the counters.
  await recountQuarters(app.pool, quiz.id)
  for (const participantId of removed)
    await client.participants.remove({ id: quiz.id, participantId })
  await app.pool.query(
    `insert into visit_counts select $1::uuid, version, ${quarterOf("now() - day * interval '1 day'")}, step, max(count)
    from jsonb_to_recordset($2) as row(version integer, day integer, step smallint, count integer) group by 1, 2, 3, 4`,
    [
      quiz.id,
      JSON.stringify(seen.map(([version, day, step, count]) => ({ version, day, step, count }))),
    ],
  )
  return quiz
}

const FIGURES = `
with days as (select (now() at time zone $5)::date as today),
  selected_participants as (
    select * from responses, days where quiz_id = $1 and participant_uuid = any($4)
      and (created_at at time zone $5)::date between today - $2::integer and today - $3::integer
  ), step_visits as (
    select version, step, sum(count) as count from visit_counts, days
    where quiz_id = $1 and (quarter at time zone $5)::date between today - $2::integer and today - $3::integer group by 1, 2
  ), version_visits as (
    select greatest(
      (select max(count) from step_visits where step_visits.version = quiz_versions.version),
      (select count(*) from selected_participants where selected_participants.version = quiz_versions.version)
    ) as count from quiz_versions where quiz_id = $1
  )
select (select sum(count) from version_visits)::integer as nb_opened,
  count(*)::integer as nb_participants,
  count(distinct lower(email)) filter (where consent_version is null or consent_version > 0)::integer as nb_addresses,
  percentile_cont(0.5) within group (order by case when elapsed_seconds > 7200 then 7200 else elapsed_seconds end)
    as median_seconds,
  count(*) filter (where participant_uuid in (
    select participant_uuid from deliveries where quiz_id = $1 and status = 'delivered'
  ))::integer as nb_delivered
from selected_participants`

/** Time zones whose days begin at full, half and quarter hours of UTC. */
const zone = fc.constantFrom(
  'Europe/Paris',
  'Pacific/Noumea',
  'America/Martinique',
  'Asia/Kolkata',
  'Asia/Kathmandu',
  'Pacific/Marquesas',
)

/** Returns the figures of `length` days that end this many days ago. */
const checkFigures = async (
  quiz: Quiz,
  { length, last }: { length: number; last: number },
  { answers, time_zone }: { answers: Record<string, string[]>; time_zone: string },
) => {
  const [days] = await rowsOf<{ from: string; to: string }>(
    `select (today - $1::integer)::text as from, (today - $2::integer)::text as to
    from (select (now() at time zone $3)::date as today) as now`,
    [last + length - 1, last, time_zone],
  )
  const answer = Object.values(answers).flat().join() || undefined
  const asked = { id: quiz.id, ...days, answer }
  const {
    now,
    compared,
    before,
    time_zone: shown,
    ...periods
  } = await client.statistics.keyFigures(asked)
  assert.equal(shown, time_zone)
  const left = await listMatching(quiz.id, answers)
  const recount = async (first: number, last: number) => {
    const [row] = await rowsOf<Record<string, number | null>>(FIGURES, [
      quiz.id,
      first,
      last,
      left,
      time_zone,
    ])
    return answer === undefined ? row : { ...row, nb_opened: null }
  }
  const first = last + length - 1
  const { days: each, is_more, ...figures } = now
  assert.deepEqual(figures, await recount(first, last))
  assert.equal(each.length, length)
  assert.equal(
    each.reduce((sum, { count }) => sum + count, 0),
    figures.nb_participants,
  )
  if ((figures.median_seconds ?? 0) >= 7_200) assert.ok(is_more)
  // Today is not over, so it has no comparison.
  const over = Math.max(1, last)
  const earlier = await recount(first + length, over + length)
  if (!compared || !before) {
    assert.deepEqual([compared, before], [null, null])
    assert.ok(!earlier?.nb_participants && !earlier?.nb_opened)
    return
  }
  for (const [{ days, is_more: _, ...figures }, expected, period] of [
    [compared, await recount(first, over), periods.period_compared],
    [before, earlier, periods.period_before],
  ] as const) {
    assert.deepEqual(figures, expected)
    assert.deepEqual({ from: days[0]?.day, to: days.at(-1)?.day }, period)
  }
}

test('in any time zone, key figures, tables and filters equal a recount in SQL', () =>
  fc.assert(
    fc.asyncProperty(
      fc.array(randomVisits, { maxLength: 14 }),
      randomStepCounts,
      zone,
      async (visits, seen, time_zone) => {
        const quiz = await play(visits, seen)
        await client.preferences.set({ body: { time_zone } })
        const { way, several, scale } = quiz
        const filters: Record<string, string[]>[] = [
          {},
          { [way]: [quiz.on, quiz.past] },
          {
            [several]: [quiz.a, quiz.b, `${several}:other`],
            [scale]: [`${scale}:3`, `${scale}:4`],
          },
        ]
        for (const answers of filters) {
          const answer = Object.values(answers).flat().join() || undefined
          const { details, figures } = await client.statistics.responses({
            id: quiz.id,
            answer,
            figures: '1',
            limit: 500,
          })
          const found = await listMatching(quiz.id, answers)
          assert.deepEqual(details.map(({ participant_uuid }) => participant_uuid).sort(), found)
          const [{ count } = { count: 0 }] = await rowsOf<{ count: number }>(
            `select count(distinct value)::integer as count from ${REMAINING_REPLIES} and question = $2 and participant_uuid = any($3)`,
            [quiz.id, quiz.mail, found],
          )
          assert.equal(figures?.questions[quiz.mail]?.nb_distinct ?? 0, count)
          for (const [rows, columns] of [
            ['result', several],
            [way, 'result'],
            [several, scale],
          ] as const)
            await checkCrosstab({ id: quiz.id, rows, columns, answer }, answers)
          await checkFigures(quiz, { length: 4, last: 0 }, { answers, time_zone })
          await checkFigures(quiz, { length: 3, last: 1 }, { answers, time_zone })
        }
      },
    ),
    { numRuns: countCases(8), endOnFailure: true },
  ))
