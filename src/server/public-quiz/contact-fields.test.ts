import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { createBuiltApp } from '#server/testing/app/built-app.ts'
import { postForm } from '#server/testing/network/bodies/post-form.ts'

/** Fields for contact data on the public page, and the contact data of a run. */

const app = await createBuiltApp()
after(() => app.close())
const { client } = await app.signUp()

const TEXT = `# Contact
Type : sondage

## Page 1

### Prénom
Réponse : texte court
Coordonnée : prénom

### Ville
Réponse : texte court

### Continuer ?
- Oui
- Non => fin

## Page 2

### Nom
Réponse : texte court
Coordonnée : nom

### Téléphone
Réponse : téléphone
Coordonnée : téléphone

### Email
Réponse : email
`
const { id } = (await client.quizzes.importText({ body: { text: TEXT } })).quiz
await client.quizzes.publish({ id })
const { questions } = await client.questions.unified({ id })
const [first = '', town = '', goes = '', last = '', phone = '', email = ''] = questions.map(
  (question) => question.id,
)
const [yes = '', no = ''] = questions[2]?.answers.map((answer) => answer.id) ?? []

/** Returns the `autocomplete` token of each field of a page, by the name of the field. */
const tokensOf = (body: string): Record<string, string | undefined> =>
  Object.fromEntries(
    Array.from(body.matchAll(/<input id="q-[^>]*>/g), ([field]) => [
      /name="([^"]*)"/.exec(field)?.[1] ?? '',
      /autoComplete="([^"]*)"/i.exec(field)?.[1],
    ]),
  )
const post = (url: string, fields: Record<string, string>) => postForm(app.app, { url, fields })

test('the fields of contact data have their autocomplete token, also without a script, in a frame and in its data', async () => {
  const plain = (await app.app.inject(`/q/${id}`)).body
  const framed = (await app.app.inject(`/q/${id}?embed=1`)).body
  for (const body of [plain, framed])
    assert.deepEqual(tokensOf(body), { [first]: 'given-name', [town]: undefined })
  const second = await post(`/q/${id}?version=1&page=1`, {
    [first]: 'Camille',
    [town]: 'Lyon',
    [goes]: yes,
  })
  assert.deepEqual(tokensOf(second.body), {
    [last]: 'family-name',
    [phone]: 'tel',
    [email]: 'email',
  })
  const data = /id="taken-quiz">(.*?)<\/script>/s.exec(plain)?.[1]
  const { snapshot } = JSON.parse(data ?? '') as {
    snapshot: { questions: Record<string, unknown>[] }
  }
  assert.deepEqual(
    snapshot.questions.map(({ autocomplete, contact_role }) => [autocomplete, contact_role]),
    ['given-name', undefined, undefined, 'family-name', 'tel', 'email'].map((token) => [
      token,
      undefined,
    ]),
  )
})

/** Stores a run and returns its contact data, as stored with the participant. */
const contactOf = async (replies: Record<string, string>): Promise<unknown> => {
  const participant_uuid = randomUUID()
  const all = { [town]: 'Lyon', ...replies }
  const sent = await post(
    `/q/${id}/resultat?version=1&participant=${participant_uuid}&secret=secret-of-a-run-in-a-test`,
    all,
  )
  assert.equal(sent.statusCode, 303, sent.body)
  const { rows } = await app.pool.query(
    'select first_name, last_name, phone from responses where quiz_id = $1 and participant_uuid = $2',
    [id, participant_uuid],
  )
  return rows[0]
}

const end = { last: 'Durand', phone: '06 12 34 56 78' }
const cases: [title: string, name: string, stored: string][] = [
  ['a name of 300 characters is shortened', 'é'.repeat(300), 'é'.repeat(200)],
  ['a name of emoji is stored whole', '👩‍👩‍👧 🇫🇷', '👩‍👩‍👧 🇫🇷'],
  ['a formula is stored as typed', '=1+1', '=1+1'],
]
for (const [title, name, stored] of cases)
  test(`contact data: ${title}`, async () =>
    assert.deepEqual(
      await contactOf({
        [first]: name,
        [goes]: yes,
        [last]: end.last,
        [phone]: end.phone,
        [email]: 'camille@exemple.fr',
      }),
      { first_name: stored, last_name: end.last, phone: end.phone },
    ))

test('contact data: a question that a jump skips gives none', async () =>
  assert.deepEqual(await contactOf({ [first]: 'Camille', [goes]: no, [last]: 'Durand' }), {
    first_name: 'Camille',
    last_name: null,
    phone: null,
  }))
