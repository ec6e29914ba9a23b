import type { Client } from '../../src/contract/client/client.ts'
import type { KeyFiguresAnswer } from '../../src/contract/statistics/key-figures.ts'
import {
  publishedScoreQuiz,
  type SampleQuiz,
} from '../../src/server/testing/quizzes/sample-quizzes.ts'
import { expect, expectAccessible, test } from '../support/fixtures.ts'
import { measureOverflow } from '../support/layout-checks.ts'
import { publishWheel } from '../support/published-quizzes.ts'

test.use({ creatorIs: 'signed in' })

/** Adds six participants to a quiz: two have the result « Pas à pas », four « Grand saut ». */
const createQuizWithParticipants = async (
  client: Client,
  publish: (client: Client) => Promise<SampleQuiz> = publishedScoreQuiz,
): Promise<SampleQuiz> => {
  const quiz = await publish(client)
  for (let rank = 0; rank < 6; rank++)
    await client.publicQuiz.submit({
      id: quiz.id,
      body: {
        answers: {
          [quiz.question_id]: quiz.answer_ids[rank % 3 ? 1 : 0] ?? '',
          [quiz.open_id]: `p${rank}@exemple.fr`,
        },
      },
    })
  return quiz
}

test('a tap on a figure filters everything, and the chip of the filter removes it', {
  tag: '@dom',
}, async ({ page, creator }) => {
  const quiz = await createQuizWithParticipants(creator.client)
  const call = '**/key-figures*'
  await page.route(call, (route) => route.abort())
  await page.goto(`/quiz/${quiz.id}/statistics`)
  const key = page.getByRole('region', { name: 'Chiffres clés' })
  const again = key.getByRole('button', { name: 'Réessayer' })
  await expect(again).toBeVisible()
  await expect(page.getByText('4 sur 6 · 66,7\u00a0%')).toBeVisible()
  await page.unroute(call)
  await again.press('Enter')
  await expect(key.getByRole('listitem')).toHaveText([
    'Ont ouvert la page6',
    'Vont au bout100\u00a0%',
    'Participants6',
    'Adresses différentes (hors refus)6',
    'Temps médian-',
    'Envoyés0',
  ])

  const results = page.getByRole('toolbar', { name: 'Filtrer par résultat' })
  await results.getByRole('button', { name: 'Pas à pas' }).press('ArrowDown')
  const best = results.getByRole('button', { name: 'Grand saut' })
  await expect(best).toBeFocused()
  await best.press('Enter')
  await expect(page.getByText('4 sur 6 participants', { exact: true })).toBeVisible()
  await expect(key.getByRole('listitem')).toHaveText([
    'Ont ouvert la page-',
    'Vont au bout-',
    'Participants4',
    'Adresses différentes (hors refus)4',
    'Temps médian-',
    'Envoyés0',
  ])
  await expect(best).toHaveAttribute('aria-pressed', 'true')
  await expect(best).toBeFocused()
  const crossed = page.getByRole('region', { name: 'Qui répond quoi' })
  await crossed.getByText('Voir en tableau').press('Enter')
  const table = page.getByRole('table', { name: 'Qui répond quoi : Votre agenda ?, par Résultat' })
  await expect(table.getByRole('row')).toHaveText([
    'Votre agenda ?Pas à pasGrand saut',
    'Rempli0 sur 0 · 0\u00a0%0 sur 4 · 0\u00a0%',
    'Libre0 sur 0 · 0\u00a0%4 sur 4 · 100\u00a0%',
  ])
  const answers = page.getByRole('toolbar', { name: /^Filtrer par une réponse à « Votre agenda/ })
  await answers.getByRole('button', { name: 'Libre' }).press('Enter')
  await expect(page).toHaveURL(/answer=/)
  const chips = page.getByRole('list', { name: 'Filtres' })
  await expect(chips.getByRole('listitem')).toHaveText([
    'Résultat : Grand saut',
    'Votre agenda ? Libre',
  ])
  await expectAccessible(page)
  await page.emulateMedia({ colorScheme: 'dark' })
  await expectAccessible(page)
  await chips.getByRole('button', { name: /Grand saut/ }).press('Enter')
  await expect(chips.getByRole('button')).toBeFocused()
  await chips.getByRole('button').press('Enter')
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
  await expect(page.getByText('6 participants', { exact: true })).toBeVisible()
  await expect(table.getByRole('row')).toHaveText([
    'Votre agenda ?Pas à pasGrand saut',
    'Rempli2 sur 2 · 100\u00a0%0 sur 4 · 0\u00a0%',
    'Libre0 sur 2 · 0\u00a0%4 sur 4 · 100\u00a0%',
  ])
  await crossed.getByLabel('Colonnes').selectOption('Votre agenda ?')
  await expect(
    crossed.getByRole('img', { name: /^Qui répond quoi : Résultat, par Votre agenda \?/ }),
  ).toBeVisible()
  // The size of a window of 1,024 pixels at a zoom of 200 %.
  await page.setViewportSize({ width: 512, height: 700 })
  expect(await measureOverflow(page)).toBeLessThanOrEqual(0)
  await page.setViewportSize({ width: 320, height: 700 })
  expect(await measureOverflow(page)).toBeLessThanOrEqual(0)
})

test('dates in the address can be corrected until another period is chosen, which is compared with the previous period only if there is one', {
  tag: '@rare',
}, async ({ page, creator }) => {
  const quiz = await createQuizWithParticipants(creator.client)
  await page.goto(`/quiz/${quiz.id}/statistics?from=2026-03-01`)
  const from = page.getByLabel('À partir du')
  await from.fill('')
  await expect(page).toHaveURL(/statistics$/)
  await expect(from).toBeFocused()
  await from.fill('2026-03-02')
  await expect(page).toHaveURL(/from=2026-03-02$/)
  const key = page.getByRole('region', { name: 'Chiffres clés' })
  await page.getByLabel('Période').selectOption('7 derniers jours')
  await expect(from).toHaveCount(0)
  await expect(page.getByText('6 sur 6 participants', { exact: true })).toBeVisible()
  await expect(
    page.getByRole('img', { name: /^Participants par jour : de .* à .*, 6 au plus/ }),
  ).toBeVisible()
  await expect(key.getByText(/jours avant/)).toHaveCount(0)
  // The route adds an earlier period to the response, because no test participant can be a week old.
  await page.route('**/key-figures*', async (route) => {
    const response = await route.fetch()
    const answer = (await response.json()) as KeyFiguresAnswer
    const { now } = answer
    answer.compared = { ...now, days: now.days.slice(0, -1) }
    const days = answer.compared.days.map(() => ({ day: '2026-01-01', count: 1 }))
    answer.before = { ...now, nb_participants: 4, nb_opened: 12, nb_addresses: null, days }
    await route.fulfill({ response, json: answer })
  })
  await page.getByRole('button', { name: 'Actualiser' }).click()
  await expect(
    key.getByText('▲en hausse de 50\u00a0% vs 7 jours avant, hors aujourd’hui'),
  ).toBeVisible()
  await expect(
    key.getByText('▼en baisse de 50\u00a0% vs 7 jours avant, hors aujourd’hui'),
  ).toBeVisible()
  await expect(
    key.getByText('▲en hausse de 67\u00a0points vs 7 jours avant, hors aujourd’hui'),
  ).toBeVisible()
  await expect(page.getByText('Pointillé : 7 jours plus tôt.')).toBeVisible()
  await page.getByRole('slider', { name: /Participants par jour/ }).focus()
  // The slider is at the end of the line, which is today.
  await expect(page.getByText(/: 6 participants$/)).toBeVisible()
  await page.keyboard.press('ArrowLeft')
  await expect(page.getByText(/: 0 participant \(7 jours plus tôt\s: 1\)/)).toBeVisible()
  await expectAccessible(page)
  // The next call may end after the test, when its route no longer exists.
  await page.unrouteAll({ behavior: 'wait' })
  await page.getByLabel('Période').selectOption('Tout')
  await expect(page).toHaveURL(/statistics$/)
})

test('each conditional text tells how many participants saw the text, whatever the filters', {
  tag: ['@dom', '@rare'],
}, async ({ page, creator }) => {
  const quiz = await createQuizWithParticipants(creator.client, publishWheel)
  const [low = ''] = quiz.result_ids
  await page.goto(`/quiz/${quiz.id}/statistics?result=${low}`)
  const texts = page.getByRole('region', { name: 'Textes conditionnels' })
  const counts = '**/text-views?counts=1'
  await page.route(counts, (route) => route.fulfill({ status: 503, json: { error: 'Panne' } }))
  await texts.getByRole('button', { name: 'Compter qui les a vus' }).press('Enter')
  await expect(texts.getByRole('alert')).toContainText('Panne')
  await page.unroute(counts)
  await texts.getByRole('button', { name: 'Réessayer' }).press('Enter')
  await expect(texts.getByRole('status')).toHaveText(
    'Décompte sur tous vos participants, sans les filtres.',
  )
  const [some, others] = [/2 sur 6 · 33,3\s%$/, /^Un agenda libre.*4 sur 6 · 66,7\s%$/]
  await expect(texts.getByRole('listitem')).toHaveText([some, others, some, some, others, some])
  await expect(texts.getByRole('listitem').first()).toContainText('Sur tous les résultats')
  await expect(texts.getByRole('listitem').last()).toContainText('Dans l’email')
  await expectAccessible(page)
  await page.setViewportSize({ width: 320, height: 700 })
  expect(await measureOverflow(page)).toBeLessThanOrEqual(0)
})
