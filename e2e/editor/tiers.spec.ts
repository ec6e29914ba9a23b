import { readyScoreQuiz } from '../../src/server/testing/quizzes/sample-quizzes.ts'
import { expectSaved } from '../support/editor-steps.ts'
import { expect, test } from '../support/fixtures.ts'

test.use({ creatorIs: 'signed in' })

/** The tiers of a quiz with scores. */

test('the tiers say which totals have no result, are distributed in one step, and their limits can move', {
  tag: '@rare',
}, async ({ page, creator }) => {
  const { id } = await readyScoreQuiz(creator.client)
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto(`/quiz/${id}/questions`)
  await test.step('the tiers say which totals have no result and which have two', async () => {
    await expect(page.getByText('Totaux possibles : de 1 à 5.')).toBeVisible()
    await page.getByLabel('Minimum – Pas à pas').fill('2')
    await expect(
      page.getByText('1 n’appartient à aucun résultat : le premier de la liste sera donné.'),
    ).toBeVisible()
    await page.getByLabel('Maximum – Pas à pas').fill('5')
    await expect(
      page.getByText(
        '5 appartient à « Pas à pas » et à « Grand saut » : « Pas à pas » sera donné.',
      ),
    ).toBeVisible()
  })
  await page.getByRole('button', { name: 'Répartir' }).click()
  const low = page.getByLabel('Maximum – Pas à pas')
  const high = page.getByLabel('Minimum – Grand saut')
  // The totals go from 1 to 5.
  await expect(page.getByLabel('Minimum – Pas à pas')).toHaveValue('1')
  await expect(low).toHaveValue('2')
  await expect(high).toHaveValue('3')
  const limit = page.getByRole('slider', { name: 'Limite entre Pas à pas et Grand saut' })
  await limit.focus()
  await page.keyboard.press('ArrowRight')
  await expect(limit).toBeFocused()
  await expect(limit).toHaveAttribute('aria-valuenow', '3')
  await expect(low).toHaveValue('3')
  await expect(high).toHaveValue('4')

  const box = await limit.boundingBox()
  if (!box) throw new Error('The limit is not on screen')
  const { x, y, width, height } = box
  await page.mouse.move(x + width / 2, y + height / 2)
  await page.mouse.down()
  await page.mouse.move(x - 200, y + height / 2, { steps: 5 })
  await page.mouse.up()
  await expect(low).toHaveValue('1')
  await expect(high).toHaveValue('2')
  await expectSaved(page)

  await test.step('cards and the limits of tiers have borders in forced colours', async () => {
    await page.emulateMedia({ forcedColors: 'active' })
    for (const part of [page.locator('.calm-card').first(), limit.locator('span')])
      expect(
        await part.evaluate((element) => {
          const { borderStyle, borderWidth, borderColor, backgroundColor } =
            getComputedStyle(element)
          return [borderStyle, borderWidth, borderColor !== backgroundColor]
        }),
      ).toEqual(['solid', '1px', true])
  })
})

test('below 1280 px the tiers are a line that opens, also for an error that links to it', {
  tag: '@dom',
}, async ({ page, creator }) => {
  const { id, result_ids } = await readyScoreQuiz(creator.client)
  await creator.client.results.saveAll({
    id,
    body: {
      results: result_ids.map((result_id, index) => ({
        id: result_id,
        name: `R${index}`,
        min_score: null,
        max_score: null,
      })),
    },
  })
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(`/quiz/${id}/questions`)
  await expect(page.getByLabel('Minimum – R0')).toBeHidden()
  await page.getByRole('button', { name: 'Voir les 2 points à corriger' }).click()
  await page
    .getByRole('button', { name: `Le résultat "R0" n'a pas de palier de score défini` })
    .click()
  await expect(page.getByLabel('Minimum – R0')).toBeFocused()
})
