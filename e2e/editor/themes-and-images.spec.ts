import type { Locator, Page } from '@playwright/test'
import sharp from 'sharp'
import { FAMILIES, type Family } from '#domain/questionnaire/look/fonts.ts'
import { addPictures, publishFullQuiz } from '../../src/server/testing/quizzes/full-quiz.ts'
import { publishedScoreQuiz } from '../../src/server/testing/quizzes/sample-quizzes.ts'
import { publishSizedQuiz } from '../../src/server/testing/quizzes/sized-quiz.ts'
import { expectSaved } from '../support/editor-steps.ts'
import { expect, expectAccessible, test } from '../support/fixtures.ts'
import { TOUCH } from '../support/layout-checks.ts'
import { readLayoutShift, recordLayoutShifts } from '../support/visitor-steps.ts'

test.use({ creatorIs: 'signed in' })

const preview = (page: Page) => page.getByRole('region', { name: 'Aperçu du design' })
const theme = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

/** Returns the computed style of a page. */
const readComputedStyle = (page: Page | Locator) =>
  page.locator('.q').evaluate((root) => {
    const styleOf = (selector: string) => getComputedStyle(root.querySelector(selector) ?? root)
    return {
      background: getComputedStyle(root).backgroundColor,
      text: styleOf('.q-title').color,
      font: styleOf('.q-title').fontFamily,
      accent: styleOf('.q-progress').getPropertyValue('--q-mark'),
      corner: styleOf('.q-choice').borderRadius,
      button: styleOf('.q-next').backgroundColor,
      button_corner: styleOf('.q-next').borderRadius,
      button_text: styleOf('.q-next').color,
    }
  })

test('the Design preview shows each theme as visitors see it', { tag: '@rare' }, async ({
  page,
  creator,
  visitor,
}) => {
  const { client } = creator
  const { id } = await publishedScoreQuiz(client)
  const expectSame = async (): Promise<void> => {
    await client.quizzes.publish({ id })
    await visitor.goto(`/q/${id}`)
    expect(await readComputedStyle(visitor)).toEqual(await readComputedStyle(preview(page)))
  }
  await page.goto(`/quiz/${id}/settings`)
  await expect(
    page.getByText('Sans couleur choisie, vos visiteurs voient ces couleurs.'),
  ).toBeVisible()
  await expect(page.getByText('Pas encore choisie : vos visiteurs voient #17C3B2.')).toBeVisible()
  await expectSame()
  expect(await visitor.evaluate(() => document.fonts.size)).toBe(0)

  for (const [name, family, corner] of [
    ['Terre cuite', 'Lora', '26px'],
    ['Craie', 'Space Grotesk', '0px'],
  ] as const) {
    await theme(page, name).click()
    await expect(theme(page, name)).toHaveAttribute('aria-pressed', 'true')
    await expectSaved(page)
    await expectSame()
    const { font, corner: shown } = await readComputedStyle(visitor)
    expect([font.split(',')[0]?.replaceAll('"', ''), shown]).toEqual([family, corner])
    await expect
      .poll(() => visitor.evaluate((one) => document.fonts.check(`600 16px "${one}"`), family))
      .toBe(true)
    await expectAccessible(visitor)
  }
  await expectAccessible(page, ['figure [inert]'])
  await page.emulateMedia({ colorScheme: 'dark' })
  await expectAccessible(page, ['figure [inert]'])

  // Undo restores the whole previous theme in one step.
  await page.keyboard.press('ControlOrMeta+z')
  await expect(theme(page, 'Terre cuite')).toHaveAttribute('aria-pressed', 'true')
  await page.getByLabel('Police').selectOption('Nunito')
  await page.getByLabel('Coins').selectOption('Adoucis')
  await expect(theme(page, 'Terre cuite')).toHaveAttribute('aria-pressed', 'false')
  await expectSaved(page)
  await expectSame()
})

test('a creator uploads, replaces and removes a logo and a background, visitors see them, and undo leads to their field', async ({
  page,
  creator,
  visitor,
}) => {
  const { client } = creator
  const { id } = await publishedScoreQuiz(client)
  const field = (name: string) => page.getByRole('group', { name, exact: true })
  const shown = (name: string) => field(name).getByRole('img')
  const give = async (name: string, file: { name: string; mimeType: string; buffer: Buffer }) => {
    const chooser = page.waitForEvent('filechooser')
    await field(name)
      .getByRole('button', { name: /^(Choisir|Remplacer) / })
      .click()
    await (await chooser).setFiles(file)
  }
  await page.goto(`/quiz/${id}/settings`)
  await expect(field('Logo')).toBeVisible()
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')
  for (const name of ['Logo', 'Image de fond']) {
    await give(name, { name: 'dessin.svg', mimeType: 'image/svg+xml', buffer: svg })
    await expect(field(name).getByRole('alert')).toContainText('n’est pas une image')
    await expect(shown(name)).toHaveCount(0)
  }
  await expectAccessible(page, ['figure [inert]'])

  // During an upload the field shows the progress and offers to cancel.
  const sent = Promise.withResolvers<void>()
  await page.route('**/api/v1/images', async (route) => {
    await sent.promise
    await route.continue()
  })
  await give('Logo', await png('#c8562a'))
  await expect(field('Logo').getByRole('progressbar')).toBeVisible()
  await expect(field('Logo').getByRole('alert')).toBeHidden()
  await expect(field('Logo').getByRole('button', { name: 'Annuler' })).toBeVisible()
  await expectAccessible(page, ['figure [inert]'])
  sent.resolve()
  await expect(shown('Logo')).toBeVisible()
  await give('Image de fond', await png('#17c3b2'))
  await expect(shown('Image de fond')).toBeVisible()
  await expect(page.getByText(/^Texte sur l’image\s: lisible/)).toBeVisible()

  const imagesOf = async () => {
    const { quiz } = await client.quizzes.get({ id })
    return [quiz.logo_image_id, quiz.background_image_id]
  }
  const expectSeen = async (): Promise<void> => {
    await expectSaved(page)
    await client.quizzes.publish({ id })
    const [logo, background] = await imagesOf()
    await visitor.goto(`/q/${id}`)
    const picture = visitor.locator('.q-logo img')
    await expect(picture).toHaveCount(logo ? 1 : 0)
    if (logo) {
      await expect(picture).toHaveAttribute('src', new RegExp(logo))
      await expect
        .poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth))
        .toBeGreaterThan(0)
    }
    const behind = () =>
      visitor.locator('main').evaluate((main) => getComputedStyle(main, '::before').backgroundImage)
    await expect.poll(async () => (await behind()).includes('/images/')).toBe(background !== null)
    expect(await behind()).toContain(background ?? '')
    await expectAccessible(visitor, ['.q-next'])
  }
  await expectSeen()
  const [first] = await imagesOf()
  await expect(preview(page).locator('.q-logo img')).toHaveAttribute('src', new RegExp(`${first}`))

  await give('Logo', await png('#7553b8'))
  await expect(shown('Logo')).not.toHaveAttribute('src', new RegExp(`${first}`))
  await field('Image de fond').getByRole('button', { name: 'Retirer l’image' }).click()
  await expect(
    field('Image de fond').getByRole('button', { name: 'Choisir une image' }),
  ).toBeFocused()
  await expect(shown('Image de fond')).toHaveCount(0)
  await expectSeen()
  expect(await imagesOf()).not.toContain(first)

  // Undo opens the tab that shows the restored image.
  await page.getByRole('tab', { name: 'Accès' }).click()
  await page.getByRole('button', { name: 'Annuler la dernière modification' }).click()
  await expect(shown('Image de fond')).toBeInViewport()
  await page.getByRole('tab', { name: 'Accès' }).click()
  await page.getByRole('button', { name: 'Annuler la dernière modification' }).click()
  await expect(shown('Logo')).toHaveAttribute('src', new RegExp(`${first}`))
  await expect(shown('Logo')).toBeInViewport()
})

/** Expects that nothing moves on a page while its pictures and this font load. */
const expectSteady = async (visitor: Page, id: string, font: Family): Promise<void> => {
  const late = Promise.withResolvers<void>()
  await visitor.route(/\/(images|fonts)\//, async (route) => {
    await late.promise
    await route.continue()
  })
  await visitor.goto(`/q/${id}`, { waitUntil: 'commit' })
  await expect(visitor.getByRole('button', { name: 'C’est parti' })).toBeVisible()
  late.resolve()
  await expect
    .poll(() =>
      visitor.evaluate(
        (name) =>
          [...document.images].every(
            ({ complete, naturalWidth }) => complete && naturalWidth > 0,
          ) &&
          [...document.fonts].filter(
            ({ family, status }) => family.includes(name) && status === 'loaded',
          ).length,
        FAMILIES[font].name,
      ),
    )
    .toBe(2)
  // A bold word may move by some pixels, but no other element moves.
  expect(await readLayoutShift(visitor), font).toBeLessThan(0.005)
  await visitor.unroute(/\/(images|fonts)\//)
}

test('the first frame of a page has its text and requests neither font nor background, and nothing moves while they load', {
  tag: '@rare',
}, async ({ creator: { client }, visitor, browser }) => {
  const id = await publishSizedQuiz(client, 2)
  const pictures = await addPictures(client)
  await publishFullQuiz(client, id, pictures)

  await test.step('the first frame has its text and requests neither font nor background', async () => {
    const requestedPaths: string[] = []
    visitor.on('request', (request) => requestedPaths.push(new URL(request.url()).pathname))
    const hasRequested = (part: string) => () => requestedPaths.some((path) => path.includes(part))
    // Animations are stopped, so that the page keeps the state of its first frame.
    const session = await visitor.context().newCDPSession(visitor)
    await session.send('Animation.enable')
    await session.send('Animation.setPlaybackRate', { playbackRate: 0 })
    await visitor.goto(`/q/${id}`)
    await expect(visitor.getByRole('button', { name: 'C’est parti' })).toBeVisible()
    await expect.poll(hasRequested(pictures.logo)).toBe(true)
    expect(hasRequested('/fonts/')()).toBe(false)
    expect(hasRequested(pictures.background)()).toBe(false)
    await session.send('Animation.setPlaybackRate', { playbackRate: 1 })
    await expect.poll(hasRequested('/fonts/lora-400')).toBe(true)
    await expect.poll(hasRequested(pictures.background)).toBe(true)
  })

  await test.step('nothing moves, whichever font it is', async () => {
    // A new visitor, because the pictures are in the cache of the first one.
    const context = await browser.newContext(TOUCH)
    const other = await context.newPage()
    await recordLayoutShifts(other)
    for (const font of Object.keys(FAMILIES) as Family[]) {
      await client.quizzes.update({ id, body: { font } })
      await client.quizzes.publish({ id })
      await expectSteady(other, id, font)
    }
    await context.close()
  })
})

const png = async (background: string) => ({
  name: 'image.png',
  mimeType: 'image/png',
  buffer: await sharp({ create: { width: 900, height: 600, channels: 3, background } })
    .png()
    .toBuffer(),
})
