import type { Page } from '@playwright/test'
import {
  publishedScoreQuiz,
  readyScoreQuiz,
} from '../../src/server/testing/quizzes/sample-quizzes.ts'
import { expect, expectAccessible, newToolKey, test } from '../support/fixtures.ts'
import {
  CAMILLE,
  choose,
  enterEmail,
  expectEmptyLocalStorage,
  expectResult,
} from '../support/visitor-steps.ts'

test.use({ creatorIs: 'signed in' })

const MARK = 'Mode test : vos réponses ne sont ni comptées ni envoyées.'

/** Records the requests of a page that would count a participant or a visit. */
const recordCountedCalls = (page: Page, id: string): string[] => {
  const sent: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    const isReal = pathname.includes('/visite/') || pathname.endsWith(`/${id}/submit`)
    if (isReal) sent.push(`${request.method()} ${pathname}`)
  })
  return sent
}
const expectTrialMark = async (page: Page): Promise<void> => {
  await expect(page.getByText(MARK)).toBeInViewport()
  await expectAccessible(page)
}

test('a trial run shows the result and the requests for each tool, and counts nothing @phone', {
  tag: '@rare',
}, async ({ page, creator }) => {
  const { client } = creator
  const { id } = await publishedScoreQuiz(client)
  await client.integrations.saveBrevo({ body: { api_key: newToolKey('brevo') } })
  await client.integrations.setBrevo({ id, body: { enabled: true } })
  await client.quizzes.update({ id, body: { consent_mode: 'requested' } })
  await client.webhooks.add({ id, body: { url: 'http://127.0.0.1:9999/hook' } })

  await page.goto(`/quiz/${id}/settings`)
  await page.getByRole('tab', { name: 'Automatisations' }).click()
  await expectAccessible(page)
  const [run] = await Promise.all([
    page.waitForEvent('popup'),
    page.getByRole('link', { name: 'Répondre en test' }).click(),
  ])
  const sent = recordCountedCalls(run, id)

  await test.step('each page shows the test mark, also after a reload and after Back', async () => {
    await expectTrialMark(run)
    await choose(run, 'Libre')
    await expect(run.getByLabel('Où vous écrire ?')).toBeVisible()
    await expectTrialMark(run)
    await run.reload()
    await expect(run.getByLabel('Où vous écrire ?')).toBeVisible()
    await run.goBack()
    await expect(run.getByRole('radio', { name: 'Libre' })).toBeChecked()
    await expect(run.getByText(MARK)).toBeInViewport()
    await run.goForward()
  })

  await test.step('a trial run given offline is stored when the network returns', async () => {
    await run.context().setOffline(true)
    await enterEmail(run)
    await expectResult(run, 'Grand saut')
    await expectTrialMark(run)
    await run.context().setOffline(false)
    await expect.poll(async () => (await client.trialRuns.list({ id })).runs.length).toBe(1)
    await expectNoUnsentTrialRun(run)
  })

  await test.step('the link below the result shows the requests that would have been sent', async () => {
    const [screen] = await Promise.all([
      run.waitForEvent('popup'),
      run.getByRole('link', { name: 'Voir ce qui aurait été envoyé' }).click(),
    ])
    const brevo = screen.getByRole('region', { name: 'Brevo', exact: true })
    await expect(brevo).toContainText('POST /contacts')
    await expect(brevo).toContainText(`"email": "${CAMILLE}"`)
    await expect(brevo).toContainText('"RESULTAT_QUIZ": "Grand saut"')
    const hook = screen
      .getByRole('region', { name: /^Webhook\s: 127\.0\.0\.1/, exact: true })
      .first()
    await expect(hook).toContainText('"type": "response.created"')
    await expect(hook).toContainText('webhook-id: msg_')
    await screen.close()
  })

  await test.step('the trial run is not counted, and the quiz lists it', async () => {
    await run.close()
    expect(sent).toEqual([])
    const { quiz } = await client.quizzes.get({ id })
    expect(quiz.nb_responses).toBe(0)
    expect((await client.deliveries.list({ id })).deliveries).toEqual([])
    await page.getByRole('link', { name: 'Voir les réponses de test' }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^Réponses de test\s: /)
    await expect(page.getByRole('region', { name: 'Brevo', exact: true })).toBeVisible()
    await expectAccessible(page)
  })
})

/** Expects no unsent run in the browser's storage. */
const expectNoUnsentTrialRun = (page: Page): Promise<void> =>
  expect
    .poll(() =>
      page.evaluate(() => Object.keys(localStorage).filter((key) => key.includes('pending'))),
    )
    .toEqual([])

test('a trial run that waits in the browser is sent as a trial run from the public page, and real answers are sent as real answers from the trial page', {
  tag: '@rare',
}, async ({ creator, visitor }) => {
  const { client } = creator
  const { id } = await publishedScoreQuiz(client)
  const { url } = await client.trialRuns.link({ id })
  const context = visitor.context()
  const held: string[] = []
  await context.route('**/submit', async (route) => {
    held.push(new URL(route.request().url()).pathname)
    await route.abort()
  })
  await visitor.goto(url)
  await choose(visitor, 'Libre')
  await enterEmail(visitor)
  await expectResult(visitor, 'Grand saut')
  await expect.poll(() => held.length).toBeGreaterThan(0)
  // The quiz itself starts a separate run in the same tab.
  await visitor.goto(`/q/${id}`)
  await expect(visitor.getByRole('radio', { name: 'Libre' })).not.toBeChecked()
  await choose(visitor, 'Rempli')
  await enterEmail(visitor, 'dominique@exemple.fr')
  await expectResult(visitor, 'Pas à pas')
  await context.unroute('**/submit')
  // The next page, trial or public, sends the waiting run.
  await visitor.goto(url)
  await expectEmptyLocalStorage(visitor)
  const emails = (await client.trialRuns.list({ id })).runs.map(({ email }) => email)
  expect(emails).toEqual([CAMILLE])
  const { details } = await client.statistics.responses({ id })
  expect(details.map(({ email }) => email)).toEqual(['dominique@exemple.fr'])
})

test('a trial run does not redirect, links to the quiz itself, and starts again as a trial run', {
  tag: '@rare',
}, async ({ creator, visitor }) => {
  const { client } = creator
  const { id, result_ids } = await readyScoreQuiz(client)
  for (const resultId of result_ids)
    await client.results.update({ resultId, body: { redirect_url: 'https://exemple.fr/offre' } })
  await client.quizzes.update({ id, body: { allows_restart: true } })
  await client.quizzes.publish({ id })
  await visitor.goto((await client.trialRuns.link({ id })).url)
  await choose(visitor, 'Libre')
  await enterEmail(visitor)
  await expectResult(visitor, 'Grand saut')
  await expect.poll(async () => (await client.trialRuns.list({ id })).runs.length).toBe(1)
  await expect(visitor.getByRole('link', { name: 'Continuer vers exemple.fr' })).toBeVisible()
  await expect(visitor.getByText('La suite s’ouvre dans un instant.')).toHaveCount(0)
  const share = visitor.getByRole('link', { name: 'Partager mon résultat' })
  await expect(share).toHaveAttribute('href', `/q/${id}?r=2`)
  await visitor.getByRole('link', { name: 'Recommencer' }).click()
  await expect(visitor.getByRole('radio', { name: 'Libre' })).not.toBeChecked()
  await expectTrialMark(visitor)
  await choose(visitor, 'Rempli')
  await enterEmail(visitor, 'dominique@exemple.fr')
  await expectResult(visitor, 'Pas à pas')
  await expect.poll(async () => (await client.trialRuns.list({ id })).runs.length).toBe(2)
  expect((await client.quizzes.get({ id })).quiz.nb_responses).toBe(0)
})

test('the trial mark is visible on each page, also on long ones', { tag: '@rare' }, async ({
  creator,
  visitor,
}) => {
  const { client } = creator
  const { id, question_id } = await readyScoreQuiz(client)
  const long = Array.from({ length: 24 }, (_, place) => ({
    text: `Question ${place}`,
    type: 'text' as const,
    is_required: false,
    page_number: place < 12 ? 1 : 2,
  }))
  const { questions } = await client.questions.list({ id })
  const choice = questions.filter((one) => one.id === question_id)
  await client.questions.saveDraft({ id, body: { questions: [...choice, ...long] } })
  await client.quizzes.publish({ id })
  await visitor.goto((await client.trialRuns.link({ id })).url)
  await visitor.getByRole('radio', { name: 'Libre' }).check()
  await visitor.getByRole('button', { name: 'Suivant' }).click()
  await expect(visitor.getByLabel('Question 12')).toBeAttached()
  await expect(visitor.getByText(MARK)).toBeInViewport()
})

test('a screen that was left open requests a new link, and keeps the previous link if the request fails', {
  tag: '@rare',
}, async ({ page, creator }) => {
  const { id } = await publishedScoreQuiz(creator.client)
  await page.clock.install()
  await page.goto(`/quiz/${id}/essais`)
  const link = page.getByRole('link', { name: 'Répondre en test' })
  await expect(link).toBeVisible()
  const comeBack = () =>
    page.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })))
  const held = Promise.withResolvers<void>()
  let nb_asked = 0
  await page.route('**/test-link', async (route) => {
    nb_asked++
    if (nb_asked <= 2) return route.fulfill({ status: 503, json: { error: 'Réessayez.' } })
    await held.promise
    await route.continue()
  })
  await page.clock.fastForward('01:01:00')
  await comeBack()
  // The screen repeats the request once before it reports the failure.
  await expect.poll(() => nb_asked).toBe(2)
  await expect
    .poll(async () => {
      await comeBack()
      return nb_asked
    })
    .toBe(3)
  await expect(link).toBeVisible()
  const response = page.waitForResponse('**/test-link')
  held.resolve()
  expect((await response).status()).toBe(200)
  await expect(link).toBeVisible()
})

test('a truncated trial link shows an error, and a draft has no trial link', {
  tag: '@rare',
}, async ({ page, creator, visitor }) => {
  const { client } = creator
  const { id } = await publishedScoreQuiz(client)
  const { url } = await client.trialRuns.link({ id })
  await visitor.goto(url.slice(0, -4))
  await expect(visitor.getByRole('heading', { level: 1 })).toHaveText('Lien de test non valable')
  await expectAccessible(visitor)
  const draft = await readyScoreQuiz(client)
  await page.goto(`/quiz/${draft.id}/essais`)
  await expect(page.getByText('Aucune réponse de test')).toBeVisible()
  await expect(page.getByText('Publiez d’abord ce quiz')).toBeVisible()
  await expectAccessible(page)
})
