import type { ParticipantFilters } from '#contract/filters.ts'
import { listTakenVersions } from '#server/statistics/counters.store.ts'
import { selectionOf } from '#server/statistics/matching.ts'
import { listResponses } from '#server/statistics/responses.store.ts'
import type { Measured } from './measured-server.ts'
import { ms, quantile, ratio, timeOf, times } from './timing.ts'

const RUNS = 60
const PER_PAGE = 100

type Asked = Pick<Measured, 'db' | 'pool' | 'client'> & { quiz_id: string; size: number }

/** What a creator may filter a quiz of `makeQuiz` by. */
const filtersOf = async ({
  client,
  quiz_id,
  size,
}: Asked): Promise<Record<string, ParticipantFilters>> => {
  const { figures } = await client.statistics.responses({ id: quiz_id, figures: '1' })
  const answers = figures?.choices.questions.at(-1)?.answers
  const day = figures?.days.at(-3)?.day
  const some = Math.floor(size / 2)
  return {
    nothing: {},
    'an email': { email: `prenom.nom${some}@` },
    'a last word': { email: `nom${some}@` },
    'a domain': { email: `@exemple${some % 1_000}.fr` },
    'the beginning of all emails': { email: 'prenom' },
    'a day': { from: day, to: day },
    'a result': { result: figures?.choices.results[0]?.id },
    'a frequent answer': { answer: answers?.[0]?.id },
    'a rare answer': { answer: answers?.at(-1)?.id },
  }
}

/**
 * First pages of participants against the read of one of them by its key: the queries alone, then the
 * whole calls, whose figures are counted the first time and kept until somebody comes or goes.
 */
export const measureFirstPages = async (on: Asked): Promise<void> => {
  const { db, pool, client, quiz_id, size } = on
  const { rows } = await pool.query<{ participant_uuid: string }>(
    'select participant_uuid from responses where quiz_id = $1 limit 1 offset $2',
    [quiz_id, Math.floor(size / 2)],
  )
  const participantId = rows[0]?.participant_uuid ?? ''
  const row = quantile(
    await times(RUNS, () =>
      pool.query('select * from responses where quiz_id = $1 and participant_uuid = $2', [
        quiz_id,
        participantId,
      ]),
    ),
    0.99,
  )
  const one = quantile(
    await times(RUNS, () => client.participants.explain({ id: quiz_id, participantId })),
    0.99,
  )
  console.log(`one participant by key, p99: query ${ms(row)}, call ${ms(one)}`)
  const taken = await listTakenVersions(db, quiz_id)
  for (const [name, filters] of Object.entries(await filtersOf(on))) {
    const reading = times(RUNS, async () => {
      const selection = await selectionOf(db, quiz_id, filters, taken)
      return listResponses(db, quiz_id, {
        condition: selection?.condition,
        after: undefined,
        limit: PER_PAGE,
      })
    })
    const page = await reading.catch(() => [Number.POSITIVE_INFINITY])
    const call = () => client.statistics.responses({ id: quiz_id, ...filters })
    const outcome = await timeOf(call).then(
      async (first) => {
        const again = quantile(await times(RUNS, call), 0.99)
        return `call first ${ms(first)}, then p99 ${ms(again)} ${ratio(again, one)}`
      },
      (error: unknown) => `call refused: ${String(error)}`,
    )
    const [half, most] = [quantile(page, 0.5), quantile(page, 0.99)]
    console.log(`by ${name}: page p50 ${ms(half)}, p99 ${ms(most)} ${ratio(most, row)}; ${outcome}`)
  }
}
