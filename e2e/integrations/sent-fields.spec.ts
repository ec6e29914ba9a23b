import {
  attributesOf,
  createAttribute,
  sendToBrevo,
  submitContact,
} from '../support/brevo-contacts.ts'
import { expect, expectAccessible, test } from '../support/fixtures.ts'
import { createGestureCounter, expectAtMost } from '../support/gestures.ts'
import { findSmallTargets, measureOverflow } from '../support/layout-checks.ts'

test.use({ creatorIs: 'signed in' })

test('a creator sees a sample contact, fills two fields with two presses each, and reads the values back at Brevo @phone', async ({
  page,
  creator: { client },
}, { project }) => {
  const isPhone = project.name === 'phone'
  if (!isPhone) await page.setViewportSize({ width: 1440, height: 900 })
  const { quiz } = await sendToBrevo(client)
  const { click, tap, count } = createGestureCounter(page)
  const press = isPhone ? tap : click
  const card = page.getByRole('region', { name: 'Ce qui est transmis' })
  const lines = card
    .getByRole('list', { name: 'Exemple de contact dans Brevo' })
    .getByRole('listitem')
  const add = card.getByRole('button', { name: 'Ajouter un champ dans Brevo' })
  const add_field = async (source: RegExp | string) => {
    const counted = await count(async () => {
      await press(add)
      await press(page.getByRole('menuitem', { name: source }))
    })
    expectAtMost(`a field for ${source}`, counted, { clicks: 2, keys: 0 })
  }

  await test.step('the card shows native fields with their origin, the consent and the prefix of phone numbers', async () => {
    await page.goto(`/quiz/${quiz.id}/settings?onglet=integrations`)
    await expect(lines.filter({ hasText: 'Prénom : Camille' })).toContainText(
      'coordonnée, question « Prénom ? »',
    )
    await expect(lines.filter({ hasText: 'Téléphone : +33 6 12 34 56 78' })).toBeVisible()
    await expect(lines.filter({ hasText: 'RESULTAT_QUIZ : Pas à pas' })).toContainText('résultat')
    await expect(card).toContainText('Rien n’est envoyé sans l’accord du participant')
    await expect(card).toContainText('est lu avec le pays de votre compte')
    await expect(card.getByText('Coordonnées')).toHaveCount(0)
    await expect(card.getByRole('button', { name: 'Connecter Kit' })).toBeVisible()
  })

  await test.step('each field needs two presses, and the menu marks what is sent already', async () => {
    await add_field('Score total')
    await expect(lines.filter({ hasText: 'SCORE_TOTAL : 1' })).toContainText('champ choisi')
    await add_field(/Votre agenda/)
    await expect(lines.filter({ hasText: 'VOTRE_AGENDA : Rempli' })).toBeVisible()
    await expect(card.getByText('2 champs choisis sur 20 au plus.')).toBeVisible()
    await press(add)
    await expect(page.getByRole('menuitem', { name: 'Score total (déjà envoyé)' })).toBeVisible()
    await expect(page.getByRole('menuitem', { name: /Prénom \? \(déjà envoyé\)/ })).toBeVisible()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
  })

  await test.step('the fields of the account open in a dialog that fits the screen', async () => {
    const picker = page.getByRole('dialog', { name: 'Choisir un champ de Brevo' })
    const change = card.getByRole('button', { name: 'Changer le champ VOTRE_AGENDA' })
    await press(change)
    await expect(
      picker.getByRole('button', { name: /RESULTAT_QUIZ Ce champ reçoit/ }),
    ).toBeDisabled()
    await expectAccessible(page)
    if (isPhone) expect(await findSmallTargets(picker)).toEqual([])
    await press(picker.getByRole('button', { name: 'Fermer' }))
    await expect(change).toBeFocused()
  })

  await test.step('a participant arrives at Brevo with the values of the card', async () => {
    const email = await submitContact(client, quiz)
    await expect
      .poll(() => attributesOf(email))
      .toMatchObject({
        PRENOM: 'Zoé',
        RESULTAT_QUIZ: 'Grand saut',
        SCORE_TOTAL: '5',
        VOTRE_AGENDA: 'Libre',
      })
  })

  await test.step('the dry run beside a field lists the values of existing participants', async () => {
    const line = lines.filter({ hasText: 'VOTRE_AGENDA' })
    await line.getByText('Qui l’aurait reçu ?').click()
    await expect(line.getByText('Votre seul participant l’aurait reçu.')).toBeVisible()
    await expect(line.getByRole('cell', { name: 'Libre', exact: true })).toBeVisible()
  })

  await test.step('the card has no obstacle at this width and at twice the text size', async () => {
    await page.locator('h1').scrollIntoViewIfNeeded()
    await expectAccessible(page)
    if (isPhone) expect(await findSmallTargets(card)).toEqual([])
    expect(await measureOverflow(page)).toBeLessThanOrEqual(0)
    await page.evaluate(() => {
      document.documentElement.style.fontSize = '200%'
    })
    expect(await measureOverflow(page)).toBeLessThanOrEqual(0)
  })
})

test('with the keyboard alone a creator adds a field, changes its value and its target, and deletes it', {
  tag: '@rare',
}, async ({ page, creator: { client } }) => {
  const { quiz, api_key } = await sendToBrevo(client)
  await createAttribute(api_key, 'POINTS', 'float')
  await createAttribute(api_key, 'PRESENT', 'boolean')
  await page.goto(`/quiz/${quiz.id}/settings?onglet=integrations`)
  const { press, moveTo, write } = createGestureCounter(page)
  const card = page.getByRole('region', { name: 'Ce qui est transmis' })
  const button = (name: string) => card.getByRole('button', { name, exact: true })
  const announcement = (text: string) => page.getByRole('status').filter({ hasText: text })
  const add = button('Ajouter un champ dans Brevo')
  const picker = page.getByRole('dialog', { name: 'Choisir un champ de Brevo' })

  await test.step('letters filter the menu, the addition is announced, and the focus stays at the button', async () => {
    await add.focus()
    await press('Enter')
    await page.keyboard.type('agenda')
    await expect(page.getByRole('menuitem')).toHaveCount(1)
    await press('Enter')
    await expect(announcement('Champ ajouté dans Brevo : VOTRE_AGENDA')).toHaveCount(1)
    await expect(add).toBeFocused()
  })

  await test.step('another value goes into the same field', async () => {
    await button('Changer la valeur de VOTRE_AGENDA').focus()
    await press('Enter')
    await page.keyboard.type('score')
    await press('Enter')
    await expect(
      announcement('Le champ VOTRE_AGENDA reçoit maintenant : Score total.'),
    ).toHaveCount(1)
    await expect(button('Changer la valeur de VOTRE_AGENDA')).toBeFocused()
  })

  await test.step('the fields of the account are filtered, and those that do not fit say why', async () => {
    await moveTo(button('Changer le champ VOTRE_AGENDA'))
    await press('Enter')
    await expect(picker.getByRole('searchbox')).toBeFocused()
    await expect(
      picker.getByRole('button', { name: /PRESENT Ce champ attend « oui »/ }),
    ).toBeDisabled()
    await expect(
      picker.getByRole('button', { name: /RESULTAT_QUIZ Ce champ reçoit/ }),
    ).toBeDisabled()
    await expectAccessible(page)
    await write(picker.getByRole('searchbox'), 'poi')
    await expect(picker.getByText('1 champ de votre compte')).toBeVisible()
    await moveTo(picker.getByRole('button', { name: 'POINTS Nombre' }))
    await press('Enter')
    await expect(announcement('Le champ POINTS remplace VOTRE_AGENDA.')).toHaveCount(1)
    await expect(button('Changer le champ POINTS')).toBeFocused()
  })

  await test.step('a value that does not fit the type of the field cannot be chosen', async () => {
    await button('Changer la valeur de POINTS').focus()
    await press('Enter')
    await expect(
      page.getByRole('menuitem', { name: /agenda \? \(ce champ attend un nombre\)/ }),
    ).toBeDisabled()
    await press('Escape')
  })

  await test.step('a typed name creates a new field', async () => {
    await button('Changer le champ POINTS').focus()
    await press('Enter')
    await write(picker.getByRole('searchbox'), 'Énergie du jour')
    await moveTo(picker.getByRole('button', { name: 'Créer un champ « ENERGIE_DU_JOUR »' }))
    await press('Enter')
    await expect(button('Changer le champ ENERGIE_DU_JOUR')).toBeFocused()
  })

  await test.step('a deletion is confirmed and announced, and the focus goes to the button that adds', async () => {
    await moveTo(button('Supprimer ENERGIE_DU_JOUR'))
    await press('Enter')
    await moveTo(page.getByRole('alertdialog').getByRole('button', { name: 'Supprimer' }))
    await press('Enter')
    await expect(announcement('Le champ ENERGIE_DU_JOUR n’est plus rempli.')).toHaveCount(1)
    await expect(button('Changer le champ ENERGIE_DU_JOUR')).toHaveCount(0)
    await expect(add).toBeFocused()
  })
})
