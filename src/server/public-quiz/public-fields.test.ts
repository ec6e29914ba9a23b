import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { withUnlistedFields } from '#domain/testing/unlisted-fields.ts'
import { createVersionReader } from '#server/published-versions/published-versions.ts'
import { createTestApp } from '#server/testing/app/test-app.ts'
import { createTestVersions } from '#server/testing/app/test-versions.ts'
import { buildPlayer } from '#server/testing/built-player.ts'
import { publishReportQuiz } from '#server/testing/quizzes/report-quiz.ts'
import { createPublicPages } from './public-pages.ts'

const app = await createTestApp()
const { client } = await app.signUp()
const { player_folder, remove } = buildPlayer()
const { heavyWork, compiled } = createTestVersions(app.db)
after(heavyWork.close)
after(async () => {
  await app.close()
  remove()
})
const { public_url } = app.config

test('a field that a version has and the list of public fields lacks is in no public answer', async () => {
  const { id: quiz_id } = await publishReportQuiz(client)
  const { rows } = await app.pool.query('select snapshot from quiz_versions where quiz_id = $1', [
    quiz_id,
  ])
  const grown = JSON.stringify(withUnlistedFields(rows[0].snapshot))
  assert.match(grown, /unlisted/)
  await app.pool.query('update quiz_versions set snapshot = $2 where quiz_id = $1', [
    quiz_id,
    grown,
  ])
  // A new cache reads the grown version.
  const versionReader = createVersionReader(app.db, { compiled })
  const published = await versionReader.current(quiz_id)
  assert.ok(published?.is_published)
  assert.match(JSON.stringify(published.snapshot), /unlisted/)
  assert.doesNotMatch(published.body().json.toString(), /unlisted/)
  const pages = createPublicPages({ versionReader, heavyWork, public_url, player_folder })
  for (const kind of ['page', 'embedded'] as const)
    for (const { name, bytes } of (await pages.find(quiz_id, published, kind)).encodings) {
      const unpack = name === 'br' ? brotliDecompressSync : gunzipSync
      const html = (name === 'identity' ? bytes : unpack(bytes)).toString()
      assert.match(html, /Votre agenda/)
      assert.doesNotMatch(html, /unlisted/)
    }
  const build = await pages.build()
  const { snapshot, rich } = published
  const taken = {
    quiz_id,
    version: 1,
    snapshot,
    rich,
    is_embedded: false,
    caller: { owner: published.creator_id },
  }
  const state = {
    is_trapped: false,
    parameters: '',
    counted: { from: 0, to: 0, left_out: undefined },
  }
  const run = await build.renderServedRun(taken, {
    replies: {},
    participant_uuid: quiz_id,
    run_secret: 'x',
    page_index: 0,
    corrected: [],
    asked_emails: [],
    ...state,
  })
  const [result = null] = published.snapshot.results
  const ending = await build.renderServedEnding(taken, { result, replies: {} })
  for (const { body } of [run, ending]) assert.doesNotMatch(body, /unlisted/)
})
