import type { Page } from '@playwright/test'
import { publishedScoreQuiz } from '../../src/server/testing/quizzes/sample-quizzes.ts'
import { expect, expectAccessible } from '../support/fixtures.ts'
import { answerInFrame, listKeptKeys, quizIn, test } from '../support/host-site.ts'

test.use({ creatorIs: 'away' })

const TEXT = '<p>Un texte du site.</p>'.repeat(200)
const dialogs = (page: Page) => page.getByRole('dialog')
/** Lets an hour pass in the page, so that every waiting dialog would open. */
const letAnHourPass = (page: Page): Promise<void> => page.clock.fastForward('01:00:00')

/** Runs a step in a wide and in a narrow window, each like a new tab of the site. */
const atEachWidth = async (page: Page, step: (width: number) => Promise<void>): Promise<void> => {
  for (const width of [1_440, 390])
    await test.step(`at ${width} pixels`, async () => {
      await page.setViewportSize({ width, height: 844 })
      await step(width)
      await page.evaluate(() => sessionStorage.clear())
    })
}

test('a quiz opens after its delay, is closed by the keyboard, and does not open again in the tab', {
  tag: '@rare',
}, async ({ page, creator, site }) => {
  const { id } = await publishedScoreQuiz(creator.client)
  const delay = site.codeOf(id, { opening: 'delay' })
  await page.clock.install()
  await atEachWidth(page, async () => {
    await site.show(page, TEXT + delay)
    await expect(page.getByText('Un texte du site.').first()).toBeVisible()
    await expect(dialogs(page)).toHaveCount(0)
    await page.clock.fastForward(11_000)
    const dialog = page.getByRole('dialog', { name: 'Quel rythme ?' })
    await expect(dialog).toBeVisible()
    await expect(dialog.getByRole('button', { name: 'Fermer' })).toBeFocused()
    await expect(quizIn(page).getByText('Votre agenda ?')).toBeVisible()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await expect(dialogs(page)).toHaveCount(0)
    await letAnHourPass(page)
    await page.reload()
    await letAnHourPass(page)
    await expect(dialogs(page)).toHaveCount(0)
  })
})

test('a button in the corner opens the quiz by the keyboard and gets the focus back', {
  tag: '@rare',
}, async ({ page, creator, site }) => {
  const { id } = await publishedScoreQuiz(creator.client)
  const corner = site.codeOf(id, { opening: 'corner' })
  await atEachWidth(page, async (width) => {
    await site.show(page, TEXT + corner)
    const button = page.getByRole('button', { name: 'Répondre au quiz' })
    await expect(button).toBeInViewport({ ratio: 1 })
    const box = await button.boundingBox()
    expect(box?.height).toBeGreaterThanOrEqual(44)
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeGreaterThan(width - 48)
    await page.keyboard.press('End')
    await expect(button).toBeInViewport({ ratio: 1 })
    await page.keyboard.press('Tab')
    await expect(button).toBeFocused()
    await expectAccessible(page)
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Répondre au quiz' })
    await answerInFrame(quizIn(page))
    await expectAccessible(page)
    await expect.poll(() => listKeptKeys(quizIn(page))).not.toContain('pending')
    await page.keyboard.press('Escape')
    await expect(dialog).toHaveCount(0)
    await expect(button).toBeFocused()
    await button.click()
    await expect(dialog).toHaveCount(1)
  })
})

test('a quiz opens when the visitor has scrolled through half of the page', {
  tag: '@rare',
}, async ({ page, creator, site }) => {
  const { id } = await publishedScoreQuiz(creator.client)
  const scroll = site.codeOf(id, { opening: 'scroll' })
  const scrollToPart = (part: number) =>
    page.evaluate(async (share) => {
      const shown = new Promise((scrolled) => addEventListener('scroll', scrolled, { once: true }))
      scrollTo(0, (document.documentElement.scrollHeight - innerHeight) * share)
      await shown
    }, part)
  await atEachWidth(page, async () => {
    await site.show(page, scroll + TEXT)
    await scrollToPart(0.4)
    await expect(dialogs(page)).toHaveCount(0)
    await scrollToPart(0.6)
    await expect(dialogs(page)).toHaveCount(1)
    await page.getByRole('button', { name: 'Fermer' }).click()
    await scrollToPart(0.9)
    await expect(dialogs(page)).toHaveCount(0)
  })
})

test('a quiz opens when the pointer leaves by the top of the window, not by its sides', {
  tag: '@rare',
}, async ({ page, creator, site }) => {
  const { id } = await publishedScoreQuiz(creator.client)
  const exit = site.codeOf(id, { opening: 'exit' })
  await site.show(page, TEXT + exit)
  /** Dispatches the event of browsers for a pointer that leaves the page at this position. */
  const leave = (x: number, y: number) =>
    page.evaluate(
      ([clientX, clientY]) =>
        document.documentElement.dispatchEvent(
          new MouseEvent('mouseout', { bubbles: true, clientX, clientY, relatedTarget: null }),
        ),
      [x, y],
    )
  await page.mouse.move(300, 300)
  await page.mouse.move(300, 100)
  await leave(-1, 200)
  await leave(300, 900)
  await expect(dialogs(page)).toHaveCount(0)
  // The real pointer leaves the window.
  await page.mouse.move(300, -20)
  await expect(dialogs(page)).toHaveCount(1, { timeout: 3_000 })
  await page.getByRole('button', { name: 'Fermer' }).click()
  await leave(300, -1)
  await expect(dialogs(page)).toHaveCount(0)
})

test('a quiz does not open while the visitor types', { tag: '@rare' }, async ({
  page,
  creator,
  site,
}) => {
  const { id } = await publishedScoreQuiz(creator.client)
  const delay = site.codeOf(id, { opening: 'delay' })
  await page.clock.install()
  await site.show(page, `<label>Adresse <input></label>${delay}`)
  const field = page.getByLabel('Adresse')
  await field.fill('12 rue')
  await page.clock.fastForward(60_000)
  await expect(field).toBeFocused()
  await expect(dialogs(page)).toHaveCount(0)
  await field.blur()
  await page.clock.fastForward(1_500)
  await expect(dialogs(page)).toHaveCount(1)
})

test('two quizzes that open by themselves open one after the other, each once, with the script twice', {
  tag: '@rare',
}, async ({ page, creator, site }) => {
  const codes: string[] = []
  for (const name of ['Premier', 'Second']) {
    const { id } = await publishedScoreQuiz(creator.client, name)
    codes.push(site.codeOf(id, { opening: 'delay', name }))
  }
  await page.clock.install()
  await site.show(page, codes.join('') + TEXT)
  await expect(page.getByText('Un texte du site.').first()).toBeVisible()
  await page.clock.fastForward(11_000)
  await expect(dialogs(page)).toHaveCount(1)
  const first = await page.locator('dialog').getAttribute('aria-label')
  await letAnHourPass(page)
  await expect(dialogs(page)).toHaveCount(1)
  await page.keyboard.press('Escape')
  await page.clock.fastForward(2_000)
  const second = first === 'Premier' ? 'Second' : 'Premier'
  await expect(page.getByRole('dialog', { name: second })).toBeVisible()
  await expect(dialogs(page)).toHaveCount(1)
  await page.keyboard.press('Escape')
  await letAnHourPass(page)
  await expect(dialogs(page)).toHaveCount(0)
})

test('a browser that refuses the storage opens the quiz once in each page', {
  tag: '@rare',
}, async ({ page, creator, site }) => {
  const { id } = await publishedScoreQuiz(creator.client)
  const delay = site.codeOf(id, { opening: 'delay' })
  await page.addInitScript((host) => {
    if (origin !== host) return
    Object.defineProperty(window, 'sessionStorage', {
      get: () => {
        throw new DOMException('refused', 'SecurityError')
      },
    })
  }, site.origin)
  await page.clock.install()
  await site.show(page, TEXT + delay)
  await expect(page.getByText('Un texte du site.').first()).toBeVisible()
  await page.clock.fastForward(11_000)
  await page.getByRole('button', { name: 'Fermer' }).click()
  await letAnHourPass(page)
  await expect(dialogs(page)).toHaveCount(0)
})

test('an element of the site opens the quiz by itself too, and wrong values are ignored with a warning', {
  tag: '@rare',
}, async ({ page, creator, site }) => {
  const { id } = await publishedScoreQuiz(creator.client)
  const button = site.codeOf(id, { opening: 'button' })
  const wrong = [
    'delay:',
    'delay:-1',
    'delay:1.5',
    'delay:99999',
    'scroll:0',
    'scroll:101',
    'scroll:x',
    'popup',
    '',
  ]
  const element = (value: string) =>
    button.split('\n')[0]?.replace('<button', `<button data-quizaine-open="${value}"`) ?? ''
  const warnings: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'warning') warnings.push(message.text())
  })
  await page.clock.install()
  await site.show(page, wrong.map(element).join('') + button.split('\n')[1] + TEXT)
  await expect.poll(() => warnings).toHaveLength(wrong.length)
  expect(warnings).toEqual(wrong.map((value) => `Ignored data-quizaine-open="${value}"`))
  await letAnHourPass(page)
  await page.mouse.wheel(0, 9_000)
  await expect(dialogs(page)).toHaveCount(0)
  // The first right value of several is enough.
  await site.show(page, element('popup exit delay:5') + button.split('\n')[1] + TEXT)
  await expect.poll(() => warnings).toHaveLength(wrong.length + 1)
  await page.clock.fastForward(6_000)
  await expect(page.getByRole('dialog', { name: 'Répondre au quiz' })).toBeVisible()
})

test('a link without a text of its own opens a dialog with its accessible name', {
  tag: '@rare',
}, async ({ page, creator, site, baseURL }) => {
  const { id } = await publishedScoreQuiz(creator.client)
  const button = site.codeOf(id, { opening: 'button' })
  const address = `${baseURL}/q/${id}?embed=1`
  await site.show(
    page,
    `<a href="${address}" data-quizaine="${address}" aria-label="Faire le quiz"> <b> </b> </a>${button.split('\n')[1]}`,
  )
  await page.getByRole('link', { name: 'Faire le quiz' }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog', { name: 'Faire le quiz' })).toBeVisible()
  await expect(quizIn(page).getByText('Votre agenda ?')).toBeVisible()
})
