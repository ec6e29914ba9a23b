import type { Locator, Page } from '@playwright/test'
import { publishEventSondage } from '../../src/server/testing/quizzes/event-sondage.ts'
import { publishGridSondage } from '../../src/server/testing/quizzes/grid-sondage.ts'
import { publishedScoreQuiz } from '../../src/server/testing/quizzes/sample-quizzes.ts'
import { expect, visitorTest as test } from '../support/fixtures.ts'
import {
  CAMILLE,
  choose,
  enterEmail,
  expectParticipants,
  expectResult,
} from '../support/visitor-steps.ts'

/** Replaces the newer parts of the page's style by unknown ones, as engines without `:has` and `color-mix` read them. */
const useOlderStyles = async (page: Page, id: string): Promise<void> => {
  await page.route(`**/q/${id}`, async (route) => {
    const answer = await route.fetch()
    const body = (await answer.text()).replaceAll('color-mix(', 'old(').replaceAll(':has(', ':old(')
    // The policy of the page allows its original style only.
    const headers = { ...answer.headers(), 'content-security-policy': '' }
    await route.fulfill({ response: answer, headers, body })
  })
}

/** Expects an action to change how a choice looks. */
const expectOtherLook = async (choice: Locator, act: () => Promise<void>): Promise<void> => {
  const before = await choice.screenshot()
  await act()
  await expect.poll(async () => (await choice.screenshot()).equals(before)).toBe(false)
}

const choiceOf = (page: Page, name: string): Locator =>
  page.locator('label', { has: page.getByLabel(name, { exact: true }) }).first()

test('in engines without `:has` and `color-mix`, chosen answers and the focus of the keyboard are visible', {
  tag: '@rare',
}, async ({ creator, visitor }) => {
  const { id } = await publishEventSondage(creator.client)
  await useOlderStyles(visitor, id)
  await visitor.goto(`/q/${id}`)
  await expectOtherLook(choiceOf(visitor, 'Oui'), () => visitor.getByLabel('Oui').check())
  await visitor.getByRole('button', { name: 'Suivant' }).click()
  await expectOtherLook(choiceOf(visitor, 'Vente'), () => visitor.getByLabel('Vente').check())
  const seven = choiceOf(visitor, '7')
  await expectOtherLook(seven, () => seven.click())
  const eight = choiceOf(visitor, '8')
  await expectOtherLook(eight, () => visitor.keyboard.press('ArrowRight'))
  const focused = await eight.screenshot()
  await expectOtherLook(eight, () => visitor.getByLabel('Vente').focus())
  expect((await eight.screenshot()).equals(focused)).toBe(false)

  const grid = await publishGridSondage(creator.client)
  await useOlderStyles(visitor, grid.id)
  for (const width of [1_280, 390]) {
    await visitor.setViewportSize({ width, height: 800 })
    await visitor.goto(`/q/${grid.id}`)
    const row = visitor.getByRole('radiogroup', { name: 'Le rythme convenait' })
    const cell = row.locator('label').nth(width === 390 ? 2 : 3)
    await expectOtherLook(cell, () => cell.click())
  }
})

test('fields keep their borders in engines that cannot mix colours', { tag: '@rare' }, async ({
  creator,
  visitor,
}) => {
  const { id } = await publishedScoreQuiz(creator.client)
  await useOlderStyles(visitor, id)
  await visitor.goto(`/q/${id}`)
  await choose(visitor, 'Libre')
  const field = visitor.getByLabel('Où vous écrire ?')
  await expect(field).toHaveCSS('border-top-style', 'solid')
  await enterEmail(visitor)
  await expectResult(visitor, 'Grand saut')
  await expectParticipants(creator.client, id, [`${CAMILLE}: Libre → Grand saut`])
})
