import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { createBuiltApp } from '#server/testing/app/built-app.ts'
import { keepPages, RUN_SECRET } from '#server/testing/app/own-pages.ts'
import { postForm } from '#server/testing/network/bodies/post-form.ts'
import { publishReportQuiz, type ReportQuiz } from '#server/testing/quizzes/report-quiz.ts'

const app = await createBuiltApp()
after(() => app.close())
const { client } = await app.signUp()
const OTHER_SECRET = 'another-secret-of-another-run'

let quiz: ReportQuiz
before(async () => {
  quiz = await publishReportQuiz(client)
  await client.questions.update({ id: quiz.first_name_id, body: { label: 'Prénom' } })
  await client.results.update({
    resultId: quiz.result_ids[1] ?? '',
    body: { description: 'Bravo {{Prénom}}, à bientôt.' },
  })
  await client.quizzes.publish({ id: quiz.id })
  await keepPages(client, quiz)
})
const answersOf = (name = 'Léa') => ({
  [quiz.question_id]: quiz.answer_ids[1] ?? '',
  [quiz.open_id]: 'lea@exemple.fr',
  [quiz.first_name_id]: name,
})
const submit = async (run: { participant_uuid: string; run_secret?: string }, name?: string) => {
  const reply = await app.raw({
    method: 'POST',
    url: `/api/v1/quizzes/${quiz.id}/submit`,
    body: { answers: answersOf(name), ...run },
  })
  return { status: reply.statusCode, ...reply.json() }
}
const get = (url: string) => app.raw({ method: 'GET', url })
const resultOf = (participant_uuid: string, secret?: string) =>
  get(`/q/${quiz.id}/resultat?participant=${participant_uuid}${secret ? `&secret=${secret}` : ''}`)

describe('the links of a participant', () => {
  test('the first answer has the links, with and without a secret', async () => {
    for (const run_secret of [undefined, RUN_SECRET]) {
      const run = { participant_uuid: randomUUID(), ...(run_secret && { run_secret }) }
      const { status, documents } = await submit(run)
      assert.equal(status, 201)
      assert.deepEqual(Object.keys(documents), ['report', 'certificate', 'own_page'])
    }
  })

  test('a retry with the secret of the run has the same links', async () => {
    const run = { participant_uuid: randomUUID(), run_secret: RUN_SECRET }
    const first = await submit(run)
    const again = await Promise.all([submit(run), submit(run)])
    for (const { status, documents } of again) {
      assert.equal(status, 200)
      assert.deepEqual(documents, first.documents)
    }
  })

  test('whoever knows the id alone gets the result without links, and with the replies of the request', async () => {
    for (const stored of [undefined, RUN_SECRET]) {
      const participant_uuid = randomUUID()
      await submit({ participant_uuid, ...(stored && { run_secret: stored }) })
      for (const run_secret of [undefined, OTHER_SECRET, participant_uuid]) {
        const again = await submit({ participant_uuid, ...(run_secret && { run_secret }) }, 'Zoé')
        assert.equal(again.status, 200)
        assert.equal(again.documents, undefined)
        assert.equal(again.result.description_text, 'Bravo Zoé, à bientôt.')
      }
    }
  })

  test('two simultaneous submissions of one id give links to the run that was stored alone', async () => {
    const participant_uuid = randomUUID()
    const secrets = [RUN_SECRET, OTHER_SECRET]
    const both = await Promise.all(
      secrets.map((run_secret) => submit({ participant_uuid, run_secret })),
    )
    assert.deepEqual(both.map(({ status }) => status).toSorted(), [200, 201])
    for (const { status, documents } of both) assert.equal(documents !== undefined, status === 201)
  })

  test('a secret that can be guessed is refused', async () => {
    const { status } = await submit({ participant_uuid: randomUUID(), run_secret: 'x'.repeat(21) })
    assert.equal(status, 422)
  })

  test('the secret is stored nowhere', async () => {
    const run_secret = `secret-${randomUUID()}`
    await submit({ participant_uuid: randomUUID(), run_secret })
    const { rows } = await app.pool.query('select to_jsonb(responses)::text as row from responses')
    assert.ok(rows.every(({ row }) => !row.includes(run_secret)))
  })
})

describe('the result page without scripts', () => {
  test('only the secret of the run opens the page of its result', async () => {
    const run = { participant_uuid: randomUUID(), run_secret: RUN_SECRET }
    await submit(run)
    const own = await resultOf(run.participant_uuid, RUN_SECRET)
    assert.equal(own.statusCode, 200)
    assert.match(own.body, /Bravo Léa/)
    assert.match(own.body, /\/ma-page\//)
    for (const secret of [undefined, OTHER_SECRET, run.participant_uuid]) {
      const { statusCode, headers } = await resultOf(run.participant_uuid, secret)
      assert.equal(statusCode, 303)
      assert.equal(headers.location, `/q/${quiz.id}`)
    }
  })

  test('a run that was stored without a secret has no such page', async () => {
    const participant_uuid = randomUUID()
    await submit({ participant_uuid })
    for (const secret of [undefined, RUN_SECRET, 'null', ''])
      assert.equal((await resultOf(participant_uuid, secret)).statusCode, 303)
  })

  test('a form with the id of another run does not lead to its result', async () => {
    const run = { participant_uuid: randomUUID(), run_secret: RUN_SECRET }
    await submit(run)
    const fields = { ...answersOf('Zoé'), participant_uuid: run.participant_uuid }
    const first = await postForm(app.app, { url: `/q/${quiz.id}/resultat?version=1`, fields })
    assert.equal(first.statusCode, 307)
    const again = await postForm(app.app, { url: String(first.headers.location), fields })
    assert.equal(again.statusCode, 303)
    const end = await get(String(again.headers.location))
    assert.doesNotMatch(end.body, /Bravo|ma-page|Léa/)
  })

  test('a run without scripts carries a secret of its own to its end', async () => {
    const answers = answersOf()
    const page = await postForm(app.app, {
      url: `/q/${quiz.id}?version=2&page=1`,
      fields: { [quiz.question_id]: answers[quiz.question_id] ?? '' },
    })
    const hidden = Object.fromEntries(
      Array.from(
        page.body.matchAll(/type="hidden" name="([^"]+)" value="([^"]*)"/g),
        ([, name = '', value = '']) => [name, value],
      ),
    )
    assert.match(hidden.run_secret ?? '', /^[\w-]{32}$/)
    const sent = await postForm(app.app, {
      url: `/q/${quiz.id}/resultat?version=2`,
      fields: { ...hidden, ...answers },
    })
    assert.equal(sent.statusCode, 303)
    const end = await get(String(sent.headers.location))
    assert.match(end.body, /Bravo Léa/)
    const path = /href="([^"]+\/rapport\/[^"]+)"/.exec(end.body)?.[1]
    assert.equal((await get(path ?? '')).statusCode, 200)
  })
})
