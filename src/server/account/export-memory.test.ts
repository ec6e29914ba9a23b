import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { createTestApp } from '#server/testing/app/test-app.ts'
import { publishedScoreQuiz } from '#server/testing/quizzes/sample-quizzes.ts'

// Runs in test:all, because it exports hundreds of large versions.

const app = await createTestApp()
after(() => app.close())

/** Heap of the exporting process, a third of the JSON of the versions. */
const HEAP_MB = 96
const NB_VERSIONS = 400
const VERSIONS_AT_ONCE = 20
const PROGRAM = join(import.meta.dirname, '../testing/export-process.ts')

/** Runs the export of a creator in a process with a small heap. Returns its exit code and what it wrote. */
const exportIn = async (creator_id: string) => {
  const options = [`--max-old-space-size=${HEAP_MB}`, PROGRAM]
  const child = spawn(process.execPath, [...options, JSON.stringify(app.connection), creator_id])
  const errors: Buffer[] = []
  child.stderr.on('data', (bytes: Buffer) => errors.push(bytes))
  let bytes = 0
  let nb_snapshots = 0
  let last = ''
  child.stdout.setEncoding('latin1')
  child.stdout.on('data', (text: string) => {
    bytes += text.length
    nb_snapshots += text.split('"filler_of_version"').length - 1
    last = (last + text).slice(-20)
  })
  const [code] = await once(child, 'close')
  return { code, bytes, nb_snapshots, last, errors: Buffer.concat(errors).toString() }
}

test('an account with hundreds of large versions is exported in a small heap', async () => {
  const { client, user_id } = await app.signUp()
  const quiz = await publishedScoreQuiz(client)
  // Versions of 800 KB of JSON, which PostgreSQL stores compressed.
  for (let first = 2; first <= NB_VERSIONS; first += VERSIONS_AT_ONCE)
    await app.pool.query(
      `insert into quiz_versions (quiz_id, version, snapshot, image_ids, choice_questions, text_questions)
       select quiz_id, rank, snapshot || jsonb_build_object('filler_of_version', repeat('Texte ', 133000)),
         image_ids, choice_questions, text_questions
       from quiz_versions, generate_series($2::int, $3) as rank where quiz_id = $1 and version = 1`,
      [quiz.id, first, Math.min(NB_VERSIONS, first + VERSIONS_AT_ONCE - 1)],
    )
  // Participants of every version, in an order that mixes the versions.
  await app.pool.query(
    `insert into responses (quiz_id, participant_uuid, version, result_position, choices, texts)
     select $1, gen_random_uuid(), 2 + rank % ($2 - 2), 0, '{0}', '{x}' from generate_series(1, 300) as rank`,
    [quiz.id, NB_VERSIONS],
  )
  const { code, bytes, nb_snapshots, last, errors } = await exportIn(user_id)
  assert.equal(code, 0, errors.slice(-2_000))
  assert.ok(bytes > 300_000_000, `${bytes} bytes`)
  assert.ok(Math.abs(nb_snapshots - NB_VERSIONS) < 20, `${nb_snapshots} versions`)
  assert.match(last, /\}\]\}$/)
})
