import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { createBuiltApp } from '#server/testing/app/built-app.ts'
import { postForm } from '#server/testing/network/bodies/post-form.ts'
import {
  publishSample,
  readyProfilsQuiz,
  readyScoreQuiz,
  readySondage,
} from '#server/testing/quizzes/sample-quizzes.ts'

const app = await createBuiltApp()
after(() => app.close())
const { client } = await app.signUp()

const post = (url: string, fields: Record<string, string>) => postForm(app.app, { url, fields })

type Ready = Awaited<ReturnType<typeof readyScoreQuiz>>
/** Changes the quiz and its second result, which « Libre » leads to, and publishes. */
const publish = async (
  quiz: Ready,
  page: Parameters<typeof client.quizzes.update>[0]['body'],
  ending: Parameters<typeof client.results.update>[0]['body'] = {},
): Promise<void> => {
  await client.quizzes.update({ id: quiz.id, body: page })
  const resultId = quiz.result_ids[1]
  if (resultId) await client.results.update({ resultId, body: ending })
  await client.quizzes.publish({ id: quiz.id })
}
/** Returns the address of the result of a run that chose the second answer. */
const endOf = async (
  { id, question_id, answer_ids, open_id }: Ready,
  embed = '',
): Promise<string> => {
  const fields = { [question_id]: answer_ids[1] ?? '', [open_id]: 'c@exemple.fr' }
  const query = `version=1&participant=${crypto.randomUUID()}&secret=secret-of-a-run-in-a-test${embed}`
  const { headers, statusCode, body } = await post(`/q/${id}/resultat?${query}`, fields)
  assert.equal(statusCode, 303, body)
  return String(headers.location)
}
const get = async (url: string) => (await app.app.inject(url)).body

describe('the welcome', () => {
  test('the welcome is the first screen, also without scripts, and is not counted as a page', async () => {
    const quiz = await readyScoreQuiz(client)
    await publish(quiz, { welcome_title: 'Bonjour', welcome_text: 'Deux questions.' })
    const first = await get(`/q/${quiz.id}`)
    assert.match(first, /<h1[^>]*>Bonjour<\/h1>.*Deux questions\..*>Commencer<\/button>/)
    assert.doesNotMatch(first, /<progress|<legend/)
    const action = /<form[^>]* action="([^"]*)"/.exec(first)?.[1]?.replaceAll('&amp;', '&') ?? ''
    const page = await post(action, {})
    assert.equal(page.statusCode, 200)
    assert.match(page.body, /Votre agenda.*>1 \/ 2</)
    const back = /formAction="([^"]*)"/i.exec(page.body)?.[1]?.replaceAll('&amp;', '&') ?? ''
    const chosen = { [quiz.question_id]: quiz.answer_ids[0] ?? '' }
    const again = await post(back, chosen)
    assert.match(again.body, /<h1[^>]*>Bonjour<\/h1>/)
    assert.match(again.body, new RegExp(`type="hidden" name="${quiz.question_id}"`))
  })
  test('a visit begins with the first answer and not with the welcome', async () => {
    const quiz = await readyScoreQuiz(client)
    await publish(quiz, { welcome_title: 'Bonjour' })
    const begun = await post(`/q/${quiz.id}?version=1&page=0`, {})
    assert.match(begun.body, /step=1&amp;page=1/)
    const chosen = { [quiz.question_id]: quiz.answer_ids[0] ?? '' }
    assert.match((await post(`/q/${quiz.id}?version=1&step=1&page=1`, chosen)).body, /step=3/)
  })
  test('the first screen is the first page if there is no welcome', async () => {
    const quiz = await publishSample(client, readyScoreQuiz(client))
    const page = await post(`/q/${quiz.id}?version=1&page=-1`, {})
    assert.match(page.body, /Votre agenda/)
  })
})

describe('the end without scripts', () => {
  test('the end shows the total score among the tiers, a button and a link to begin again', async () => {
    const quiz = await readyScoreQuiz(client)
    const lead = { button_text: 'Écrire', button_url: 'https://exemple.fr/a?b=1&c=2' }
    await publish(quiz, { shows_detail: true, allows_restart: true }, lead)
    const end = await get(await endOf(quiz))
    assert.match(end, /<b>5<\/b> sur (<!-- -->)?5/)
    assert.match(end, /<li><span dir="auto">Pas à pas<\/span> <span>1 à 4<\/span><\/li>/)
    assert.match(end, /<li aria-current="true"><span dir="auto">Grand saut<\/span> <span>5<\/span>/)
    assert.match(
      end,
      /<a [^>]*href="https:\/\/exemple\.fr\/a\?b=1&amp;c=2" rel="noopener"[^>]*>Écrire/,
    )
    assert.match(end, new RegExp(`href="/q/${quiz.id}\\?r=2"[^>]*>Partager mon résultat`))
    assert.match(end, new RegExp(`href="/q/${quiz.id}"[^>]*>Recommencer`))
    assert.doesNotMatch(end, /style="|http-equiv/)
  })
  test('the end shows the share of each profile', async () => {
    const quiz = await readyProfilsQuiz(client)
    await publish(quiz, { shows_detail: true })
    const end = await get(await endOf(quiz))
    assert.match(end, /Grand saut<\/span> <span>100\u00a0%.*Pas à pas<\/span> <span>0\u00a0%/)
  })
  test('the end redirects the whole page, not only a frame', async () => {
    const quiz = await readyScoreQuiz(client)
    const lead = { button_text: 'Écrire', button_url: 'https://exemple.fr' }
    await publish(quiz, { allows_restart: true }, { ...lead, redirect_url: 'https://exemple.fr/b' })
    const end = await get(await endOf(quiz, '&embed=1'))
    assert.match(end, /href="https:\/\/exemple\.fr" target="_blank"/)
    assert.match(end, /href="https:\/\/exemple\.fr\/b" target="_blank"/)
    assert.match(end, new RegExp(`href="/q/${quiz.id}\\?embed=1"[^>]*>Recommencer`))
    assert.doesNotMatch(end, /http-equiv/)
  })
  test('the end redirects after some seconds, announces this, and stays on request', async () => {
    const quiz = await readyScoreQuiz(client)
    await publish(quiz, {}, { redirect_url: 'https://exemple.fr/suite?a=1&b=2' })
    const address = await endOf(quiz)
    const end = await get(address)
    assert.match(
      end,
      /<meta http-equiv="refresh" content="5;url=https:\/\/exemple\.fr\/suite\?a=1&amp;b=2">/,
    )
    assert.match(end, /Continuer vers exemple\.fr/)
    assert.match(end, /La suite s’ouvre dans un instant/)
    assert.match(end, /&amp;rester=1"[^>]*>Rester sur cette page/)
    const stays = await get(`${address}&rester=1`)
    assert.doesNotMatch(stays, /http-equiv|dans un instant/)
    assert.match(stays, /Continuer vers exemple\.fr/)
  })
  test('the end of a survey shows its own text, or thanks the visitor', async () => {
    const sondage = await readySondage(client)
    await publish(sondage, {})
    assert.match(await get(await endOf(sondage)), /Merci pour votre participation/)
    const own = await readySondage(client)
    await publish(own, {
      end_title: 'À bientôt',
      end_text: 'Un mot.',
      end_button_text: 'Notre site',
      end_button_url: 'https://exemple.fr',
    })
    const end = await get(await endOf(own))
    assert.match(end, /<h1[^>]*>À bientôt<\/h1>.*Un mot\..*>Notre site<\/a>/)
    assert.doesNotMatch(end, /Partager|Recommencer/)
  })
})

describe('a shared result', () => {
  test('a shared result is the page of the quiz with a card that names the result but no participant', async () => {
    const { id } = await publishSample(client, readyScoreQuiz(client))
    const [plain, shared] = [await get(`/q/${id}`), await get(`/q/${id}?r=2`)]
    const url = `http[^"]*/q/${id}`
    assert.match(
      shared,
      /property="og:title" content="J’ai obtenu «\u00a0Grand saut\u00a0». Et vous\u202f\?"/,
    )
    assert.match(
      shared,
      /property="og:description" content="Répondez au quiz «\u00a0Quel rythme\u202f\?\u00a0»\u00a0: 2/,
    )
    assert.match(shared, new RegExp(`property="og:url" content="${url}\\?r=2"`))
    assert.match(shared, new RegExp(`property="og:image" content="${url}/image-1-r2\\.png"`))
    assert.match(shared, new RegExp(`<link rel="canonical" href="${url}">`))
    const bodyOf = (html: string) => html.slice(html.indexOf('<body'))
    assert.equal(bodyOf(shared), bodyOf(plain))
    const picture = await app.app.inject(`/q/${id}/image-1-r2.png`)
    assert.deepEqual([picture.statusCode, picture.headers['content-type']], [200, 'image/png'])
    const other = await app.app.inject(`/q/${id}/image-1.png`)
    assert.notDeepEqual(picture.rawPayload, other.rawPayload)
  })
  test('a shared result without a valid rank is the plain page without a picture', async () => {
    const { id } = await publishSample(client, readyScoreQuiz(client))
    const plain = await app.app.inject(`/q/${id}`)
    for (const r of ['0', '3', '999', '1000', '-1', '01', '1.0', 'x', '1&r=2', '']) {
      const { statusCode, headers } = await app.app.inject(`/q/${id}?r=${r}`)
      assert.deepEqual([statusCode, headers.etag], [200, plain.headers.etag], r)
    }
    for (const rank of ['0', '3', '1000'])
      assert.equal((await app.app.inject(`/q/${id}/image-1-r${rank}.png`)).statusCode, 404, rank)
    const sondage = await publishSample(client, readySondage(client))
    const [own, asked] = [await get(`/q/${sondage.id}`), await get(`/q/${sondage.id}?r=1`)]
    assert.equal(asked, own)
  })
})
