import {
  publishedScoreQuiz,
  readyProfilsQuiz,
  readySondage,
} from '../../src/server/testing/quizzes/sample-quizzes.ts'
import { answerPage, expectSaved, goToStep, publish, question } from '../support/editor-steps.ts'
import { expect, expectAccessible, test } from '../support/fixtures.ts'
import { expectEmptyLocalStorage, expectParticipants } from '../support/visitor-steps.ts'

test.use({ creatorIs: 'signed in' })

test('a creator writes a welcome, a button and a detail, and two visits go from the welcome to the end', async ({
  page,
  creator,
  visitor,
}) => {
  const { client } = creator
  const { id } = await readyProfilsQuiz(client, 'Quelle boutique ?')
  await client.quizzes.update({ id, body: { welcome_title: 'B' } })
  await page.goto(`/quiz/${id}/questions`)
  const card = page.getByRole('region', { name: 'Accueil' })
  const line = card.getByRole('button', { name: /^Accueil/ })
  // The welcome is one line with its first words until the creator opens it.
  await expect(line).toHaveAccessibleName('Accueil B')
  await expect(line).toHaveAttribute('aria-expanded', 'false')
  await expect(card.getByLabel('Titre')).toBeHidden()
  await expectAccessible(page)
  await line.press('Enter')
  await expect(card.getByLabel('Titre')).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(line).toBeFocused()
  await expect(line).toHaveAttribute('aria-expanded', 'false')
  await page.keyboard.press('Space')
  await expect(card.getByLabel('Titre')).toBeFocused()
  await expect(line).toHaveAttribute('aria-expanded', 'true')
  await page.keyboard.press('End')
  await page.keyboard.press('Backspace')
  await expect(card.getByLabel('Titre')).toHaveValue('')
  await expect(card.getByLabel('Titre')).toBeFocused()
  await expectSaved(page)
  await page.reload()
  await page.getByRole('button', { name: 'Ajouter un accueil' }).click()
  await expect(card.getByLabel('Titre')).toBeFocused()
  await card.getByLabel('Titre').fill('Bonjour')
  await card.getByRole('textbox', { name: 'Texte', exact: true }).fill('Deux questions.')
  await expect(
    page.frameLocator('iframe[title*="téléphone"]').getByRole('button', { name: 'Commencer' }),
  ).toBeVisible()
  await expectSaved(page)
  await goToStep(page, 'Résultats')
  await page.getByRole('switch', { name: 'Montrer le détail des profils' }).check()
  await page.getByRole('switch', { name: 'Permettre de recommencer' }).check()
  const row = page.getByRole('listitem').filter({ hasText: 'Bouton et redirection' }).last()
  await row.getByText('Bouton et redirection').click()
  await row.getByLabel('Texte du bouton').fill('Nous écrire')
  await row.getByLabel('Adresse du bouton').fill('http://exemple.fr')
  await row.getByLabel('Redirection').focus()
  await expect(row.getByText('L’adresse doit commencer par https://')).toBeVisible()
  await row.getByLabel('Adresse du bouton').fill('https://exemple.fr/contact')
  await expectSaved(page)
  // The page scrolls to the top, because axe would measure only the parts of the switches below the sticky header.
  await page.evaluate(() => window.scrollTo(0, 0))
  await expectAccessible(page)
  const link = await publish(page)

  await visitor.goto(link)
  const heading = visitor.getByRole('heading', { level: 1 })
  await expect(heading).toHaveText('Bonjour')
  await visitor.getByRole('button', { name: 'Commencer' }).press('Enter')
  await expect(visitor.getByText('1 / 2')).toBeVisible()
  await expect(heading).toBeFocused()
  await visitor.goBack()
  await expect(heading).toHaveText('Bonjour')
  // The public page has its default colours, because the creator has chosen none.
  await expectAccessible(visitor, ['.q-next'])
  await visitor.getByRole('button', { name: 'Commencer' }).click()
  await answerPage(visitor, { choose: ['Libre'] })
  await answerPage(visitor, { type: { 'Où vous écrire ?': 'c@exemple.fr' } })
  await expect(heading).toHaveText('Grand saut')
  await expect(visitor.getByRole('region', { name: 'Détail du résultat' })).toContainText(
    /Grand saut\s*100\s%\s*Pas à pas\s*0\s%/,
  )
  await expect(visitor.getByRole('link', { name: 'Nous écrire' })).toHaveAttribute(
    'href',
    'https://exemple.fr/contact',
  )
  for (const colorScheme of ['light', 'dark'] as const) {
    await visitor.emulateMedia({ colorScheme })
    await expectAccessible(visitor, ['.q-next'])
  }
  await visitor.emulateMedia({ media: 'print' })
  await expect(heading).toBeVisible()
  for (const name of ['Nous écrire', 'Partager mon résultat', 'Recommencer'])
    await expect(visitor.getByText(name)).toBeHidden()
  await expect(visitor.getByText('Contraste renforcé')).toBeHidden()
  await visitor.emulateMedia({ media: 'screen' })
  await expectEmptyLocalStorage(visitor)

  await visitor.getByRole('link', { name: 'Recommencer' }).click()
  await expect(heading).toHaveText('Bonjour')
  await expect(heading).toBeFocused()
  await visitor.getByRole('button', { name: 'Commencer' }).click()
  await expect(visitor.getByRole('radio', { name: 'Libre' })).not.toBeChecked()
  expect((await client.quizzes.get({ id })).quiz.nb_responses).toBe(1)
  await answerPage(visitor, { choose: ['Rempli'] })
  await answerPage(visitor, { type: { 'Où vous écrire ?': 'd@exemple.fr' } })
  await expect(heading).toHaveText('Pas à pas')
  await expectParticipants(client, id, [
    'c@exemple.fr: Libre → Grand saut',
    'd@exemple.fr: Rempli → Pas à pas',
  ])
})

test('the welcome and the end of a sondage open from the outline, in the phone preview, and for an undo or a problem', {
  tag: '@rare',
}, async ({ page, creator }) => {
  const { client } = creator
  const { id } = await readySondage(client)
  await client.quizzes.update({
    id,
    body: { welcome_title: 'Bonjour', end_title: 'À bientôt', end_text: 'Nous vous répondrons.' },
  })
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto(`/quiz/${id}/questions`)
  const phone = page.frameLocator('iframe[title*="téléphone"]').getByRole('heading', { level: 1 })
  const outline = page.getByRole('navigation', { name: 'Pages du questionnaire' })
  const cardOf = (name: string) => {
    const card = page.getByRole('region', { name, exact: true })
    return { title: card.getByLabel('Titre'), line: card.getByRole('button', { expanded: true }) }
  }
  const [welcome, end] = [cardOf('Accueil'), cardOf('Fin')]
  await expect(outline.getByRole('link')).toHaveText(['Accueil', /^Page 1/, /^Page 2/, 'Fin'])
  await outline.getByRole('link', { name: 'Fin' }).click()
  await expect(end.title).toBeFocused()
  await expect(phone).toHaveText('À bientôt')
  await end.title.fill('Merci, à bientôt')
  await expect(phone).toHaveText('Merci, à bientôt')
  // A button half under the header is too small a target for axe.
  await page.evaluate(() => scrollTo(0, 0))
  await expectAccessible(page)
  await outline.getByRole('link', { name: 'Accueil' }).press('Enter')
  await expect(welcome.title).toBeFocused()
  await expect(phone).toHaveText('Bonjour')

  // Undo opens the card of the restored text.
  await page.keyboard.press('Escape')
  await end.line.click()
  await expect(end.title).toBeHidden()
  await page.getByRole('button', { name: 'Annuler la dernière modification' }).click()
  await expect(end.title).toHaveValue('À bientôt')
  await expect(end.title).toBeInViewport()
  await expect(welcome.title).toBeHidden()

  await question(page, 1).focus()
  await expect(phone).toHaveText('Votre avis')
  await client.quizzes.update({ id, body: { welcome_text: 'Bonjour {{prénom}}' } })
  await page.reload()
  await expect(welcome.title).toBeVisible()
  await expect(end.title).toBeHidden()
  await welcome.line.click()
  await page.getByRole('button', { name: '1 point à corriger' }).click()
  await page.getByRole('button', { name: /^Le texte de l’accueil : / }).click()
  await expect(page.getByRole('textbox', { name: 'Texte', exact: true })).toBeFocused()
  // The preview opens at the page that is being edited.
  await outline.getByRole('link', { name: 'Fin' }).click()
  await expect(end.title).toBeFocused()
  await page.getByRole('link', { name: 'Prévisualiser', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('À bientôt')
  await page.getByRole('button', { name: 'Recommencer' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Bonjour')
})

test('a visitor who shares a result copies an address whose card names the result', {
  tag: '@rare',
}, async ({ creator, visitor, baseURL }) => {
  const { id } = await publishedScoreQuiz(creator.client)
  await visitor.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await visitor.addInitScript(() => Object.assign(navigator, { share: undefined }))
  await visitor.goto(`/q/${id}`)
  await answerPage(visitor, { choose: ['Libre'] })
  await answerPage(visitor, { type: { 'Où vous écrire ?': 'c@exemple.fr' } })
  await visitor.getByRole('link', { name: 'Partager mon résultat' }).click()
  await expect(visitor.getByText('Adresse copiée.')).toBeVisible()
  const shared = await visitor.evaluate(() => navigator.clipboard.readText())
  expect(shared).toBe(`${baseURL}/q/${id}?r=2`)
  await visitor.goto(shared)
  await expect(visitor.locator('meta[property="og:title"]')).toHaveAttribute(
    'content',
    'J’ai obtenu «\u00a0Grand saut\u00a0». Et vous\u202f?',
  )
  await expect(visitor.getByText('1 / 2')).toBeVisible()
})

test('a redirection loses no submission, and after a network failure the submission arrives later', async ({
  creator,
  visitor,
}) => {
  const { client } = creator
  const { id, result_ids } = await publishedScoreQuiz(client)
  const resultId = result_ids[1] ?? ''
  await client.results.update({ resultId, body: { redirect_url: 'https://exemple.fr/suite' } })
  await client.quizzes.publish({ id })
  await visitor
    .context()
    .route('https://exemple.fr/**', (route) =>
      route.fulfill({ contentType: 'text/html', body: '<title>Suite</title>' }),
    )
  const SUBMISSIONS = '**/api/v1/quizzes/*/submit'
  await visitor.context().route(SUBMISSIONS, (route) => route.abort())
  await visitor.goto(`/q/${id}`)
  await answerPage(visitor, { choose: ['Libre'] })
  await visitor.getByLabel('Où vous écrire ?').fill('c@exemple.fr')
  await visitor.getByRole('button', { name: 'Voir le résultat' }).click()
  await expect(visitor.getByRole('heading', { level: 1 })).toHaveText('Grand saut')
  await expect(visitor.getByRole('link', { name: 'Rester sur cette page' })).toBeVisible()
  expect(await visitor.evaluate(() => Object.keys(localStorage).length)).toBe(1)
  expect((await client.quizzes.get({ id })).quiz.nb_responses).toBe(0)
  await visitor.waitForURL('https://exemple.fr/suite')
  await visitor.context().unroute(SUBMISSIONS)
  await visitor.goBack()
  await expect(visitor.getByRole('heading', { level: 1 })).toHaveText('Grand saut')
  await expectParticipants(client, id, ['c@exemple.fr: Libre → Grand saut'])
  await expect(visitor.getByRole('link', { name: 'Continuer vers exemple.fr' })).toBeVisible()
})
