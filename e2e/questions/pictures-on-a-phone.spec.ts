import type { Locator } from '@playwright/test'
import sharp from 'sharp'
import { readyScoreQuiz } from '../../src/server/testing/quizzes/sample-quizzes.ts'
import { expectSaved, publish, typeHalfCharacter } from '../support/editor-steps.ts'
import { expect, expectAccessible, test } from '../support/fixtures.ts'
import { findSmallTargets, TOUCH } from '../support/layout-checks.ts'

test.use({ creatorIs: 'signed in', ...TOUCH })
const { step } = test

const photo = (): Promise<Buffer> =>
  sharp({ create: { width: 300, height: 200, channels: 3, background: '#c8562a' } })
    .jpeg()
    .toBuffer()

test('eight pictures without a description are decorative after two taps, which one undo takes back', {
  tag: '@dom',
}, async ({ page, creator: { client } }) => {
  const { id } = await readyScoreQuiz(client)
  const { image } = await client.images.add({ body: new Uint8Array(await photo()) })
  for (let number = 1; number <= 8; number++)
    await client.questions.create({
      id,
      body: { type: 'text', text: `Libre ${number}`, image_id: image.id },
    })
  await page.goto(`/quiz/${id}/questions`)
  let nb_taps = 0
  const tap = async (control: Locator): Promise<void> => {
    await control.tap()
    nb_taps++
  }
  const points = page.getByRole('button', { name: 'Voir les 8 points à corriger' })
  const publishButton = page.getByRole('button', { name: 'Publier', exact: true })
  const all = page.getByRole('dialog').getByRole('button', { name: 'Toutes décoratives' })
  await tap(points)
  await expect(page.getByText('8 images n’ont pas de description.')).toBeVisible()
  await expectAccessible(page)
  await tap(all)
  await expect(page.getByText('8 images marquées décoratives').first()).toBeVisible()
  await expect(publishButton).toBeFocused()
  await tap(publishButton)
  await expect(page.getByRole('dialog', { name: 'Publier le quiz' })).toBeVisible()
  expect(nb_taps).toBe(3)

  await page.getByRole('dialog').getByRole('button', { name: 'Annuler' }).tap()
  await page.getByRole('button', { name: 'Annuler la dernière modification' }).tap()
  await expect(page.getByText('Rétabli : descriptions des images').first()).toBeVisible()
  await tap(points)
  await all.press('Enter')
  await expect(publishButton).toBeFocused()
  await expectSaved(page)
  const { questions } = await client.drafts.get({ id })
  expect(questions.filter(({ image_alt }) => image_alt === '')).toHaveLength(8)
})

test('the picture of an answer is a thumbnail in its line, opens for its description, and never blocks the publication', {
  tag: '@rare',
}, async ({ page, creator: { client }, browser }) => {
  const { id, question_id, answer_ids } = await readyScoreQuiz(client)
  const [first = '', second = ''] = answer_ids
  const { image } = await client.images.add({ body: new Uint8Array(await photo()) })
  const { revision } = await client.drafts.get({ id })
  await client.drafts.save({
    id,
    body: { based_on: revision, answers: [{ id: first, question_id, image_id: image.id }] },
  })
  await page.goto(`/quiz/${id}/questions`)
  const thumbnail = (rank: number): Locator =>
    page.getByRole('button', { name: `Image de la réponse ${rank} de la question 1` })
  const field = (name: string): Locator => page.getByRole('group', { name: `Image – ${name}` })
  const description = (name: string): Locator => field(name).getByLabel('Description de l’image')

  await step('hints about dragging and keys are hidden on a touch screen', async () => {
    await expect(field('Libre').getByText('10 Mo au plus')).toBeVisible()
    await expect(field('Libre').getByText('déposez-la')).toBeHidden()
  })
  await step('a picture of an earlier visit is in the line of its answer', async () => {
    await expect(field('Rempli')).toBeHidden()
    const text = page.getByRole('textbox', { name: 'Réponse 1 de la question 1' })
    const [picture, line] = await Promise.all([thumbnail(1).boundingBox(), text.boundingBox()])
    expect(Math.abs((picture?.y ?? 0) - (line?.y ?? 99))).toBeLessThan(8)
    await thumbnail(1).tap()
    await expect(thumbnail(1)).toHaveAttribute('aria-expanded', 'true')
    await description('Rempli').fill('Un agenda plein')
  })
  await step(
    'a new picture gets the focus on its description, and its thumbnail folds it',
    async () => {
      const chooser = page.waitForEvent('filechooser')
      await field('Libre').getByRole('button', { name: 'Choisir une image' }).tap()
      await (await chooser).setFiles({
        name: 'photo.jpg',
        mimeType: 'image/jpeg',
        buffer: await photo(),
      })
      await expect(description('Libre')).toBeFocused()
      await thumbnail(2).tap()
      await expect(field('Libre')).toBeHidden()
      await expect(thumbnail(2)).toHaveAttribute('aria-expanded', 'false')
    },
  )
  expect(await findSmallTargets(page.locator('[data-item]').first())).toEqual([])
  await expectAccessible(page)
  await expectSaved(page)
  const { questions } = await client.drafts.get({ id })
  expect(questions[0]?.answers.find((one) => one.id === second)?.image_alt).toBe(null)

  await step(
    'an undescribed picture next to a text is decorative, also without scripts',
    async () => {
      const link = await publish(page)
      for (const javaScriptEnabled of [true, false]) {
        const context = await browser.newContext({ javaScriptEnabled })
        const visitor = await context.newPage()
        await visitor.goto(link)
        const pictures = visitor.locator('.q-picture img')
        await expect(pictures.nth(0)).toHaveAttribute('alt', 'Un agenda plein')
        await expect(pictures.nth(1)).toHaveAttribute('alt', '')
        await visitor.emulateMedia({ media: 'print' })
        await expect(pictures.nth(1)).toHaveAttribute('alt', '')
        await context.close()
      }
    },
  )
})

test('a refused save and a conflict about the description of a folded picture open it and focus it', {
  tag: '@rare',
}, async ({ page, creator: { client } }) => {
  const { id, question_id, answer_ids } = await readyScoreQuiz(client)
  const [answer_id = ''] = answer_ids
  const { image } = await client.images.add({ body: new Uint8Array(await photo()) })
  const savePicture = async (fields: { image_id?: string; image_alt: string }): Promise<void> => {
    const { revision } = await client.drafts.get({ id })
    const answers = [{ id: answer_id, question_id, ...fields }]
    await client.drafts.save({ id, body: { based_on: revision, answers } })
  }
  await savePicture({ image_id: image.id, image_alt: 'Un agenda' })
  await page.goto(`/quiz/${id}/questions`)
  const thumbnail = page.getByRole('button', { name: 'Image de la réponse 1 de la question 1' })
  const description = page
    .getByRole('group', { name: 'Image – Rempli' })
    .getByLabel('Description de l’image')
  const fold = async (): Promise<void> => {
    await thumbnail.tap()
    await expect(description).toBeHidden()
  }
  const show = page.getByRole('button', { name: 'Voir le champ' })
  const expectOpened = async (): Promise<void> => {
    await expect(description).toBeFocused()
    await expect(thumbnail).toHaveAttribute('aria-expanded', 'true')
  }

  await step('a refused save leads to the description, and folding still works', async () => {
    await thumbnail.tap()
    await typeHalfCharacter(description)
    await expect(show).toBeVisible()
    await fold()
    await show.tap()
    await expectOpened()
    await expect(description).toHaveAccessibleDescription(/caractère interdit/)
    await fold()
  })
  await step('a refused save leads there from another screen that has just loaded', async () => {
    page.on('dialog', (dialog) => dialog.accept())
    await page.goto(`/quiz/${id}/results`)
    await show.tap()
    await expectOpened()
    await description.fill('Un agenda')
    await expectSaved(page)
  })
  await step('a conflict leads to the description after the choice', async () => {
    await page.context().setOffline(true)
    await savePicture({ image_alt: 'Un carnet' })
    await description.fill('Un agenda plein')
    await fold()
    await page.context().setOffline(false)
    await page.getByRole('alertdialog').getByRole('button', { name: 'Garder la mienne' }).tap()
    await expectOpened()
    await expect(description).toHaveValue('Un agenda plein')
    await expectSaved(page)
  })
})
