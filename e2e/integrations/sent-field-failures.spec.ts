import { randomUUID } from 'node:crypto'
import { readyScoreQuiz } from '../../src/server/testing/quizzes/sample-quizzes.ts'
import {
  attributesOf,
  createAttribute,
  sendToBrevo,
  submitContact,
} from '../support/brevo-contacts.ts'
import { expect, expectAccessible, newToolKey, test } from '../support/fixtures.ts'
import { delayCalls, failCalls } from '../support/network.ts'

test.use({ creatorIs: 'signed in' })

test('a refused field, a deleted question and another account are told beside their field, and nobody is lost', {
  tag: '@rare',
}, async ({ page, creator: { client } }) => {
  const { quiz, api_key } = await sendToBrevo(client)
  const { id, contact_ids } = quiz
  await createAttribute(api_key, 'VOTRE_AGENDA', 'boolean')
  const source = { provider: 'brevo', source: 'question' } as const
  await client.fieldMappings.add({
    id,
    body: { ...source, question_id: quiz.question_id, field_name: 'VOTRE_AGENDA' },
  })
  await client.fieldMappings.add({
    id,
    body: { ...source, question_id: contact_ids.last_name, field_name: 'FAMILLE' },
  })
  const card = page.getByRole('region', { name: 'Ce qui est transmis' })
  const line = (name: string) => card.getByRole('listitem').filter({ hasText: name })
  const open = () => page.goto(`/quiz/${id}/settings?onglet=integrations`)

  await test.step('a refused field says why, and the participant arrives with everything else', async () => {
    const email = await submitContact(client, quiz)
    await expect.poll(() => attributesOf(email)).toMatchObject({ PRENOM: 'Zoé' })
    expect(await attributesOf(email)).not.toHaveProperty('VOTRE_AGENDA')
    await open()
    await expect(line('VOTRE_AGENDA')).toContainText(
      'Brevo refuse ce champ : ce champ y est d’un autre type.',
    )
    await expectAccessible(page)
  })

  await test.step('a question that is not published yet leaves its field as it is', async () => {
    const later = randomUUID()
    await client.questions.create({
      id,
      body: { id: later, text: 'Votre ville ?', type: 'text', is_required: false },
    })
    await client.fieldMappings.add({
      id,
      body: { ...source, question_id: later, field_name: 'VILLE' },
    })
    await open()
    await expect(line('VILLE')).toContainText('VILLE : reste tel quel')
    await expect(line('VILLE')).toContainText('dès la prochaine publication')
  })

  await test.step('the message about a deleted question goes when the question is restored', async () => {
    await client.questions.remove({ id: contact_ids.last_name })
    await open()
    await expect(line('FAMILLE')).toContainText('La question a été supprimée du brouillon')
    await client.questions.create({
      id,
      body: { id: contact_ids.last_name, text: 'Nom ?', type: 'text', is_required: false },
    })
    await open()
    await expect(line('FAMILLE')).toContainText('réponse à « Nom ? »')
    await expect(line('FAMILLE')).not.toContainText('supprimée')
  })

  await test.step('another account keeps the fields and receives the next participant', async () => {
    await client.integrations.saveBrevo({
      body: { api_key: newToolKey('brevo'), replace_account: true },
    })
    await open()
    await expect(line('VOTRE_AGENDA')).not.toContainText('refuse')
    const email = await submitContact(client, quiz)
    await expect.poll(() => attributesOf(email)).toMatchObject({ VOTRE_AGENDA: 'Libre' })
  })

  await test.step('an addition without network says so at its place and can be repeated', async () => {
    const restore = await failCalls(page, {
      method: 'POST',
      path: `**/quizzes/${id}/field-mappings`,
    })
    const add = card.getByRole('button', { name: 'Ajouter un champ dans Brevo' })
    await add.click()
    await page.getByRole('menuitem', { name: 'Score total' }).click()
    await expect(card.getByRole('alert')).toHaveText('Le champ n’a pas pu être ajouté. Réessayez.')
    await expectAccessible(page)
    await restore()
    await add.click()
    await page.getByRole('menuitem', { name: 'Score total' }).click()
    await expect(line('SCORE_TOTAL')).toBeVisible()
    await expect(card.getByRole('alert')).toHaveCount(0)
  })

  await test.step('a sample that is slow or cannot be read says so, and is requested again', async () => {
    const calls = `**/quizzes/${id}/field-mappings`
    await page.route(calls, (route) => route.fulfill({ status: 503, json: { error: 'Panne' } }))
    await open()
    await expect(card.getByRole('alert')).toContainText('Panne')
    await expectAccessible(page)
    await page.unroute(calls)
    await card.getByRole('button', { name: 'Réessayer' }).click()
    await expect(line('SCORE_TOTAL')).toBeVisible()
    const answer = await delayCalls(page, { method: 'GET', path: calls })
    await page.reload()
    await expect(card.getByText('Chargement de l’exemple…')).toBeVisible()
    await expectAccessible(page)
    answer()
    await expect(line('SCORE_TOTAL')).toBeVisible()
  })

  await test.step('the twentieth field is the last, and the focus stays in the card', async () => {
    const { mappings } = await client.fieldMappings.list({ id })
    for (let count = mappings.length; count < 19; count++)
      await client.fieldMappings.add({
        id,
        body: { provider: 'brevo', source: 'score', field_name: `CHAMP_${count}` },
      })
    await open()
    const add = card.getByRole('button', { name: 'Ajouter un champ dans Brevo' })
    await add.click()
    await page.getByRole('menuitem', { name: 'Résultat (déjà envoyé)' }).click()
    await expect(card.getByText('Les 20 champs possibles dans Brevo sont choisis')).toBeVisible()
    await expect(add).toHaveCount(0)
    await expect(card.getByRole('heading', { name: 'Dans Brevo' })).toBeFocused()
    await card.getByRole('button', { name: 'Supprimer RESULTAT', exact: true }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Supprimer' }).click()
    await expect(card.getByText('19 champs choisis sur 20 au plus.')).toBeVisible()
    await expect(
      add.or(card.getByRole('heading', { name: 'Dans Brevo' })).and(page.locator(':focus')),
    ).toHaveCount(1)
  })

  await test.step('an account that Brevo refuses is connected again from the card', async () => {
    const status = '**/integrations/brevo/status'
    await page.route(status, (route) =>
      route.fulfill({
        json: { configured: true, email: null, needs_attention: true, message: 'Clé refusée.' },
      }),
    )
    await open()
    await expect(card).toContainText('Brevo refuse votre compte : les participants attendent.')
    await card.getByRole('button', { name: 'Reconnecter Brevo' }).click()
    await expect(page.getByRole('dialog', { name: 'Connecter Brevo' })).toBeVisible()
    await page.keyboard.press('Escape')
    await page.unroute(status)
  })

  await test.step('without network, the fields of the account wait and arrive with the network', async () => {
    const picker = page.getByRole('dialog', { name: 'Choisir un champ de Brevo' })
    await page.context().setOffline(true)
    await card.getByRole('button', { name: 'Changer le champ SCORE_TOTAL' }).click()
    await expect(picker.getByText('Vous êtes hors connexion')).toBeVisible()
    await expectAccessible(page)
    await page.context().setOffline(false)
    await expect(picker.getByRole('button', { name: /FAMILLE/ })).toBeDisabled()
    await page.keyboard.press('Escape')
  })

  await test.step('without contact questions, the card leads to the questions', async () => {
    const other = await readyScoreQuiz(client)
    await page.goto(`/quiz/${other.id}/settings?onglet=integrations`)
    await expect(card).toContainText('ajoutez « Coordonnées » à vos questions')
    await expect(card).toContainText('activez l’envoi plus haut')
    await card.getByRole('link', { name: 'questions' }).click()
    await expect(page).toHaveURL(`/quiz/${other.id}/questions`)
  })
})
