import { randomUUIDv7 } from 'node:crypto'
import { median, quantile } from '../figures.ts'
import { formatMs, measureAlternately, ratio } from '../statistics/timing.ts'
import { type Connection, openConnection } from '../submit/connection.ts'
import { measureMaxRate } from '../submit/load.ts'
import type { ComparedServer } from './compared-server.ts'

const RUNS = 200
const WARM_RUNS = 20
const ROUNDS = 5
const SECONDS = 4
const CONNECTIONS = 64
const GOAL = 'goal ×2.00 or less'

const headOf = (line: string, more = ''): string => `${line} HTTP/1.1\r\nhost: localhost\r\n${more}`

/** Calls that each screen makes when it opens, one after the other. */
const SCREENS: Record<string, (side: ComparedServer) => string[]> = {
  dashboard: () => ['quizzes', 'statistics/overview'],
  editor: ({ other_quiz_id: id }) => [`quizzes/${id}/draft`, `quizzes/${id}/has-changes`],
  'editor of the quiz with participants': ({ quiz_id: id }) => [
    `quizzes/${id}/draft`,
    `quizzes/${id}/has-changes`,
  ],
  'statistics call': ({ quiz_id: id }) => [`quizzes/${id}/responses?figures=1&async=1`],
  'first page of details': ({ quiz_id: id }) => [`quizzes/${id}/responses`],
}

const createScreenLoader =
  (screen: (side: ComparedServer) => string[]) =>
  (side: ComparedServer, connection: Connection): (() => Promise<void>) => {
    const requests = screen(side).map((path) =>
      Buffer.from(
        headOf(`GET /api/v1/${path}`, `authorization: Bearer ${side.token}\r\n\r\n`),
        'latin1',
      ),
    )
    return async () => {
      for (const request of requests) expectStatus(await connection.send(request), 200)
    }
  }

/** Throws an error if a call was answered with another status than expected. */
const expectStatus = (status: number, expected: number): void => {
  if (status !== expected) throw new Error(`A call was answered ${status}`)
}

/** Creates requests of different participants, each with a new email address. */
const createSubmissions = ({ quiz_id, questions }: ComparedServer): (() => Buffer) => {
  let nb_created = 0
  const start = Date.now() % 1e9
  return () => {
    const rank = nb_created++
    const email = `nouveau.venu${start}-${rank}@exemple.fr`
    const replyTo = (
      { type, answers }: ComparedServer['questions'][number],
      index: number,
    ): string => {
      if (type === 'multiple_choice') return answers[(rank >> index) % answers.length]?.id ?? ''
      return type === 'email' ? email : `${18 + (rank % 70)}`
    }
    const body = JSON.stringify({
      answers: Object.fromEntries(
        questions.map((question, index) => [question.id, replyTo(question, index)]),
      ),
      email,
      participant_uuid: randomUUIDv7(),
      version: 1,
      elapsed_seconds: 20 + (rank % 600),
    })
    const head = headOf(
      `POST /api/v1/quizzes/${quiz_id}/submit`,
      `content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n`,
    )
    return Buffer.from(head + body, 'latin1')
  }
}

const createSubmitter = (side: ComparedServer, connection: Connection): (() => Promise<void>) => {
  const makeRequest = createSubmissions(side)
  return async () => expectStatus(await connection.send(makeRequest()), 201)
}

/** Measures the maximum submissions per second of both databases alternately. */
const compareMaxSubmissionRates = async (
  large: ComparedServer,
  small: ComparedServer,
): Promise<void> => {
  const [large_series, small_series] = [large, small].map((side) => ({
    load: { origin: side.origin, makeRequest: createSubmissions(side), connections: CONNECTIONS },
    rates: [] as number[],
  }))
  for (let round = 0; round < ROUNDS; round++)
    for (const series of [small_series, large_series])
      series?.rates.push(await measureMaxRate(series.load, SECONDS))
  const [large_rate, small_rate] = [large_series, small_series].map((series) =>
    median(series?.rates ?? []),
  )
  console.log(
    `submissions a second on ${CONNECTIONS} connections: ${large_rate?.toFixed(0)}, ${small_rate?.toFixed(0)} with the small database: ${ratio(small_rate ?? 0, large_rate ?? 0)} as long per submission (${GOAL})`,
  )
}

/** Creates and deletes a quiz. The cost must not depend on the quizzes of others. */
const createQuizDeleter =
  ({ client }: ComparedServer): (() => Promise<void>) =>
  async () => {
    const { quiz } = await client.quizzes.create({ body: { name: 'À supprimer', type: 'quiz' } })
    await client.quizzes.remove({ id: quiz.id, permanently: '1' })
  }

/** Makes the same calls on both databases alternately. Prints the medians and their ratios. */
export const measureCalls = async (large: ComparedServer, small: ComparedServer): Promise<void> => {
  const screens = Object.entries(SCREENS).map(([name, screen]) => ({
    name,
    work: createScreenLoader(screen),
  }))
  const writes = [
    { name: 'creation and deletion of a quiz', work: createQuizDeleter },
    { name: 'submission', work: createSubmitter },
  ]
  for (const { name, work } of [...screens, ...writes]) {
    // Each measurement opens new connections, because the server closes idle ones.
    const opened = await Promise.all(
      [large, small].map(async (side) => ({ side, connection: await openConnection(side.origin) })),
    )
    const tasks = opened.map(({ side, connection }) => work(side, connection))
    const [large_times = [], small_times = []] = await measureAlternately(tasks, {
      runs: RUNS,
      warm_runs: WARM_RUNS,
    })
    const [large_ms, small_ms] = [large_times, small_times].map((times) => quantile(times, 0.5))
    console.log(
      `${name}, p50: ${formatMs(large_ms ?? 0)}, ${formatMs(small_ms ?? 0)} with the small database: ${ratio(large_ms ?? 0, small_ms ?? 0)} (${GOAL})`,
    )
    for (const { connection } of opened) connection.close()
  }
  await compareMaxSubmissionRates(large, small)
}
