import type { Page } from '@playwright/test'
import { publishEventSondage } from '../../src/server/testing/quizzes/event-sondage.ts'
import { expect, test } from '../support/fixtures.ts'

/** Strings that the specification fixes for quizzes and sondages alike. */
const SPECIFIED = [
  'Mes quiz & sondages',
  'Nouveau Quiz',
  'Quiz avec résultat',
  'Publier le quiz',
  'Mettre à jour le quiz',
  'Partager le quiz',
  "Publiez d'abord le quiz",
  'Impossible de publier le quiz',
  'Il faut au moins une question pour publier le quiz',
  "Les statistiques s'afficheront dès que quelqu'un répondra à votre quiz.",
  'Modifier le quiz',
]

/** Words that name all questionnaires of the account together. */
const BOTH_KINDS = 'quiz et sondages'

/** Words of the page that a creator sees, hears or hovers, and that say « quiz » outside `SPECIFIED`. */
const otherQuizWords = (page: Page): Promise<string[]> =>
  page.evaluate(
    (specified) => {
      const texts = new Set<string>([document.title])
      const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_ELEMENT)
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        if (!(node instanceof Element) || node.matches('script, style, textarea')) continue
        for (const name of ['title', 'aria-label', 'placeholder', 'alt', 'aria-description'])
          texts.add(node.getAttribute(name) ?? '')
        const isLeaf = [...node.childNodes].some(({ nodeType }) => nodeType === Node.TEXT_NODE)
        if (isLeaf) texts.add(node.textContent ?? '')
      }
      return [...texts]
        .map((text) => text.replaceAll(/\s+/g, ' ').trim())
        .map((text) => specified.reduce((left, fixed) => left.replaceAll(fixed, ''), text))
        .filter((text) => /\bquiz\b/i.test(text))
    },
    [...SPECIFIED, BOTH_KINDS],
  )

const { step } = test

test.use({ creatorIs: 'signed in' })

test('all screens of a sondage say sondage, and quiz only where the specification says it', {
  tag: '@dom',
}, async ({ page, creator }) => {
  test.slow()
  const { id, submit } = await publishEventSondage(creator.client)
  const expectSondage = async (): Promise<void> =>
    expect.soft(await otherQuizWords(page)).toEqual([])
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  const expectLoaded = async (): Promise<void> => {
    await expect(page.locator('h1:not([inert] *)')).toBeAttached()
    await expect(page.getByText('Chargement').filter({ visible: true })).toHaveCount(0)
  }
  const visit = async (path: string): Promise<void> => {
    await page.goto(path)
    await expectLoaded()
  }
  for (const screen of [
    'edit',
    'results',
    'questions',
    'statistics',
    'envois',
    'essais',
    'settings',
  ])
    await step(`the screen ${screen}`, async () => {
      await visit(`/quiz/${id}/${screen}`)
      await expectSondage()
    })
  for (const name of ['Intégrations', 'Automatisations', 'Accès'])
    await step(`the tab ${name}`, async () => {
      await page.getByRole('tab', { name }).click()
      await expect(page.getByRole('tab', { name })).toHaveAttribute('aria-selected', 'true')
      await expectLoaded()
      await expectSondage()
    })
  await step('the editor names the field, the update and the toast after the sondage', async () => {
    await visit(`/quiz/${id}/questions`)
    await page.getByLabel('Nom du sondage').fill('Votre retour')
    await expect(page.getByText('Modifications non publiées')).toBeVisible()
    await button('Publier').click()
    await expect(page.getByRole('dialog')).toBeVisible()
    await expectSondage()
    await page.getByRole('dialog').getByRole('button', { name: 'Mettre à jour' }).click()
    await expect(page.getByText('Sondage mis à jour')).toBeVisible()
    await expectSondage()
  })
  await step('the share dialog opens the sondage', async () => {
    await button('Partager').first().click()
    await expect(page.getByRole('link', { name: 'Ouvrir le sondage' })).toBeVisible()
    await expectSondage()
    const dialog = page.getByRole('dialog')
    for (const opening of ['button', 'corner']) {
      await dialog.getByLabel('Affichage').selectOption(opening)
      await expect(dialog.getByRole('textbox', { name: 'Code à coller' })).toHaveValue(
        /Répondre au sondage/,
      )
      await expectSondage()
    }
  })
  await step('an unpublished sondage', async () => {
    const body = { name: 'Vide', type: 'sondage' as const }
    const { quiz } = await creator.client.quizzes.create({ body })
    for (const screen of ['questions', 'settings', 'statistics', 'envois', 'essais']) {
      await visit(`/quiz/${quiz.id}/${screen}`)
      await expectSondage()
    }
  })
  await step('the statistics with a participant', async () => {
    await submit({ comes: true, themes: [0], other: '', note: 9, day: '', word: 'Merci' })
    await visit(`/quiz/${id}/statistics`)
    await expect(page.getByRole('heading', { name: 'Réponses détaillées' })).toBeVisible()
    await expectSondage()
  })
})
