import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import type { Client } from '../../src/contract/client/client.ts'
import { publishCorrectedQuiz } from '../../src/server/testing/quizzes/corrected-quiz.ts'
import {
  test as creatorTest,
  expect,
  expectAccessible,
  visitorTest as test,
} from '../support/fixtures.ts'

/** Advance on taps: a tap on another answer of a page with one choice or scale presses « Suivant ». */

const SECOND_FILE = '**/assets/player-*.js*'
/** Time after which a page would have advanced. */
const LONGER_THAN_DELAY_MS = 700

/**
 * Publishes a sondage of four pages that advances on taps: a choice with a jump to the end, a scale with a text block, a
 * choice with a text field, and a last choice.
 */
const publishQuiz = async (client: Client, auto_advance = true): Promise<string> => {
  const { quiz } = await client.quizzes.create({ body: { name: 'Pas à pas', type: 'sondage' } })
  const { id } = quiz
  const choice = (text: string, page_number: number, names: [string, number?][]) => ({
    id: randomUUID(),
    type: 'multiple_choice' as const,
    text,
    page_number,
    answers: names.map(([name, jump_to]) => ({
      id: randomUUID(),
      text: name,
      ...(jump_to !== undefined && { jump_to }),
    })),
  })
  await client.questions.saveDraft({
    id,
    body: {
      questions: [
        choice('Le matin ?', 1, [['Thé'], ['Café'], ['Rien', 0]]),
        {
          id: randomUUID(),
          type: 'scale',
          text: 'La faim ?',
          page_number: 2,
          scale_min: 1,
          scale_max: 5,
        },
        choice('Le midi ?', 3, [['Soupe'], ['Salade']]),
        { id: randomUUID(), type: 'text', text: 'Pourquoi ?', page_number: 3, is_required: false },
        choice('Le soir ?', 4, [['Tôt'], ['Tard']]),
      ],
      text_blocks: [{ id: randomUUID(), content: 'Un conseil.', page_number: 2 }],
    },
  })
  await client.quizzes.update({ id, body: { auto_advance } })
  await client.quizzes.publish({ id })
  return id
}

const open = async (page: Page, id: string): Promise<void> => {
  await page.goto(`/q/${id}`)
  await expect(page.locator('.q-page[novalidate]')).toBeVisible()
}
const answer = (page: Page, name: string) => page.locator('.q-choice', { hasText: name })
const expectPage = (page: Page, number: number, of = 4): Promise<void> =>
  expect(page.getByText(`${number} / ${of}`, { exact: true })).toBeVisible()
/** Expects that the page is still shown after the time in which it would have advanced. */
const expectStays = async (page: Page, number: number, of = 4): Promise<void> => {
  await page.evaluate(
    (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    LONGER_THAN_DELAY_MS,
  )
  await expectPage(page, number, of)
}
/** Taps answers one after the other, faster than a page advances. */
const tapAtOnce = (page: Page, names: string[]): Promise<void> =>
  page.evaluate((texts) => {
    for (const text of texts) {
      const choices = [...document.querySelectorAll<HTMLElement>('.q-choice')]
      const choice = choices.find(({ textContent }) => textContent === text)
      choice?.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true }))
      choice?.click()
    }
  }, names)
const back = (page: Page) => page.getByRole('button', { name: 'Précédent' })

test('a tap on an answer leads to the next page, up to the last page', async ({
  creator,
  visitor,
}) => {
  const id = await publishQuiz(creator.client)
  await open(visitor, id)
  await answer(visitor, 'Thé').tap()
  await expectPage(visitor, 2)
  await expect(visitor.getByRole('heading', { level: 1 })).toBeFocused()
  await expectAccessible(visitor, ['.q-next'])
  await answer(visitor, '4').tap()
  await expectPage(visitor, 3)
  await test.step('a page with another field waits for its button', async () => {
    await answer(visitor, 'Soupe').tap()
    await expectStays(visitor, 3)
    await visitor.getByRole('button', { name: 'Suivant' }).tap()
    await expectPage(visitor, 4)
  })
  await test.step('the last page waits for its button', async () => {
    await answer(visitor, 'Tard').tap()
    await expectStays(visitor, 4)
    await visitor.getByRole('button', { name: 'Envoyer' }).tap()
    await expect(visitor.getByRole('heading', { name: /Merci/ })).toBeVisible()
  })
  await expect
    .poll(async () => (await creator.client.quizzes.get({ id })).quiz.nb_responses)
    .toBe(1)
})

test('a double tap passes one page, and Back does not advance again', { tag: '@rare' }, async ({
  creator,
  visitor,
}) => {
  const id = await publishQuiz(creator.client)
  await open(visitor, id)
  await tapAtOnce(visitor, ['Café', 'Café'])
  await expectPage(visitor, 2)
  await expectStays(visitor, 2)
  await expect(visitor.locator(':checked')).toHaveCount(0)

  await back(visitor).tap()
  await expectStays(visitor, 1)
  await test.step('a tap on the current choice stays, a tap on another answer advances', async () => {
    await answer(visitor, 'Café').tap()
    await expectStays(visitor, 1)
    await answer(visitor, 'Thé').tap()
    await expectPage(visitor, 2)
    await visitor.goBack()
    await expectStays(visitor, 1)
    await expect(visitor.getByRole('radio', { name: 'Thé' })).toBeChecked()
  })
})

test('an answer that jumps to the end waits, and another answer instead advances once', {
  tag: '@rare',
}, async ({ creator, visitor }) => {
  const id = await publishQuiz(creator.client)
  await open(visitor, id)
  await answer(visitor, 'Rien').tap()
  await expectStays(visitor, 1)
  await expect(visitor.getByRole('button', { name: 'Envoyer' })).toBeVisible()
  await tapAtOnce(visitor, ['Thé', 'Café'])
  await expectPage(visitor, 2)
  await expectStays(visitor, 2)
  await back(visitor).tap()
  await expect(visitor.getByRole('radio', { name: 'Café' })).toBeChecked()
  expect((await creator.client.quizzes.get({ id })).quiz.nb_responses).toBe(0)
})

test('keys and clicks without a press never advance', { tag: '@rare' }, async ({
  creator,
  page,
}) => {
  const id = await publishQuiz(creator.client)
  await open(page, id)
  await page.getByRole('radio', { name: 'Thé' }).focus()
  for (const key of ['Space', 'ArrowDown', 'ArrowDown', 'ArrowUp', 'ArrowLeft']) {
    await page.keyboard.press(key)
    await expectStays(page, 1)
  }
  // A screen reader clicks a control without a press of a pointer.
  await page.getByRole('radio', { name: 'Café' }).evaluate((radio: HTMLElement) => radio.click())
  await page.getByRole('radio', { name: 'Thé' }).evaluate((radio: HTMLElement) => radio.click())
  await expectStays(page, 1)
  await test.step('a press that ends elsewhere does not make a later key advance', async () => {
    await answer(page, 'Café').hover()
    await page.mouse.down()
    await page.mouse.move(5, 5)
    await page.mouse.up()
    await page.getByRole('radio', { name: 'Thé' }).focus()
    await page.keyboard.press('ArrowDown')
    await expect(page.getByRole('radio', { name: 'Café' })).toBeChecked()
    await expectStays(page, 1)
  })
  await test.step('a mouse advances as a finger does', async () => {
    await answer(page, 'Thé').click()
    await expectPage(page, 2)
  })
})

test('nothing advances with reduced motion, without the setting, or without scripts', {
  tag: '@rare',
}, async ({ creator, visitor, browser }) => {
  const id = await publishQuiz(creator.client)
  await visitor.emulateMedia({ reducedMotion: 'reduce' })
  await open(visitor, id)
  await answer(visitor, 'Thé').tap()
  await expectStays(visitor, 1)
  await visitor.emulateMedia({ reducedMotion: 'no-preference' })
  await open(visitor, await publishQuiz(creator.client, false))
  await answer(visitor, 'Thé').tap()
  await expectStays(visitor, 1)

  const context = await browser.newContext({ javaScriptEnabled: false })
  const plain = await context.newPage()
  await plain.goto(`/q/${id}`)
  await answer(plain, 'Thé').click()
  await expectPage(plain, 1)
  await plain.getByRole('button', { name: 'Suivant' }).click()
  await expectPage(plain, 2)
  await context.close()
})

test('with corrections after each page, a tap shows the correction and « Continuer » goes on', {
  tag: '@rare',
}, async ({ creator, visitor }) => {
  const { id } = await publishCorrectedQuiz(creator.client)
  await creator.client.quizzes.update({ id, body: { auto_advance: true } })
  await creator.client.quizzes.publish({ id })
  const file = visitor.waitForResponse(SECOND_FILE)
  await open(visitor, id)
  await (await file).finished()
  await answer(visitor, 'Lyon').tap()
  await expect(visitor.getByText('0 réponse juste sur 1')).toBeFocused()
  await answer(visitor, 'Paris').tap({ force: true })
  await expectStays(visitor, 1, 3)
  await visitor.getByRole('button', { name: 'Continuer' }).tap()
  await expectPage(visitor, 2, 3)
})

creatorTest.describe('the preview', () => {
  creatorTest.use({ creatorIs: 'signed in' })

  creatorTest(
    'the preview advances on a click too, in a wide and in a narrow window',
    { tag: '@rare' },
    async ({ page, creator }) => {
      const id = await publishQuiz(creator.client)
      await page.goto(`/quiz/${id}/preview`)
      for (const [width, name] of [
        [1440, 'Thé'],
        [390, 'Café'],
      ] as const)
        await test.step(`a window of ${width} px`, async () => {
          await page.setViewportSize({ width, height: 844 })
          await expectPage(page, 1)
          await answer(page, name).click()
          await expectPage(page, 2)
          await page.getByRole('radio', { name: '4' }).focus()
          await page.keyboard.press('ArrowRight')
          await expectStays(page, 2)
          await expectAccessible(page, ['.q-next'])
          await back(page).click()
        })
    },
  )
})
