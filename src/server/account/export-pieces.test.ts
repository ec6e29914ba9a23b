import assert from 'node:assert/strict'
import { after, mock, test } from 'node:test'
import { createTestApp } from '#server/testing/app/test-app.ts'
import { publishedScoreQuiz } from '#server/testing/quizzes/sample-quizzes.ts'
import { PIECE_BYTES } from './export.store.ts'
import { exportParts } from './export-data.ts'

const app = await createTestApp()
after(() => app.close())

/** Longest text of the pages of a version, with letters of one, two and four bytes. */
const LONG_TEXT = 'Été’s 👍 '.repeat(100_000)

/** Publishes a quiz whose version has a text of the longest kind, with one participant. */
const publishLongVersion = async (client: Parameters<typeof publishedScoreQuiz>[0]) => {
  const quiz = await publishedScoreQuiz(client)
  await app.pool.query(
    `update quiz_versions set snapshot = snapshot || jsonb_build_object('filler', $2::text) where quiz_id = $1`,
    [quiz.id, LONG_TEXT],
  )
  const answers = { [quiz.question_id]: quiz.answer_ids[0] ?? '', [quiz.open_id]: 'a@exemple.fr' }
  await app.client.publicQuiz.submit({ id: quiz.id, body: { answers } })
  return quiz
}

/** Collects the parts of the export of a creator. */
const collectParts = async (creator_id: string): Promise<Buffer[]> => {
  const inTurn = <T>(task: () => Promise<T>): Promise<T> => task()
  const parts: Buffer[] = []
  for await (const part of exportParts({ db: app.db, creator_id, inTurn }))
    parts.push(Buffer.from(part))
  return parts
}

test('the export sends a large snapshot in small pieces, byte by byte as the database writes it', async () => {
  const { client, user_id } = await app.signUp()
  const quiz = await publishLongVersion(client)
  const parts = await collectParts(user_id)
  const longest = Math.max(...parts.map(({ length }) => length))
  assert.ok(longest <= PIECE_BYTES, `a piece has ${longest} bytes`)
  const { rows } = await app.pool.query<{ body: string }>(
    'select snapshot::text as body from quiz_versions where quiz_id = $1',
    [quiz.id],
  )
  const text = Buffer.concat(parts).toString()
  assert.ok(text.includes(`"snapshot":${rows[0]?.body}}`))
  assert.ok(JSON.parse(text))
})

test('the export parses of a version only what the replies of its participants need', async () => {
  const { client, user_id } = await app.signUp()
  await publishLongVersion(client)
  const parse = mock.method(JSON, 'parse')
  const text = Buffer.concat(await collectParts(user_id)).toString()
  const longest = Math.max(0, ...parse.mock.calls.map(({ arguments: [json] }) => json.length))
  mock.restoreAll()
  assert.ok(longest < LONG_TEXT.length / 10, `${longest} letters are parsed at once`)
  const { responses } = JSON.parse(text) as { responses: { answers: object[] }[] }
  assert.deepEqual(
    responses.map(({ answers }) => answers.length),
    [2],
  )
})
