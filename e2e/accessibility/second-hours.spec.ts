import type { Locator, Page } from '@playwright/test'
import { publishedScoreQuiz } from '../../src/server/testing/quizzes/sample-quizzes.ts'
import { expectSaved, question } from '../support/editor-steps.ts'
import { expect, expectAccessible, newToolKey, test } from '../support/fixtures.ts'
import { createGestureCounter, expectAtMost } from '../support/gestures.ts'
import { TOUCH } from '../support/layout-checks.ts'

/** Second hours of a coach with a mouse and of a shop owner with a phone. shared-settings.spec.ts has the trainer's. */

test.use({ creatorIs: 'signed in' })

const button = (scope: Page | Locator, name: string): Locator =>
  scope.getByRole('button', { name, exact: true })
const stepLink = (page: Page, name: string): Locator =>
  page.getByRole('navigation', { name: 'Étapes' }).getByRole('link', { name })

test('a coach finds the consent, the rules, the conditional texts, the changes and the participants in few gestures', {
  tag: '@rare',
}, async ({ page, creator: { client } }) => {
  const { click, press, count } = createGestureCounter(page)
  const { id, answer_ids, question_id, open_id } = await publishedScoreQuiz(client)
  await client.integrations.saveBrevo({ body: { api_key: newToolKey('brevo') } })
  for (const email of ['ada@exemple.fr', 'zoe@exemple.fr'])
    await client.publicQuiz.submit({
      id,
      body: { answers: { [question_id]: answer_ids[0] ?? '', [open_id]: email } },
    })
  await page.goto(`/quiz/${id}/questions`)

  const consent = await count(async () => {
    await click(button(page, 'Ajouter un élément'))
    await expect(page.getByRole('menuitem', { name: 'Consentement' })).toBeVisible()
    for (const key of 'rgpd') await press(key)
    await press('Enter')
    await expect(button(page, 'Préparer la case à cocher')).toBeFocused()
    await press('Enter')
    await expect(page.getByLabel('Texte de la case')).toBeFocused()
  })
  expectAtMost('consent before a tool', consent, { clicks: 1, keys: 6 })

  const rules = await count(async () => {
    await click(page.getByRole('tab', { name: 'Automatisations' }))
    await click(button(page, 'Une liste par résultat dans Brevo'))
    await expect(page.getByText('2 règles ajoutées pour Brevo.')).toBeVisible()
  })
  expectAtMost('one list for each result', rules, { clicks: 2, keys: 0 })

  const texts = await count(async () => {
    await click(stepLink(page, 'Résultats'))
    await click(page.getByRole('button', { name: /^Actions .*Pas à pas/ }))
    await click(page.getByRole('menuitem', { name: 'Textes conditionnels' }))
    await expect(page.getByRole('button', { name: 'Ajouter un texte' })).toBeFocused()
  })
  expectAtMost('conditional texts of a result', texts, { clicks: 3, keys: 0 })

  await stepLink(page, 'Questions').click()
  await question(page, 1).fill('Et votre agenda ?')
  await expectSaved(page)
  const changes = await count(async () => {
    await click(button(page, 'Publier'))
    await expect(page.getByRole('region', { name: 'Modifications à publier' })).toContainText(
      '1 question modifiée',
    )
    await press('Escape')
  })
  expectAtMost('changes of an update', changes, { clicks: 1, keys: 1 })

  const address = await count(async () => {
    await click(button(page, 'Partager'))
    await click(button(page, 'Choisir l’adresse'))
    await expect(page.getByLabel('Adresse du questionnaire')).toBeFocused()
  })
  expectAtMost('short address', address, { clicks: 2, keys: 0 })

  await page.goto(`/quiz/${id}/statistics`)
  const people = await count(async () => {
    await click(page.getByRole('button', { name: /^Pas à pas/ }).first())
    await click(button(page, 'Voir ses participants'))
    const table = page.getByRole('region', { name: 'Tableau des participants' })
    await expect(table.getByText('ada@exemple.fr').first()).toBeInViewport()
  })
  expectAtMost('participants of a result', people, { clicks: 2, keys: 0 })
  await page.evaluate(() => window.scrollTo(0, 0))
  await expectAccessible(page)
})

test.describe('a shop owner with a phone', () => {
  test.use(TOUCH)

  test('a shop owner finds a template by a typed word and reads the first figure without scrolling', {
    tag: '@rare',
  }, async ({ page, creator: { client } }) => {
    const { tap, count } = createGestureCounter(page)
    const { id, answer_ids, question_id, open_id } = await publishedScoreQuiz(client)
    await client.publicQuiz.submit({
      id,
      body: { answers: { [question_id]: answer_ids[0] ?? '', [open_id]: 'ada@exemple.fr' } },
    })
    await page.goto('/dashboard')
    const figure = await count(async () => {
      await tap(page.getByRole('link', { name: /^1 réponse —/ }))
      await expect(page.getByText('Ont ouvert la page').first()).toBeInViewport()
    })
    expectAtMost('first figure', figure, { clicks: 1, keys: 0 })

    await page.goto('/dashboard')
    const template = await count(async () => {
      await tap(button(page, 'Créer un questionnaire').first())
      await tap(button(page, 'Partir d’un modèle'))
      const search = page.getByRole('searchbox', { name: 'Chercher un modèle' })
      await tap(search)
      await search.fill('boutique')
      const found = page.getByRole('list', { name: 'Modèles' }).getByRole('listitem')
      await expect(found).toHaveCount(3)
    })
    expectAtMost('template by a word', template, { clicks: 3, keys: 0 })
    await expectAccessible(page)
  })
})
