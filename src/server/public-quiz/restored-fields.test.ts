import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createBuiltApp } from '#server/testing/app/built-app.ts'
import { connectAccount, setForwarding } from '#server/testing/app/store-connections.ts'
import { postForm } from '#server/testing/network/bodies/post-form.ts'

/** Fields that a browser may fill in again by itself when a page without scripts is loaded again. */

const app = await createBuiltApp()
after(() => app.close())
const creator = await app.signUp()
const { client } = creator

const TEXT = `# Séjour
Type : sondage

## Page 1

### Venu par ?
- Le train
- Un ami

### Et ensuite ?
Réponse : jusqu’à 2 choix
Autre : oui
- La mer
- La montagne

### Prénom
Réponse : texte court
Coordonnée : prénom

## Page 2

### Le repas
Réponse : échelle de 1 à 5
Grille : Content ?

### La chambre
Réponse : échelle de 1 à 5
Grille : suite

### Email
Réponse : email

### Une remarque ?
Réponse : texte court
`
const { id } = (await client.quizzes.importText({ body: { text: TEXT } })).quiz
await client.quizzes.update({ id, body: { consent_mode: 'box' } })
await connectAccount(app.db, creator, 'brevo')
await setForwarding(app.db, id, 'brevo')
await client.quizzes.publish({ id })
const { questions } = await client.questions.unified({ id })

/** Counts the fields that a person fills in on a page, by their type and their `autocomplete`. */
const countFields = (body: string): Record<string, number> => {
  const counts: Record<string, number> = {}
  for (const [field] of body.matchAll(/<input [^>]*>/g)) {
    if (/type="hidden"|class="?q-said/.test(field)) continue
    const [type = 'text', autocomplete] = [/ type="([^"]*)"/, / autocomplete="([^"]*)"/i].map(
      (attribute) => attribute.exec(field)?.[1],
    )
    const key = `${type} ${autocomplete}`
    counts[key] = (counts[key] ?? 0) + 1
  }
  return counts
}

test('no choice is restored by position, and browsers still fill in names and addresses', async () => {
  for (const query of ['', '?embed=1']) {
    const { body } = await app.app.inject(`/q/${id}${query}`)
    assert.deepEqual(countFields(body), {
      'radio off': 2,
      'checkbox off': 3,
      // Field for the text of « Autre… ».
      'text off': 1,
      'text given-name': 1,
    })
    assert.doesNotMatch(body, /<form[^>]*autocomplete/i)
  }
  const fields = Object.fromEntries(
    questions.slice(0, 3).map((question) => [question.id, question.answers[0]?.id ?? 'Zoé']),
  )
  const second = await postForm(app.app, { url: `/q/${id}?version=1&page=1`, fields })
  assert.deepEqual(countFields(second.body), {
    'radio off': 10,
    'email email': 1,
    'checkbox off': 1,
    'text undefined': 1,
  })
})
