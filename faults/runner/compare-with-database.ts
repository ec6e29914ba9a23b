import pg from 'pg'
import { findDifferences } from '#server/statistics/counters/verify-counters.store.ts'
import type { SampleQuiz } from '#server/testing/quizzes/sample-quizzes.ts'
import type { Installation } from './installation.ts'
import { type Load, submissionOf } from './load.ts'
import type { RequestLog } from './request-log.ts'

/** Result of the comparison of the request log with the database. */
export type DatabaseComparison = {
  nb_acknowledged: number
  /** Acknowledged submissions that are not stored with their answers. */
  nb_lost: number
  /** Stored submissions that are stored twice or were never sent. */
  nb_duplicated: number
  /** Counters that differ from a recount. */
  failures: string[]
}

/** Number of submissions that are repeated after each round. */
const NB_REPEATED = 5

/**
 * Compares the stored submissions of a quiz with the acknowledged submissions of the log, and the counters with a recount.
 */
export const compareWithDatabase = async (
  { connection }: Installation,
  { quiz, log }: { quiz: SampleQuiz; log: RequestLog },
): Promise<DatabaseComparison> => {
  const client = new pg.Client(connection)
  await client.connect()
  try {
    const { rows } = await client.query<{ participant_uuid: string; choices: number[] }>(
      'select participant_uuid, choices from responses where quiz_id = $1',
      [quiz.id],
    )
    const stored = new Map(rows.map((row) => [row.participant_uuid, row.choices[0]]))
    const acknowledged = [...log.submissions].filter(([, submission]) => submission.is_acknowledged)
    const lost = acknowledged.filter(([id, { choice }]) => stored.get(id) !== choice)
    const unexpected = rows.filter(({ participant_uuid }) => !log.submissions.has(participant_uuid))
    const differences = await findDifferences(client)
    const { rows: totals } = await client.query<{ nb_responses: number }>(
      'select sum(nb_responses)::integer as nb_responses from quiz_versions where quiz_id = $1',
      [quiz.id],
    )
    const counter_difference = (totals[0]?.nb_responses ?? 0) - stored.size
    const failures = differences.map(
      ({ figure, key, stored: counter, recounted }) =>
        `${figure} ${key}: the counter is ${counter}, the recount is ${recounted}`,
    )
    return {
      nb_acknowledged: acknowledged.length,
      nb_lost: lost.length + Math.max(0, -counter_difference),
      nb_duplicated:
        rows.length - stored.size + unexpected.length + Math.max(0, counter_difference),
      failures,
    }
  } finally {
    await client.end()
  }
}

/** Checks that the stored quiz name is the last acknowledged save or a later save. */
export const checkSaves = async (
  { connection }: Installation,
  quiz: SampleQuiz,
  load: Load,
): Promise<string[]> => {
  const client = new pg.Client(connection)
  await client.connect()
  const { rows } = await client.query<{ name: string }>('select name from quizzes where id = $1', [
    quiz.id,
  ])
  await client.end()
  const stored = Number(rows[0]?.name.replace('Nom ', ''))
  const { nb_acknowledged, sent } = load.saves
  if (nb_acknowledged === 0 || (stored >= nb_acknowledged && stored <= sent)) return []
  return [`save ${nb_acknowledged} was acknowledged, but save ${stored} is stored`]
}

/** Repeats some acknowledged submissions and checks that each is answered 200, because 201 would mean a second row. */
export const checkRepeatedSubmissions = async (
  origin: string,
  quiz: SampleQuiz,
  log: RequestLog,
): Promise<string[]> => {
  const repeated = [...log.submissions]
    .filter(([, submission]) => submission.is_acknowledged)
    .slice(-NB_REPEATED)
  const failures: string[] = []
  for (const [id, { choice }] of repeated) {
    const { status } = await fetch(
      `${origin}/api/v1/quizzes/${quiz.id}/submit`,
      submissionOf(quiz, id, choice),
    )
    if (status !== 200) failures.push(`a repeated submission was answered ${status}`)
  }
  return failures
}
