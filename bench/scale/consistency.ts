import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import type { Client } from '#contract/client/client.ts'
import { findDifferences } from '#server/statistics/counters/verify-counters.store.ts'
import { publishedScoreQuiz } from '#server/testing/quizzes/sample-quizzes.ts'
import type { Installation } from './processes.ts'

const MAX_DURATION_MS = 60_000
const PARTICIPANTS = 200
const API_KEY = 'xkeysib-demo'

/** Polls a page of one process until the page has a status, and returns that time. */
const waitForStatus = async (origin: string, id: string, status: number): Promise<number> => {
  const until = performance.now() + MAX_DURATION_MS
  while (performance.now() < until) {
    const response = await fetch(`${origin}/q/${id}`)
    await response.arrayBuffer()
    if (response.status === status) return performance.now()
  }
  throw new Error(`A process has not shown ${status} in ${MAX_DURATION_MS / 1_000} s`)
}

/** Milliseconds until a process showed a change, counted from the creator's request and from its response. */
export type ChangeDelays = { since_sent: number[]; since_answered: number[] }

/**
 * Unpublishes and publishes a quiz repeatedly, and measures the delay until each process shows the change. A process that
 * shows a change before the response has the delay 0 after the response.
 */
export const measureInvalidation = async (
  { servers }: Installation,
  client: Client,
  times: number,
): Promise<{ withdrawn: ChangeDelays; published: ChangeDelays }> => {
  const { id } = await publishedScoreQuiz(client)
  const everywhere = (status: number): Promise<number[]> =>
    Promise.all(servers.map(({ origin }) => waitForStatus(origin, id, status)))
  await everywhere(200)
  const note = async (shown: ChangeDelays, change: () => Promise<unknown>, status: number) => {
    const sent_at = performance.now()
    const answering = change().then(() => performance.now())
    const seen = await everywhere(status)
    const answered_at = await answering
    shown.since_sent.push(...seen.map((at) => at - sent_at))
    shown.since_answered.push(...seen.map((at) => Math.max(0, at - answered_at)))
  }
  const withdrawn: ChangeDelays = { since_sent: [], since_answered: [] }
  const published: ChangeDelays = { since_sent: [], since_answered: [] }
  for (let time = 0; time < times; time++) {
    await note(withdrawn, () => client.quizzes.update({ id, body: { status: 'Brouillon' } }), 404)
    await note(published, () => client.quizzes.publish({ id }), 200)
  }
  return { withdrawn, published }
}

/**
 * Sends each submission twice at once. Returns how many participants arrived at the tool exactly once, and the number of
 * calls to the tool.
 */
export const measureDeliveries = async (
  { brevo, frontOf, servers }: Installation,
  client: Client,
  database: pg.Client,
): Promise<{ participants: number; once: number; sent: number; seconds: number }> => {
  const quiz = await publishedScoreQuiz(client)
  await client.quizzes.update({ id: quiz.id, body: { consent_mode: 'requested' } })
  await client.integrations.saveBrevo({ body: { api_key: API_KEY } })
  await client.integrations.setBrevo({ id: quiz.id, body: { enabled: true } })
  const emailOf = (rank: number): string => `livre-${rank}@exemple.fr`
  const front = frontOf(servers.length)
  const began = performance.now()
  const sendTwice = async (rank: number): Promise<void> => {
    const init = {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        participant_uuid: crypto.randomUUID(),
        answers: { [quiz.question_id]: quiz.answer_ids[0], [quiz.open_id]: emailOf(rank) },
      }),
    }
    const path = `/api/v1/quizzes/${quiz.id}/submit`
    const both = await Promise.all([fetch(front + path, init), fetch(front + path, init)])
    const statuses = both.map(({ status }) => status).sort()
    if (statuses.join() !== '200,201')
      throw new Error(`A submission that was sent twice was answered ${statuses}`)
  }
  await Promise.all(Array.from({ length: PARTICIPANTS }, (_, rank) => sendTwice(rank)))
  const nbEnded = async (): Promise<number> => {
    const { rows } = await database.query<{ count: number }>(
      `select coalesce(sum(count), 0)::integer as count from delivery_counts
      where quiz_id = $1 and status = 'delivered'`,
      [quiz.id],
    )
    return rows[0]?.count ?? 0
  }
  while ((await nbEnded()) < PARTICIPANTS && performance.now() - began < MAX_DURATION_MS)
    await pause(100)
  const seconds = (performance.now() - began) / 1_000
  const calls = brevo.journal.filter(({ body, status }) => status !== null && /livre-/.test(body))
  const times = new Map<string, number>()
  for (const { body } of calls) {
    const email = /livre-\d+@exemple\.fr/.exec(body)?.[0] ?? ''
    times.set(email, (times.get(email) ?? 0) + 1)
  }
  const once = [...times.values()].filter((count) => count === 1).length
  return { participants: PARTICIPANTS, once, sent: calls.length, seconds }
}

/** Returns the numbers of stored and counted participants of quizzes, and of counters that differ from a recount. */
export const compareCounters = async (
  database: pg.Client,
  quiz_ids: readonly string[],
): Promise<{ stored: number; counted: number; differences: number }> => {
  const { rows } = await database.query<{ stored: number; counted: number }>(
    `select count(*)::integer as stored,
      (select sum(nb_responses)::integer from quiz_versions where quiz_id = any($1)) as counted
    from responses where quiz_id = any($1)`,
    [quiz_ids],
  )
  const { stored = 0, counted = 0 } = rows[0] ?? {}
  return { stored, counted, differences: (await findDifferences(database)).length }
}
