import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createBuiltApp } from '#server/testing/app/built-app.ts'
import { postForm } from '#server/testing/network/bodies/post-form.ts'

/** How the public page says with which country a phone number is read, and how a number was read. */

const app = await createBuiltApp()
after(() => app.close())

const BELGIAN = 'Numéro sans indicatif : Belgique (+32).'

/** Publishes a sondage with a phone question and a required name, in an account of a country. */
const publishedPhones = async (country: 'BE' | 'FR', settings: { address_form?: 'tu' } = {}) => {
  const { client } = await app.signUp()
  await client.preferences.set({ body: { country } })
  const { quiz } = await client.quizzes.create({ body: { name: 'Rappel', type: 'sondage' } })
  const { id } = quiz
  await client.quizzes.update({ id, body: settings })
  await client.questions.saveDraft({
    id,
    body: {
      questions: [
        { type: 'phone', text: 'Votre téléphone ?' },
        { type: 'text', text: 'Votre prénom ?' },
      ],
    },
  })
  await client.quizzes.publish({ id })
  const { questions } = await client.questions.unified({ id })
  const [phone = '', name = ''] = questions.map((question) => question.id)
  return { client, id, phone, name }
}
/** Returns the readable text of each element with a class. */
const textsOf = (body: string, className: string): string[] =>
  Array.from(body.matchAll(new RegExp(`class="${className}"[^>]*>([^<]*)<`, 'g')), ([, text]) =>
    (text ?? '').replaceAll(/[\u00a0\u202f]/g, ' '),
  )
const pageOf = async (id: string, query = ''): Promise<string> =>
  (await app.app.inject(`/q/${id}${query}`)).body.replaceAll(/[\u00a0\u202f]/g, ' ')

test('a phone field says with which country a number is read, from the beginning and without scripts', async () => {
  const { id, phone } = await publishedPhones('BE')
  for (const query of ['', '?embed=1']) {
    const body = await pageOf(id, query)
    assert.match(body, new RegExp(`<div id="q-${phone}-hint" class="q-phone"><p>[^<]*Belgique`))
    assert.match(body, new RegExp(`<input id="q-${phone}"[^>]*aria-describedby="q-${phone}-hint"`))
    assert.deepEqual(textsOf(body, 'q-reading'), [''])
    assert.ok(body.includes(BELGIAN))
  }
})

test('another country of the account applies to published pages without a new publication', async () => {
  const { client, id } = await publishedPhones('BE')
  assert.ok((await pageOf(id)).includes(BELGIAN))
  await client.preferences.set({ body: { country: 'CA' } })
  while ((await pageOf(id)).includes(BELGIAN));
  assert.ok((await pageOf(id)).includes('Numéro sans indicatif : Canada (+1).'))
  const { snapshot } = await app.client.publicQuiz.snapshot({ id })
  assert.equal(snapshot.questions[0]?.phone?.country, 'CA')
})

test('the preview of a draft has the country of the account', async () => {
  const { client, id } = await publishedPhones('BE')
  const { snapshot } = await client.publicQuiz.snapshot({ id, preview: '1' })
  assert.deepEqual(snapshot.questions[0]?.phone, { country: 'BE', hint: BELGIAN })
})

const cases: [title: string, typed: string, expected: string][] = [
  ['a Belgian number', '0470/12.34.56', 'Numéro compris : +32 470 12 34 56'],
  ['a French number in Belgium', '06 12 34 56 78', 'Vérifiez ou ajoutez l’indicatif (+33…).'],
  ['a number with another country', '+33612345678', 'Numéro compris : +33 6 12 34 56 78'],
]
for (const [title, typed, expected] of cases)
  test(`without scripts, a page that comes back says how ${title} is read`, async () => {
    const { id, phone } = await publishedPhones('BE')
    const url = `/q/${id}/resultat?version=1`
    const sent = await postForm(app.app, { url, fields: { [phone]: typed } })
    assert.equal(sent.statusCode, 422)
    assert.deepEqual(textsOf(sent.body, 'q-reading'), [expected])
  })

test('a quiz that says « tu » gives its advice with « tu »', async () => {
  const { id, phone } = await publishedPhones('FR', { address_form: 'tu' })
  const url = `/q/${id}/resultat?version=1`
  const sent = await postForm(app.app, { url, fields: { [phone]: '0412' } })
  assert.deepEqual(textsOf(sent.body, 'q-reading'), ['Vérifie ou ajoute l’indicatif (+33…).'])
})

test('a number is stored as typed', async () => {
  const { client, id, phone, name } = await publishedPhones('BE')
  const url = `/q/${id}/resultat?version=1&participant=0192f0c8-9a77-7c3e-8d25-7a2f7f6f1b01&secret=secret-of-a-run-in-a-test`
  const fields = { [phone]: '0470/12.34.56', [name]: 'Zoé' }
  assert.equal((await postForm(app.app, { url, fields })).statusCode, 303)
  const [newest] = (await client.statistics.responses({ id })).details
  assert.deepEqual(
    newest?.answers.map(({ answer_text }) => answer_text),
    ['0470/12.34.56', 'Zoé'],
  )
})

test('only pages with a phone question contain the script of phone fields', async () => {
  const { id } = await publishedPhones('BE')
  assert.match(await pageOf(id), /<script[\s\S]*q-reading/)
  const { client } = await app.signUp()
  const { quiz } = await client.quizzes.create({ body: { name: 'Courrier', type: 'sondage' } })
  const questions = [{ type: 'email' as const, text: 'Où vous écrire ?' }]
  await client.questions.saveDraft({ id: quiz.id, body: { questions } })
  await client.quizzes.publish({ id: quiz.id })
  const body = await pageOf(quiz.id)
  assert.ok(body.includes('nom@exemple.fr'))
  assert.ok(!body.includes('q-reading'))
})

test('the file that reads phone numbers is served to every site, and kept for ever', async () => {
  const { id } = await publishedPhones('BE')
  const second = /\/assets\/player-[\w-]+\.js/.exec(await pageOf(id))?.[0]
  const { body } = await app.app.inject(String(second))
  const url = String(/\/assets\/player-phones-[\w-]+\.js/.exec(body)?.[0])
  const { statusCode, headers } = await app.app.inject(`${url}?0`)
  assert.equal(statusCode, 200)
  assert.equal(headers['content-type'], 'text/javascript; charset=utf-8')
  assert.equal(headers['cache-control'], 'public, max-age=31536000, immutable')
  assert.equal(headers['access-control-allow-origin'], '*')
})

test('a page without scripts has no reading of a number of a country that it does not know', async () => {
  const { id, phone } = await publishedPhones('BE')
  const url = `/q/${id}/resultat?version=1`
  const sent = await postForm(app.app, { url, fields: { [phone]: '+44 7771 234567' } })
  assert.deepEqual(textsOf(sent.body, 'q-reading'), [''])
})
