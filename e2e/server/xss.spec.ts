import type { Browser, BrowserContext, Page } from '@playwright/test'
import { openScreen } from '../support/editor-steps.ts'
import { expect, newToolKey, test } from '../support/fixtures.ts'
import {
  createHostileQuiz,
  expectShown,
  findInjections,
  type Hostile,
  submitHostile,
  watchExecutions,
} from '../support/hostile-quiz.ts'
import { selectHostileTexts } from '../support/hostile-texts.ts'

test.use({ creatorIs: 'signed in' })

const APP_SCREENS = ['edit', 'results', 'questions', 'settings', 'preview', 'envois', 'statistics']

const expectHarmless = async (page: Page, text: string): Promise<void> => {
  await expectShown(page, text)
  expect(await findInjections(page)).toEqual([])
}

/** Completes the quiz with the payload in every field. */
const completeQuiz = async (page: Page, { id }: Hostile, text: string): Promise<void> => {
  await page.goto(`/q/${id}`)
  await expectHarmless(page, text)
  await page.getByRole('radio').first().check()
  await page.getByRole('button', { name: 'Suivant' }).click()
  await expect(page.getByText('2 / 2')).toBeVisible()
  await expectHarmless(page, text)
  const fields = page.locator('.q-input')
  for (const at of [0, 1]) await fields.nth(at).fill(text)
  for (const [at, value] of ['0612345678', '3', 'camille@exemple.fr'].entries())
    await fields.nth(at + 2).fill(value)
  await page.getByRole('button', { name: 'Voir le résultat' }).click()
  await expect(page.getByRole('button', { name: 'Voir le résultat' })).toBeHidden()
  await expectHarmless(page, text)
}

const visitor = async (browser: Browser, javaScriptEnabled: boolean): Promise<BrowserContext> =>
  browser.newContext({ javaScriptEnabled })

for (const [kind, text] of selectHostileTexts())
  test(`${kind} is shown on every screen, and no part of it runs as a script`, async ({
    page,
    creator,
    browser,
  }) => {
    const { client } = creator
    await client.integrations.saveBrevo({ body: { api_key: newToolKey('brevo') } })
    const hostile = await createHostileQuiz(client, text)
    const { id } = hostile
    await submitHostile(client, hostile, text)
    const seen = await watchExecutions(page.context())
    const status = { connected: true, configured: true, needs_attention: true }
    for (const path of ['convertkit', 'systemio', 'brevo'])
      await page.route(`**/api/v1/integrations/${path}/status`, (route) =>
        route.fulfill({ json: { ...status, email: text, message: text } }),
      )

    await test.step('the public page shows the payload as text, with and without scripts', async () => {
      for (const has_scripts of [true, false]) {
        const context = await visitor(browser, has_scripts)
        const found = has_scripts ? await watchExecutions(context) : []
        const visitor_page = await context.newPage()
        await completeQuiz(visitor_page, hostile, text)
        await visitor_page.goto(`/q/${id}?embed=1`)
        await expectHarmless(visitor_page, text)
        expect(found).toEqual([])
        await context.close()
      }
      const image = await page.request.get(`/q/${id}/image-1.png`)
      expect(image.headers()['content-type']).toBe('image/png')
      expect(image.headers()['x-content-type-options']).toBe('nosniff')
    })

    await test.step('every screen of the quiz shows the payload as text', async () => {
      await page.goto('/dashboard')
      await expectHarmless(page, text)
      for (const screen of APP_SCREENS) {
        await openScreen(page, `/quiz/${id}/${screen}`)
        await expectHarmless(page, text)
      }
    })

    await test.step('the dialogs of the statistics show the payload as text', async () => {
      await page
        .getByText(/^Voir les réponses/)
        .first()
        .press('Enter')
      await page
        .getByRole('link', { name: /: voir le détail$/ })
        .first()
        .press('Enter')
      await expect(page.getByRole('heading', { name: 'Pourquoi ce résultat ?' })).toBeVisible()
      await expectHarmless(page, text)
      await page.keyboard.press('Escape')
      const { url } = await client.exports.link({ id, body: { format: 'csv' } })
      const file = await page.request.get(url)
      expect(file.headers()['content-disposition']).toMatch(
        /^attachment; filename="[^"\\\r\n]+"; filename\*=UTF-8''[\w.!~%-]+$/,
      )
      expect(file.headers()['x-content-type-options']).toBe('nosniff')
    })

    await test.step('the states of the tools show the payload as text', async () => {
      await openScreen(page, '/settings')
      await expectHarmless(page, text)
      await openScreen(page, `/quiz/${id}/settings`)
      await page.getByRole('tab', { name: 'Intégrations' }).click()
      await expectHarmless(page, text)
    })
    expect(seen).toEqual([])
  })

test('the test detects executed payloads and policy violations', { tag: '@rare' }, async ({
  browser,
  baseURL,
}) => {
  const context = await visitor(browser, true)
  const seen = await watchExecutions(context)
  const page = await context.newPage()
  await page.setContent(
    '<img src=x onerror="alert(1)" data-pwn><a href="java\tscript:alert(1)">x</a>',
  )
  await expect.poll(() => seen).toContain('dialog: 1')
  expect(await findInjections(page)).toHaveLength(3)
  await page.goto(`${baseURL}/login`)
  const refused = await page.evaluate(() => {
    try {
      document.body.insertAdjacentHTML('beforeend', '<b>HTML</b>')
      return false
    } catch (error) {
      return error instanceof TypeError
    }
  })
  expect(refused).toBe(true)
  await expect.poll(() => seen.join()).toContain('require-trusted-types-for')
  await context.close()
})
