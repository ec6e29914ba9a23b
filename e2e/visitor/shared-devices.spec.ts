import type { Page } from '@playwright/test'
import { publishedScoreQuiz } from '../../src/server/testing/quizzes/sample-quizzes.ts'
import { expect, expectAccessible } from '../support/fixtures.ts'
import { listKeptKeys, quizIn, test } from '../support/host-site.ts'
import { CAMILLE, choose, enterEmail, expectResult } from '../support/visitor-steps.ts'

test.use({ creatorIs: 'away' })

const email = (page: Pick<Page, 'getByLabel'>) => page.getByLabel('Où vous écrire ?')
const resume = (page: Pick<Page, 'getByRole'>) => page.getByRole('button', { name: 'Reprendre' })
const begin = (page: Pick<Page, 'getByRole'>) => page.getByRole('button', { name: 'Recommencer' })

/** Answers the first page and types half of an address. */
const typeAddress = async (page: Page, id: string): Promise<void> => {
  await page.goto(`/q/${id}`)
  await choose(page, 'Libre')
  await email(page).fill('cam')
}

test('a page that is loaded again asks before it shows a typed text', async ({
  creator,
  visitor,
}) => {
  const { id } = await publishedScoreQuiz(creator.client)
  await typeAddress(visitor, id)
  await visitor.reload()
  await expect(resume(visitor)).toBeVisible()
  await expect(visitor.getByRole('heading', { level: 1 })).toHaveText('Quel rythme ?')
  expect(await visitor.content()).not.toContain('value="cam"')
  await expect(visitor.locator('input[type=email]')).toHaveCount(0)
  await expectAccessible(visitor, ['.q-next'])

  await test.step('Reprendre continues the run at its page', async () => {
    await resume(visitor).press('Enter')
    await expect(email(visitor)).toHaveValue('cam')
    await expect(visitor.getByRole('heading', { level: 1 })).toBeFocused()
  })
  await test.step('Recommencer begins without a reply, also after another reload', async () => {
    await visitor.reload()
    await begin(visitor).click()
    await expect(visitor.getByText('1 / 2', { exact: true })).toBeVisible()
    await expect(visitor.getByRole('radio', { checked: true })).toHaveCount(0)
    await visitor.reload()
    await expect(visitor.getByText('1 / 2', { exact: true })).toBeVisible()
    await expect(visitor.getByRole('radio', { checked: true })).toHaveCount(0)
    await choose(visitor, 'Rempli')
    await expect(email(visitor)).toHaveValue('')
    await enterEmail(visitor)
    await expectResult(visitor, 'Pas à pas')
  })
})

test('without the second file the browser asks, and a run loses nothing', async ({
  creator,
  visitor,
}) => {
  const { id } = await publishedScoreQuiz(creator.client)
  await visitor.route('**/assets/player-*.js*', (route) => route.abort())
  await typeAddress(visitor, id)
  const answer = (accepts: boolean): void => {
    visitor.once('dialog', async (question) => {
      expect(question.message()).toBe('Continuer ?')
      await (accepts ? question.accept() : question.dismiss())
    })
  }
  answer(true)
  await visitor.reload()
  await expect(email(visitor)).toHaveValue('cam')
  await enterEmail(visitor)
  await expectResult(visitor, 'Grand saut')
  await expect
    .poll(async () => (await creator.client.quizzes.get({ id })).quiz.nb_responses)
    .toBe(1)

  await typeAddress(visitor, id)
  answer(false)
  await visitor.reload()
  await expect(visitor.getByText('1 / 2', { exact: true })).toBeVisible()
  await choose(visitor, 'Rempli')
  await expect(email(visitor)).toHaveValue('')
})

test('a page that the browser brings back from its memory hides typed texts and asks', async ({
  creator,
  visitor,
}) => {
  const { id } = await publishedScoreQuiz(creator.client)
  const file = visitor.waitForResponse('**/assets/player-*.js*')
  await typeAddress(visitor, id)
  await (await file).finished()
  const send = (name: string) =>
    visitor.evaluate((type) => {
      window.dispatchEvent(new PageTransitionEvent(type, { persisted: true }))
    }, name)
  await expect
    .poll(async () => {
      await send('pagehide')
      return visitor.locator('.q-page').isVisible()
    })
    .toBe(false)
  await send('pageshow')
  await expect(resume(visitor)).toBeVisible()
  await resume(visitor).click()
  await expect(email(visitor)).toHaveValue('cam')
})

test('a run that is not used for 30 minutes ends, in an open page and in a saved one', async ({
  creator,
  visitor,
}) => {
  const { id } = await publishedScoreQuiz(creator.client)
  const expectNew = async (): Promise<void> => {
    await expect(visitor.getByText('1 / 2', { exact: true })).toBeVisible()
    await expect(visitor.getByRole('radio', { checked: true })).toHaveCount(0)
    await choose(visitor, 'Libre')
    await expect(email(visitor)).toHaveValue('')
  }
  await visitor.clock.install()
  await test.step('an open page', async () => {
    await typeAddress(visitor, id)
    await visitor.clock.fastForward('29:00')
    await expect(email(visitor)).toHaveValue('cam')
    await visitor.clock.runFor('02:00')
    await expectNew()
  })
  await test.step('a page that is loaded again later', async () => {
    await email(visitor).fill('cam')
    await visitor.evaluate(() => {
      const run = JSON.parse(sessionStorage.getItem('quizaine:run') ?? '{}')
      run.used_at -= 1_860_000
      sessionStorage.setItem('quizaine:run', JSON.stringify(run))
    })
    await visitor.reload()
    await expectNew()
  })
})

test('after the end, neither Back nor a reload nor the storage has the typed texts', async ({
  creator,
  visitor,
}) => {
  const { id } = await publishedScoreQuiz(creator.client)
  await visitor.goto(`/q/${id}`)
  await choose(visitor, 'Libre')
  await enterEmail(visitor)
  await expectResult(visitor, 'Grand saut')
  const stored = () =>
    visitor.evaluate(() => JSON.stringify([{ ...sessionStorage }, { ...localStorage }]))
  await expect.poll(stored).not.toContain(CAMILLE)
  for (const reload of [false, true]) {
    if (reload) await visitor.reload()
    await expectResult(visitor, 'Grand saut')
    await visitor.goBack()
    await expect(email(visitor)).toHaveValue('')
    await expect(email(visitor)).toBeDisabled()
    await visitor.goBack()
    await expect(visitor.getByRole('radio', { name: 'Libre' })).toBeChecked()
    await visitor.goForward()
    await visitor.goForward()
  }
  expect((await creator.client.quizzes.get({ id })).quiz.nb_responses).toBe(1)
})

test('a framed quiz asks the next person too, and forgets after 30 minutes', async ({
  page,
  creator,
  site,
}) => {
  const { id } = await publishedScoreQuiz(creator.client)
  await site.show(page, site.codeOf(id))
  const quiz = quizIn(page)
  const type = async (): Promise<void> => {
    await quiz.getByRole('radio', { name: 'Libre' }).check()
    await quiz.getByRole('button', { name: 'Suivant' }).click()
    await quiz.getByLabel('Où vous écrire ?').fill('cam')
  }
  await type()
  await page.reload()
  await quiz.getByRole('button', { name: 'Recommencer' }).click()
  await expect(quiz.getByText('1 / 2', { exact: true })).toBeVisible()
  await type()
  await quiz.locator('body').evaluate((_, key) => {
    const run = JSON.parse(sessionStorage.getItem(key) ?? '{}')
    run.used_at -= 1_860_000
    sessionStorage.setItem(key, JSON.stringify(run))
  }, `quizaine:run:${id}`)
  await page.reload()
  await expect(quiz.getByText('1 / 2', { exact: true })).toBeVisible()
  await expect(quiz.getByRole('radio', { checked: true })).toHaveCount(0)
  await expect.poll(() => listKeptKeys(quiz)).not.toContain('pending')
})
