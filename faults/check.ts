import pg from 'pg'
import { findDifferences } from '#server/statistics/counters/verify-counters.store.ts'
import type { Ready } from '#server/testing/quizzes/sample-quizzes.ts'
import type { Installation } from './installation.ts'
import { type Load, submission } from './load.ts'
import type { RequestLog } from './request-log.ts'

/** Result of the comparison of the request log with the database. */
export type DatabaseComparison = {
  acknowledged: number
  lost: number
  doubled: number
  wrong: string[]
}

const NB_REPEATED = 5

/**
 * Compares the stored submissions with the acknowledged ones, and the counters with a recount.
 */
export const check = async (
  { connection }: Installation,
  { quiz, log }: { quiz: Ready; log: RequestLog },
): Promise<DatabaseComparison> => {
  const client = new pg.Client(connection)
  await client.connect()
  try {
    const { rows } = await client.query<{ participant_uuid: string; choices: number[] }>(
      'select participant_uuid, choices from responses where quiz_id = $1',
      [quiz.id],
    )
    const stored = new Map(rows.map((row) => [row.participant_uuid, row.choices[0]]))
    const acknowledged = [...log.sent].filter(([, one]) => one.is_acknowledged)
    const lost = acknowledged.filter(([id, { choice }]) => stored.get(id) !== choice)
    const unknown = rows.filter(({ participant_uuid }) => !log.sent.has(participant_uuid))
    const differences = await findDifferences(client)
    const { rows: totals } = await client.query<{ nb_responses: number }>(
      'select sum(nb_responses)::integer as nb_responses from quiz_versions where quiz_id = $1',
      [quiz.id],
    )
    const counted = (totals[0]?.nb_responses ?? 0) - stored.size
    const wrong = differences.map(
      ({ figure, key, stored, recounted }) =>
        `${figure} ${key}: ${stored} stored, ${recounted} recounted`,
    )
    return {
      acknowledged: acknowledged.length,
      lost: lost.length + Math.max(0, -counted),
      doubled: rows.length - stored.size + unknown.length + Math.max(0, counted),
      wrong,
    }
  } finally {
    await client.end()
  }
}

/** Checks that the stored draft is the last acknowledged save or a later one under way. */
export const checkSaves = async (
  { connection }: Installation,
  quiz: Ready,
  load: Load,
): Promise<string[]> => {
  const client = new pg.Client(connection)
  await client.connect()
  const { rows } = await client.query<{ name: string }>('select name from quizzes where id = $1', [
    quiz.id,
  ])
  await client.end()
  const stored = Number(rows[0]?.name.replace('Nom ', ''))
  const { acknowledged, sent } = load.saves
  if (acknowledged === 0 || (stored >= acknowledged && stored <= sent)) return []
  return [`save ${acknowledged} was acknowledged, ${stored} is stored`]
}

/** Checks that a repeated submission returns 200, never 201. */
export const checkRepeatedSubmissions = async (
  origin: string,
  quiz: Ready,
  log: RequestLog,
): Promise<string[]> => {
  const some = [...log.sent].filter(([, one]) => one.is_acknowledged).slice(-NB_REPEATED)
  const wrong: string[] = []
  for (const [id, { choice }] of some) {
    const { status } = await fetch(
      `${origin}/api/v1/quizzes/${quiz.id}/submit`,
      submission(quiz, id, choice),
    )
    if (status !== 200) wrong.push(`an acknowledged one sent again was answered ${status}`)
  }
  return wrong
}
