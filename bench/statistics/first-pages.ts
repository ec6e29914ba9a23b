import { setTimeout as pause } from 'node:timers/promises'
import type { ParticipantFilters } from '#contract/participant-filters.ts'
import { DEFAULT_TIME_ZONE } from '#domain/common/time-zone.ts'
import { listAnsweredVersions } from '#server/statistics/counters/counters.store.ts'
import { buildSelection } from '#server/statistics/selection/participant-filters.ts'
import { listResponses } from '#server/statistics/selection/responses.store.ts'
import { quantile } from '../figures.ts'
import type { MeasuredServer } from './measured-server.ts'
import { formatMs, measureAlternately, ratio, timeOf } from './timing.ts'

const RUNS = 40
const WARM_RUNS = 3
const POLL_INTERVAL_MS = 200
const MAX_DURATION_MS = 120_000
const PER_PAGE = 100

/** Quiz whose first pages are measured, with its number of participants. */
type MeasuredQuiz = Pick<MeasuredServer, 'db' | 'pool' | 'client'> & {
  quiz_id: string
  size: number
}

/** Returns the filters that creators can use on the quiz of `makeQuiz`. */
const filtersOf = async ({
  client,
  quiz_id,
  size,
}: MeasuredQuiz): Promise<Record<string, ParticipantFilters>> => {
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

/** Repeats a call until its figures are current, and returns the elapsed time. */
export const waitUntilCounted = (call: () => Promise<{ as_of?: unknown }>): Promise<number> =>
  timeOf(async () => {
    const deadline = performance.now() + MAX_DURATION_MS
    while ((await call()).as_of && performance.now() < deadline) await pause(POLL_INTERVAL_MS)
  })

/** Returns the quantiles of sorted times, with their ratios to the baseline, as text. */
export const formatComparison = (times: readonly number[], to: readonly number[]): string =>
  [0.5, 0.99]
    .map((share) => {
      const [at, of] = [quantile(times, share), quantile(to, share)]
      return `p${share * 100} ${formatMs(at)} against ${formatMs(of)} ${ratio(at, of)}`
    })
    .join(', ')

/**
 * Compares the time for a first page of participants with a read by primary key: first the queries, then the calls of
 * the screen. Figures are counted at the first call and cached until a participant is added or removed.
 */
export const measureFirstPages = async (measuredQuiz: MeasuredQuiz): Promise<void> => {
  const { db, pool, client, quiz_id, size } = measuredQuiz
  const { rows } = await pool.query<{ participant_uuid: string }>(
    'select participant_uuid from responses where quiz_id = $1 limit 1 offset $2',
    [quiz_id, Math.floor(size / 2)],
  )
  const participantId = rows[0]?.participant_uuid ?? ''
  const readOne = () =>
    pool.query('select * from responses where quiz_id = $1 and participant_uuid = $2', [
      quiz_id,
      participantId,
    ])
  const explainOne = () => client.participants.explain({ id: quiz_id, participantId })
  const answeredVersions = await listAnsweredVersions(db, quiz_id)
  for (const [name, filters] of Object.entries(await filtersOf(measuredQuiz))) {
    const readPage = async () => {
      const selection = await buildSelection(
        db,
        quiz_id,
        { filters, time_zone: DEFAULT_TIME_ZONE },
        answeredVersions,
      )
      const { condition } = selection ?? {}
      return listResponses(db, quiz_id, { condition, after: undefined, limit: PER_PAGE })
    }
    const call = () =>
      client.statistics.responses({ id: quiz_id, ...filters, figures: '1', async: '1' })
    const first = await timeOf(call)
    const counted = await waitUntilCounted(call)
    const [key = [], page = [], one = [], again = []] = await measureAlternately(
      [readOne, readPage, explainOne, call],
      {
        runs: RUNS,
        warm_runs: WARM_RUNS,
      },
    )
    console.log(
      `by ${name}: query ${formatComparison(page, key)}; first call ${formatMs(first)}, figures after ${formatMs(first + counted)}, then call ${formatComparison(again, one)}`,
    )
  }
}
