import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { publishReportQuiz } from '../../src/server/testing/quizzes/report-quiz.ts'
import { publishedScoreQuiz } from '../../src/server/testing/quizzes/sample-quizzes.ts'
import { openScreen } from '../support/editor-steps.ts'
import { expect, expectAccessible, test } from '../support/fixtures.ts'
import { findSmallTargets, measureOverflow, TOUCH } from '../support/layout-checks.ts'
import { CAMILLE, choose, enterEmail, expectResult } from '../support/visitor-steps.ts'

test.use({ creatorIs: 'signed in' })

const SHOTS = process.env.QUIZAINE_SHOTS
const shoot = async (page: Page, name: string): Promise<void> => {
  if (SHOTS) await page.screenshot({ path: `${SHOTS}/${name}.png`, fullPage: true })
}
/** Presses Tab until the control of this name has the focus, also beyond the end, and fails after 40 steps. */
const tabTo = async (page: Page, name: string): Promise<void> => {
  for (let steps = 0; steps < 40; steps++) {
    await page.keyboard.press('Tab')
    if ((await page.evaluate(() => document.activeElement?.textContent)) === name) return
  }
  throw new Error(`${name} was not reached`)
}

for (const [size, options] of [
  ['a phone', TOUCH],
  ['a wide screen', { viewport: { width: 1440, height: 900 } }],
] as const)
  test.describe(`on ${size}`, () => {
    test.use(options)

    test('a participant follows the link at the end, reads the replies, receives the data and erases all, by keyboard', async ({
      page,
      creator: { client },
    }) => {
      const quiz = await publishReportQuiz(client)
      await client.quizzes.update({ id: quiz.id, body: { keeps_page: true } })
      await page.goto(`/q/${quiz.id}`)
      await choose(page, 'Libre')
      await page.getByLabel('Votre prénom ?').fill('Zoé')
      await enterEmail(page)
      await expectResult(page, 'Grand saut')
      await page.getByRole('link', { name: 'Ouvrir ma page' }).click()
      await expect(page.getByRole('heading', { name: 'Grand saut' })).toBeVisible()
      await expect(page.getByRole('link', { name: 'Télécharger mon rapport (PDF)' })).toBeVisible()
      await expect(page.getByText('Zoé')).toHaveCount(0)
      await expectAccessible(page)
      expect(await measureOverflow(page)).toBe(0)
      expect(await findSmallTargets(page.locator('.q'))).toEqual([])
      await shoot(page, `ma-page-${size.replaceAll(' ', '-')}`)

      const address = page.getByLabel('Adresse email donnée')
      await address.fill('autre@exemple.fr')
      await page.keyboard.press('Enter')
      await expect(page.getByRole('alert')).toHaveText(/n’est pas celle qui a été donnée/)
      await expect(address).toBeFocused()
      await expectAccessible(page)
      await address.fill(CAMILLE.toUpperCase())
      await page.keyboard.press('Enter')
      await expect(page.getByText('Zoé', { exact: true })).toBeVisible()
      await expectAccessible(page)
      expect(await measureOverflow(page)).toBe(0)
      await shoot(page, `ma-page-reponses-${size.replaceAll(' ', '-')}`)

      const coming = page.waitForEvent('download')
      await tabTo(page, 'Recevoir mes données')
      await page.keyboard.press('Enter')
      const file = JSON.parse(await readFile(await (await coming).path(), 'utf8'))
      expect(file.coordonnées).toMatchObject({ email: CAMILLE, prénom: 'Zoé' })

      await tabTo(page, 'Retirer mon accord')
      await page.keyboard.press('Enter')
      await expect(page.getByText(/Accord retiré le/)).toBeVisible()
      await expect(page.getByRole('button', { name: 'Retirer mon accord' })).toHaveCount(0)
      await expectAccessible(page)

      const path = new URL(page.url()).pathname
      await tabTo(page, 'Effacer mes réponses')
      await page.keyboard.press('Enter')
      await expect(page.getByRole('heading', { name: /Effacer mes réponses/ })).toBeVisible()
      await expectAccessible(page)
      await shoot(page, `ma-page-effacer-${size.replaceAll(' ', '-')}`)
      await page.getByRole('link', { name: 'Garder mes réponses' }).click()
      await expect(page.getByRole('heading', { name: 'Grand saut' })).toBeVisible()
      await tabTo(page, 'Effacer mes réponses')
      await page.keyboard.press('Enter')
      await expect(page.getByRole('heading', { name: /Effacer mes réponses/ })).toBeVisible()
      await tabTo(page, 'Effacer pour toujours')
      await page.keyboard.press('Enter')
      await expect(page.getByRole('heading', { name: 'Les réponses sont effacées' })).toBeVisible()
      await expectAccessible(page)
      expect((await page.goto(path))?.status()).toBe(404)
      await expect(page.getByRole('heading', { name: 'Page introuvable' })).toBeVisible()
      await expectAccessible(page)
      expect((await client.quizzes.get({ id: quiz.id })).quiz.nb_responses).toBe(0)
    })
  })

test.describe('without JavaScript', () => {
  test.use({ ...TOUCH, javaScriptEnabled: false })

  test('the end leads to the page, which shows the replies and erases', { tag: '@rare' }, async ({
    page,
    creator: { client },
  }) => {
    const quiz = await publishedScoreQuiz(client)
    await client.quizzes.update({ id: quiz.id, body: { keeps_page: true } })
    await page.goto(`/q/${quiz.id}`)
    await page.getByLabel('Rempli').check()
    await page.getByRole('button', { name: 'Suivant' }).click()
    await page.getByLabel('Où vous écrire').fill(CAMILLE)
    await page.getByRole('button', { name: 'Voir le résultat' }).click()
    await page.getByRole('link', { name: 'Ouvrir ma page' }).click()
    await expect(page.getByRole('heading', { name: 'Pas à pas' })).toBeVisible()
    await page.getByLabel('Adresse email donnée').fill(CAMILLE)
    await page.getByRole('button', { name: 'Afficher mes réponses' }).click()
    await expect(page.getByText('Rempli', { exact: true })).toBeVisible()
    await page.getByRole('button', { name: 'Effacer mes réponses' }).click()
    await page.getByRole('button', { name: 'Effacer pour toujours' }).click()
    await expect(page.getByRole('heading', { name: 'Les réponses sont effacées' })).toBeVisible()
  })
})

test('a creator switches the page on under Accès, at once, and sees an erasure by a participant', {
  tag: '@rare',
}, async ({ page, creator: { client } }) => {
  await page.setViewportSize({ width: 1440, height: 900 })
  const quiz = await publishedScoreQuiz(client)
  await page.goto(`/quiz/${quiz.id}/settings`)
  await page.getByRole('tab', { name: 'Accès' }).click()
  const keeps = page.getByRole('switch', { name: 'Page du participant' })
  await keeps.press('Space')
  await expect(keeps).toBeChecked()
  const tools = page.getByRole('switch', { name: /Demander aussi l’effacement/ })
  await tools.press('Space')
  await expect(page.getByRole('tabpanel').getByText('Enregistré', { exact: true })).toHaveCount(2)
  await tools.scrollIntoViewIfNeeded()
  await expectAccessible(page)
  await shoot(page, 'acces-1440')
  await expect
    .poll(async () => (await client.quizzes.get({ id: quiz.id })).quiz.page_erases_contacts)
    .toBe(true)
  await page.setViewportSize({ width: 390, height: 844 })
  await keeps.scrollIntoViewIfNeeded()
  expect(await measureOverflow(page)).toBe(0)
  await shoot(page, 'acces-390')

  const answers = { [quiz.question_id]: quiz.answer_ids[0] ?? '', [quiz.open_id]: CAMILLE }
  const { documents } = await client.publicQuiz.submit({ id: quiz.id, body: { answers } })
  await page.request.post(documents?.own_page ?? '', { form: { action: 'confirmer' } })
  await openScreen(page, `/quiz/${quiz.id}/envois`)
  await expect(page.getByText('Un participant a effacé ses réponses depuis sa page.')).toBeVisible()
  await expectAccessible(page)
})
