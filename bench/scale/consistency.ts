import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import type { Client } from '#contract/client/client.ts'
import { findDifferences } from '#server/statistics/counters/verify-counters.store.ts'
import { publishedScoreQuiz, type SampleQuiz } from '#server/testing/quizzes/sample-quizzes.ts'
import { type Load, measureLatencies } from '../submit/load.ts'
import type { Installation } from './installation.ts'

const MAX_DURATION_MS = 60_000
const NB_PARTICIPANTS = 200
const API_KEY = 'xkeysib-demo'

/** Runs `work` while submissions arrive at a constant rate. Returns the latencies of the submissions. */
export const runUnderLoad = async <T>(
  load: Load,
  per_second: number,
  work: () => Promise<T>,
): Promise<{ value: T; latencies_ms: number[] }> => {
  let isOver = false
  const latencies_ms: number[] = []
  const loading = (async () => {
    while (!isOver) latencies_ms.push(...(await measureLatencies(load, { per_second, seconds: 1 })))
  })()
  // A failure of the load is thrown after `work` has ended.
  loading.catch(() => undefined)
  const value = await work().finally(() => {
    isOver = true
  })
  await loading
  return { value, latencies_ms }
}

/** Polls the page of a quiz on one process until the page has a status. Returns the time at which the status was seen. */
const waitForStatus = async (origin: string, id: string, status: number): Promise<number> => {
  const deadline = performance.now() + MAX_DURATION_MS
  while (performance.now() < deadline) {
    const response = await fetch(`${origin}/q/${id}`)
    await response.arrayBuffer()
    if (response.status === status) return performance.now()
  }
  throw new Error(`A process has not shown ${status} in ${MAX_DURATION_MS / 1_000} s`)
}

/** Delays until each process showed a change, from the creator's request and from its response. */
export type ChangeDelays = { from_request_ms: number[]; from_response_ms: number[] }

/**
 * Withdraws and publishes a quiz repeatedly, and measures the delay until each process shows the change. A process that
 * shows a change before the response has the delay 0 after the response.
 */
export const measureInvalidation = async (
  { servers }: Installation,
  client: Client,
  nb_changes: number,
): Promise<{ withdrawn: ChangeDelays; published: ChangeDelays }> => {
  const { id } = await publishedScoreQuiz(client)
  const waitForAll = (status: number): Promise<number[]> =>
    Promise.all(servers.map(({ origin }) => waitForStatus(origin, id, status)))
  await waitForAll(200)
  const measureChange = async (
    delays: ChangeDelays,
    makeChange: () => Promise<unknown>,
    status: number,
  ): Promise<void> => {
    const requested_at = performance.now()
    const response = makeChange().then(() => performance.now())
    const shown_times = await waitForAll(status)
    const answered_at = await response
    delays.from_request_ms.push(...shown_times.map((time) => time - requested_at))
    delays.from_response_ms.push(...shown_times.map((time) => Math.max(0, time - answered_at)))
  }
  const withdrawn: ChangeDelays = { from_request_ms: [], from_response_ms: [] }
  const published: ChangeDelays = { from_request_ms: [], from_response_ms: [] }
  const withdraw = () => client.quizzes.update({ id, body: { status: 'Brouillon' } })
  for (let nr = 0; nr < nb_changes; nr++) {
    await measureChange(withdrawn, withdraw, 404)
    await measureChange(published, () => client.quizzes.publish({ id }), 200)
  }
  return { withdrawn, published }
}

/** Result of submissions that were sent twice. */
type DeliveryCheck = {
  nb_participants: number
  /** Participants that the email tool received exactly once. */
  nb_delivered_once: number
  /** Calls to the email tool. */
  nb_calls: number
  /** Time until all deliveries had ended. */
  duration_s: number
}

/** Sends submissions to a quiz, each twice at once. Throws if both of a pair are answered as new. */
const submitTwice = async (origin: string, quiz: SampleQuiz): Promise<void> => {
  const submitPair = async (rank: number): Promise<void> => {
    const email = `livre-${rank}@exemple.fr`
    const init = {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        participant_uuid: crypto.randomUUID(),
        answers: { [quiz.question_id]: quiz.answer_ids[0], [quiz.open_id]: email },
      }),
    }
    const url = `${origin}/api/v1/quizzes/${quiz.id}/submit`
    const pair = await Promise.all([fetch(url, init), fetch(url, init)])
    const statuses = pair.map(({ status }) => status).sort()
    if (statuses.join() !== '200,201')
      throw new Error(`A submission that was sent twice was answered ${statuses}`)
  }
  await Promise.all(Array.from({ length: NB_PARTICIPANTS }, (_, rank) => submitPair(rank)))
}

const countDelivered = async (database: pg.Client, quiz_id: string): Promise<number> => {
  const { rows } = await database.query<{ count: number }>(
    `select coalesce(sum(count), 0)::integer as count from delivery_counts
    where quiz_id = $1 and status = 'delivered'`,
    [quiz_id],
  )
  return rows[0]?.count ?? 0
}

/** Sends each submission twice at once, and counts how often each participant reaches the email tool. */
export const measureDeliveries = async (
  { brevo, frontOf, servers }: Installation,
  client: Client,
  database: pg.Client,
): Promise<DeliveryCheck> => {
  const quiz = await publishedScoreQuiz(client)
  await client.quizzes.update({ id: quiz.id, body: { consent_mode: 'requested' } })
  await client.integrations.saveBrevo({ body: { api_key: API_KEY } })
  await client.integrations.setBrevo({ id: quiz.id, body: { enabled: true } })
  const began = performance.now()
  await submitTwice(frontOf(servers.length), quiz)
  while (
    (await countDelivered(database, quiz.id)) < NB_PARTICIPANTS &&
    performance.now() - began < MAX_DURATION_MS
  )
    await pause(100)
  const duration_s = (performance.now() - began) / 1_000
  const emails = brevo.journal
    .filter(({ status }) => status !== null)
    .flatMap(({ body }) => /livre-\d+@exemple\.fr/.exec(body)?.[0] ?? [])
  const calls_by_email = Map.groupBy(emails, (email) => email)
  const nb_delivered_once = [...calls_by_email.values()].filter(({ length }) => length === 1).length
  return {
    nb_participants: NB_PARTICIPANTS,
    nb_delivered_once,
    nb_calls: emails.length,
    duration_s,
  }
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
