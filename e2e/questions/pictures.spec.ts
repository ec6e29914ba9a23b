import type { Locator, Page } from '@playwright/test'
import sharp from 'sharp'
import {
  publishedScoreQuiz,
  readyScoreQuiz,
} from '../../src/server/testing/quizzes/sample-quizzes.ts'
import { answerPage, expectSaved, publish } from '../support/editor-steps.ts'
import { expect, expectAccessible, test } from '../support/fixtures.ts'
import { readLayoutShift, recordLayoutShifts } from '../support/visitor-steps.ts'

test.use({ creatorIs: 'signed in' })

/** Returns a JPEG file in the format that Playwright's file inputs accept. */
const createPhoto = async (color: string, name = 'photo.jpg') => ({
  name,
  mimeType: 'image/jpeg',
  buffer: await sharp({ create: { width: 1200, height: 900, channels: 3, background: color } })
    .jpeg()
    .toBuffer(),
})

const field = (page: Page, name: string): Locator => page.getByRole('group', { name, exact: true })
const choose = async (page: Page, name: string, color: string): Promise<void> => {
  const chooser = page.waitForEvent('filechooser')
  await field(page, name).getByRole('button', { name: 'Choisir une image' }).click()
  await (await chooser).setFiles(await createPhoto(color))
  await expect(field(page, name).getByRole('img')).toBeVisible()
  await expect(field(page, name).getByLabel('Description de l’image')).toBeFocused()
}
/** Drops or pastes a file onto the field. */
const dropOrPaste = (
  target: Locator,
  kind: 'drop' | 'paste',
  text: string,
  type: string,
): Promise<void> =>
  target.evaluate(
    (element, given) => {
      const data = new DataTransfer()
      const bytes = Uint8Array.from(atob(given.text), (letter) => letter.charCodeAt(0))
      data.items.add(new File([bytes], 'fichier', { type: given.type }))
      const init = { bubbles: true, cancelable: true }
      element.dispatchEvent(
        given.kind === 'drop'
          ? new DragEvent('drop', { ...init, dataTransfer: data })
          : new ClipboardEvent('paste', { ...init, clipboardData: data }),
      )
    },
    { kind, text, type },
  )
const inBase64 = async (color: string): Promise<string> =>
  (await createPhoto(color)).buffer.toString('base64')

const QUESTION = 'Image – Question 1'

test('a note says that only the first image of an animation is kept', { tag: '@rare' }, async ({
  page,
  creator,
}) => {
  const { id } = await readyScoreQuiz(creator.client)
  await page.goto(`/quiz/${id}/questions`)
  await page.getByRole('button', { name: 'Actions – Question 1' }).click()
  await page.getByRole('menuitem', { name: 'Ajouter une image' }).click()
  const frames = await Promise.all(['#c8562a', '#17c3b2'].map((color) => createPhoto(color)))
  const moving = sharp(
    frames.map(({ buffer }) => buffer),
    { join: { animated: true } },
  )
  const target = field(page, QUESTION)
  const note = target.getByText('Ce fichier est animé : seule sa première image est gardée.')
  await dropOrPaste(target, 'drop', (await moving.gif().toBuffer()).toString('base64'), 'image/gif')
  await expect(target.getByRole('img')).toBeVisible()
  await expect(note).toBeVisible()
  await dropOrPaste(target, 'drop', await inBase64('#17c3b2'), 'image/jpeg')
  await expect(note).toBeHidden()
})

test('a creator adds pictures to a question and its answers, and a visitor sees them', async ({
  page,
  creator,
  visitor,
  browser,
}) => {
  const { id } = await readyScoreQuiz(creator.client)
  await page.goto(`/quiz/${id}/questions`)
  const menu = page.getByRole('button', { name: 'Actions – Question 1' })
  await menu.click()
  await page.getByRole('menuitem', { name: 'Ajouter une image' }).click()
  const button = field(page, QUESTION).getByRole('button', { name: 'Choisir une image' })
  await expect(button).toBeFocused()

  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>').toString('base64')
  await dropOrPaste(button, 'drop', svg, 'image/svg+xml')
  await expect(field(page, QUESTION).getByRole('alert')).toContainText('n’est pas une image')
  await expectAccessible(page)
  await dropOrPaste(button, 'drop', await inBase64('#c8562a'), 'image/jpeg')
  await expect(field(page, QUESTION).getByRole('img')).toBeVisible()
  await expect(field(page, QUESTION).getByRole('alert')).toBeHidden()

  await menu.click()
  await page.getByRole('menuitem', { name: 'Images des réponses' }).click()
  await choose(page, 'Image – Rempli', '#17c3b2')
  await field(page, 'Image – Libre').getByRole('button').focus()
  await dropOrPaste(field(page, 'Image – Libre'), 'paste', await inBase64('#7553b8'), 'image/jpeg')
  await expect(field(page, 'Image – Libre').getByRole('img')).toBeVisible()
  await field(page, 'Image – Rempli').getByLabel('Description de l’image').fill('Un agenda plein')
  // The text of an answer describes its picture, so there is nothing to tick.
  await expect(field(page, 'Image – Libre').getByText('Facultative')).toBeVisible()
  await expect(field(page, 'Image – Libre').getByLabel('Image décorative')).toHaveCount(0)
  await expectSaved(page)
  await expectAccessible(page)

  // A picture without a description is a point to correct, which leads to its field.
  await page.getByRole('button', { name: '1 point à corriger' }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: 'Décrivez l’image de la question « Votre agenda ? »' })
    .click()
  const description = field(page, QUESTION).getByLabel('Description de l’image')
  await expect(description).toBeFocused()
  await description.fill('Un bureau au soleil')
  await expectSaved(page)
  const link = await publish(page)

  await recordLayoutShifts(visitor)
  // The page shows its texts and accepts answers before the delayed pictures load.
  const late = Promise.withResolvers<void>()
  await visitor.context().route('**/images/**', async (route) => {
    await late.promise
    await route.continue()
  })
  await visitor.goto(link, { waitUntil: 'commit' })
  await visitor.getByRole('radio', { name: 'Rempli' }).check()
  late.resolve()
  await expectPictures(visitor)
  await expectAccessible(visitor, ['.q-next'])
  expect(await readLayoutShift(visitor)).toBe(0)
  const [first, second] = await Promise.all(
    ['Rempli', 'Libre'].map((text) => visitor.locator('.q-card', { hasText: text }).boundingBox()),
  )
  // Two images stand side by side, each with its radio button inside.
  expect(second?.y).toBe(first?.y)
  expect(second?.x).toBeGreaterThan((first?.x ?? 0) + (first?.width ?? 0))
  await visitor.locator('.q-card img').last().click()
  await expect(visitor.getByRole('radio', { name: 'Libre' })).toBeChecked()

  const context = await browser.newContext({ javaScriptEnabled: false })
  const plain = await context.newPage()
  await plain.goto(link)
  await expectPictures(plain)
  await answerPage(plain, { choose: ['Libre'] })
  await expect(plain.getByText('2 / 2')).toBeVisible()
  await context.close()

  await page.getByRole('link', { name: 'Prévisualiser', exact: true }).click()
  await expectPictures(page)
  await page.goto('/settings')
  await expect(page.getByText(/^[\d,]+ Mo utilisés sur 500 Mo$/)).toBeVisible()
})

/** Expects the three pictures of the first page to be loaded and in order. */
const expectPictures = async (page: Page): Promise<void> => {
  const pictures = page.locator('.q-picture img')
  await expect(pictures).toHaveCount(3)
  await expect(pictures.nth(0)).toHaveAttribute('alt', 'Un bureau au soleil')
  await expect(pictures.nth(1)).toHaveAttribute('alt', 'Un agenda plein')
  await expect(pictures.nth(2)).toHaveAttribute('alt', '')
  for (const picture of await pictures.all())
    await expect
      .poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth))
      .toBeGreaterThan(0)
}

test('a page without its images shows their alternative texts and can be completed', {
  tag: '@rare',
}, async ({ creator, visitor }) => {
  const quiz = await publishedScoreQuiz(creator.client)
  const { buffer } = await createPhoto('#10201d')
  const { image } = await creator.client.images.add({ body: new Uint8Array(buffer) })
  const body = { image_id: image.id, image_alt: 'Un phare la nuit' }
  await creator.client.questions.update({ id: quiz.question_id, body })
  await creator.client.quizzes.publish({ id: quiz.id })
  await visitor.context().route('**/images/**', (route) => route.abort())
  await visitor.goto(`/q/${quiz.id}`)
  await expect(visitor.getByRole('img', { name: 'Un phare la nuit' })).toBeVisible()
  const box = await visitor.locator('.q-picture').boundingBox()
  expect((box?.width ?? 0) / (box?.height ?? 1)).toBeCloseTo(4 / 3, 1)
  await answerPage(visitor, { choose: ['Libre'] })
  await expect(visitor.getByText('2 / 2')).toBeVisible()
})

test('a creator removes a picture of an earlier visit with the keyboard, and its field stays for another picture', {
  tag: '@dom',
}, async ({ page, creator: { client } }) => {
  const { id, question_id, answer_ids, result_ids } = await readyScoreQuiz(client)
  const { buffer } = await createPhoto('#c8562a')
  const { image } = await client.images.add({ body: new Uint8Array(buffer) })
  const pictured = { image_id: image.id, image_alt: '' }
  const [first = ''] = answer_ids
  await client.questions.update({ id: question_id, body: pictured })
  await client.results.update({ resultId: result_ids[0] ?? '', body: pictured })
  const { revision } = await client.drafts.get({ id })
  await client.drafts.save({
    id,
    body: { based_on: revision, answers: [{ id: first, question_id, ...pictured }] },
  })
  const expectRemovable = async (name: string): Promise<void> => {
    await field(page, name).getByRole('button', { name: 'Retirer l’image' }).press('Enter')
    await expect(field(page, name).getByRole('img')).toHaveCount(0)
    await expect(field(page, name).getByRole('button', { name: 'Choisir une image' })).toBeFocused()
  }
  await page.goto(`/quiz/${id}/questions`)
  await expectRemovable(QUESTION)
  await expectRemovable('Image – Rempli')
  await page.goto(`/quiz/${id}/results`)
  await expectRemovable('Image – Pas à pas')
})
