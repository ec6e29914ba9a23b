import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { BUTTON_LABEL_FIELDS } from '#domain/questionnaire/fields/page-fields.ts'
import { createBuiltApp } from '#server/testing/app/built-app.ts'
import { postForm } from '#server/testing/network/bodies/post-form.ts'
import { readPdf } from '#server/testing/pdf/read-pdf.ts'
import {
  publishWordedQuiz,
  repliesToWordedQuiz,
  type WordedQuiz,
} from '#server/testing/quizzes/worded-quiz.ts'
import { testInAll } from '#server/testing/test-in-all.ts'

const app = await createBuiltApp()
after(() => app.close())
const { client } = await app.signUp()

const LABELS = Object.keys(BUTTON_LABEL_FIELDS)
const get = async (url: string) => (await app.app.inject(url)).body
const post = (url: string, fields: Record<string, string>) => postForm(app.app, { url, fields })
/** Returns the markup of a page without its scripts and its style. */
const shownIn = (html: string): string =>
  html.replaceAll(/<(script|style)[^>]*>.*?<\/\1>/gs, '').replaceAll('<!-- -->', '')
const scriptsIn = (html: string): string =>
  [...html.matchAll(/<script(?![^>]*json)[^>]*>(.*?)<\/script>/gs)].map(([, code]) => code).join('')
const withoutVersion = (html: string): string =>
  html.replaceAll(/version=\d+|"version":\d+|image-\d+/g, 'version')

/** Walks through a run without scripts and returns the markup of each page that a visitor can see. */
const walkPages = async (quiz: WordedQuiz): Promise<Record<string, string>> => {
  const { id, one, several, email } = quiz
  const uuid = randomUUID()
  const replies = repliesToWordedQuiz(quiz)
  const first = { [one]: replies[one] ?? '' }
  const second = { ...first, [several]: replies[several] ?? '' }
  const turn = async (page: number, fields: Record<string, string>) =>
    shownIn((await post(`/q/${id}?version=1&page=${page}`, fields)).body)
  const corrected = { participant_uuid: uuid, corrected: '1.2.3' }
  const wrong = { ...second, ...corrected, [email]: 'lea' }
  const ended = await post(
    `/q/${id}/resultat?version=1&participant=${uuid}&secret=secret-of-a-run-in-a-test`,
    { ...replies, ...corrected },
  )
  assert.equal(ended.statusCode, 303, ended.body)
  return {
    first: shownIn(await get(`/q/${id}`)),
    correction: await turn(1, first),
    unanswered: await turn(2, { participant_uuid: uuid, corrected: '1.2' }),
    several: await turn(1, { ...first, participant_uuid: uuid, corrected: '1' }),
    fields: await turn(2, { ...second, participant_uuid: uuid, corrected: '1.2' }),
    wrong: shownIn(
      (
        await post(
          `/q/${id}/resultat?version=1&participant=${uuid}&secret=secret-of-a-run-in-a-test`,
          wrong,
        )
      ).body,
    ),
    end: shownIn(await get(String(ended.headers.location))),
  }
}

describe('a quiz with defaults', () => {
  testInAll('the page is the same byte for byte when each field has its default', async () => {
    const { id } = await publishWordedQuiz(client)
    const before = await get(`/q/${id}`)
    const blank = Object.fromEntries(LABELS.map((name, rank) => [name, ['', ' ', null][rank % 3]]))
    const body = { ...blank, address_form: 'vous', auto_advance: false, end_title: '' } as const
    await client.quizzes.update({ id, body })
    await client.quizzes.publish({ id })
    assert.equal(withoutVersion(await get(`/q/${id}`)), withoutVersion(before))
    for (const part of ['Ta réponse', 'prefers-reduced-motion'])
      assert.ok(!scriptsIn(before).includes(part), part)
  })
})

describe('the labels of buttons', () => {
  test('every button of a run has the label of the creator, as text', async () => {
    const markup = `<b>"&'é</b>`
    const body = Object.fromEntries(LABELS.map((name) => [name, `${name.slice(0, 8)} ${markup}`]))
    const quiz = await publishWordedQuiz(client, body)
    const pages = await walkPages(quiz)
    const all = Object.values(pages).join('')
    for (const name of LABELS)
      if (name !== 'certificate_label')
        assert.match(
          all,
          new RegExp(`${name.slice(0, 8)} &lt;b&gt;&quot;&amp;&#x27;é&lt;/b&gt;`),
          name,
        )
    assert.doesNotMatch(all, /<b>"|>(Suivant|Précédent|Voir le résultat|Continuer|Recommencer)</)
    assert.doesNotMatch(all, /Partager mon résultat|Télécharger mon rapport/)
    assert.doesNotMatch(await get(`/q/${quiz.id}`), /<b>"&/)
  })
  test('an answer that is called like a button keeps its text', async () => {
    const quiz = await publishWordedQuiz(client, { next_label: 'Avancer', address_form: 'tu' })
    const [first] = quiz.answers
    await client.questions.saveAnswers({
      id: quiz.one,
      body: { answers: [{ ...first, text: 'Suivant' }, ...quiz.answers.slice(1)] },
    })
    await client.quizzes.publish({ id: quiz.id })
    const page = shownIn(await get(`/q/${quiz.id}`))
    assert.match(page, /<span dir="auto">Suivant<\/span>/)
    assert.match(page, />Avancer<\/button>/)
  })
  test('a label has at most 40 characters, and a refused one changes nothing', async () => {
    const { id } = await publishWordedQuiz(client)
    for (const name of LABELS) {
      await client.quizzes.update({ id, body: { [name]: 'x'.repeat(40) } })
      for (const length of [41, 400])
        await assert.rejects(
          client.quizzes.update({ id, body: { [name]: 'y'.repeat(length) } }),
          /40/,
        )
    }
    const { quiz } = await client.drafts.get({ id })
    for (const name of LABELS)
      assert.equal((quiz as unknown as Record<string, unknown>)[name], 'x'.repeat(40), name)
    await assert.rejects(client.quizzes.update({ id, body: { address_form: 'elle' as 'tu' } }))
  })
})

describe('the form of address', () => {
  const VOUS = /(?<!\p{L})(?:vous|votre|vos)(?!\p{L})|(?<!\p{L})\p{L}+ez(?!\p{L})/iu

  test('no page of a run says « vous » when the quiz says « tu »', async () => {
    const quiz = await publishWordedQuiz(client, { address_form: 'tu' })
    const pages = await walkPages(quiz)
    for (const [name, html] of Object.entries(pages))
      assert.doesNotMatch(html, VOUS, `${name}: ${VOUS.exec(html)?.[0]}`)
    assert.match(pages.first ?? '', /content="Réponds au quiz/)
    assert.match(pages.correction ?? '', /\(ta réponse, fausse\)/)
    assert.match(pages.unanswered ?? '', /Réponds-y pour continuer/)
    assert.match(pages.several ?? '', /aria-label="Autre : précise"/)
    assert.match(pages.fields ?? '', /placeholder="Ta réponse\.\.\."/)
    assert.match(pages.fields ?? '', /title="Saisis un nombre/)
    assert.match(pages.first ?? '', /reçoit tes réponses/)
    const shared = await get(`/q/${quiz.id}?r=1`)
    assert.match(shared, /og:title" content="[^"]*Et toi\u202f\?"/)
  })
  test('a run that starts from defaults says « vous » at these places', async () => {
    // The errors of refused replies contain neither « vous » nor « tu ».
    const { wrong, ...pages } = await walkPages(await publishWordedQuiz(client))
    for (const [name, html] of Object.entries(pages)) assert.match(html, VOUS, name)
  })
  testInAll('the report, a refusal and the end of a sondage say « tu »', async () => {
    const quiz = await publishWordedQuiz(client, { address_form: 'tu' })
    const { documents } = await app.client.publicQuiz.submit({
      id: quiz.id,
      body: { answers: repliesToWordedQuiz(quiz) },
    })
    const pdf = await readPdf(
      (await app.raw({ method: 'GET', url: documents?.report ?? '' })).rawPayload,
    )
    assert.match(pdf, /Tes réponses/)
    await client.quizzes.update({ id: quiz.id, body: { status: 'Brouillon' } })
    const late = await post(
      `/q/${quiz.id}/resultat?version=1&participant=${randomUUID()}&secret=secret-of-a-run-in-a-test`,
      repliesToWordedQuiz(quiz),
    )
    assert.match(late.body, /Tes réponses n’ont pas été transmises/)
    assert.doesNotMatch(shownIn(late.body), VOUS)
  })
  test('the page has the words of « tu » in its script, so that they need no second file', async () => {
    const { id } = await publishWordedQuiz(client, { address_form: 'tu' })
    assert.ok(scriptsIn(await get(`/q/${id}`)).includes('Tes réponses n’ont pas été transmises'))
  })
})

describe('advance on taps', () => {
  const ADVANCE = 'prefers-reduced-motion'
  test('a page has the script only if the quiz advances and one of its pages can', async () => {
    const quiz = await publishWordedQuiz(client, { auto_advance: true })
    const html = await get(`/q/${quiz.id}`)
    assert.ok(scriptsIn(html).includes(ADVANCE))
    assert.ok(!html.includes('auto_advance'))
    await client.questions.update({ id: quiz.one, body: { has_other: true } })
    await client.quizzes.publish({ id: quiz.id })
    assert.ok(!scriptsIn(await get(`/q/${quiz.id}`)).includes(ADVANCE))
  })
})
