import type { Page } from '@playwright/test'
import { clientOf } from '../../scripts/http-client.ts'
import { publishedScoreQuiz } from '../../src/server/testing/quizzes/sample-quizzes.ts'
import {
  expect,
  expectAccessible,
  PASSWORD,
  storeSession,
  uniqueEmail,
} from '../support/fixtures.ts'
import { measureOverflow } from '../support/layout-checks.ts'
import { testWithMails } from '../support/mail-server.ts'
import { choose, enterEmail, expectResult } from '../support/visitor-steps.ts'

const test = testWithMails({ AUTH_AUTOCONFIRM: 'true' })
// The journeys run one after the other, so that they share a server.
test.describe.configure({ mode: 'default' })

const SHOTS = process.env.SHOTS
const SWITCH = 'Faire confirmer l’adresse par email'
const LINK = /https?:\/\/\S+\/confirmation\/[\w-]+/

/** Takes a picture at both widths, and checks that neither scrolls sideways. */
const shoot = async (page: Page, name: string): Promise<void> => {
  for (const width of [390, 1440]) {
    await page.setViewportSize({ width, height: width === 390 ? 844 : 900 })
    expect(await measureOverflow(page)).toBe(0)
    if (SHOTS) await page.screenshot({ path: `${SHOTS}/${name}-${width}.png`, fullPage: true })
  }
}

test('a creator turns confirmations on, a visitor without JavaScript confirms by keyboard, and the screens say so', async ({
  page,
  browser,
  origin,
  catcher,
}) => {
  const data = { email: uniqueEmail(), password: PASSWORD }
  const signedUp = await page.request.post(`${origin}/auth/v1/signup`, { data })
  const client = clientOf(origin, (await signedUp.json()).access_token)
  const { id } = await publishedScoreQuiz(client)
  await client.quizMails.set({ id, body: { sends_result: true } })
  const visitor = uniqueEmail()
  await storeSession(page, await signedUp.text())

  await test.step('the switch stands beside the consent and is stored at once', async () => {
    await page.goto(`${origin}/quiz/${id}/settings?onglet=integrations`)
    const control = page.getByRole('switch', { name: SWITCH })
    await control.focus()
    await page.keyboard.press('Space')
    await expect(control).toBeChecked()
    await expect(page.getByText('Enregistré', { exact: true })).toBeVisible()
    await expectAccessible(page)
    await control.scrollIntoViewIfNeeded()
    await shoot(page, 'confirm-settings')
    expect((await client.quizzes.get({ id })).quiz.confirms_email).toBe(true)
  })

  await test.step('the end of a run names the masked address, also on the saved page', async () => {
    const visiting = await browser.newContext({ viewport: { width: 390, height: 844 } })
    const run = await visiting.newPage()
    await run.goto(`${origin}/q/${id}`)
    await choose(run, 'Libre')
    await enterEmail(run, visitor)
    await expectResult(run, 'Grand saut')
    const note = run.getByText('Confirmez votre adresse : un email vient de partir à')
    await expect(note).toContainText(`${visitor[0]}***@`)
    await expectAccessible(run)
    await shoot(run, 'confirm-ending')
    await visiting.close()
  })

  const mail = await catcher.next(visitor)
  const url = LINK.exec(mail.text)?.[0] ?? ''
  const bare = await browser.newContext({ javaScriptEnabled: false })
  const link = await bare.newPage()

  await test.step('opening the link confirms nothing; Enter on the button does', async () => {
    await link.goto(url)
    await expect(link.getByRole('heading', { name: 'Encore un appui' })).toBeVisible()
    await shoot(link, 'confirm-page-button')
    await link.reload()
    const { details } = await client.statistics.responses({ id })
    expect(details[0]?.email_confirmation).toBe('waiting')
    await link.keyboard.press('Tab')
    await expect(link.getByRole('button', { name: 'Confirmer mon adresse' })).toBeFocused()
    await link.keyboard.press('Enter')
    await expect(link.getByRole('heading', { name: 'Adresse confirmée' })).toBeVisible()
    await shoot(link, 'confirm-page-done')
    await link.goto(url)
    await expect(link.getByRole('heading', { name: 'Adresse déjà confirmée' })).toBeVisible()
    await shoot(link, 'confirm-page-again')
    await link.goto(`${url.slice(0, -5)}AAAAA`)
    await expect(link.getByRole('heading', { name: 'Page introuvable' })).toBeVisible()
    await shoot(link, 'confirm-page-broken')
    await bare.close()
  })

  await test.step('the result arrives after the press', async () => {
    expect((await catcher.next(visitor)).subject).toContain('Grand saut')
  })

  await test.step('participants are filtered, and deliveries show the new states', async () => {
    const waiting = await browser.newContext()
    const run = await waiting.newPage()
    await run.goto(`${origin}/q/${id}`)
    await choose(run, 'Libre')
    await enterEmail(run, uniqueEmail())
    await expectResult(run, 'Grand saut')
    await waiting.close()
    await page.goto(`${origin}/quiz/${id}/statistics?confirmation=confirmed`)
    await expect(
      page.getByRole('button', { name: /Retirer le filtre « Adresse confirmée »/ }),
    ).toBeVisible()
    await expect(page.getByRole('link', { name: new RegExp(visitor) })).toBeVisible()
    await shoot(page, 'confirm-participants')
    await page.goto(`${origin}/quiz/${id}/statistics`)
    await expect(page.getByText(/1 sur 2 adresses confirmées/)).toBeVisible()
    await shoot(page, 'confirm-statistics')
    await page.goto(`${origin}/quiz/${id}/envois`)
    await expect(page.getByText('À confirmer').first()).toBeVisible()
    await expectAccessible(page)
    await shoot(page, 'confirm-deliveries')
  })
})
