import type { Page } from '@playwright/test'
import type { Client } from '../../src/contract/client/client.ts'
import { publishCorrectedQuiz } from '../../src/server/testing/quizzes/corrected-quiz.ts'
import {
  publishedScoreQuiz,
  type SampleQuiz,
} from '../../src/server/testing/quizzes/sample-quizzes.ts'
import { expect, expectAccessible, test } from '../support/fixtures.ts'
import { measureOverflow } from '../support/layout-checks.ts'

test.use({ creatorIs: 'signed in' })

const submit = (client: Client, quiz: SampleQuiz, rank: number) => {
  const email = `personne-${rank}@exemple.fr`
  const answers = {
    [quiz.question_id]: quiz.answer_ids[rank % 5 === 0 ? 1 : 0] ?? '',
    [quiz.open_id]: email,
  }
  return client.publicQuiz.submit({ id: quiz.id, body: { answers, email } })
}
const createQuizWithParticipants = async (client: Client, count: number): Promise<SampleQuiz> => {
  const quiz = await publishedScoreQuiz(client)
  for (let rank = 0; rank < count; rank += 1) await submit(client, quiz, rank)
  return quiz
}
const dialog = (page: Page) => page.getByRole('dialog', { name: 'Partager les chiffres' })

test('a creator shares the figures, a stranger reads them if there are five participants, and the creator revokes the link', async ({
  page,
  creator,
  browser,
}) => {
  const quiz = await createQuizWithParticipants(creator.client, 4)
  await page.goto(`/quiz/${quiz.id}/statistics`)
  await page.getByRole('button', { name: 'Partager les chiffres' }).click()
  await expect(dialog(page)).toContainText(
    'une réponse choisie par une seule personne peut s’y lire',
  )
  await dialog(page).getByRole('button', { name: 'Créer le lien' }).press('Enter')
  const field = dialog(page).getByLabel('Lien vers les chiffres')
  await expect(field).toBeFocused()
  await expect(dialog(page).getByText(/pas encore ouvert\.$/)).toBeVisible()
  await expectAccessible(page)
  const link = await field.inputValue()

  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } })
  const stranger = await context.newPage()
  await stranger.goto(link)
  await expect(stranger.getByText('Encore trop peu de participants')).toBeVisible()
  await submit(creator.client, quiz, 4)
  const answer = await stranger.reload()
  expect(answer?.headers()).toMatchObject({
    'x-robots-tag': 'noindex',
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
  })
  await expect(stranger.getByRole('heading', { level: 1 })).toHaveText('Quel rythme ?')
  await expect(stranger.locator('meta[name=robots]')).toHaveAttribute('content', 'noindex')
  await expect(stranger.getByText('5 participants depuis le début')).toBeVisible()
  await expect(stranger.getByText('Répartition des résultats')).toBeVisible()
  await expect(stranger.getByText('4 réponses · 80\u00a0%')).toBeVisible()
  await expect(
    stranger.getByText('Ce que les participants ont écrit n’est pas partagé.'),
  ).toBeVisible()
  expect(await stranger.content()).not.toContain('exemple.fr')
  for (const scheme of ['light', 'dark'] as const) {
    await stranger.emulateMedia({ colorScheme: scheme })
    await expectAccessible(stranger)
  }
  await stranger.setViewportSize({ width: 320, height: 640 })
  expect(await measureOverflow(stranger)).toBeLessThanOrEqual(0)
  await expectAccessible(stranger)

  await dialog(page).getByRole('button', { name: 'Retirer le lien' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Retirer le lien' }).click()
  await expect(dialog(page).getByRole('button', { name: 'Créer le lien' })).toBeFocused()
  await stranger.reload()
  await expect(stranger.getByText('Ces chiffres ne sont plus partagés')).toBeVisible()
  await expectAccessible(stranger)
  expect(await stranger.content()).not.toContain('Quel rythme')
  await stranger.goto('/statistiques')
  await expect(stranger.getByRole('heading', { name: 'Page introuvable' })).toBeVisible()
  await context.close()
})

test('a printed report states its date and its filter, and contains figures and charts but neither people nor buttons', {
  tag: '@rare',
}, async ({ page, creator }) => {
  const quiz = await createQuizWithParticipants(creator.client, 12)
  await page.goto(`/quiz/${quiz.id}/statistics?answer=${quiz.answer_ids[0]}`)
  await expect(page.getByRole('heading', { name: 'Statistiques globales' })).toBeVisible()
  await expect(page.getByText('9 réponses · 100\u00a0%')).toBeVisible()
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
  await expect(page.getByText(/^Chiffres du .+ · Votre agenda\s\? Rempli$/)).toBeVisible()
  for (const title of ['Chiffres clés', 'Répartition des résultats', 'Statistiques globales'])
    await expect(page.getByRole('heading', { name: title })).toBeVisible()
  await expect(page.getByText('9 sur 12 participants')).toBeVisible()
  // The bars are filter buttons on the screen and a chart on paper.
  await expect(page.getByRole('button').and(page.locator(':not([aria-pressed])'))).toHaveCount(0)
  await expect(page.getByText('@exemple.fr').filter({ visible: true })).toHaveCount(0)
  await expect(page.getByRole('navigation')).toHaveCount(0)
  await expect(page.getByRole('region', { name: 'Tableau des participants' })).toBeHidden()
  await expect(page.getByText('Données personnelles').filter({ visible: true })).toHaveCount(0)
  const paper = await page.evaluate(() => getComputedStyle(document.body).backgroundColor)
  expect(paper).toBe('rgb(255, 255, 255)')
  // A PDF file contains one object of this type for each page.
  const pdf = await page.pdf({ preferCSSPageSize: true })
  const pages = pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)?.length ?? 0
  expect(pages).toBeGreaterThan(0)
  expect(pages).toBeLessThanOrEqual(4)
  await page.emulateMedia({ media: 'screen' })
  await page.evaluate(() => {
    window.print = () => document.body.setAttribute('data-printed', 'yes')
  })
  await page.getByRole('button', { name: 'Imprimer le rapport' }).click()
  await expect(page.locator('body')).toHaveAttribute('data-printed', 'yes')
})

test('the card of right answers says how many answered right, hardest first, and only if there are right answers @phone', {
  tag: '@rare',
}, async ({ page, creator: { client } }) => {
  const quiz = await publishCorrectedQuiz(client)
  const { id, capital, paris, rivers, seine, rhone, alps, last, yes } = quiz
  const sets = [[seine, rhone], [seine], [seine, alps], [alps], [seine, rhone, alps]]
  for (const [rank, set] of sets.entries()) {
    const answers = { [capital]: paris, [rivers]: set, ...(rank < 3 && { [last]: yes }) }
    await client.publicQuiz.submit({ id, body: { answers } })
  }
  const { link } = await client.statisticsLinks.create({ id })
  const card = page.getByRole('region', { name: 'Bonnes réponses' })
  const lines = card.getByRole('listitem')
  const hardest = 'Quels sont les fleuves ?1 sur 5 · 20\u00a0%'
  const easiest = 'Quelle est la capitale ?5 sur 5 · 100\u00a0%'

  await test.step('on the screen of the creator, also under a filter', async () => {
    await page.goto(`/quiz/${id}/statistics`)
    await expect(lines).toHaveText([
      hardest,
      'La Loire est-elle un fleuve ?3 sur 5 · 60\u00a0%',
      easiest,
    ])
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      await page.evaluate(() => scrollTo(0, 0))
      await expectAccessible(page)
    }
    expect(await measureOverflow(page)).toBe(0)
    await page.goto(`/quiz/${id}/statistics?answer=${alps}`)
    await expect(card.getByText('0 sur 3 · 0\u00a0%')).toBeVisible()
  })
  await test.step('on the shared page, without a question that fewer than five answered', async () => {
    await page.goto(`/statistiques/${link.token}`)
    await expect(lines).toHaveText([hardest, easiest])
    await expectAccessible(page)
    expect(await measureOverflow(page)).toBe(0)
  })
  await test.step('not on the screen of a quiz without right answers', async () => {
    const plain = await createQuizWithParticipants(client, 1)
    await page.goto(`/quiz/${plain.id}/statistics`)
    await expect(page.getByRole('heading', { name: 'Statistiques globales' })).toBeVisible()
    await expect(card).toHaveCount(0)
  })
})
