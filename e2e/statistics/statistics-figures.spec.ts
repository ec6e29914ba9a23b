import { readFileSync } from 'node:fs'
import type { Download, Page } from '@playwright/test'
import type { Client } from '../../src/contract/client/client.ts'
import {
  publishDimensionQuiz,
  takeDimensionQuiz,
} from '../../src/server/testing/quizzes/dimension-quiz.ts'
import { publishEventSondage } from '../../src/server/testing/quizzes/event-sondage.ts'
import {
  publishedScoreQuiz,
  type SampleQuiz,
} from '../../src/server/testing/quizzes/sample-quizzes.ts'
import { expect, expectAccessible, test } from '../support/fixtures.ts'
import { measureOverflow } from '../support/layout-checks.ts'

test.use({ creatorIs: 'signed in' })

const submit = (client: Client, quiz: SampleQuiz, choice: 0 | 1, text: string) =>
  client.publicQuiz.submit({
    id: quiz.id,
    body: { answers: { [quiz.question_id]: quiz.answer_ids[choice] ?? '', [quiz.open_id]: text } },
  })

const questionQuality = (page: Page) => page.getByRole('region', { name: 'Qualité des questions' })

const createQuizWithParticipants = async (
  client: Client,
  emails: readonly string[],
): Promise<SampleQuiz> => {
  const quiz = await publishedScoreQuiz(client)
  for (const [rank, email] of emails.entries()) await submit(client, quiz, rank % 3 ? 1 : 0, email)
  return quiz
}
const EMAILS = ['ada', 'alan', 'barbara', 'zoe', 'adele', 'nina'].map((who) => `${who}@exemple.fr`)

test('filters apply to every figure, stay in the address, can be cleared with the keyboard, and show an error if their result is unknown', {
  tag: '@dom',
}, async ({ page, creator }) => {
  const quiz = await createQuizWithParticipants(creator.client, EMAILS)
  await page.goto(`/quiz/${quiz.id}/statistics`)
  await expect(page.getByText('4 sur 6 · 66,7\u00a0%')).toBeVisible()
  await expect(page.getByText('6 sur 6 ont répondu à cette question').first()).toBeVisible()
  await page.locator('summary', { hasText: 'Filtrer les participants' }).press('Enter')
  await page.getByLabel('Email ou nom').fill('AD')
  await expect(page.getByText('2 sur 6 participants', { exact: true })).toBeVisible()
  await expect(page.getByRole('row')).toHaveCount(3)
  await expect(page.getByText('1 sur 2 · 50\u00a0%').first()).toBeVisible()
  await expect(page.getByText('2 sur 2 ont répondu à cette question').first()).toBeVisible()
  await expect(page).toHaveURL(/email=AD/)
  await page.getByLabel('Réponse donnée').selectOption('Rempli')
  await expect(page.getByText('1 sur 6 participants', { exact: true })).toBeVisible()
  await expectAccessible(page)
  await page.reload()
  await expect(page.getByText('1 sur 6 participants', { exact: true })).toBeVisible()
  await expect(page.getByRole('searchbox', { name: 'Email ou nom' })).toHaveValue('AD')
  await page.getByLabel('Période').selectOption('Dates…')
  await page.getByLabel('À partir du').fill('2026-03-10')
  await page.getByLabel('Jusqu’au').fill('2026-03-09')
  await expect(page.getByText('La date de fin précède la date de début.')).toBeVisible()
  await page.getByLabel('À partir du').fill('2026-03-01')
  await expect(page.getByText('Aucun participant ne correspond à ces filtres.')).toBeVisible()
  for (const width of [320, 390]) {
    await page.setViewportSize({ width, height: 700 })
    expect(await measureOverflow(page)).toBeLessThanOrEqual(0)
    await expectAccessible(page)
  }
  await page.getByRole('button', { name: 'Effacer les filtres' }).press('Enter')
  await expect(page.getByText('6 participants', { exact: true })).toBeVisible()
  await expect(page).toHaveURL(/statistics$/)
  await page.goto(`/quiz/${quiz.id}/statistics?result=11111111-1111-4111-8111-111111111111`)
  await expect(page.getByText(/^Erreur: Champ «\sresult\s»/)).toBeVisible()
  await expect(page.getByRole('link', { name: 'Retour au tableau de bord' })).toBeVisible()
})

test('dimensions show their figures, a tier filters the participants, and a table crosses two dimensions @phone', {
  tag: '@dom',
}, async ({ page, creator: { client } }) => {
  const quiz = await publishDimensionQuiz(client)
  for (const [way, scale] of [
    ['on', 5],
    ['on', 5],
    ['past', 3],
    ['out', 0],
    ['out', 0],
  ] as const)
    await takeDimensionQuiz(client, quiz, { version: 1, way, several: ['c'], scale })
  await page.goto(`/quiz/${quiz.id}/statistics`)
  const card = page.getByRole('region', { name: 'Dimensions', exact: true })
  const health = card.getByRole('region', { name: 'Santé' })
  const money = card.getByRole('region', { name: 'Argent' })
  await expect(health).toContainText(/Moyenne50\s%Écart type44,7Participants5 sur 5/)
  await expect(money).toContainText(/Moyenne68,7\s%Écart type13,2Participants3 sur 5/)
  const weak = health.getByRole('button', { name: /^Faible/ })
  await expect(weak).toHaveText(/2 sur 5 · 40\s%/)
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await expectAccessible(page)
  }
  expect(await measureOverflow(page)).toBeLessThanOrEqual(0)

  const crossed = page.getByRole('region', { name: 'Qui répond quoi' })
  await crossed.getByLabel('Colonnes').selectOption('Dimension Argent')
  await crossed.getByLabel('Lignes').selectOption('Dimension Santé')
  await crossed.getByText('Voir en tableau').press('Enter')
  await expect(crossed.getByRole('row')).toHaveText([
    'SantéFragileSolide',
    /^Faible0 sur 1 · 0\s%2 sur 2 · 100\s%$/,
    /^Forte1 sur 1 · 100\s%0 sur 2 · 0\s%$/,
  ])

  await weak.press('Enter')
  await expect(page.getByText('2 sur 5 participants', { exact: true })).toBeVisible()
  await expect(weak).toHaveAttribute('aria-pressed', 'true')
  await expect(money).toContainText(/Moyenne78\s%/)
  await expect(page).toHaveURL(/tier=/)
  await page.reload()
  await expect(page.getByText('2 sur 5 participants', { exact: true })).toBeVisible()
  await page.getByLabel('Palier d’une dimension').selectOption('Fragile')
  await expect(page.getByText('Aucun participant ne correspond à ces filtres.')).toBeVisible()
  await expectAccessible(page)
})

test('the questions of a quiz by score are evaluated on request', { tag: '@dom' }, async ({
  page,
  creator,
}) => {
  const emails = Array.from({ length: 30 }, (_, rank) => `p${rank}@exemple.fr`)
  const quiz = await createQuizWithParticipants(creator.client, emails)
  const call = '**/question-quality'
  await page.route(call, (route) => route.abort())
  await page.goto(`/quiz/${quiz.id}/statistics`)
  const section = questionQuality(page)
  await section.getByRole('button', { name: 'Analyser les questions' }).press('Enter')
  const again = section.getByRole('button', { name: 'Réessayer' })
  await expect(again).toBeVisible()
  await page.unroute(call)
  await again.press('Enter')
  await expect(section.getByText(/La cohérence ne se calcule pas ici/)).toBeVisible()
  await expect(section.getByText('Sur 30 participants.')).toBeVisible()
  await submit(creator.client, quiz, 1, 'p30@exemple.fr')
  await page.getByRole('button', { name: 'Actualiser' }).press('Enter')
  await expect(section.getByText('Sur 31 participants.')).toBeVisible()
  await expect(section.getByText('100\u00a0%')).toBeVisible()
  await expectAccessible(page)
  await page.setViewportSize({ width: 320, height: 700 })
  expect(await measureOverflow(page)).toBeLessThanOrEqual(0)
})

const readText = async (download: Download) => readFileSync(await download.path(), 'utf8')

/** Chooses a format in the export dialog and returns the downloaded file. */
const exportFile = async (page: Page, label: RegExp): Promise<Download> => {
  await page.getByRole('button', { name: 'Exporter' }).press('Enter')
  await expect(page.getByText('2 sur 6 participants, une ligne par participant.')).toBeVisible()
  if (label.test('JSON')) await expectAccessible(page)
  const coming = page.waitForEvent('download')
  await page.getByRole('button', { name: label }).press('Enter')
  const download = await coming
  await expect(page.getByRole('dialog')).toHaveCount(0)
  expect(await download.failure()).toBeNull()
  return download
}

test('the participants on the screen can be exported as files', { tag: ['@dom', '@rare'] }, async ({
  page,
  creator,
}) => {
  const quiz = await createQuizWithParticipants(creator.client, EMAILS)
  await page.goto(`/quiz/${quiz.id}/statistics?email=ad`)
  const wanted: [label: RegExp, extension: string][] = [
    [/^CSV pour Excel/, 'csv'],
    [/^Classeur Excel/, 'xlsx'],
    [/^CSV standard/, 'csv'],
    [/^JSON/, 'json'],
  ]
  for (const [label, extension] of wanted) {
    const download = await exportFile(page, label)
    expect(download.suggestedFilename()).toMatch(
      new RegExp(`^Réponses - Quel rythme - \\d{4}-\\d\\d-\\d\\d\\.${extension}$`),
    )
    if (extension === 'csv') {
      const lines = (await readText(download)).trim().split('\r\n')
      expect(lines).toHaveLength(3)
      expect(lines[1]).toContain('adele@exemple.fr')
    }
  }
  await page.route('**/exports', (route) =>
    route.fulfill({ status: 503, json: { error: 'Panne passagère' } }),
  )
  await page.getByRole('button', { name: 'Exporter' }).click()
  await page.getByRole('button', { name: /^JSON/ }).click()
  await expect(page.getByRole('alert').filter({ hasText: 'Erreur: Panne passagère' })).toBeVisible()
})

test('the figures have a table as their text alternative, and open answers can be searched', {
  tag: '@rare',
}, async ({ page, creator }) => {
  const quiz = await createQuizWithParticipants(creator.client, EMAILS)
  await page.goto(`/quiz/${quiz.id}/statistics`)
  await expect(
    page.getByRole('img', { name: /^Participants par jour : .*, 6 participants$/ }),
  ).toBeVisible()
  await expect(page.getByRole('img', { name: /^Répartition des scores : 5 col/ })).toBeVisible()
  await page.getByText('Voir en tableau').first().press('Enter')
  await expect(
    page.getByRole('table', { name: 'Répartition des scores' }).getByRole('row'),
  ).toHaveText([
    'ScoreRéponsesPart',
    '12' + '33,3\u00a0%',
    '200\u00a0%',
    '300\u00a0%',
    '400\u00a0%',
    '54' + '66,7\u00a0%',
  ])
  // The slider over a chart announces the chart column by column.
  const reader = page.getByRole('slider', { name: 'Lire « Répartition des scores »' })
  await expect(reader).toHaveAttribute('aria-valuetext', '5 : 4 · 66,7\u00a0%')
  await reader.press('Home')
  await expect(reader).toHaveAttribute('aria-valuetext', '1 : 2 · 33,3\u00a0%')
  await expect(page.getByText('1 : 2 · 33,3\u00a0%')).toBeVisible()
  await page.getByRole('button', { name: 'Chercher dans les réponses' }).press('Enter')
  await page.getByLabel('Mots cherchés').fill('ADA')
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('listitem')).toHaveText(['ada@exemple.fr1 réponse'])
  await expectAccessible(page)
  await page.getByLabel('Mots cherchés').fill('personne')
  await expect(dialog.getByText('Aucune réponse ne contient ces mots.')).toBeVisible()
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  // Questions are not evaluated, because differences between few participants could be chance.
  await expect(questionQuality(page)).toHaveCount(0)
})

test('the figures of scales, multiple choices, dates and skipped pages match the replies', {
  tag: ['@dom', '@rare'],
}, async ({ page, creator }) => {
  const event = await publishEventSondage(creator.client)
  const given = { comes: true, themes: [0, 2], other: '', note: 10, day: '2026-03-09', word: 'a' }
  await event.submit({ ...given, other: 'Le café' })
  await event.submit({ ...given, themes: [0], note: 9, day: '2026-04-01' })
  await event.submit({ ...given, themes: [], note: 2, day: '' })
  await event.submit({ ...given, comes: false, day: '2026-03-31' })
  await page.goto(`/quiz/${event.id}/statistics`)
  const questionOf = (name: string) =>
    page.getByRole('article').filter({ has: page.getByRole('heading', { name, exact: true }) })
  const themes = questionOf('Quels thèmes ?')
  await expect(themes.getByText('3 sur 4 l’ont vue · 2 réponses', { exact: true })).toBeVisible()
  await expect(themes.getByText(/le total peut dépasser 100/)).toBeVisible()
  await expect(themes.getByRole('list').first().getByRole('listitem')).toHaveText([
    'Vente2 réponses · 100\u00a0%',
    'Gestion, compta0 réponse · 0\u00a0%',
    'Site1 réponse · 50\u00a0%',
    'Autre1 réponse · 50\u00a0%',
  ])
  await expect(themes.getByText('Le café')).toBeVisible()
  const note = questionOf('Quelle note ?')
  await expect(note.getByText('10', { exact: true })).toBeVisible()
  await expect(note.getByRole('img', { name: /^Quelle note \? : 11 colonnes/ })).toBeVisible()
  await expect(note.getByRole('list').last().getByRole('listitem')).toHaveText([
    'Moyenne7',
    'Médiane9',
    'Recommandation nette (NPS)+33',
    'Promoteurs (9 et 10)2 sur 3 · 66,7\u00a0%',
    'Passifs (7 et 8)0 sur 3 · 0\u00a0%',
    'Détracteurs (0 à 6)1 sur 3 · 33,3\u00a0%',
  ])
  await expect(questionOf('Quel jour ?').getByRole('listitem')).toHaveText([
    'mars 20262 réponses · 66,7\u00a0%',
    'avril 20261 réponse · 33,3\u00a0%',
  ])
  await expect(page.getByText('3 sur 4 · 75\u00a0%')).toBeVisible()
  await page.getByText('Voir les réponses (3)').last().click()
  await expect(page.getByText('Sans réponse').first()).toBeVisible()
  await expectAccessible(page)
  await page.getByText('Filtrer les participants').click()
  await page.getByLabel('Réponse donnée').selectOption('Autre')
  await expect(page.getByText('1 sur 4 participants', { exact: true })).toBeVisible()
  await page.setViewportSize({ width: 320, height: 700 })
  expect(await measureOverflow(page)).toBeLessThanOrEqual(0)
})
