import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import type { Client } from '#contract/client/client.ts'
import { startCluster } from '#server/testing/network/cluster.ts'
import { freePort } from '#server/testing/network/proxies/free-port.ts'
import { createHttpClient, signUpOverHttp } from '#server/testing/people/http-creator.ts'
import { publishedScoreQuiz, type SampleQuiz } from '#server/testing/quizzes/sample-quizzes.ts'
import { databaseUrl, type ServerProcess, startProcess } from '#server/testing/server-process.ts'

// Runs in test:all, because each of its faults restarts a database server.
// Starts early, because its tests take more than 15 s.

const cluster = await startCluster({ is_embedded: true })
const replica = await cluster.addReplica({ hot_standby_feedback: 'on' })
const DATABASE_URL = databaseUrl(cluster.connection)
const DATABASE_READ_URL = databaseUrl(replica.connection)
const METRICS_TOKEN = 'a token for tests only'
const processes: ServerProcess[] = []
const startServer = async (env: Record<string, string>): Promise<ServerProcess> => {
  // Tokens of one process are valid in all others with the same address.
  const common = { DATABASE_URL, METRICS_TOKEN, PUBLIC_URL: 'https://quiz.example' }
  const started = await startProcess({ ...common, ...env })
  processes.push(started)
  return started
}
const server = await startServer({ DATABASE_READ_URL })
const session = new pg.Client(replica.connection)
session.on('error', () => undefined)
after(async () => {
  await session.end().catch(() => undefined)
  await Promise.all(processes.map((process) => process.end()))
  await cluster.cleanUp()
})
const token = await signUpOverHttp(server.origin)
const creator = createHttpClient(server.origin, token)
let quiz: SampleQuiz

/** Returns the numbers of heavy reads since the start of the process, by key « server reason ». */
const readCounts = async ({ origin } = server): Promise<Map<string, number>> => {
  const headers = { authorization: `Bearer ${METRICS_TOKEN}` }
  const text = await (await fetch(`${origin}/metrics`, { headers })).text()
  const lines = text.matchAll(
    /^database_heavy_reads_total\{server="(\w+)",reason="(\w*)"\} (\d+)$/gm,
  )
  return new Map([...lines].map(([, name, reason, count]) => [`${name} ${reason}`, Number(count)]))
}
/** Runs `work` and returns its value, with the keys of the heavy reads that were counted meanwhile. */
const watch = async <T>(work: () => Promise<T>, process = server) => {
  const earlier = await readCounts(process)
  const value = await work()
  const later = await readCounts(process)
  const used = [...later].filter(([key, count]) => count > (earlier.get(key) ?? 0))
  return { value, used: used.map(([key]) => key) }
}
const submit = async (email: string, { origin } = server): Promise<string> => {
  const participant_uuid = randomUUID()
  const response = await fetch(`${origin}/api/v1/quizzes/${quiz.id}/submit`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      participant_uuid,
      answers: { [quiz.question_id]: quiz.answer_ids[1], [quiz.open_id]: email },
    }),
  })
  assert.equal(response.status, 201)
  return participant_uuid
}
type Format = Parameters<Client['exports']['link']>[0]['body']['format']
const download = async (format: Format, { origin } = server): Promise<string> => {
  const { url } = await createHttpClient(origin, token).exports.link({
    id: quiz.id,
    body: { format },
  })
  const response = await fetch(origin + url)
  assert.equal(response.status, 200)
  return Buffer.from(await response.arrayBuffer()).toString('latin1')
}
/** Filter that every participant of the quiz matches. */
const filters = () => ({ id: quiz.id, answer: quiz.answer_ids[1] ?? '' })
const countFiltered = async ({ origin } = server): Promise<number> => {
  const own = createHttpClient(origin, token)
  const { figures } = await own.statistics.responses({ ...filters(), limit: 10, figures: '1' })
  return figures?.nb_participants ?? -1
}
/** Waits until reads use the replica again after a pause. */
const untilReplica = async (process = server): Promise<void> => {
  while (!(await watch(() => countFiltered(process), process)).used.includes('replica '))
    await pause(200)
}

before(async () => {
  await session.connect()
  quiz = await publishedScoreQuiz(creator)
  for (const name of ['ada', 'grace', 'hedy']) await submit(`${name}@exemple.fr`)
})

describe('heavy reads on the replica', () => {
  const ONLY_REPLICA = ['replica ']
  const reads: Record<string, () => Promise<unknown>> = {
    'filtered statistics': () => countFiltered(),
    'a search': () => creator.statistics.responses({ id: quiz.id, limit: 10, search: 'ada' }),
    'a sorted list': () => creator.statistics.responses({ id: quiz.id, limit: 10, sort: 'email' }),
    'filtered key figures': () => creator.statistics.keyFigures(filters()),
    'typed texts': () => creator.statistics.texts({ id: quiz.id, questionId: quiz.open_id }),
    'a replay': () => creator.replay.get({ id: quiz.id }),
    'the quality of questions': () => creator.questionQuality.get({ id: quiz.id }),
    'the export csv': () => download('csv'),
    'the export csv_excel': () => download('csv_excel'),
    'the export json': () => download('json'),
    'the export xlsx': () => download('xlsx'),
  }
  for (const [name, read] of Object.entries(reads))
    test(`${name}: the replica alone answers`, async () => {
      const { used } = await watch(read)
      assert.deepEqual(used, ONLY_REPLICA)
    })

  test('connections to the replica have their own name in pg_stat_activity', async () => {
    const { rows } = await session.query<{ name: string }>(
      "select distinct application_name as name from pg_stat_activity where application_name like 'quizaine%'",
    )
    assert.deepEqual(rows, [{ name: 'quizaine reads' }])
  })

  test('reads of counters and pages use the primary and are not counted as heavy reads', async () => {
    const { used } = await watch(() => creator.statistics.responses({ id: quiz.id, limit: 10 }))
    assert.deepEqual(used, [])
  })

  test('filtered statistics contain every submission that was acknowledged before', async () => {
    const nb_before = await countFiltered()
    for (let rank = 1; rank <= 20; rank++) {
      await submit(`next${rank}@exemple.fr`)
      assert.equal(await countFiltered(), nb_before + rank)
    }
  })

  test('without a replica, no read is counted', async () => {
    const without_replica = await startServer({})
    await countFiltered(without_replica)
    assert.deepEqual(await readCounts(without_replica), new Map())
  })
})

describe('a replica that is behind', () => {
  before(async () => {
    await untilReplica()
    await session.query('select pg_wal_replay_pause()')
  })
  after(async () => {
    await session.query('select pg_wal_replay_resume()')
  })

  test('the primary answers the next statistics and exports, with every acknowledged submission', async () => {
    const nb_before = await countFiltered()
    await submit('latest@exemple.fr')
    const counted = await watch(() => countFiltered())
    assert.deepEqual(counted, { value: nb_before + 1, used: ['primary behind'] })
    for (const format of ['csv', 'json'] as const) {
      const { value, used } = await watch(() => download(format))
      assert.ok(value.includes('latest@exemple.fr'))
      assert.deepEqual(used, ['primary behind'])
    }
    const replay = await watch(() => creator.replay.get({ id: quiz.id }))
    assert.equal(replay.value.nb_participants, nb_before + 1)
    assert.deepEqual(replay.used, ['primary behind'])
  })

  test('only the first read waits for the replica', async () => {
    await pause(5_000)
    const timeOf = async (): Promise<number> => {
      const began = performance.now()
      await countFiltered()
      return performance.now() - began
    }
    assert.ok((await timeOf()) > 400, 'the first read waits')
    // The fastest of several, because each of them can be slow on a busy machine.
    const later = [await timeOf(), await timeOf(), await timeOf(), await timeOf(), await timeOf()]
    assert.ok(Math.min(...later) < 400, 'a later read does not wait')
  })

  test('an erased participant is in no later export', async () => {
    const participantId = await submit('erased@exemple.fr')
    assert.ok((await download('json')).includes('erased@exemple.fr'))
    await creator.participants.remove({ id: quiz.id, participantId })
    assert.ok(!(await download('json')).includes('erased@exemple.fr'))
    await session.query('select pg_wal_replay_resume()')
    await untilReplica()
    const { value, used } = await watch(() => download('json'))
    assert.ok(!value.includes('erased@exemple.fr'))
    assert.deepEqual(used, ['replica '])
  })
})

describe('a replica that stops', () => {
  test('reads use the primary while the replica is stopped, and the replica after its start', async () => {
    await untilReplica()
    const nb_before = await countFiltered()
    await replica.end('SIGQUIT')
    await submit('away@exemple.fr')
    const { value, used } = await watch(() => countFiltered())
    assert.equal(value, nb_before + 1)
    assert.deepEqual(used, ['primary unreachable'])
    assert.ok((await download('csv')).includes('away@exemple.fr'))
    await replica.start()
    await untilReplica()
  })

  test('the server starts while its replica is unreachable', async () => {
    const without_replica = await startServer({
      DATABASE_READ_URL: `postgres://quizaine@127.0.0.1:${await freePort()}/postgres`,
    })
    const { value, used } = await watch(() => countFiltered(without_replica), without_replica)
    assert.equal(value, await countFiltered())
    assert.deepEqual(used, ['primary unreachable'])
  })
})

describe('a large quiz', () => {
  const NB_PARTICIPANTS = 60_000
  let large: SampleQuiz
  before(async () => {
    large = await publishedScoreQuiz(creator)
    const primary = new pg.Client(cluster.connection)
    await primary.connect()
    // The file is larger than the buffers of a connection, so that the server waits for the reader.
    await primary.query(
      `insert into responses (quiz_id, participant_uuid, version, created_at, email, choices, texts)
      select $1, gen_random_uuid(), 1, now(), $2, '{0}', array[$2] from generate_series(1, $3::integer)`,
      [large.id, `${'a'.repeat(60)}@exemple.fr`, NB_PARTICIPANTS],
    )
    await primary.query('update quiz_versions set nb_responses = $2 where quiz_id = $1', [
      large.id,
      NB_PARTICIPANTS,
    ])
    for (const counter of [
      'choice_counts values ($1, 1, 0, 0, $2)',
      "quarter_counts values ($1, 1, date_trunc('hour', now()), $2)",
    ])
      await primary.query(`insert into ${counter}`, [large.id, NB_PARTICIPANTS])
    await primary.end()
  })
  /** Downloads the quiz as JSON. Calls `interrupt` after the first participants have arrived. */
  const downloadSlowly = async (interrupt: () => Promise<void>): Promise<string> => {
    const { url } = await creator.exports.link({ id: large.id, body: { format: 'json' } })
    const { body } = await fetch(server.origin + url)
    const chunks: Uint8Array[] = []
    let nb_bytes = 0
    for await (const chunk of body ?? []) {
      if (nb_bytes < 50_000 && nb_bytes + chunk.length >= 50_000) await interrupt()
      nb_bytes += chunk.length
      chunks.push(chunk)
    }
    return Buffer.concat(chunks).toString()
  }

  test('a selection that is too large for a call is counted on the replica', async () => {
    await untilReplica()
    const [answer] = large.answer_ids
    const { figures } = await creator.statistics.responses({
      id: large.id,
      limit: 10,
      figures: '1',
      answer,
    })
    assert.equal(figures?.nb_participants, NB_PARTICIPANTS)
    const client = new pg.Client(replica.connection)
    await client.connect()
    const { rows } = await client.query(
      "select 1 from pg_stat_activity where application_name = 'quizaine counts'",
    )
    await client.end()
    assert.equal(rows.length, 1)
  })

  test('a download continues on the primary if the replica stops in the middle', async () => {
    await untilReplica()
    const { value, used } = await watch(() => downloadSlowly(() => replica.end('SIGQUIT')))
    const file = JSON.parse(value) as { participants: unknown[] }
    assert.equal(file.participants.length, NB_PARTICIPANTS)
    assert.deepEqual(used.sort(), ['primary unreachable', 'replica '])
    await replica.start()
    await untilReplica()
  })

  test('a download fails if both servers stop in the middle', async () => {
    const downloading = downloadSlowly(async () => {
      await replica.end('SIGQUIT')
      await cluster.end('SIGQUIT')
    })
    await assert.rejects(downloading, /terminated/)
    await cluster.start()
  })
})
