import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { createBuiltApp } from '#server/testing/app/built-app.ts'

/** Runs without scripts that ask once about an address with a typing slip. */

const app = await createBuiltApp()
after(() => app.close())
const { client } = await app.signUp()

const post = (url: string, fields: [name: string, value: string][]) =>
  app.raw({
    method: 'POST',
    url,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(fields).toString(),
  })
type Answer = Awaited<ReturnType<typeof post>>
const attribute = (text: string): string => text.replaceAll('&amp;', '&')
const hiddenOf = ({ body }: Answer): [name: string, value: string][] =>
  Array.from(
    body.matchAll(/<input type="hidden" name="([^"]*)"(?: value="([^"]*)")?\/>/g),
    ([, name = '', value = '']) => [name, value],
  )
const nextOf = ({ body }: Answer): string =>
  attribute(/<form[^>]* action="([^"]*)"/.exec(body)?.[1] ?? '')
const radiosOf = ({ body }: Answer): string[] =>
  Array.from(body.matchAll(/<input type="radio"[^>]*value="([^"]*)"/g), ([, value = '']) => value)

/** Publishes a sondage with these questions, each on a page of its own, and returns their ids. */
const published = async (types: ('email' | 'text')[]) => {
  const { quiz } = await client.quizzes.create({ body: { name: 'Courrier', type: 'sondage' } })
  const questions = types.map((type, index) => ({
    type,
    text: `Question ${index}`,
    page_number: index + 1,
  }))
  await client.questions.saveDraft({ id: quiz.id, body: { questions } })
  await client.quizzes.publish({ id: quiz.id })
  const { snapshot } = await client.publicQuiz.snapshot({ id: quiz.id })
  return { id: quiz.id, ids: snapshot.questions.map(({ id }) => id) }
}
const storedEmails = async (id: string) =>
  (await client.statistics.responses({ id })).details.map(({ email }) => email)
/** Follows the repeated post and the redirect to the end, and returns the end page. */
const finish = async (answer: Answer, fields: [string, string][]) => {
  let sent = answer
  if (sent.statusCode === 307) sent = await post(String(sent.headers.location), fields)
  assert.equal(sent.statusCode, 303, sent.body)
  return app.raw({ url: String(sent.headers.location) })
}

describe('a run without scripts', () => {
  for (const chosen of ['camille@gmail.com', 'camille@gmial.com'])
    test(`the server asks once about an address, and ${chosen} is stored if it is chosen`, async () => {
      const { id, ids } = await published(['email', 'text'])
      const [email = '', text = ''] = ids
      const asked = await post(`/q/${id}?version=1&page=1`, [[email, 'camille@gmial.com']])
      assert.equal(asked.statusCode, 200)
      assert.match(asked.body, /Laquelle de ces adresses est la bonne/)
      assert.match(asked.body, /camille@gmial\.com \(adresse saisie\)/)
      assert.deepEqual(radiosOf(asked), ['camille@gmail.com', 'camille@gmial.com'])
      assert.match(asked.body, /checked="" value="camille@gmial\.com"/)
      assert.deepEqual(await storedEmails(id), [])
      const second = await post(nextOf(asked), [...hiddenOf(asked), [email, chosen]])
      assert.match(second.body, /Question 1/)
      const fields: [string, string][] = [...hiddenOf(second), [text, 'Bonjour']]
      assert.equal((await finish(await post(nextOf(second), fields), fields)).statusCode, 200)
      assert.deepEqual(await storedEmails(id), [chosen])
    })

  test('the last page asks before the answers are sent, and keeps the other replies', async () => {
    const { id, ids } = await published(['text', 'email'])
    const [text = '', email = ''] = ids
    const last = await post(`/q/${id}?version=1&page=1`, [[text, 'Mon mot']])
    const asked = await post(nextOf(last), [...hiddenOf(last), [email, 'camille@orange.fe']])
    assert.equal(asked.statusCode, 200)
    assert.deepEqual(radiosOf(asked), ['camille@orange.fr', 'camille@orange.fe'])
    assert.ok(hiddenOf(asked).some(([, value]) => value === 'Mon mot'))
    const fields: [string, string][] = [...hiddenOf(asked), [email, 'camille@orange.fe']]
    await finish(await post(nextOf(asked), fields), fields)
    assert.deepEqual(await storedEmails(id), ['camille@orange.fe'])
  })

  test('a quiz of one page asks before the run has an id', async () => {
    const { id, ids } = await published(['email'])
    const [email = ''] = ids
    const asked = await post(`/q/${id}/resultat?version=1`, [[email, 'camille@hotmial.fr']])
    assert.equal(asked.statusCode, 200)
    assert.deepEqual(radiosOf(asked), ['camille@hotmail.fr', 'camille@hotmial.fr'])
    const fields: [string, string][] = [...hiddenOf(asked), [email, 'camille@hotmail.fr']]
    await finish(await post(nextOf(asked), fields), fields)
    assert.deepEqual(await storedEmails(id), ['camille@hotmail.fr'])
  })

  test('two addresses are asked about on their own pages, and « Précédent » shows the field again', async () => {
    const { id, ids } = await published(['email', 'email'])
    const [first = '', second = ''] = ids
    const asked = await post(`/q/${id}?version=1&page=1`, [[first, 'a@gmial.com']])
    const next = await post(nextOf(asked), [...hiddenOf(asked), [first, 'a@gmial.com']])
    assert.deepEqual(radiosOf(next), [])
    const again = await post(nextOf(next), [...hiddenOf(next), [second, 'b@wanado.fr']])
    assert.deepEqual(radiosOf(again), ['b@wanadoo.fr', 'b@wanado.fr'])
    const back = attribute(/formaction="([^"]*)"/i.exec(again.body)?.[1] ?? '')
    const before = await post(back, [...hiddenOf(again), [second, 'b@wanado.fr']])
    assert.match(before.body, /type="email"[^>]*value="a@gmial\.com"/)
  })

  test('a right address, a skipped page and a forged list of asked addresses are no reason to ask', async () => {
    const { id, ids } = await published(['email', 'text'])
    const [email = ''] = ids
    const url = `/q/${id}?version=1&page=1`
    for (const fields of [
      [[email, 'camille@exemple.fr']],
      [[email, 'camille@laposte.net']],
      [
        [email, 'camille@gmial.com'],
        ['asked_emails', '0'],
      ],
    ] as [string, string][][])
      assert.match((await post(url, fields)).body, /Question 1/)
    const forged = await post(url, [
      [email, 'camille@gmial.com'],
      ['asked_emails', '<b>'],
    ])
    assert.deepEqual(radiosOf(forged), ['camille@gmail.com', 'camille@gmial.com'])
  })

  test('markup in an address is shown as text', async () => {
    const { id, ids } = await published(['email', 'text'])
    const asked = await post(`/q/${id}?version=1&page=1`, [[ids[0] ?? '', '"<script>x"@gmial.com']])
    assert.ok(!asked.body.includes('<script>x'))
    assert.match(asked.body, /&lt;script&gt;x/)
  })
})
