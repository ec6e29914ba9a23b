import { uuidv7 } from '#server/runtime/uuid.ts'
import { inTurn, ms, quantile, ratio } from '../statistics/timing.ts'
import { type Connection, openConnection } from '../submit/connection.ts'
import { measureMost } from '../submit/load.ts'
import type { Side } from './side.ts'

const RUNS = 200
const WARM_RUNS = 20
const ROUNDS = 5
const SECONDS = 4
const CONNECTIONS = 64
const GOAL = 'goal ×2.00 or less'

const headOf = (line: string, more = ''): string => `${line} HTTP/1.1\r\nhost: localhost\r\n${more}`

/** Calls that each screen makes when it opens. Each call waits for the answer of the previous one. */
const SCREENS: Record<string, (side: Side) => string[]> = {
  dashboard: () => ['quizzes', 'statistics/overview'],
  editor: ({ another_id: id }) => [`quizzes/${id}/draft`, `quizzes/${id}/has-changes`],
  "the taken quiz's editor": ({ quiz_id: id }) => [
    `quizzes/${id}/draft`,
    `quizzes/${id}/has-changes`,
  ],
  'statistics call': ({ quiz_id: id }) => [`quizzes/${id}/responses?figures=1&async=1`],
  'first page of details': ({ quiz_id: id }) => [`quizzes/${id}/responses`],
}

const reading =
  (screen: (side: Side) => string[]) =>
  (side: Side, connection: Connection): (() => Promise<void>) => {
    const requests = screen(side).map((path) =>
      Buffer.from(
        headOf(`GET /api/v1/${path}`, `authorization: Bearer ${side.token}\r\n\r\n`),
        'latin1',
      ),
    )
    return async () => {
      for (const request of requests) expect(await connection.send(request), 200)
    }
  }

const expect = (status: number, expected: number): void => {
  if (status !== expected) throw new Error(`A call was answered ${status}`)
}

/** Creates requests of different participants, each with a new email address. */
const createSubmissions = ({ quiz_id, questions }: Side): (() => Buffer) => {
  let made = 0
  const start = Date.now() % 1e9
  return () => {
    const rank = made++
    const email = `nouveau.venu${start}-${rank}@exemple.fr`
    const replyTo = ({ type, answers }: Side['questions'][number], place: number): string => {
      if (type === 'multiple_choice') return answers[(rank >> place) % answers.length]?.id ?? ''
      return type === 'email' ? email : `${18 + (rank % 70)}`
    }
    const body = JSON.stringify({
      answers: Object.fromEntries(questions.map((one, place) => [one.id, replyTo(one, place)])),
      email,
      participant_uuid: uuidv7(),
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

const submitting = (side: Side, connection: Connection): (() => Promise<void>) => {
  const makeRequest = createSubmissions(side)
  return async () => expect(await connection.send(makeRequest()), 201)
}

const median = (figures: readonly number[]): number =>
  quantile(
    figures.toSorted((a, b) => a - b),
    0.5,
  )

/** Measures the maximum submissions per second of both databases in turn. */
const measureMostSubmissions = async (big: Side, small: Side): Promise<void> => {
  const [ours, theirs] = [big, small].map((side) => ({
    load: { origin: side.origin, makeRequest: createSubmissions(side), connections: CONNECTIONS },
    rates: [] as number[],
  }))
  for (let round = 0; round < ROUNDS; round++)
    for (const one of [theirs, ours]) one?.rates.push(await measureMost(one.load, SECONDS))
  const [at, to] = [ours, theirs].map((one) => median(one?.rates ?? []))
  console.log(
    `submissions a second from ${CONNECTIONS} at once: ${at?.toFixed(0)}, ${to?.toFixed(0)} in the small: ${ratio(to ?? 0, at ?? 0)} as long each (${GOAL})`,
  )
}

/** Creates and deletes a quiz. The cost must not depend on the quizzes of others. */
const deleting =
  ({ client }: Side): (() => Promise<void>) =>
  async () => {
    const { quiz } = await client.quizzes.create({ body: { name: 'À supprimer', type: 'quiz' } })
    await client.quizzes.remove({ id: quiz.id })
  }

/** Makes the same calls to both databases in turn. Prints the medians and their ratios. */
export const measureCalls = async (big: Side, small: Side): Promise<void> => {
  const works = Object.entries(SCREENS).map(([name, screen]) => ({ name, work: reading(screen) }))
  const writes = [
    { name: 'a quiz made and deleted', work: deleting },
    { name: 'submission', work: submitting },
  ]
  for (const { name, work } of [...works, ...writes]) {
    // Each measurement opens new connections, because the server closes idle ones.
    const opened = await Promise.all(
      [big, small].map(async (side) => ({ side, connection: await openConnection(side.origin) })),
    )
    const each = opened.map(({ side, connection }) => work(side, connection))
    const [at = [], to = []] = await inTurn(each, { runs: RUNS, warm_runs: WARM_RUNS })
    const [ours, theirs] = [at, to].map((times) => quantile(times, 0.5))
    console.log(
      `${name}, p50: ${ms(ours ?? 0)}, ${ms(theirs ?? 0)} in the small: ${ratio(ours ?? 0, theirs ?? 0)} (${GOAL})`,
    )
    for (const { connection } of opened) connection.close()
  }
  await measureMostSubmissions(big, small)
}
