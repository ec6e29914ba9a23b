import type { Browser, Page } from '@playwright/test'
import type { Client } from '../../src/contract/client/client.ts'
import { publishedScoreQuiz } from '../../src/server/testing/quizzes/sample-quizzes.ts'
import { answerPage } from '../support/editor-steps.ts'
import { expect, expectAccessible, test } from '../support/fixtures.ts'
import { choose, enterEmail, expectResult } from '../support/visitor-steps.ts'

test.use({ creatorIs: 'signed in' })

const stepsOf = (client: Client, id: string) => async () => {
  const { figures } = await client.statistics.responses({ id, figures: '1' })
  return figures?.visits?.[0]?.steps.map(({ count }) => count)
}

const visitOf = async (
  browser: Browser,
  options: Parameters<Browser['newContext']>[0],
  visit: (page: Page) => Promise<void>,
): Promise<void> => {
  const context = await browser.newContext(options)
  await visit(await context.newPage())
  await context.close()
}

test('visits are counted once per step, with or without scripts, and previews are never counted', async ({
  page,
  creator,
  visitor,
  browser,
}) => {
  const { client } = creator
  const { id } = await publishedScoreQuiz(client)
  await visitor.goto(`/q/${id}`)
  await choose(visitor, 'Libre')
  await visitor.reload()
  await enterEmail(visitor)
  await expectResult(visitor, 'Grand saut')
  await visitor.goto('about:blank')
  await visitOf(browser, {}, async (passing) => {
    await passing.goto(`/q/${id}`)
    await expect(passing.getByRole('button', { name: 'Suivant' })).toBeDisabled()
    await passing.goto('about:blank')
  })
  await visitOf(browser, { javaScriptEnabled: false }, async (plain) => {
    await plain.goto(`/q/${id}`)
    await answerPage(plain, { choose: ['Rempli'] })
    await plain.getByRole('button', { name: 'Précédent' }).click()
    await plain.getByRole('button', { name: 'Suivant' }).last().click()
    await expect(plain.getByText('2 / 2')).toBeVisible()
  })
  await page.goto(`/quiz/${id}/preview`)
  await choose(page, 'Libre')
  await expect.poll(stepsOf(client, id)).toEqual([3, 2, 2, 1])

  await page.goto(`/quiz/${id}/statistics`)
  const funnel = page.getByRole('region', { name: 'Où s’arrêtent les visiteurs' })
  await expect(funnel.getByRole('listitem')).toHaveText([
    'Page ouverte3 sur 3 · 100\u00a0%33,3\u00a0% s’arrête ici',
    'Première réponse donnée2 sur 3 · 66,7\u00a0%',
    'Page 2 atteinte2 sur 3 · 66,7\u00a0%50\u00a0% s’arrête ici : la plus grosse perte',
    'Terminé1 sur 3 · 33,3\u00a0%',
  ])
  await funnel.getByText('Voir en tableau').press('Enter')
  await expect(funnel.getByRole('row')).toHaveText([
    'ÉtapeVisitesArrêtées là',
    'Page ouverte31 sur 3',
    'Première réponse donnée20 sur 2',
    'Page 2 atteinte21 sur 2',
    'Terminé1-',
  ])
  await expectAccessible(page)
  for (const width of [390, 320]) {
    await page.setViewportSize({ width, height: 800 })
    await expectAccessible(page)
    const overflow = () =>
      page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
    expect(await overflow()).toBeLessThanOrEqual(0)
  }
  await page.goto(`/quiz/${id}/statistics?email=camille`)
  await expect(funnel.getByText(/seules les dates la filtrent/)).toBeVisible()
})

test('a quiz without participants shows where its visitors stopped, for each version', {
  tag: '@rare',
}, async ({ page, creator, visitor }) => {
  const quiz = await publishedScoreQuiz(creator.client)
  await visitor.goto(`/q/${quiz.id}`)
  await choose(visitor, 'Rempli')
  await visitor.goto('about:blank')
  await expect.poll(stepsOf(creator.client, quiz.id)).toEqual([1, 1, 1, 0])
  await page.goto(`/quiz/${quiz.id}/statistics`)
  await expect(page.getByText('Aucune réponse pour le moment')).toBeVisible()
  await expect(page.getByText('0 sur 1 · 0\u00a0%')).toBeVisible()
  await expectAccessible(page)

  await creator.client.questions.update({ id: quiz.question_id, body: { text: 'Et vous ?' } })
  await creator.client.quizzes.publish({ id: quiz.id })
  const answers = { [quiz.question_id]: quiz.answer_ids[1] ?? '', [quiz.open_id]: 'a@exemple.fr' }
  for (const elapsed_seconds of [50, 100])
    await creator.client.publicQuiz.submit({ id: quiz.id, body: { answers, elapsed_seconds } })
  await page.reload()
  await expect(page.getByText('1\u00a0min\u00a015\u00a0s', { exact: true })).toBeVisible()
  await expect(page.getByText('médiane de 2 participants sur 2')).toBeVisible()
  await expect(page.getByText('2 sur 2 · 100\u00a0%').first()).toBeVisible()
  await page.getByLabel('Version publiée').selectOption('Version 1')
  await expect(page.getByText('0 sur 1 · 0\u00a0%')).toBeVisible()
})
