import type { Browser, Page } from '@playwright/test'
import type { Client } from '../../src/contract/client/client.ts'
import { shuffled } from '../../src/domain/run/shuffle.ts'
import { expect, expectAccessible, visitorTest as test } from '../support/fixtures.ts'
import { findSmallTargets, TOUCH } from '../support/layout-checks.ts'
import { publishBranchingQuiz, publishScaleSondage } from '../support/published-quizzes.ts'
import { readLayoutShift, recordLayoutShifts, resumeRun } from '../support/visitor-steps.ts'

/** Jumps, choices, scales and dates on a phone, with and without scripts. */

/** Returns the stored answers of the newest participant and the result. */
const readNewestParticipant = async (client: Client, id: string): Promise<[string, string][]> => {
  const { details } = await client.statistics.responses({ id })
  const given = details[0]?.answers ?? []
  return [
    ...given.map(({ question_text, answer_text }): [string, string] => [
      question_text,
      answer_text,
    ]),
    ['', details[0]?.final_result_name ?? ''],
  ]
}
const expectNewest = (client: Client, id: string, expected: [string, string][]): Promise<void> =>
  expect.poll(() => readNewestParticipant(client, id)).toEqual(expected)

/** The first choice of this name. */
const choice = (page: Page, name: string) =>
  page
    .getByRole('radio', { name, exact: true })
    .or(page.getByRole('checkbox', { name, exact: true }))
const next = (page: Page) => page.locator('.q-next')
const expectCounter = (page: Page, counter: string) =>
  expect(page.getByText(counter, { exact: true })).toBeVisible()

/** A visitor on a phone whose browser runs no script. */
const openPageWithoutScripts = async (browser: Browser): Promise<Page> =>
  (await browser.newContext({ ...TOUCH, javaScriptEnabled: false })).newPage()

test('a branched quiz with images stores only the visited answers, also after Back', async ({
  creator,
  visitor,
}) => {
  const { client } = creator
  const id = await publishBranchingQuiz(client)
  await visitor.goto(`/q/${id}`)
  await expect(
    visitor.getByRole('group', { name: 'Mer ou montagne ?' }),
  ).toHaveAccessibleDescription('Une image suffit.')
  await choice(visitor, 'La mer').focus()
  await visitor.keyboard.press('Space')
  await next(visitor).press('Enter')
  await expectCounter(visitor, '2 / 4')

  // The question allows two answers, so the third box cannot be ticked.
  await expect(choice(visitor, 'Nager')).toBeVisible()
  const group = visitor.getByRole('group', { name: 'Que faire à la mer ?' })
  await expect(group).toHaveAccessibleDescription('Jusqu’à 2 réponses')
  await choice(visitor, 'Nager').focus()
  await visitor.keyboard.press('Space')
  await choice(visitor, 'Lire').check()
  await expect(group.getByRole('status')).toContainText('2 réponses choisies')
  const other = choice(visitor, 'Autre…')
  await expect(other).toHaveAttribute('aria-disabled', 'true')
  await other.focus()
  await visitor.keyboard.press('Space')
  await expect(other).not.toBeChecked()
  await expectAccessible(visitor, ['.q-next'])

  // The reply is blank again after the last box is unchecked, so the page cannot be left.
  await choice(visitor, 'Lire').uncheck()
  await choice(visitor, 'Nager').uncheck()
  await expect(next(visitor)).toHaveAttribute('aria-disabled', 'true')
  await next(visitor).press('Enter')
  await expect(group.getByRole('checkbox').first()).toBeFocused()
  await choice(visitor, 'Nager').check()
  await other.focus()
  await visitor.keyboard.press('Space')
  await next(visitor).press('Enter')
  const text = visitor.getByLabel('Autre : précisez')
  await expect(text).toBeFocused()
  await expect(text).toHaveAccessibleDescription('Écrivez votre réponse à côté de « Autre… ».')
  await text.fill('Un kayak')
  expect(await findSmallTargets(visitor.locator('.q-page'))).toEqual([])

  await visitor.reload()
  await resumeRun(visitor)
  await expect(choice(visitor, 'Nager')).toBeChecked()
  await expect(text).toHaveValue('Un kayak')
  await text.press('Enter')
  await expectCounter(visitor, '3 / 4')

  // The label of the button changes with the next step, and its width stays.
  const width = (await next(visitor).boundingBox())?.width
  await expect(next(visitor)).toHaveText('Suivant')
  await choice(visitor, 'Non').check()
  await expect(next(visitor)).toHaveText('Voir le résultat')
  expect((await next(visitor).boundingBox())?.width).toBe(width)
  await next(visitor).press('Enter')
  await expect(visitor.getByRole('heading', { level: 1 })).toHaveText('Au large')
  await expectNewest(client, id, [
    ['Mer ou montagne ?', 'La mer'],
    ['Que faire à la mer ?', 'Nager, Autre : Un kayak'],
    ['Encore une question ?', 'Non'],
    ['', 'Au large'],
  ])

  // The browser's Back and Forward also skip the page that the jump skips.
  await visitor.goto(`/q/${id}`)
  await choice(visitor, 'La montagne').check()
  await next(visitor).click()
  await expectCounter(visitor, '3 / 4')
  await visitor.goBack()
  await expectCounter(visitor, '1 / 4')
  await visitor.goForward()
  await expectCounter(visitor, '3 / 4')
  await visitor.getByRole('button', { name: 'Précédent' }).click()
  await expectCounter(visitor, '1 / 4')
})

test('without scripts, a run skips a page, goes back along its path and reaches the end', {
  tag: '@rare',
}, async ({ creator, browser }) => {
  const { client } = creator
  const id = await publishBranchingQuiz(client)
  const plain = await openPageWithoutScripts(browser)
  await plain.goto(`/q/${id}`)
  await choice(plain, 'La montagne').check()
  await next(plain).click()
  await expectCounter(plain, '3 / 4')
  await plain.getByRole('button', { name: 'Précédent' }).click()
  await expectCounter(plain, '1 / 4')
  await choice(plain, 'La mer').check()
  await next(plain).click()
  await expectCounter(plain, '2 / 4')
  await expect(choice(plain, 'Nager')).toBeVisible()
  for (const name of ['Nager', 'Lire', 'Autre…']) await choice(plain, name).check()
  await plain.getByLabel('Autre : précisez').fill('Un kayak')
  await next(plain).click()
  // The server refuses three answers, shows the limit and keeps the ticks.
  await expectCounter(plain, '2 / 4')
  await expect(plain.getByRole('alert')).toContainText('2 réponses')
  await choice(plain, 'Lire').uncheck()
  await next(plain).click()
  await expectCounter(plain, '3 / 4')
  await choice(plain, 'Non').check()
  await next(plain).click()
  await expect(plain.getByRole('heading', { level: 1 })).toHaveText('Au large')
  await expectNewest(client, id, [
    ['Mer ou montagne ?', 'La mer'],
    ['Que faire à la mer ?', 'Nager, Autre : Un kayak'],
    ['Encore une question ?', 'Non'],
    ['', 'Au large'],
  ])
  await plain.context().close()
})

const THANKS = 'Merci pour votre participation !'

test('a sondage with a scale, « Autre… » and optional questions works with and without scripts', {
  tag: '@rare',
}, async ({ creator, visitor, browser }) => {
  const { client } = creator
  const id = await publishScaleSondage(client)
  await recordLayoutShifts(visitor)
  await visitor.goto(`/q/${id}`)
  await expect(choice(visitor, 'Le train')).toBeVisible()
  expect(await readLayoutShift(visitor)).toBe(0)
  const scale = visitor.getByRole('group', { name: 'Nous recommanderiez-vous ?' })
  await expect(scale).toHaveAccessibleDescription('0 : Pas du tout 10 : Sans hésiter')
  // The scale has two rows of large targets on a phone, and fits at each width and text size.
  const tops = await scale
    .locator('label')
    .evaluateAll((all) => new Set(all.map((one) => one.getBoundingClientRect().top)).size)
  expect(tops).toBe(2)
  expect(await findSmallTargets(visitor.locator('.q-page'))).toEqual([])
  for (const [width, size] of [
    [320, '100%'],
    [320, '200%'],
    [390, '200%'],
  ] as const) {
    await visitor.setViewportSize({ width, height: 844 })
    await visitor.evaluate((given) => {
      document.documentElement.style.fontSize = given
    }, size)
    expect(
      await visitor.evaluate(() => document.documentElement.scrollWidth - innerWidth),
      `${width} ${size}`,
    ).toBeLessThanOrEqual(0)
    expect(await findSmallTargets(visitor.locator('.q-page'))).toEqual([])
  }
  await visitor.evaluate(() => document.documentElement.removeAttribute('style'))

  await next(visitor).press('Enter')
  await expect(choice(visitor, '0')).toBeFocused()
  await visitor.keyboard.press('Space')
  for (let number = 0; number < 9; number++) await visitor.keyboard.press('ArrowRight')
  await expect(choice(visitor, '9')).toBeChecked()
  await expect(next(visitor)).toHaveAttribute('title', 'Répondre à : Venu par ?')

  // The random order depends on the participant, so a reload keeps it; « Autre… » is always last.
  await choice(visitor, 'Le train').check()
  const uuid = await visitor.evaluate(
    () => JSON.parse(sessionStorage.getItem('quizaine:run') ?? '{}').participant_uuid,
  )
  const { questions } = await client.questions.list({ id })
  const drawn = questions
    .filter(({ shuffles_answers }) => shuffles_answers)
    .flatMap((one) => shuffled(one.answers, uuid, one.id).map((answer) => answer.id))
  const arrival = visitor.getByRole('group', { name: 'Venu par ?' }).getByRole('radio')
  const order = () =>
    arrival.evaluateAll((all) => all.map((one) => (one as HTMLInputElement).value))
  expect(await order()).toEqual([...drawn, 'other:'])
  await visitor.reload()
  await expect(choice(visitor, 'Le train')).toBeChecked()
  await expect(choice(visitor, '9')).toBeChecked()
  expect(await order()).toEqual([...drawn, 'other:'])

  await visitor.getByText('Autre…').click()
  const other = visitor.getByLabel('Autre : précisez')
  await expect(other).toBeFocused()
  await next(visitor).press('Enter')
  await expect(other).toBeFocused()
  await expect(visitor.getByRole('alert')).toHaveText('Écrivez votre réponse à côté de « Autre… ».')
  await other.fill('À pied')
  await visitor.getByLabel('Arrivé le ? (facultatif)').fill('2026-02-28')
  // The answer to an optional question can be cleared.
  const again = visitor.getByRole('group', { name: 'Reviendrez-vous ? (facultatif)' })
  await again.getByRole('radio', { name: '3' }).check()
  await again.getByRole('button', { name: 'Effacer ma réponse' }).click()
  await expect(again.getByRole('radio', { name: '3' })).toBeFocused()
  await expect(again.getByRole('button')).toHaveCount(0)
  await expectAccessible(visitor, ['.q-next'])
  await next(visitor).press('Enter')
  await expect(visitor.getByRole('heading', { level: 1 })).toHaveText(THANKS)
  await expectNewest(client, id, [
    ['Nous recommanderiez-vous ?', '9'],
    ['Venu par ?', 'Autre : À pied'],
    ['Un mot ?', ''],
    ['Arrivé le ?', '28/02/2026'],
    ['Reviendrez-vous ?', ''],
    ['', ''],
  ])

  // The page is accessible in dark colours and works without scripts.
  await client.quizzes.update({ id, body: { bg_color: '#101828', text_color: '#f5f5f5' } })
  await client.quizzes.publish({ id })
  await visitor.goto(`/q/${id}`)
  await choice(visitor, '6').check()
  await expectAccessible(visitor, ['.q-next'])
  const plain = await openPageWithoutScripts(browser)
  await plain.goto(`/q/${id}`)
  await choice(plain, '10').check()
  await plain.getByRole('radio', { name: '5' }).last().check()
  await choice(plain, 'Le train').check()
  await plain.getByLabel('Un mot ? (facultatif)').fill('Parfait')
  await next(plain).click()
  await expect(plain.getByRole('heading', { level: 1 })).toHaveText(THANKS)
  await expectNewest(client, id, [
    ['Nous recommanderiez-vous ?', '10'],
    ['Venu par ?', 'Le train'],
    ['Un mot ?', 'Parfait'],
    ['Arrivé le ?', ''],
    ['Reviendrez-vous ?', '5'],
    ['', ''],
  ])
  await plain.context().close()
})
