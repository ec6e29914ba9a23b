import type { Locator, Page } from '@playwright/test'
import { publishedScoreQuiz } from '../../src/server/testing/quizzes/sample-quizzes.ts'
import { expect, expectAccessible, test } from '../support/fixtures.ts'
import { atEachWidth } from '../support/layout-checks.ts'

test.use({ creatorIs: 'signed in' })

const SITES = ['Site web (HTML)', 'WordPress', 'Systeme.io', 'Shopify', 'Wix', 'Google Tag Manager']

const openShareDialog = async (page: Page, id: string): Promise<Locator> => {
  await page.goto(`/quiz/${id}/results`)
  await page.getByRole('button', { name: 'Partager' }).click()
  return page.getByRole('dialog', { name: 'Partager le quiz' })
}

test('the share dialog gives a code and its place for each kind of site', { tag: '@dom' }, async ({
  page,
  creator,
}) => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  const { id } = await publishedScoreQuiz(creator.client)
  await page.goto(`/quiz/${id}/results`)
  const dialog = page.getByRole('dialog', { name: 'Partager le quiz' })
  const code = dialog.getByRole('textbox', { name: 'Code à coller' })
  const steps = dialog.getByRole('list').getByRole('listitem')
  await atEachWidth(page, [1_440, 390], async () => {
    await page.getByRole('button', { name: 'Partager' }).click()
    await expect(code).toHaveValue(/^<iframe src="[^"]+\?embed=1" title="Quel rythme \?"/)

    const seen = new Set<string>()
    for (const opening of ['inline', 'delay'])
      for (const site of SITES) {
        await dialog.getByLabel('Affichage').selectOption(opening)
        await dialog.getByLabel('Votre site').selectOption(site)
        await expect(steps).toHaveCount(3)
        seen.add((await steps.allTextContents()).join())
      }
    expect(seen.size).toBe(2 * SITES.length)
    await expectAccessible(page)

    const seconds = dialog.getByRole('textbox', { name: 'Secondes d’attente' })
    await seconds.fill('30')
    await expect(code).toHaveValue(
      /^<div [^>]+ data-quizaine-open="delay:30" title="Quel rythme \?" hidden>/,
    )
    await seconds.fill('jamais')
    await expect(seconds).toHaveAttribute('aria-invalid', 'true')
    await expect(dialog.getByText(/^Un nombre entier de 0 à 3/)).toBeVisible()
    await expect(code).toHaveValue(/ data-quizaine-open="delay:10" /)
    await expectAccessible(page)
    await dialog.getByLabel('Affichage').selectOption('scroll')
    await expect(code).toHaveValue(/ data-quizaine-open="scroll:50" /)
    await dialog.getByLabel('Affichage').selectOption('exit')
    await expect(dialog.getByText(/Sur un téléphone, rien n’annonce le départ/)).toBeVisible()

    const events = dialog.getByLabel('Ajouter les étapes au dataLayer de la page')
    await expect(events).toHaveAccessibleDescription(/jamais les réponses/)
    await events.focus()
    await page.keyboard.press('Space')
    await expect(code).toHaveValue(/ data-quizaine-datalayer hidden/)
    await page.keyboard.press('Tab')
    await expect(code).toBeFocused()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await expect(dialog.getByRole('button', { name: 'Copié' })).toBeVisible()
    await expect(dialog.getByText('Code copié')).toBeAttached()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(await code.inputValue())
    await expect(dialog.getByRole('button', { name: 'Copier le code' })).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('button', { name: 'Partager' })).toBeFocused()
  })
})

test('a site that removes scripts gets a frame alone, and nothing that needs a script', {
  tag: '@dom',
}, async ({ page, creator }) => {
  const { id } = await publishedScoreQuiz(creator.client)
  const dialog = await openShareDialog(page, id)
  const code = dialog.getByRole('textbox', { name: 'Code à coller' })
  await dialog.getByLabel('Affichage').selectOption('delay')
  await dialog.getByLabel('Votre site').selectOption('Moodle')
  await expect(code).toHaveValue(/^<iframe src="[^"]+\?embed=1" [^>]+><\/iframe>$/)
  await expect(dialog.getByLabel('Affichage').getByRole('option')).toHaveCount(1)
  await expect(dialog.getByLabel('Ajouter les étapes au dataLayer de la page')).toHaveCount(0)
  await expect(dialog.getByRole('list').getByRole('listitem')).toHaveCount(3)
  await dialog.getByLabel('Votre site').selectOption('WordPress')
  await dialog.getByLabel('Affichage').selectOption('inline')
  await expect(code).toHaveValue(/<script /)
})

test('a site that accepts an address alone gets the address of the framed page', {
  tag: ['@dom', '@rare'],
}, async ({ page, creator }) => {
  const { id } = await publishedScoreQuiz(creator.client)
  const dialog = await openShareDialog(page, id)
  await dialog.getByLabel('Votre site').selectOption('Notion')
  const address = dialog.getByRole('textbox', { name: 'Adresse à coller' })
  await expect(address).toHaveValue(new RegExp(`^http://[^/]+/q/${id}\\?embed=1$`))
  await expect(dialog.getByLabel('Ajouter les étapes au dataLayer de la page')).toHaveCount(0)
  await expect(dialog.getByRole('list').getByRole('listitem')).toHaveCount(3)
  await expectAccessible(page)
  await dialog.getByLabel('Votre site').selectOption('WordPress')
  await expect(dialog.getByRole('textbox', { name: 'Code à coller' })).toHaveValue(
    /^<iframe [^>]+><\/iframe>\n<script /,
  )
})
