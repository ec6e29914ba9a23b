import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import Fastify, { type FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { parseRichText } from '#contract/parse-rich-text.ts'
import type { Draft } from '#domain/questionnaire/quiz.ts'
import { takeSnapshot } from '#domain/questionnaire/snapshot.ts'
import { readTexts } from '#domain/run/rich-text.ts'
import { draftOf, questionOf, quizOf, textBlockOf } from '#domain/testing/drafts.ts'
import { largestDrafts } from '#domain/testing/largest-drafts.ts'
import { createCurrentVersions } from '#server/published-versions/current-versions.ts'
import { createVersionReader } from '#server/published-versions/published-versions.ts'
import { createQuizFromDraft } from '#server/quizzes/create-quiz.ts'
import { createSubmissionQueue } from '#server/responses/submission-queue.ts'
import { createVisits } from '#server/responses/visits.ts'
import { createTestApp } from '#server/testing/app/test-app.ts'
import { createTestVersions } from '#server/testing/app/test-versions.ts'
import { buildPlayer } from '#server/testing/built-player.ts'
import { postForm } from '#server/testing/network/bodies/post-form.ts'
import { registerNoscriptRuns } from './noscript-runs.ts'
import { loadPlayerBuild, type PlayerBuild } from './player-build.ts'
import { createPublicPages } from './public-pages.ts'
import { writeNoscriptPage, writeQuizPage } from './write-quiz-page.ts'

// Runs in test:all, because its questionnaires have the maximum size.

const MIB = 1_048_576

// Pages are created before the server, which refuses calls while the event loop is late.
const LARGEST = largestDrafts()

const app = await createTestApp()
const me = await app.signUp()
const { player_folder, remove } = buildPlayer()
const { heavyWork, compiled } = createTestVersions(app.db)
after(heavyWork.close)
const { public_url } = app.config
const versionReader = createVersionReader(app.db, {
  compiled,
  versions: createCurrentVersions(app.db, { trusted_ms: 0 }),
})
const submissions = createSubmissionQueue(app.pool)
const visits = createVisits(app.pool, app.app.log)
after(async () => {
  await Promise.all([submissions.close(), visits.close()])
  await app.close()
  remove()
})

describe('pages of the largest questionnaires', () => {
  let build: PlayerBuild
  before(async () => {
    build = await loadPlayerBuild(heavyWork, player_folder)
  })
  for (const { shape, draft } of LARGEST)
    test(`the public page is at most 2 MiB and a page without scripts at most 1 MiB (${shape})`, async () => {
      const snapshot = takeSnapshot(draft)
      const rich = readTexts(snapshot, parseRichText)
      const taken = {
        quiz_id: randomUUID(),
        version: 1,
        snapshot,
        rich,
        is_embedded: false,
        caller: { owner: 'creator' },
      }
      const at = { url: `${public_url}/q/x`, public_url }
      const page = writeQuizPage(taken, build, await build.renderPublicPage(taken), at)
      assert.ok(Buffer.byteLength(page.html) <= 2 * MIB)
      const replies = Object.fromEntries(
        draft.questions.flatMap(({ id, answers }) => (answers[0] ? [[id, answers[0].id]] : [])),
      )
      const run = await build.renderServedRun(taken, {
        replies,
        participant_uuid: randomUUID(),
        run_secret: randomUUID(),
        page_index: 0,
        is_trapped: false,
        parameters: '',
        counted: { from: 0, to: 0 },
        corrected: [],
        asked_emails: [],
      })
      assert.ok(Buffer.byteLength(writeNoscriptPage(taken, run).html) <= MIB)
    })
})

/** Creates a question, and text blocks on the next page that each insert its reply several times. */
const insertingDraft = (nb_blocks: number, insertions: number): Draft =>
  draftOf({
    quiz: quizOf({ id: randomUUID(), type: 'sondage' }),
    questions: [questionOf('p', { id: randomUUID(), type: 'textarea', label: 'p' })],
    text_blocks: Array.from({ length: nb_blocks }, (_, rank) =>
      textBlockOf('b', {
        id: randomUUID(),
        content: '{{p}}'.repeat(insertions),
        page_number: 2,
        global_position: rank + 1,
      }),
    ),
  })

describe('a run without scripts whose texts insert a reply', () => {
  let server: FastifyInstance
  before(async () => {
    server = Fastify()
    const pages = createPublicPages({ versionReader, heavyWork, public_url, player_folder })
    registerNoscriptRuns(server, { versionReader, submissions, pages, visits, public_url })
  })
  after(() => server.close())

  const publish = async (draft: Draft): Promise<{ id: string; question_id: string }> => {
    const stored = { creator_id: me.user_id, draft, has_mail_server: false }
    const id = await app.db.transaction().execute((change) => createQuizFromDraft(change, stored))
    await me.client.quizzes.publish({ id })
    const { questions } = await me.client.questions.list({ id })
    return { id, question_id: questions[0]?.id ?? '' }
  }
  const turn = ({ id, question_id }: { id: string; question_id: string }, reply: string) =>
    postForm(server, { url: `/q/${id}?version=1&page=1`, fields: { [question_id]: reply } })

  test('only the first 200 characters of a reply of 10,000 are inserted', async () => {
    const quiz = await publish(insertingDraft(1, 900))
    const { statusCode, body } = await turn(quiz, 'a'.repeat(10_000))
    assert.equal(statusCode, 200)
    assert.ok(body.includes(`${'a'.repeat(200)}…${'a'.repeat(200)}…`))
    assert.ok(body.length < 300_000)
  })

  test('a page that would exceed 1 MiB is refused in French', async () => {
    const quiz = await publish(insertingDraft(2, 875))
    const { statusCode, body } = await turn(quiz, '"'.repeat(10_000))
    assert.equal(statusCode, 413)
    assert.match(body, /Cette page est trop grande pour être affichée sans JavaScript/)
  })

  test('an old version above the maximum size is not rendered for each visitor', async () => {
    const quiz = await publish(insertingDraft(1, 1))
    await sql`update quiz_versions set snapshot = jsonb_set(
      snapshot, '{text_blocks,0,content}', to_jsonb(repeat('{{p}}', 5000))
    ) where quiz_id = ${quiz.id}`.execute(app.db)
    assert.equal((await turn(quiz, 'a')).statusCode, 413)
  })
})
