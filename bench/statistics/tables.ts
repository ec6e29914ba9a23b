import { formatComparison, waitUntilCounted } from './first-pages.ts'
import type { MeasuredServer } from './measured-server.ts'
import { formatMs, measureAlternately, timeOf } from './timing.ts'

const RUNS = 40
const WARM_RUNS = 3

/** Calls that answer at once and count in the background, by name. */
type CountingCalls = Record<string, () => Promise<{ as_of?: unknown }>>

/** Returns the calls of the key figures and of « Qui répond quoi » for the quiz of `makeQuiz`. */
const tableCalls = async (client: MeasuredServer['client'], id: string): Promise<CountingCalls> => {
  const { figures } = await client.statistics.responses({ id, figures: '1' })
  const [first, second] = figures?.choices.questions ?? []
  const [rows, columns] = [first?.id ?? '', second?.id ?? '']
  const from = figures?.days.at(-30)?.day
  const answer = [first, second].map((question) => question?.answers[0]?.id).join()
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

/** Returns the calls of dry runs for the quiz of `makeQuiz`. */
const dryRunCalls = async (
  client: MeasuredServer['client'],
  id: string,
): Promise<CountingCalls> => {
  const { questions, results } = await client.drafts.get({ id })
  const [first] = questions
  const last = questions.findLast(({ answers }) => answers.length > 0)
  const email = questions.find(({ type }) => type === 'email')
  const read = (subject: Omit<Parameters<typeof client.dryRuns.get>[0], 'id'>) => () =>
    client.dryRuns.get({ id, ...subject, async: '1' })
  return {
    'dry run of a result': read({ result_id: results[0]?.id }),
    'dry run of a frequent answer': read({
      question_id: first?.id,
      answer_id: first?.answers[0]?.id,
    }),
    'dry run of a rare answer': read({
      question_id: last?.id,
      answer_id: last?.answers.at(-1)?.id,
    }),
    'dry run of a mapped reply': read({ source: 'question', question_id: email?.id }),
    'dry run of the mapped score': read({ source: 'score' }),
  }
}

/**
 * Compares the time of calls with the read of one participant. The first call counts the figures, in the background for
 * large selections. They are cached until a participant is added or removed.
 */
const measureCalls = async (
  { client, pool }: Pick<MeasuredServer, 'client' | 'pool'>,
  quiz_id: string,
  calls: CountingCalls,
): Promise<void> => {
  const { rows } = await pool.query<{ participant_uuid: string }>(
    'select participant_uuid from responses where quiz_id = $1 limit 1 offset 100',
    [quiz_id],
  )
  const participantId = rows[0]?.participant_uuid ?? ''
  const explainOne = () => client.participants.explain({ id: quiz_id, participantId })
  for (const [name, call] of Object.entries(calls)) {
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

/** Measures key figures and cross tables. */
export const measureTables = async (server: MeasuredServer, quiz_id: string): Promise<void> =>
  measureCalls(server, quiz_id, await tableCalls(server.client, quiz_id))

/** Measures dry runs with all participants forwardable, and with none, which reads every participant for the list. */
export const measureDryRuns = async (server: MeasuredServer, id: string): Promise<void> => {
  const { client } = server
  for (const consent_mode of ['box', 'requested'] as const) {
    await client.quizzes.update({ id, body: { consent_mode } })
    console.log(consent_mode === 'box' ? 'nobody agreed:' : 'everybody can be forwarded:')
    await measureCalls(server, id, await dryRunCalls(client, id))
  }
}
