import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import pg from 'pg'
import { NO_CONTACT } from '#domain/run/contact/contact.ts'
import { openTransaction } from '#server/testing/app/open-transaction.ts'
import { createTestApp } from '#server/testing/app/test-app.ts'
import { startDatabaseRelay } from '#server/testing/network/proxies/database-relay.ts'
import { publishedScoreQuiz, type SampleQuiz } from '#server/testing/quizzes/sample-quizzes.ts'
import { createSubmissionQueue } from './submission-queue.ts'
import type { Submission } from './submission-statement.ts'
import { storeSubmissions } from './submissions.store.ts'

// Runs in test:all, because it lets calls race.

const app = await createTestApp()
after(() => app.close())
const { client } = await app.signUp()

const submissionTo = (quiz: SampleQuiz, more: Partial<Submission> = {}): Submission => ({
  quiz_id: quiz.id,
  participant_uuid: randomUUID(),
  run_secret_hash: null,
  version: 1,
  email: null,
  result_position: 0,
  score: 1,
  choices: [0],
  texts: ['Lyon'],
  layout: { choice_questions: [0], text_questions: [quiz.open_id], result_names: ['Pas à pas'] },
  dimension_percents: null,
  elapsed_seconds: null,
  consent_version: null,
  measure_version: null,
  is_suspect: false,
  is_mail_refused: false,
  parameters: null,
  ...NO_CONTACT,
  ...more,
})
const severalTo = (quiz: SampleQuiz, count: number): Submission[] =>
  Array.from({ length: count }, () => submissionTo(quiz))

/** Transaction that blocks all submissions to this quiz, and others in the same batch. */
const holdBack = ({ id }: SampleQuiz) =>
  openTransaction(app.pool, {
    text: 'select from quiz_versions where quiz_id = $1 for update',
    values: [id],
  })
/** Transaction that locks the quiz, as a deletion does. */
const holdQuiz = ({ id }: SampleQuiz) =>
  openTransaction(app.pool, { text: 'select from quizzes where id = $1 for update', values: [id] })

const storedOf = async ({ id }: SampleQuiz) => {
  const { rows } = await app.pool.query<{ participants: number }>(
    'select count(*) as participants from responses where quiz_id = $1',
    [id],
  )
  return rows[0]
}
const figuresOf = async ({ id, question_id, open_id }: SampleQuiz) => {
  const { stats } = await client.statistics.responses({ id })
  return [question_id, open_id].map((question) =>
    stats[question]?.answers.map(({ count }) => count),
  )
}

test('submissions arriving during a commit share the next commits', async (t) => {
  const quiz = await publishedScoreQuiz(client)
  const pool = new pg.Pool(app.connection)
  t.after(() => pool.end())
  // Each batch is one statement of its own pool.
  const query = t.mock.method(pool, 'query')
  const submissions = createSubmissionQueue(pool)
  await using held = await holdBack(quiz)
  const first = submissions.submit(submissionTo(quiz))
  await held.waitUntilBlocking()
  const others = severalTo(quiz, 100).map((submission) => submissions.submit(submission))
  await held.commit()
  for (const outcome of await Promise.all([first, ...others]))
    assert.deepEqual(outcome, { kind: 'stored' })
  // The first submission, a full concurrent batch, and the rest.
  assert.equal(query.mock.callCount(), 3)
  assert.deepEqual(await storedOf(quiz), { participants: 101 })
  assert.deepEqual(await figuresOf(quiz), [[101, 0], [101]])
})

test('queued submissions are refused immediately if the database does not answer', async (t) => {
  const quiz = await publishedScoreQuiz(client)
  const { host, port, user, password, database } = new pg.Client(app.pool.options)
  const relay = await startDatabaseRelay({ host, port })
  t.after(() => relay.close())
  const through = { host: '127.0.0.1', port: relay.port, user, password, database }
  // A busy machine needs a part of this time for the batches that are stored below.
  const limits = { connectionTimeoutMillis: 2_000, query_timeout: 2_000 }
  const pool = new pg.Pool({ ...through, ...limits })
  t.after(() => pool.end())
  const submissions = createSubmissionQueue(pool)
  relay.set('silent')
  const sent = severalTo(quiz, 300)
  const refused: unknown[] = []
  const asked = sent.map((submission) =>
    submissions.submit(submission).catch((error) => refused.push(error)),
  )
  // The first submission and a full batch were being written; the others would have waited as long for their
  // own timeouts.
  await Promise.race(asked)
  await setImmediate()
  assert.ok(refused.length >= sent.length - 64)
  await Promise.all(asked)
  assert.equal(refused.length, sent.length)
  relay.set('pass')
  await Promise.all(sent.map((submission) => submissions.submit(submission)))
  assert.equal((await storedOf(quiz))?.participants, sent.length)
  assert.deepEqual(await figuresOf(quiz), [[sent.length, 0], [sent.length]])
})

test('a submission that the database refuses fails alone, and the rest of the batch is stored once', async () => {
  const quiz = await publishedScoreQuiz(client)
  const submissions = createSubmissionQueue(app.pool)
  const bad = submissionTo(quiz, { texts: ['a\0b'] })
  const outcomes = await Promise.allSettled(
    [...severalTo(quiz, 3), bad, ...severalTo(quiz, 3)].map((submission) =>
      submissions.submit(submission),
    ),
  )
  assert.deepEqual(
    outcomes.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value.kind : 'failed')),
    ['stored', 'stored', 'stored', 'failed', 'stored', 'stored', 'stored'],
  )
  assert.equal((await storedOf(quiz))?.participants, 6)
  assert.deepEqual(await figuresOf(quiz), [[6, 0], [6]])
})

test('texts and names are stored unchanged, whatever characters they contain', async () => {
  const quiz = await publishedScoreQuiz(client)
  const submissions = createSubmissionQueue(app.pool)
  const odd = ['NULL', '{}', '","', '\\"', '\\\\', "l'été,\nà Noël", '🎈 «\t»', '{"a":["b"]}', '$1']
  const sent = odd.map((text) => submissionTo(quiz, { texts: [text], email: `${text}@exemple.fr` }))
  await Promise.all(sent.map((submission) => submissions.submit(submission)))
  const { rows } = await app.pool.query<{
    participant_uuid: string
    email: string
    texts: string[]
  }>('select participant_uuid, email, texts from responses where quiz_id = $1', [quiz.id])
  const stored = new Map(rows.map((row) => [row.participant_uuid, row]))
  for (const { participant_uuid, email, texts } of sent)
    assert.deepEqual(stored.get(participant_uuid), { participant_uuid, email, texts })
  const { stats } = await client.statistics.responses({ id: quiz.id })
  const counted = stats[quiz.open_id]?.answers.map(({ answer_text }) => answer_text)
  assert.deepEqual(counted?.toSorted(), odd.toSorted())
})

test('if a batch has a participant twice, the first submission counts and both get its outcome', async () => {
  const quiz = await publishedScoreQuiz(client)
  const submissions = createSubmissionQueue(app.pool)
  const first = submissionTo(quiz, { choices: [1], result_position: 1 })
  const second = { ...submissionTo(quiz), participant_uuid: first.participant_uuid }
  const outcomes = await Promise.all(
    [...severalTo(quiz, 1), first, second].map((submission) => submissions.submit(submission)),
  )
  assert.deepEqual(outcomes, [
    { kind: 'stored' },
    { kind: 'stored' },
    { kind: 'known', version: 1, result_position: 1 },
  ])
  assert.deepEqual(await figuresOf(quiz), [[1, 1], [2]])
})

test('submissions of several quizzes in one batch get separate outcomes', async () => {
  const [one, withdrawn, removed] = [
    await publishedScoreQuiz(client),
    await publishedScoreQuiz(client),
    await publishedScoreQuiz(client),
  ]
  await client.quizzes.update({ id: withdrawn.id, body: { status: 'Brouillon' } })
  await client.quizzes.remove({ id: removed.id })
  const submissions = createSubmissionQueue(app.pool)
  const asked = [one, withdrawn, removed, one].map((quiz) => submissionTo(quiz))
  const outcomes = await Promise.all(asked.map((submission) => submissions.submit(submission)))
  assert.deepEqual(
    outcomes.map(({ kind }) => kind),
    ['stored', 'unpublished', 'gone', 'stored'],
  )
  const result = { version: 1, result_position: 0 }
  const reply = { choices: [0], texts: ['Lyon'], email: null, email_confirmation: null }
  const found = { kind: 'known', ...result, ...reply, run_secret_hash: null }
  assert.deepEqual(
    await Promise.all(asked.map((who) => submissions.find(who))),
    outcomes.map(({ kind }) => (kind === 'stored' ? found : undefined)),
  )
})

test('a running deletion prevents the submission without a deadlock', async () => {
  const quiz = await publishedScoreQuiz(client)
  const submissions = createSubmissionQueue(app.pool)
  await using deletion = await openTransaction(app.pool, {
    text: 'delete from quizzes where id = $1',
    values: [quiz.id],
  })
  const outcome = submissions.submit(submissionTo(quiz))
  await deletion.waitUntilBlocking()
  await deletion.commit()
  assert.deepEqual(await outcome, { kind: 'gone' })
})

test('a locked quiz does not delay other quizzes', async () => {
  const quiz = await publishedScoreQuiz(client)
  const neighbour = await publishedScoreQuiz(client)
  const submissions = createSubmissionQueue(app.pool)
  await using held = await holdQuiz(quiz)
  const settled: string[] = []
  const watch = (name: string, outcome: ReturnType<typeof submissions.submit>) =>
    outcome.then(({ kind }) => void settled.push(`${name} ${kind}`))
  const waiting = severalTo(quiz, 3).map((submission) =>
    watch('held', submissions.submit(submission)),
  )
  await held.waitUntilBlocking()
  const more = severalTo(quiz, 2).map((submission) => watch('held', submissions.submit(submission)))
  await Promise.all(
    severalTo(neighbour, 2).map((submission) => watch('neighbour', submissions.submit(submission))),
  )
  assert.deepEqual(settled, ['neighbour stored', 'neighbour stored'])
  await held.commit()
  await Promise.all([...waiting, ...more])
  assert.deepEqual(settled.slice(2), Array(5).fill('held stored'))
  assert.equal((await storedOf(quiz))?.participants, 5)
})

test('a submission that waits for a lock and is refused fails alone', async () => {
  const quiz = await publishedScoreQuiz(client)
  const submissions = createSubmissionQueue(app.pool)
  await using held = await holdQuiz(quiz)
  const good = submissions.submit(submissionTo(quiz))
  const bad = submissions.submit(submissionTo(quiz, { email: 'a\0b' }))
  await assert.rejects(bad)
  await held.waitUntilBlocking()
  await held.commit()
  assert.deepEqual(await good, { kind: 'stored' })
  await submissions.close()
})

test('a failed batch of a limited quiz stores nothing, and its connection is discarded', async () => {
  const quiz = await publishedScoreQuiz(client)
  await client.quizzes.update({ id: quiz.id, body: { max_responses: 100 } })
  const pool = new pg.Pool({ ...app.connection, max: 1, lock_timeout: 300 })
  // Like the server's pool, because a lost connection fails its queries and also emits an error.
  pool.on('connect', (connection) => connection.on('error', () => undefined))
  const store = (batch: readonly Submission[]) => storeSubmissions(pool, batch, 'limited')
  const pidOf = async () =>
    (await pool.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]?.pid
  const failures: [RegExp, () => Promise<unknown>][] = [
    [
      /lock timeout/,
      async () => {
        await using _held = await holdQuiz(quiz)
        await store(severalTo(quiz, 2))
      },
    ],
    [
      /invalid byte sequence/,
      () => store([submissionTo(quiz), submissionTo(quiz, { email: 'a\0b' })]),
    ],
    [
      /terminat/,
      async () => {
        const pid = await pidOf()
        await using held = await holdQuiz(quiz)
        const storing = store(severalTo(quiz, 2))
        storing.catch(() => undefined)
        await held.waitUntilBlocking()
        await app.pool.query('select pg_terminate_backend($1)', [pid])
        await storing
      },
    ],
  ]
  for (const [index, [reason, fail]] of failures.entries()) {
    const before = await pidOf()
    await assert.rejects(fail(), reason)
    assert.equal((await storedOf(quiz))?.participants, index)
    assert.notEqual(await pidOf(), before)
    assert.deepEqual(await store([submissionTo(quiz)]), [{ kind: 'stored' }])
  }
  await pool.end()
})

test('submissions above the queue limit are refused immediately, and later submissions are accepted', async () => {
  const quiz = await publishedScoreQuiz(client)
  const submissions = createSubmissionQueue(app.pool)
  await using held = await holdBack(quiz)
  const waiting = severalTo(quiz, 2_000).map((submission) => submissions.submit(submission))
  for (const one of severalTo(quiz, 3))
    await assert.rejects(submissions.submit(one), { status: 503, headers: { 'retry-after': '2' } })
  await held.commit()
  await submissions.close()
  assert.equal((await storedOf(quiz))?.participants, 2_000)
  await Promise.all(waiting)
  assert.deepEqual(await submissions.submit(submissionTo(quiz)), { kind: 'stored' })
})
