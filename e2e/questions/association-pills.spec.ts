import { randomUUID } from 'node:crypto'
import type { Locator } from '@playwright/test'
import { readyProfilsQuiz } from '../../src/server/testing/quizzes/sample-quizzes.ts'
import { expect, expectAccessible, test } from '../support/fixtures.ts'

test.use({ creatorIs: 'signed in' })

test('results are coloured pills, and the first pill of each result ticks it for all answers or none in one step', {
  tag: '@rare',
}, async ({ page, creator }) => {
  const { id } = await readyProfilsQuiz(creator.client)
  await page.goto(`/quiz/${id}/questions`)
  const head = page.getByRole('checkbox', { name: 'Tout cocher pour Grand saut' })
  const cells = page.getByRole('checkbox', { name: 'Grand saut', exact: true })
  await expect(head).toBeVisible()
  const isPartial = () => head.evaluate((box) => 'indeterminate' in box && box.indeterminate)

  const colorOf = (box: Locator) =>
    box.locator('xpath=..').evaluate((pill) => getComputedStyle(pill).borderInlineStartColor)
  expect(await colorOf(cells.nth(1))).toBe(await colorOf(head))
  expect(
    await colorOf(page.getByRole('checkbox', { name: 'Pas à pas', exact: true }).first()),
  ).not.toBe(await colorOf(head))

  await head.check()
  await expect(cells.nth(0)).toBeChecked()
  await expect(cells.nth(1)).toBeChecked()
  await cells.nth(0).uncheck()
  await expect(head).not.toBeChecked()
  expect(await isPartial()).toBe(true)
  await head.check()
  await head.uncheck()
  await expect(cells.nth(1)).not.toBeChecked()
  expect(await isPartial()).toBe(false)
  await page.getByRole('heading', { name: 'Page 1' }).focus()
  await page.keyboard.press('Control+z')
  await expect(cells.nth(0)).toBeChecked()
  await expect(cells.nth(1)).toBeChecked()

  await page.getByText('Enregistré', { exact: true }).waitFor()
  await page.reload()
  await expect(cells.nth(1)).toBeChecked()
  await expect(head).toBeChecked()
})

test('a long name can be read in full, and an answer can count more for one result', {
  tag: '@dom',
}, async ({ page, creator }) => {
  const long =
    'Vous avancez pas à pas, sans jamais perdre de vue ce que vous voulez vraiment '.repeat(2)
  const { id, result_ids } = await readyProfilsQuiz(creator.client)
  const [low = ''] = result_ids
  await creator.client.results.update({ resultId: low, body: { name: long.trim() } })
  await page.goto(`/quiz/${id}/questions`)
  for (const width of [1440, 390, 320]) {
    await page.setViewportSize({ width, height: 844 })
    const pill = page
      .getByRole('group', { name: 'Résultats associés à Rempli' })
      .getByText(long.trim(), { exact: true })
    await expect(pill).toBeVisible()
    const [cut, wide] = await pill.evaluate((name) => [
      name.scrollWidth > name.clientWidth || name.scrollHeight > name.clientHeight,
      document.documentElement.scrollWidth > innerWidth,
    ])
    expect([cut, wide]).toEqual([false, false])
  }
  await expectAccessible(page)
  const weight = page
    .getByRole('group', { name: 'Résultats associés à Rempli' })
    .getByRole('spinbutton')
  await expect(weight).toHaveValue('1')
  await expect(weight).toHaveAccessibleName(/^Poids – Vous avancez .*, pour Rempli$/)
  await weight.fill('3')
  const stored = async () =>
    (await creator.client.questions.unified({ id })).questions[0]?.answers[0]?.associations.map(
      (link) => [link.weight, link.is_checked],
    )
  await expect.poll(stored).toEqual([[3, true]])
  await weight.fill('')
  await weight.blur()
  await expect(weight).toHaveValue('1')
})

test('a pill does not move when it is ticked and shows its weight', { tag: '@rare' }, async ({
  page,
  creator,
}) => {
  const { id, result_ids } = await readyProfilsQuiz(creator.client)
  const names = ['Pas à pas', 'Grand saut', 'Au gré du vent', 'Tout schuss', 'Bien au chaud']
  await creator.client.results.saveAll({
    id,
    body: {
      results: names.map((name, index) => ({ id: result_ids[index] ?? randomUUID(), name })),
    },
  })
  await page.goto(`/quiz/${id}/questions`)
  for (const width of [1440, 390, 320]) {
    await page.setViewportSize({ width, height: 844 })
    const pills = page.getByRole('group', { name: 'Résultats associés à Libre' })
    const placeOf = (box: Locator) =>
      box.evaluate((input) => {
        const { left, top } = input.getBoundingClientRect()
        const group = input.closest('fieldset')?.getBoundingClientRect()
        const pill = input.closest('label')?.getBoundingClientRect()
        return { left, top: top - (group?.top ?? Number.NaN), height: pill?.height ?? 0 }
      })
    for (const name of names) {
      const box = pills.getByRole('checkbox', { name })
      await box.uncheck()
      const before = await placeOf(box)
      await box.check()
      const weight = pills.getByRole('spinbutton', {
        name: `Poids – ${name}, pour Libre`,
        exact: true,
      })
      await expect(weight).toBeVisible()
      const after = await placeOf(box)
      expect(after.left, `${name} at ${width}`).toBe(before.left)
      // The weight field is taller than the pill, so the pill may move by half of the difference.
      const taller = Math.max(0, ((await weight.boundingBox())?.height ?? 0) - before.height)
      expect(Math.abs(after.top - before.top)).toBeLessThanOrEqual(taller / 2 + 1)
    }
    for (const name of names) await pills.getByRole('checkbox', { name }).uncheck()
  }
})
