import { formatComparison, waitUntilCounted } from './first-pages.ts'
import type { MeasuredServer } from './measured-server.ts'
import { formatMs, measureAlternately, timeOf } from './timing.ts'

const RUNS = 40
const WARM_RUNS = 3

/** Returns the calls of the key figures and of « Qui répond quoi » for the quiz of `makeQuiz`. */
const callsOf = async (
  client: MeasuredServer['client'],
  id: string,
): Promise<Record<string, () => Promise<{ as_of?: unknown }>>> => {
  const { figures } = await client.statistics.responses({ id, figures: '1' })
  const [first, second] = figures?.choices.questions ?? []
  const [rows, columns] = [first?.id ?? '', second?.id ?? '']
  const from = figures?.days.at(-30)?.day
  const answer = [first, second].map((one) => one?.answers[0]?.id).join()
  const in_background = { async: '1' } as const
  return {
    'key figures of all': () => client.statistics.keyFigures({ id, ...in_background }),
    'key figures of 30 days and the 30 before': () =>
      client.statistics.keyFigures({ id, from, ...in_background }),
    'key figures of two answers': () =>
      client.statistics.keyFigures({ id, answer, ...in_background }),
    'results by an answer': () =>
      client.statistics.crosstab({ id, rows: 'result', columns, ...in_background }),
    'answers by answers': () => client.statistics.crosstab({ id, rows, columns, ...in_background }),
    'answers by answers of 30 days': () =>
      client.statistics.crosstab({ id, rows, columns, from, ...in_background }),
  }
}

/**
 * Compares the time for key figures and cross tables with the read of one participant. Figures are counted at the first
 * call (in the background for large selections), and cached until a participant is added or removed.
 */
export const measureTables = async (
  { client, pool }: Pick<MeasuredServer, 'client' | 'pool'>,
  quiz_id: string,
): Promise<void> => {
  const { rows } = await pool.query<{ participant_uuid: string }>(
    'select participant_uuid from responses where quiz_id = $1 limit 1 offset 100',
    [quiz_id],
  )
  const participantId = rows[0]?.participant_uuid ?? ''
  const explainOne = () => client.participants.explain({ id: quiz_id, participantId })
  for (const [name, call] of Object.entries(await callsOf(client, quiz_id))) {
    const first = await timeOf(call)
    const counted = await waitUntilCounted(call)
    const [one = [], again = []] = await measureAlternately([explainOne, call], {
      runs: RUNS,
      warm_runs: WARM_RUNS,
    })
    console.log(
      `${name}: first call ${formatMs(first)}, counted after ${formatMs(first + counted)}, then call ${formatComparison(again, one)}`,
    )
  }
}
