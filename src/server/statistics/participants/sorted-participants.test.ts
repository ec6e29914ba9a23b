import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import type { ListedParticipant } from '#contract/statistics/statistics.ts'
import {
  DELIVERY_URGENCY,
  inNameOrder,
  PARTICIPANT_SORTS,
  SORT_ORDERS,
  type Sorting,
} from '#domain/statistics/participant-sort.ts'
import { pickByRun } from '#domain/testing/pick-by-run.ts'
import type { Settlement } from '#server/deliveries/settlement.ts'
import { writeSettlements } from '#server/deliveries/settlements.store.ts'
import { createTestApp } from '#server/testing/app/test-app.ts'
import { publishedScoreQuiz, type SampleQuiz } from '#server/testing/quizzes/sample-quizzes.ts'
import { describeInAll } from '#server/testing/test-in-all.ts'

const app = await createTestApp()
after(() => app.close())
const { client } = await app.signUp()
const MANY = 48
const NAMES = ['zèle', 'Émeraude', 'Grand saut', 'Pas à pas']
const LISTS: Sorting[] = PARTICIPANT_SORTS.flatMap((sort) =>
  SORT_ORDERS.map((order) => ({ sort, order })),
)

/** Few different values, so that many are equal; some are missing. */
const FILL = `insert into responses
  (quiz_id, participant_uuid, version, created_at, email, result_position, score, choices, texts)
  select $1, gen_random_uuid(), 1 + rank % 2, '2026-03-01T10:00:00.123456Z'::timestamptz + rank % 5 * interval '1 us',
    (array['ada@exemple.fr', 'Alan@exemple.fr', 'b+c@exemple.be', null])[1 + rank % 4],
    (array[0, 1, null])[1 + rank % 3], (array[-3, 12, 5, 5, null])[1 + rank / 3 % 5],
    array[rank % 2]::smallint[], array['mot ' || rank % 6]
  from generate_series(1, $2::integer) as rank`
const DELIVER = `insert into deliveries (quiz_id, participant_uuid, provider, connection_id, status, created_at)
  select quiz_id, participant_uuid, provider, gen_random_uuid(), ($2::text[])[1 + (number * 7 + place) % 6], created_at
  from (select *, row_number() over (order by participant_uuid) as number from responses where quiz_id = $1) as came
  cross join unnest(array['brevo', 'convertkit']) with ordinality as tool(provider, place) where number % 4 >= place`

let quiz: SampleQuiz
before(async () => {
  quiz = await publishedScoreQuiz(client)
  const results = quiz.result_ids.map((id, rank) => ({ id, name: NAMES[rank] ?? '' }))
  await client.results.saveAll({ id: quiz.id, body: { results } })
  await client.quizzes.publish({ id: quiz.id })
  await app.pool.query(FILL, [quiz.id, MANY])
  const COUNT = 'update quiz_versions set nb_responses = $2 where quiz_id = $1'
  await app.pool.query(COUNT, [quiz.id, MANY / 2])
  await app.pool.query(DELIVER, [quiz.id, [...DELIVERY_URGENCY]])
})

/** Restores the participants after a test. */
const refill = async () => {
  await app.db.deleteFrom('responses').where('quiz_id', '=', quiz.id).execute()
  await app.pool.query(FILL, [quiz.id, MANY])
  await app.pool.query(DELIVER, [quiz.id, [...DELIVERY_URGENCY]])
}

type Asked = Partial<Parameters<typeof client.statistics.responses>[0]>
const read = (asked: Asked) =>
  client.statistics.responses({ id: quiz.id, outcomes: '1', limit: 500, ...asked })

/** Reads all pages of a list; `meanwhile` runs after each page. */
const readPages = async (asked: Asked, meanwhile = async (_seen: string[]) => {}) => {
  const seen: ListedParticipant[] = []
  let cursor: string | undefined
  do {
    const page = await read({ ...asked, cursor })
    seen.push(...page.details)
    cursor = page.next_cursor ?? undefined
    await meanwhile(seen.map(({ participant_uuid }) => participant_uuid))
  } while (cursor)
  return seen
}
const uuidsOf = (list: readonly ListedParticipant[]) =>
  list.map(({ participant_uuid }) => participant_uuid)

const DICTIONARY = inNameOrder(NAMES)
const sortValueOf = (participant: ListedParticipant, { sort }: Sorting): number | string | null => {
  if (sort === 'email') return participant.email?.toLowerCase() ?? null
  if (sort === 'score') return participant.score ?? null
  if (sort === 'delivery') {
    const ranks =
      participant.deliveries?.map(({ status }) => DELIVERY_URGENCY.indexOf(status)) ?? []
    return ranks.length > 0 ? Math.min(...ranks) : null
  }
  return participant.final_result_name === null
    ? null
    : DICTIONARY.indexOf(participant.final_result_name)
}

const compare = (a: string | number, b: string | number): number => {
  if (a === b) return 0
  return a < b ? -1 : 1
}

/** Sorts the list by simple comparisons; `newestFirst` orders equal values. */
const sorted = (newestFirst: readonly ListedParticipant[], sorting: Sorting) => {
  const sign = sorting.order === 'asc' ? 1 : -1
  if (sorting.sort === 'date') return sign === 1 ? newestFirst.toReversed() : [...newestFirst]
  return newestFirst.toSorted((participant, other) => {
    const a = sortValueOf(participant, sorting)
    const b = sortValueOf(other, sorting)
    if (a === null || b === null) return Number(a === null) - Number(b === null)
    return sign * compare(a, b)
  })
}

describe('sorted participants', () => {
  for (const sorting of LISTS)
    test(`participants sorted by ${sorting.sort} ${sorting.order} are in the order of a simple sort, also page by page`, async () => {
      const { details } = await read({})
      assert.equal(details.length, MANY)
      const expected = uuidsOf(sorted(details, sorting))
      assert.deepEqual(uuidsOf((await read(sorting)).details), expected)
      assert.deepEqual(uuidsOf(await readPages({ ...sorting, limit: 5 })), expected)
    })

  test('participants sorted by any value can be filtered and searched', async () => {
    const { details } = await read({})
    for (const sorting of LISTS) {
      const asked = { email: 'a', search: 'MOT 3', ...sorting }
      const found = details.filter(
        ({ email, answers }) =>
          email?.toLowerCase().startsWith('a') &&
          answers.some(({ answer_text }) => answer_text === 'mot 3'),
      )
      assert.ok(found.length > 3)
      const list = await readPages({ ...asked, limit: 3 })
      assert.deepEqual(uuidsOf(list), uuidsOf(sorted(found, sorting)))
    }
    assert.equal((await read({ search: 'B+C@' })).details.length, 12)
    assert.equal((await read({ search: '%' })).details.length, 0)
    assert.equal((await read({ search: '  ' })).details.length, MANY)
  })

  test('sorted participants have a score and deliveries only on request', async () => {
    const { details } = await client.statistics.responses({ id: quiz.id, sort: 'score' })
    assert.ok(details.every((detail) => !('score' in detail) && !('deliveries' in detail)))
  })
})

describe('participants who come and go between pages', () => {
  for (const sorting of pickByRun({ daily: LISTS.slice(0, 2), all: LISTS }))
    test(`no participant is missing or repeated between pages by ${sorting.sort} ${sorting.order}`, async () => {
      const before = uuidsOf(sorted((await read({})).details, sorting))
      const gone = new Set<string>()
      let round = 0
      const list = await readPages({ ...sorting, limit: 6 }, async (seen) => {
        round++
        // Removes alternately the cursor's participant, the first listed one, and one that is not listed yet.
        const left = before.filter((participant_uuid) => !seen.includes(participant_uuid))
        const victim = [left.at(-1), seen.at(-1), seen[0]][round % 3]
        if (victim) {
          await app.db
            .deleteFrom('responses')
            .where('quiz_id', '=', quiz.id)
            .where('participant_uuid', '=', victim)
            .execute()
          gone.add(victim)
        }
        if (round > 4) return
        const answers = {
          [quiz.question_id]: quiz.answer_ids[round % 2] ?? '',
          [quiz.open_id]: round % 2 ? 'b+c@exemple.be' : 'zoe@exemple.fr',
        }
        await app.client.publicQuiz.submit({ id: quiz.id, body: { answers } })
      })
      const listed = uuidsOf(list)
      assert.equal(new Set(listed).size, listed.length)
      const stayed = before.filter((participant_uuid) => !gone.has(participant_uuid))
      assert.ok(stayed.length > 30)
      assert.deepEqual(
        listed.filter((participant_uuid) => stayed.includes(participant_uuid)),
        stayed,
      )
      await refill()
    })
})

/** Settles a pending delivery as the worker does. */
const settle = async (
  key: Pick<Settlement, 'participant_uuid' | 'connection_id'>,
  status: Settlement['status'],
) => {
  const lease_id = randomUUID()
  await app.pool.query(
    'update deliveries set lease_id = $3 where participant_uuid = $1 and connection_id = $2',
    [key.participant_uuid, key.connection_id, lease_id],
  )
  await writeSettlements(app.db, new Date(), [
    {
      ...key,
      quiz_id: quiz.id,
      lease_id,
      status,
      next_in: null,
      due_at: null,
      is_attempt: true,
      is_replaced: false,
      completed_calls: {},
      code: null,
      outcome: 'delivered',
      ms: 1,
    },
  ])
}

describeInAll('deliveries that are settled between pages', () => {
  for (const [order, status] of [
    ['asc', 'refused'],
    ['desc', 'delivered'],
  ] as const)
    test(`no participant is missing by delivery ${order}, and changed participants may be repeated at the end`, async () => {
      const sorting: Sorting = { sort: 'delivery', order }
      const { details } = await read({})
      const first = sorted(details, sorting)
      const before = uuidsOf(first)
      const deliveries = first.flatMap(({ participant_uuid, deliveries = [] }) =>
        deliveries.map((delivery) => ({ participant_uuid, ...delivery })),
      )
      const moved = new Set<string>()
      const list = await readPages({ ...sorting, limit: 4 }, async (seen) => {
        const waiting = deliveries.filter(
          ({ participant_uuid }) =>
            !moved.has(participant_uuid) && !seen.includes(participant_uuid),
        )
        // Moves deliveries to positions that were read already, and back.
        const due = waiting.findLast((delivery) => delivery.status === 'pending')
        const refused = waiting.findLast((delivery) => delivery.status === 'refused')
        if (due) await settle(due, status)
        if (refused) {
          const { participant_uuid, provider } = refused
          const { nb_retried } = await client.deliveries.retry({
            id: quiz.id,
            body: { provider, participant_uuid },
          })
          assert.equal(nb_retried, 1)
        }
        for (const one of [due, refused]) if (one) moved.add(one.participant_uuid)
      })
      assert.ok(moved.size > 3)
      const listed = uuidsOf(list)
      assert.deepEqual(new Set(listed), new Set(before))
      const still = (uuids: readonly string[]) => uuids.filter((uuid) => !moved.has(uuid))
      assert.deepEqual(still(listed), still(before))
      const again = listed.filter((uuid, rank) => listed.indexOf(uuid) < rank)
      assert.equal(new Set(again).size, again.length)
      await refill()
    })
})
