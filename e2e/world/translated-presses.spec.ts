import type { Browser, Page } from '@playwright/test'
import { createAccount } from '../support/accounts.ts'
import { createScreens, isPublic, SCREENS } from '../support/creator-screens.ts'
import { expect, storeSession } from '../support/fixtures.ts'
import { testWithMails } from '../support/mail-server.ts'
import { keepTranslating } from '../support/translation.ts'

/**
 * Every screen of creators in two browsers, of which one translates: each control is pressed in both, and both must show
 * the same words. Words that stay behind or a blank screen are differences.
 */

/** On a server that sends mails, because campaigns need one. */
const test = testWithMails({ AUTH_AUTOCONFIRM: 'true', WEBHOOKS_TO_LOOPBACK: 'on' })

const MAX_PRESSES = 40
const MAX_WAIT_MS = 30_000
/** Controls that leave the screen, show a secret, which differs between two accounts, or open a dialog of the browser. */
const NOT_COMPARED =
  /^(Déconnexion|Retour|Télécharger|Continuer avec|Continuer vers|Se connecter|Ajouter une application|Ajouter une clé|Créer une clé)/

/** A browser of a new creator with the quiz of every screen. */
const openCreator = async (browser: Browser, origin: string) => {
  const { client, session } = await createAccount(origin)
  const addressOf = await createScreens(client)
  const page = await (await browser.newContext()).newPage()
  const errors: string[] = []
  page.on('pageerror', (error) => errors.push(error.message))
  const open = async (screen: string): Promise<void> => {
    await page.goto(origin + addressOf(screen))
    await expect(page.locator('h1').first()).toBeAttached()
    await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
  }
  return { page, client, session, open, errors }
}

/** Returns a text without ids, addresses and times, which differ between two accounts. */
const withoutIds = (text: string): string =>
  text
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/[\w.-]+@exemple\.fr/g, '(email)')
    .replaceAll(/\/(?:q|statistiques|test)\/[\w-]+/g, '(address)')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '(time)')
    .replaceAll(/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}|msg_[\w-]+|\b\d{10}\b/g, '(id)')
    .replaceAll(/\b\d{1,2}\s?[h:]\s?\d{2}(?::\d{2})?/g, '(time)')
    .replaceAll(/(?:il y a|dans) [^.,·]{1,20}/g, '(time)')

const readWords = async (page: Page): Promise<string> =>
  // biome-ignore lint/performance/useDomNodeTextContent: `innerText` leaves out hidden text
  withoutIds(await page.evaluate(() => document.body.innerText))

/** Returns the names of the controls of the page, in their order. */
const listControls = async (page: Page): Promise<string[]> => {
  const names = await page.evaluate(() =>
    [
      ...document.querySelectorAll<HTMLElement>(
        'button, summary, [role=tab], input[type=checkbox], input[type=radio]',
      ),
    ]
      .filter((control) => control.checkVisibility() && !control.matches(':disabled'))
      .map((control, rank) => {
        control.dataset.rank = `${rank}`
        const labels = (control as HTMLInputElement).labels ?? []
        const label = [...labels].map(({ textContent }) => textContent).join(' ')
        return control.getAttribute('aria-label') || label || control.textContent
      }),
  )
  return names.map((name) => withoutIds(name).trim())
}

const press = (page: Page, rank: number): Promise<void> =>
  page.evaluate((place) => {
    document.querySelector<HTMLElement>(`[data-rank="${place}"]`)?.click()
  }, rank)

/** Closes the dialogs and menus of the page, one after the other. */
const closeOverlays = async (page: Page): Promise<void> => {
  const overlays = page.locator('dialog[open], [role=menu]').filter({ visible: true })
  for (let nb_open = await overlays.count(); nb_open > 0; nb_open = await overlays.count()) {
    await page.keyboard.press('Escape')
    await expect.poll(() => overlays.count()).toBeLessThan(nb_open)
  }
}

for (const screen of SCREENS)
  test(`the translated screen ${screen} shows the same words after each press`, async ({
    browser,
    origin,
  }) => {
    test.slow()
    const plain = await openCreator(browser, origin)
    const translated = await openCreator(browser, origin)
    const pages = [plain, translated]
    for (const { page, session, open } of pages) {
      if (!isPublic(screen)) await storeSession(page, session)
      await open(screen)
    }
    await keepTranslating(translated.page)
    /** Waits until both browsers rest with the same words and controls. Returns the names of the controls. */
    const expectEqual = async (what: string): Promise<string[]> => {
      let before = ''
      let names: string[] = []
      await expect(async () => {
        const [original, other] = await Promise.all(
          pages.map(async ({ page }) => [await readWords(page), await listControls(page)]),
        )
        const isResting = JSON.stringify(original) === before
        before = JSON.stringify(original)
        expect(other, what).toEqual(original)
        expect(isResting, `${what}: the screen rests`).toBe(true)
        names = original?.[1] as string[]
      }).toPass({ timeout: MAX_WAIT_MS })
      expect(
        pages.flatMap(({ errors }) => errors),
        what,
      ).toEqual([])
      return names
    }
    let names = await expectEqual('before the first press')
    const pressed = new Set<string>()
    while (pressed.size < MAX_PRESSES) {
      const rank = names.findIndex((name) => !pressed.has(name) && !NOT_COMPARED.test(name))
      if (rank < 0) break
      const name = names[rank] ?? ''
      pressed.add(name)
      await test.step(name, async () => {
        for (const { page } of pages) await press(page, rank)
        await expectEqual(`after « ${name} »`)
        for (const { page } of pages) await closeOverlays(page)
        names = await expectEqual(`after « ${name} » and Escape`)
      })
    }
    for (const { page } of pages) await page.context().close()
  })
