import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { MAX_TRIAL_RUNS } from '#domain/run/trial-runs.ts'
import { applyRetention } from '#server/statistics/participants/retention.ts'
import { createBuiltApp } from '#server/testing/app/built-app.ts'
import { RUN_SECRET } from '#server/testing/app/own-pages.ts'
import { connectAccount, setForwarding } from '#server/testing/app/store-connections.ts'
import { postForm } from '#server/testing/network/bodies/post-form.ts'
import { createRowsDigest } from '#server/testing/ownership/rows-digest.ts'
import { publishedScoreQuiz, type SampleQuiz } from '#server/testing/quizzes/sample-quizzes.ts'

// Runs in test:all, because it repeats its rule for each tool and event.

const app = await createBuiltApp()
after(() => app.close())
const creator = await app.signUp()
const { client, user_id } = creator
const digest = await createRowsDigest(app.db)

const tokenOf = async (id: string): Promise<string> =>
  new URL((await client.trialRuns.link({ id })).url).searchParams.get('test') ?? ''
const bodyOf = (
  { question_id, answer_ids, open_id }: SampleQuiz,
  email = 'camille@exemple.fr',
) => ({
  answers: { [question_id]: answer_ids[1] ?? '', [open_id]: email },
  version: 1,
  participant_uuid: randomUUID(),
  consent_version: 1,
  elapsed_seconds: 42,
})
const keptOf = (quiz_id: string) =>
  app.db
    .selectFrom('trial_responses')
    .selectAll()
    .where('quiz_id', '=', quiz_id)
    .orderBy('created_at')
    .execute()
type Row = { name: string }
/** Returns digests of all stored rows of these objects, except trial runs. */
const restOf = async (...ids: string[]): Promise<Row[]> =>
  (JSON.parse(await digest(app.pool, ids)) as Row[]).filter(
    ({ name }) => name !== 'trial_responses',
  )

describe('the answers of a trial run', () => {
  let quiz: SampleQuiz
  let token: string
  before(async () => {
    quiz = await publishedScoreQuiz(client)
    await client.quizzes.update({ id: quiz.id, body: { consent_mode: 'box', max_responses: 1 } })
    await connectAccount(app.db, creator, 'brevo')
    await setForwarding(app.db, quiz.id, 'brevo')
    await client.webhooks.add({ id: quiz.id, body: { url: 'http://127.0.0.1:9998/hook' } })
    token = await tokenOf(quiz.id)
    // Participants can agree to a wording after the page has shown it.
    const asks = async (): Promise<boolean> =>
      (await app.raw({ url: `/q/${quiz.id}?test=${token}` })).body.includes('"consent":')
    for (let isAsked = false; !isAsked; ) isAsked = await asks()
  })

  test('the answers of a trial run are stored once in their own table, with the result of a participant', async () => {
    const body = bodyOf(quiz)
    const first = await app.client.trialRuns.submit({ id: quiz.id, token, body })
    assert.equal(first.result?.name, 'Grand saut')
    assert.equal(first.participant_uuid, body.participant_uuid)
    const changed = {
      ...body,
      answers: { ...body.answers, [quiz.question_id]: quiz.answer_ids[0] ?? '' },
    }
    const again = await app.client.trialRuns.submit({ id: quiz.id, token, body: changed })
    assert.deepEqual(again, first)
    const [row, ...others] = await keptOf(quiz.id)
    assert.equal(others.length, 0)
    assert.deepEqual(
      { ...row, created_at: '' },
      {
        quiz_id: quiz.id,
        id: body.participant_uuid,
        version: 1,
        created_at: '',
        email: 'camille@exemple.fr',
        result_position: 1,
        score: 5,
        choices: [1],
        texts: ['camille@exemple.fr'],
        elapsed_seconds: 42,
        consent_version: 1,
        measure_version: null,
        parameters: null,
        run_secret_hash: null,
      },
    )
  })

  test('the answers of a trial run are validated like a real response', async () => {
    const { answers } = bodyOf(quiz)
    const refused = [
      { answers: { ...answers, [quiz.question_id]: randomUUID() } },
      { answers: { [quiz.open_id]: 'camille@exemple.fr' } },
    ]
    for (const body of refused)
      await assert.rejects(app.client.trialRuns.submit({ id: quiz.id, token, body }), {
        status: 422,
      })
    // The consent to a wording that was never shown is invalid.
    const body = { ...bodyOf(quiz), consent_version: 999 }
    await app.client.trialRuns.submit({ id: quiz.id, token, body })
    const kept = await keptOf(quiz.id)
    assert.equal(kept.find(({ id }) => id === body.participant_uuid)?.consent_version, 0)
  })

  test('a trial run is not counted, not sent, and takes no place of the participants', async () => {
    const shown = async () => ({
      stored: await restOf(quiz.id, user_id),
      listed: (await client.quizzes.list()).quizzes,
      overview: await client.statistics.overview(),
      responses: await client.statistics.responses({ id: quiz.id }),
      key_figures: await client.statistics.keyFigures({ id: quiz.id }),
      deliveries: await client.deliveries.list({ id: quiz.id }),
      summary: await client.deliveries.summary(),
      person: await client.participants.ofPerson({ body: { email: 'camille@exemple.fr' } }),
    })
    const before = await shown()
    const at = `/q/${quiz.id}/test/${token}`
    for (let run = 0; run < 3; run++) {
      await app.raw({ url: `/q/${quiz.id}?test=${token}` })
      await app.client.trialRuns.submit({ id: quiz.id, token, body: bodyOf(quiz) })
      const key = { participant_uuid: randomUUID(), run_secret: RUN_SECRET }
      const fields = { ...bodyOf(quiz).answers, ...key }
      await postForm(app.app, { url: `${at}?version=1&page=1`, fields })
      const sent = await postForm(app.app, { url: `${at}/resultat?version=1`, fields })
      assert.equal(sent.statusCode, 303)
      assert.equal((await app.raw({ url: String(sent.headers.location) })).statusCode, 200)
      // Test pages have no URL that counts visits.
      const told = await app.raw({ method: 'POST', url: `${at}/visite/1/0/2` })
      assert.equal(told.statusCode, 404)
    }
    const after = await shown()
    assert.deepEqual(after, before)

    // The last place is still free. After a real response only trial runs are accepted.
    const real = { ...bodyOf(quiz), consent_version: undefined }
    await app.client.publicQuiz.submit({ id: quiz.id, body: real })
    await assert.rejects(app.client.publicQuiz.submit({ id: quiz.id, body: bodyOf(quiz) }), {
      code: 'quiz_full',
    })
    await app.client.trialRuns.submit({ id: quiz.id, token, body: bodyOf(quiz) })
    const { quiz: counted } = await client.quizzes.get({ id: quiz.id })
    assert.equal(counted.nb_responses, 1)
  })

  test('a trial run counts no visit, unlike a visit that is reported afterwards', async () => {
    const own = await publishedScoreQuiz(client)
    const test_token = await tokenOf(own.id)
    const key = { participant_uuid: randomUUID(), run_secret: RUN_SECRET }
    const fields = { ...bodyOf(own).answers, ...key }
    const at = `/q/${own.id}/test/${test_token}`
    await postForm(app.app, { url: `${at}?version=1&page=1`, fields })
    const sent = await postForm(app.app, { url: `${at}/resultat?version=1`, fields })
    assert.equal(sent.statusCode, 303)
    const told = await app.raw({ method: 'POST', url: `/q/${own.id}/visite/1/0/1` })
    assert.equal(told.statusCode, 204)
    const read = () =>
      app.db
        .selectFrom('visit_counts')
        .select(['step', 'count'])
        .where('quiz_id', '=', own.id)
        .orderBy('step')
        .execute()
    let counted = await read()
    while (counted.length === 0) counted = await read()
    assert.deepEqual(counted, [{ step: 1, count: 1 }])
  })

  test('a trial run does not prevent a response with the same id', async () => {
    const own = await publishedScoreQuiz(client)
    const body = { ...bodyOf(own), consent_version: undefined }
    await app.client.trialRuns.submit({ id: own.id, token: await tokenOf(own.id), body })
    await app.client.publicQuiz.submit({ id: own.id, body })
    assert.equal((await client.quizzes.get({ id: own.id })).quiz.nb_responses, 1)
    assert.equal((await keptOf(own.id)).length, 1)
  })
})

describe('the deletion of trial runs', () => {
  test('trial runs beyond fifty are deleted oldest first, and all are deleted after thirty days', async () => {
    const quiz = await publishedScoreQuiz(client)
    const token = await tokenOf(quiz.id)
    const bodies = Array.from({ length: MAX_TRIAL_RUNS + 2 }, () => bodyOf(quiz))
    for (const body of bodies) await app.client.trialRuns.submit({ id: quiz.id, token, body })
    const kept = await keptOf(quiz.id)
    assert.deepEqual(
      kept.map(({ id }) => id),
      bodies.slice(2).map(({ participant_uuid }) => participant_uuid),
    )
    await app.pool.query(
      "update trial_responses set created_at = now() - interval '31 days' where quiz_id = $1 and id <> $2",
      [quiz.id, bodies.at(-1)?.participant_uuid],
    )
    await applyRetention(app.db)
    assert.equal((await keptOf(quiz.id)).length, 1)
  })

  test('trial runs of an erased person are deleted only for this creator', async () => {
    const quiz = await publishedScoreQuiz(client)
    const token = await tokenOf(quiz.id)
    const submit = (email: string) =>
      app.client.trialRuns.submit({ id: quiz.id, token, body: bodyOf(quiz, email) })
    await submit('Dominique@exemple.fr')
    await submit('alix@exemple.fr')
    const stranger = await app.signUp()
    const body = { email: 'dominique@exemple.fr' }
    await stranger.client.participants.removePerson({ body })
    assert.equal((await keptOf(quiz.id)).length, 2)
    assert.deepEqual(await client.participants.removePerson({ body }), {
      nb_deleted: 0,
      nb_invitations: 0,
    })
    const kept = await keptOf(quiz.id)
    assert.deepEqual(
      kept.map(({ email }) => email),
      ['alix@exemple.fr'],
    )
  })

  test('trial runs are deleted with their quiz', async () => {
    const quiz = await publishedScoreQuiz(client)
    const token = await tokenOf(quiz.id)
    await app.client.trialRuns.submit({ id: quiz.id, token, body: bodyOf(quiz) })
    await client.quizzes.remove({ id: quiz.id, permanently: '1' })
    assert.equal((await keptOf(quiz.id)).length, 0)
  })
})
