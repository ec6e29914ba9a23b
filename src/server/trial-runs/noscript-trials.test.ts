import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createBuiltApp } from '#server/testing/app/built-app.ts'
import { type FormFields, postForm } from '#server/testing/network/bodies/post-form.ts'
import { publishedScoreQuiz } from '#server/testing/quizzes/sample-quizzes.ts'

const app = await createBuiltApp()
after(() => app.close())
const { client } = await app.signUp()

type Answered = { body: string; headers: Record<string, unknown>; statusCode: number }
/** Returns the URL to which the form of a page posts. */
const actionOf = ({ body }: Answered): string =>
  (/<form[^>]* action="([^"]*)"/.exec(body)?.[1] ?? '').replaceAll('&amp;', '&')
const hiddenOf = ({ body }: Answered): FormFields =>
  Object.fromEntries(
    [...body.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"\/>/g)].map(
      ([, name = '', value = '']) => [name, value],
    ),
  )

test('a trial run without scripts stays a trial run on all pages and ends with the result', async () => {
  const quiz = await publishedScoreQuiz(client)
  const results = await client.results.list({ id: quiz.id })
  for (const { id } of results.results)
    await client.results.update({
      resultId: id,
      body: { redirect_url: 'https://exemple.fr/offre' },
    })
  await client.quizzes.publish({ id: quiz.id })
  const { url } = await client.trialRuns.link({ id: quiz.id })
  const { pathname, search, searchParams } = new URL(url)
  const below = `/q/${quiz.id}/test/${searchParams.get('test')}`
  const pages: Answered[] = []
  const show = <T extends Answered>(page: T): T => {
    pages.push(page)
    return page
  }

  const first = show(await app.raw({ url: pathname + search }))
  const fields = { [quiz.question_id]: quiz.answer_ids[1] ?? '' }
  const second = show(await postForm(app.app, { url: actionOf(first), fields }))
  const given = { ...hiddenOf(second), [quiz.open_id]: 'camille@exemple.fr' }
  const refused = show(
    await postForm(app.app, {
      url: actionOf(second),
      fields: { ...given, [quiz.open_id]: '' },
    }),
  )
  assert.equal(refused.statusCode, 422)
  const sent = await postForm(app.app, { url: actionOf(refused), fields: given })
  assert.equal(sent.statusCode, 303)
  const end = show(await app.raw({ url: String(sent.headers.location) }))
  assert.match(end.body, /Grand saut/)
  for (const page of pages) {
    assert.match(page.body, /Mode test\s: vos réponses/)
    for (const [, address = ''] of page.body.matchAll(/(?:form)?action="([^"]*)"/gi))
      assert.ok(address.startsWith(below), address)
  }
  // The page does not redirect by itself and shows the target. The shared link is that of the quiz.
  assert.doesNotMatch(end.body, /http-equiv="refresh"/)
  assert.match(end.body, /Continuer vers exemple\.fr/)
  assert.match(end.body, new RegExp(`href="/q/${quiz.id}\\?r=2"`))
  assert.match(end.body, new RegExp(`href=/quiz/${quiz.id}/essais`))

  // A second post returns the same run. Opening its URLs again shows the first page.
  assert.equal((await postForm(app.app, { url: actionOf(refused), fields: given })).statusCode, 303)
  const reopened = await app.raw({ url: actionOf(first) })
  assert.deepEqual([reopened.statusCode, reopened.headers.location], [303, pathname + search])
  const lost = await app.raw({ url: `${below}/resultat` })
  assert.deepEqual([lost.statusCode, lost.headers.location], [303, pathname + search])
  const kept = await app.db
    .selectFrom('trial_responses')
    .select('email')
    .where('quiz_id', '=', quiz.id)
    .execute()
  assert.deepEqual(kept, [{ email: 'camille@exemple.fr' }])
  assert.equal((await client.quizzes.get({ id: quiz.id })).quiz.nb_responses, 0)
})

test('a form posted by another site is refused', async () => {
  const quiz = await publishedScoreQuiz(client)
  const { url } = await client.trialRuns.link({ id: quiz.id })
  const token = new URL(url).searchParams.get('test')
  const answered = await postForm(app.app, {
    url: `/q/${quiz.id}/test/${token}/resultat?version=1`,
    fields: { [quiz.question_id]: quiz.answer_ids[1] ?? '' },
    headers: { 'sec-fetch-site': 'cross-site' },
  })
  assert.equal(answered.statusCode, 403)
})
