import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import fc from 'fast-check'
import type { DimensionFigures } from '#domain/statistics/dimension-figures.ts'
import { countCases } from '#domain/testing/pick-by-run.ts'
import { createTestApp } from '#server/testing/app/test-app.ts'
import { refuses } from '#server/testing/network/bodies/refusals.ts'
import {
  type DimensionQuiz,
  type DimensionRun,
  percentsOfRun,
  repliesOfRun,
} from '#server/testing/quizzes/dimension-quiz.ts'
import {
  HAS_GIVEN,
  publishDimensionTexts,
  SEEN,
  TEXT_VIEWS,
} from '#server/testing/quizzes/dimension-texts.ts'
import {
  type AcceptedValues,
  createGivenReplies,
  type GivenReply,
} from '#server/testing/quizzes/given-replies.ts'
import { findDifferences } from './counters/verify-counters.store.ts'

const app = await createTestApp()
after(() => app.close())
const { client } = await app.signUp()
const { rowsOf, listMatching, store, checkCrosstab } = await createGivenReplies(app.pool, client)
await app.pool.query(`
create view measured_dimensions as
  select quiz_id, participant_uuid, version, rank, dimension ->> 'id' as id, dimension ->> 'name' as name,
    dimension -> 'tiers' <> '[]' as has_tiers, percent, tier ->> 'id' as tier_id, tier ->> 'title' as title
  from responses join quiz_versions using (quiz_id, version)
  cross join lateral jsonb_array_elements(snapshot -> 'dimensions') with ordinality as listed(dimension, rank)
  cross join lateral (select dimension_percents[rank::integer] as percent) as stored
  left join lateral jsonb_array_elements(dimension -> 'tiers') as tier
    on percent between (tier ->> 'from_percent')::integer and (tier ->> 'to_percent')::integer;`)
await app.pool.query(HAS_GIVEN)

const randomRun = fc.record({
  version: fc.constantFrom(1, 2, 3),
  way: fc.constantFrom('on' as const, 'past' as const, 'out' as const),
  several: fc.uniqueArray(fc.constantFrom('a' as const, 'b' as const, 'c' as const), {
    maxLength: 2,
  }),
  scale: fc.nat(5),
  has_email: fc.boolean(),
  is_suspect: fc.boolean(),
  end: fc.constantFrom('kept', 'kept', 'kept', 'removed', 'erased'),
})
type RandomRun = DimensionRun & { has_email: boolean; is_suspect: boolean; end: string }

/** Run of each version on each path, of which one participant is removed and one is erased. */
const EVERY_RUN = [1, 2, 3].flatMap((version) =>
  (['on', 'past', 'out'] as const).map((way): RandomRun => {
    const end = ['kept', 'removed', 'erased'][way === 'past' ? version - 1 : 0] ?? 'kept'
    return { version, way, several: ['c'], scale: version, has_email: true, is_suspect: false, end }
  }),
)

/** Submits a run and stores what the participant gave and saw. */
const take = async (quiz: DimensionQuiz, run: RandomRun): Promise<string> => {
  const { id, way, several, scale } = quiz
  const email = `${randomUUID()}@exemple.fr`
  const { participant_uuid, result } = await app.client.publicQuiz.submit({
    id,
    body: {
      answers: repliesOfRun(quiz, run),
      version: run.version,
      is_trapped: run.is_suspect,
      ...((run.has_email || run.end === 'erased') && { email }),
    },
  })
  const [sees_several, sees_scale] = [run.way === 'on', run.way !== 'out']
  await store(id, participant_uuid, [
    ...[way, ...(sees_several ? [several] : []), ...(sees_scale ? [scale] : [])].map(
      (question): GivenReply => [SEEN, question],
    ),
    ['result', `${result?.id}`],
    [way, quiz[run.way]],
    ...(sees_several ? run.several.map((answer): GivenReply => [several, quiz[answer]]) : []),
    ...(sees_scale && run.scale > 0 ? [[scale, `${scale}:${run.scale}`] as GivenReply] : []),
  ])
  if (run.end === 'removed')
    await client.participants.remove({ id, participantId: participant_uuid })
  if (run.end === 'erased') await client.participants.removePerson({ body: { email } })
  return participant_uuid
}

/** Plays the runs and a trial run, and stores the tiers of the remaining participants from their percents. */
const play = async (runs: readonly RandomRun[]) => {
  const quiz = await publishDimensionTexts(client)
  const { id } = quiz
  const taken = new Map<string, DimensionRun>()
  for (const run of runs) taken.set(await take(quiz, run), run)
  const token = new URL((await client.trialRuns.link({ id })).url).searchParams.get('test') ?? ''
  await app.client.trialRuns.submit({ id, token, body: { answers: { [quiz.way]: quiz.out } } })
  await app.pool.query(
    `insert into given_replies select quiz_id, participant_uuid, id, coalesce(tier_id, 'null')
    from measured_dimensions where quiz_id = $1 and percent is not null`,
    [id],
  )
  return { quiz, taken }
}

const BARS = Array.from({ length: 10 }, (_, bar) => {
  const to = bar === 9 ? 100 : bar * 10 + 9
  return `count(*) filter (where percent between ${bar * 10} and ${to})`
}).join(', ')
const FIGURES = `
with selected as (select * from measured_dimensions where quiz_id = $1 and participant_uuid = any($2))
select id, (array_agg(name order by version desc))[1] as name, count(percent)::integer as nb_participants,
  avg(percent)::float as mean, stddev_pop(percent)::float as deviation, array[${BARS}]::integer[] as histogram,
  case when bool_or(has_tiers) then (
    select json_object_agg(title, count) from (
      select coalesce(title, 'Sans palier') as title, count(*) as count
      from selected as one where one.id = selected.id and percent is not null group by 1
    ) as counts
  ) else '{}' end as tiers
from selected group by id having count(percent) > 0`
type Recount = Omit<DimensionFigures, 'tiers'> & { tiers: Record<string, number> }

/** Asserts that list, figures, key figures and tables of a selection equal a recount of the participants who match. */
const checkSelection = async (
  quiz: DimensionQuiz,
  asked: { answer?: string; tier?: string },
  { answers, left }: { answers?: AcceptedValues; left: readonly string[] },
) => {
  const { id, health, money, several } = quiz
  const { figures, details } = await client.statistics.responses({
    id,
    figures: '1',
    limit: 500,
    ...asked,
  })
  assert.ok(figures)
  assert.deepEqual(details.map(({ participant_uuid }) => participant_uuid).sort(), left)
  const written = await rowsOf<{ participant_uuid: string; dimensions: unknown }>(
    `select participant_uuid, coalesce(json_agg(
      json_build_object('name', name, 'percent', percent, 'tier', title) order by rank
    ) filter (where percent is not null), '[]') as dimensions
    from measured_dimensions where quiz_id = $1 and participant_uuid = any($2) group by 1`,
    [id, left],
  )
  assert.deepEqual(
    new Map(details.map((detail) => [detail.participant_uuid, detail.dimensions])),
    new Map(written.map((participant) => [participant.participant_uuid, participant.dimensions])),
  )
  const { now } = await client.statistics.keyFigures({ id, ...asked })
  assert.equal(now.nb_participants, left.length)
  const recounts = await rowsOf<Recount>(FIGURES, [id, left])
  assert.deepEqual(
    new Set(figures.dimensions.map((dimension) => dimension.id)),
    new Set(recounts.map((recount) => recount.id)),
  )
  for (const { mean, deviation, tiers, ...expected } of recounts) {
    const found: DimensionFigures | undefined = figures.dimensions.find(
      ({ id }) => id === expected.id,
    )
    assert.ok(found)
    const counted: (keyof typeof expected)[] = ['id', 'name', 'nb_participants', 'histogram']
    for (const field of counted) assert.deepEqual(found[field], expected[field])
    assert.ok(Math.abs(found.mean - mean) < 1e-9, `mean ${found.mean} and ${mean}`)
    assert.ok(Math.abs(found.deviation - deviation) < 1e-9)
    const counts: Record<string, number> = {}
    for (const { title, count, percentage } of found.tiers) {
      if (count > 0) counts[title] = (counts[title] ?? 0) + count
      assert.ok(Math.abs(percentage - (100 * count) / found.nb_participants) < 0.1)
    }
    assert.deepEqual(counts, tiers)
  }
  if (answers) {
    const [offered] = await rowsOf<{ is_plain: boolean }>(
      'select count(*) > 0 and not bool_or(has_tiers) as is_plain from measured_dimensions where quiz_id = $1 and id = $2',
      [id, money],
    )
    for (const [rows, columns] of [
      [several, health],
      [health, money],
      [money, 'result'],
    ] as const) {
      const table = { id, rows, columns, ...asked }
      const isRefused = offered?.is_plain && [rows, columns].includes(money)
      // Only versions without tiers of this dimension have participants.
      if (isRefused) await refuses(client.statistics.crosstab(table), 422, 'invalid')
      else await checkCrosstab(table, answers)
    }
  }
  return figures
}

/** Asserts that the views of conditional texts equal a recount by the conditions of each version. */
const checkTexts = async ({ id }: DimensionQuiz): Promise<void> => {
  const { texts } = await client.textViews.get({ id, counts: '1' })
  assert.equal(texts.length, 4)
  const views = await rowsOf<{ id: string; nb_participants: number; nb_shown: number }>(
    TEXT_VIEWS,
    [id],
  )
  for (const text of texts) {
    const counted = views.find((candidate) => candidate.id === text.id)
    assert.deepEqual(
      [text.nb_participants, text.nb_shown],
      [counted?.nb_participants ?? 0, counted?.nb_shown ?? 0],
    )
  }
}

/** Asserts that the dry runs of a rule and of a field equal a recount. */
const checkDryRuns = async ({ id, health, money, weak }: DimensionQuiz): Promise<void> => {
  const [counted] = await rowsOf<{ weak: number; money: number }>(
    `select count(*) filter (where tier_id = $2)::integer as weak,
      count(*) filter (where id = $3 and percent is not null)::integer as money
    from measured_dimensions join responses using (quiz_id, participant_uuid) where quiz_id = $1 and email is not null`,
    [id, weak, money],
  )
  const rule = await client.dryRuns.get({ id, dimension_id: health, tier_id: weak })
  const field = await client.dryRuns.get({ id, source: 'dimension', dimension_id: money })
  assert.deepEqual({ weak: rule.nb_matching, money: field.nb_matching }, counted)
}

/** Returns the participants who were given a tier under this title, sorted. */
const listInTier = async (quiz_id: string, tier_id: string, title: string): Promise<string[]> => {
  const rows = await rowsOf<{ participant_uuid: string }>(
    `select participant_uuid from measured_dimensions where quiz_id = $1 and tier_id = $2 and title = $3
    order by participant_uuid::text`,
    [quiz_id, tier_id, title],
  )
  return rows.map(({ participant_uuid }) => participant_uuid)
}

test('every figure of dimensions and conditional texts equals a recount in SQL', () =>
  fc.assert(
    fc.asyncProperty(fc.array(randomRun, { maxLength: 20 }), async (runs) => {
      const { quiz, taken } = await play(runs)
      const { id, health, money, way, weak, strong, poor, rich } = quiz
      const stored = await rowsOf<{ participant_uuid: string; id: string; percent: number | null }>(
        'select participant_uuid, id, percent from measured_dimensions where quiz_id = $1',
        [id],
      )
      for (const { participant_uuid, id, percent } of stored) {
        const run = taken.get(participant_uuid)
        assert.ok(run)
        assert.equal(percent, percentsOfRun(run)[id === health ? 'health' : 'money'])
      }
      const all = await listMatching(id, {})
      assert.deepEqual(
        all,
        [...taken].flatMap(([uuid], at) => (runs[at]?.end === 'kept' ? uuid : [])).sort(),
      )
      const figures = await checkSelection(quiz, {}, { answers: {}, left: all })
      const filters: [AcceptedValues, { answer?: string; tier?: string }][] = [
        [{ [health]: [weak] }, { tier: weak }],
        [{ [health]: [weak, strong], [money]: [rich] }, { tier: `${weak},${strong},${rich}` }],
        [
          { [money]: [poor], [way]: [quiz.on, quiz.out] },
          { tier: poor, answer: `${quiz.on},${quiz.out}` },
        ],
      ]
      for (const [answers, asked] of filters)
        await checkSelection(quiz, asked, { answers, left: await listMatching(id, answers) })
      for (const { tiers } of figures.dimensions)
        for (const { title, filter } of tiers)
          if (filter !== undefined) {
            const left = await listInTier(id, filter.replace(/@.*/, ''), title)
            await checkSelection(quiz, { tier: filter }, { left })
          }
      await checkTexts(quiz)
      await checkDryRuns(quiz)
      assert.deepEqual(await findDifferences(app.pool, id), [])
    }),
    { numRuns: countCases(6), endOnFailure: true, examples: [[EVERY_RUN]] },
  ))
