import {
  readyProfilsQuiz,
  readyScoreQuiz,
} from '../../src/server/testing/quizzes/sample-quizzes.ts'
import { expectSaved } from '../support/editor-steps.ts'
import { expect, expectAccessible, test } from '../support/fixtures.ts'

test.use({ creatorIs: 'signed in' })

test('the phone preview shows the result being edited with its score, and « Prévisualiser » opens at this result', {
  tag: '@rare',
}, async ({ page, creator }) => {
  const { id } = await readyScoreQuiz(creator.client)
  await creator.client.quizzes.update({ id, body: { shows_detail: true } })
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto(`/quiz/${id}/results`)
  const phone = page.frameLocator('iframe[title="Aperçu du résultat sur un téléphone"]')
  const heading = phone.getByRole('heading', { level: 1 })
  const detail = phone.getByRole('region', { name: 'Détail du résultat' })
  await expect(heading).toHaveText('Pas à pas')
  await expect(detail).toContainText('sur')

  const second = page.getByLabel('Nom du résultat 2')
  await second.focus()
  await expect(heading).toHaveText('Grand saut')
  await expect(detail.locator('[aria-current=true]')).toContainText('Grand saut')
  await second.fill('Très grand saut')
  await page.getByLabel('Description – Très grand saut').fill('Avec **élan**.')
  await expect(heading).toHaveText('Très grand saut')
  await expect(phone.locator('strong')).toHaveText('élan')
  await expectAccessible(page)
  await expectSaved(page)

  await page.getByRole('link', { name: 'Prévisualiser', exact: true }).click()
  await expect(page).toHaveURL(/\/preview\?result=/)
  const title = page.getByRole('heading', { level: 1 })
  await expect(title).toHaveText('Très grand saut')
  await expect(page.getByRole('region', { name: 'Détail du résultat' })).toBeVisible()
  await page.getByRole('button', { name: 'Fermer l’aperçu' }).click()
  await expect(page).toHaveURL(/\/results$/)

  await page.getByLabel('Nouveau résultat').fill('Nulle part')
  await page.keyboard.press('Enter')
  await expect(heading).toHaveText('Nulle part')
  await expect(page.getByText('Le détail s’affichera ici')).toBeVisible()
  await page.getByRole('button', { name: 'Essayer' }).click()
  await page.getByRole('button', { name: 'Recommencer' }).click()
  await expect(phone.getByText('Votre agenda ?')).toBeVisible()
  await second.focus()
  await expect(heading).toHaveText('Très grand saut')
})

test('the preview of a result has the shares of the profiles, and on a phone « Prévisualiser » opens at the edited result', {
  tag: '@rare',
}, async ({ page, creator }) => {
  const { id } = await readyProfilsQuiz(creator.client, 'Quelle boutique ?')
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto(`/quiz/${id}/results`)
  const phone = page.frameLocator('iframe[title="Aperçu du résultat sur un téléphone"]')
  await page.getByRole('switch', { name: 'Montrer le détail des profils' }).check()
  await page.getByLabel('Nom du résultat 2').focus()
  await expect(phone.getByRole('region', { name: 'Détail du résultat' })).toContainText(
    /Grand saut\s*100\s%/,
  )
  await expectSaved(page)
  await page.setViewportSize({ width: 390, height: 844 })
  await expect(page.locator('iframe')).toHaveCount(0)
  await page.getByRole('link', { name: 'Prévisualiser', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Grand saut')
  await expectAccessible(page, ['.q-next'])
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
})

test('a quiz without results previews the first one as soon as it exists', {
  tag: '@rare',
}, async ({ page, creator }) => {
  const { quiz } = await creator.client.quizzes.create({ body: { name: 'Un', type: 'quiz' } })
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto(`/quiz/${quiz.id}/results`)
  await expect(page.getByText('Le résultat s’affichera ici dès que')).toBeVisible()
  await expectAccessible(page)
  await page.getByLabel('Nouveau résultat').fill('Au large')
  await page.keyboard.press('Enter')
  await expect(page.frameLocator('iframe').getByRole('heading', { level: 1 })).toHaveText(
    'Au large',
  )
})
