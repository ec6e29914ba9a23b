import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import type { Client } from '../../src/contract/client/client.ts'
import {
  publishedScoreQuiz,
  type SampleQuiz,
} from '../../src/server/testing/quizzes/sample-quizzes.ts'
import { expect, expectAccessible, test } from '../support/fixtures.ts'
import { rowOf } from '../support/regions.ts'

test.use({ creatorIs: 'signed in' })

const submit = (client: Client, quiz: SampleQuiz, choice: 0 | 1, text: string) =>
  client.publicQuiz.submit({
    id: quiz.id,
    body: { answers: { [quiz.question_id]: quiz.answer_ids[choice] ?? '', [quiz.open_id]: text } },
  })

const remove = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: 'Supprimer ce participant' }).press('Enter')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Supprimer' }).press('Enter')
}

test('a creator sorts and searches the participants, opens them one after another with the keyboard, reads why they got their result, and deletes one', {
  tag: '@dom',
}, async ({ page, creator }) => {
  const quiz = await publishedScoreQuiz(creator.client)
  for (const [choice, name] of [
    [0, 'ada'],
    [1, 'zoe'],
    [1, 'alan'],
  ] as const)
    await submit(creator.client, quiz, choice, `${name}@exemple.fr`)
  await page.goto(`/quiz/${quiz.id}/statistics`)
  const links = page.getByRole('link', { name: /: voir le détail$/ })
  const region = page.getByRole('region', { name: 'Tableau des participants' })
  const expectListed = async (...names: string[]) => {
    await expect(region.getByRole('row')).toHaveCount(names.length + 1)
    await expect(links).toHaveCount(names.length)
    for (const [at, name] of names.entries())
      await expect(links.nth(at)).toHaveAccessibleName(new RegExp(`, ${name}@exemple.fr :`))
  }

  await test.step('a link on the screen leads to the participants', async () => {
    const sections = page.getByRole('navigation', { name: 'Sections de l’écran' })
    await sections.getByRole('link', { name: 'Réponses détaillées' }).press('Enter')
    await expect(page.getByRole('heading', { name: 'Réponses détaillées' })).toBeFocused()
    await expect(page.getByRole('heading', { name: 'Réponses détaillées' })).toBeInViewport()
  })

  await test.step('the participants can be sorted and searched by the text of their answers', async () => {
    await expectListed('alan', 'zoe', 'ada')
    await page.getByLabel('Trier par').selectOption('Email, de Z à A')
    await expectListed('zoe', 'alan', 'ada')
    await expect(page.getByRole('columnheader', { name: 'Email' })).toHaveAttribute(
      'aria-sort',
      'descending',
    )
    await page.getByRole('button', { name: 'Email' }).click()
    await expectListed('ada', 'alan', 'zoe')
    await page.getByLabel('Trier par').selectOption('Score, du plus haut au plus bas')
    await expectListed('alan', 'zoe', 'ada')
    await page.getByLabel('Chercher un participant').fill('ZOE@')
    await expect(page.getByText('1 participant trouvé', { exact: true })).toBeVisible()
    await expectListed('zoe')
    await page.reload()
    await expectListed('zoe')
    await page.getByLabel('Chercher un participant').fill('personne')
    await expect(page.getByText('Aucun participant ne correspond à cette recherche.')).toBeVisible()
    await page.getByLabel('Chercher un participant').fill('')
    await expectListed('alan', 'zoe', 'ada')
  })

  const drawer = page.getByRole('dialog')
  await test.step('Tab stops once in the table, and the arrow keys move from row to row', async () => {
    await page.getByLabel('Trier par').press('Tab')
    await expect(links.nth(0)).toBeFocused()
    await page.keyboard.press('End')
    await expect(links.nth(2)).toBeFocused()
    await page.keyboard.press('ArrowUp')
    await expect(links.nth(1)).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('dialog', { name: 'zoe@exemple.fr' })).toBeVisible()
    await expect(page).toHaveURL(/[?&]participant=/)
  })

  await test.step('the drawer of a participant opens the next one and explains the result', async () => {
    await page.keyboard.press('ArrowRight')
    await expect(page.getByRole('dialog', { name: 'ada@exemple.fr' })).toBeVisible()
    await expect(drawer.getByText('Participant 3 sur 3', { exact: true })).toBeVisible()
    await expect(drawer.getByRole('button', { name: 'Suivant' })).toBeDisabled()
    await drawer.getByRole('button', { name: 'Précédent' }).press('Enter')
    await page.keyboard.press('ArrowLeft')
    await expect(page.getByRole('dialog', { name: 'alan@exemple.fr' })).toBeVisible()
    await expect(
      drawer.getByText(
        '« Grand saut » avec 5 points. Le plus proche ensuite, « Pas à pas », était à 1 point.',
      ),
    ).toBeVisible()
    await expect(drawer.getByText('+5 points')).toBeVisible()
    await expect(drawer.getByText(/^Aucune case ne lui a été proposée/)).toBeVisible()
    await expectAccessible(page)
    await page.emulateMedia({ colorScheme: 'dark' })
    await expectAccessible(page)
    await page.setViewportSize({ width: 320, height: 640 })
    await expectAccessible(page)
    expect(await drawer.evaluate((one) => one.scrollWidth - one.clientWidth)).toBeLessThanOrEqual(0)
    await page.setViewportSize({ width: 1280, height: 720 })
    await page.emulateMedia({ colorScheme: 'light' })
  })

  await test.step('Escape and Back close the drawer and return the focus to its row', async () => {
    await page.keyboard.press('Escape')
    await expect(drawer).toHaveCount(0)
    await expect(rowOf(page, 'alan@exemple.fr')).toBeFocused()
    await expect(page).not.toHaveURL(/participant=/)
    await page.keyboard.press('Enter')
    await expect(drawer).toBeVisible()
    await page.goBack()
    await expect(drawer).toHaveCount(0)
    await expect(rowOf(page, 'alan@exemple.fr')).toBeFocused()
  })

  await test.step('a participant is deleted after a confirmation', async () => {
    await page.keyboard.press('Enter')
    await drawer.getByRole('button', { name: 'Supprimer ce participant' }).press('Enter')
    await page.getByRole('alertdialog').getByRole('button', { name: 'Annuler' }).press('Enter')
    await expect(page.getByRole('dialog', { name: 'alan@exemple.fr' })).toBeVisible()
    await remove(page)
    await expect(page.getByText('2 participants', { exact: true })).toBeVisible()
    await expectListed('zoe', 'ada')
    await expect(rowOf(page, 'zoe@exemple.fr')).toBeFocused()
  })

  await test.step('a participant who was deleted elsewhere is reported as deleted', async () => {
    await rowOf(page, 'ada@exemple.fr').press('Enter')
    await expect(page.getByRole('dialog', { name: 'ada@exemple.fr' })).toBeVisible()
    const participantId = new URL(page.url()).searchParams.get('participant') ?? ''
    await creator.client.participants.remove({ id: quiz.id, participantId })
    await page.reload()
    await expect(drawer.getByRole('alert')).toHaveText(/^Ce participant n’existe plus/)
    await expectAccessible(page)
    await drawer.getByRole('button', { name: 'Fermer' }).press('Enter')
    await expect(drawer).toHaveCount(0)
    await expectListed('zoe')
    await expect(region).toBeFocused()
  })
})

test('a detail that is closed while its participant is being deleted leaves the screen unchanged', {
  tag: '@dom',
}, async ({ page, creator }) => {
  const quiz = await publishedScoreQuiz(creator.client)
  for (const name of ['ada', 'zoe']) await submit(creator.client, quiz, 0, `${name}@exemple.fr`)
  await page.goto(`/quiz/${quiz.id}/statistics`)
  await rowOf(page, 'zoe@exemple.fr').press('Enter')
  const drawer = page.getByRole('dialog', { name: 'zoe@exemple.fr' })
  const held = Promise.withResolvers<void>()
  await page.route('**/responses/*', async (route) => {
    if (route.request().method() === 'DELETE') await held.promise
    await route.continue()
  })
  const deletion = page.waitForRequest((request) => request.method() === 'DELETE')
  await drawer.getByRole('button', { name: 'Supprimer ce participant' }).press('Enter')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Supprimer' }).press('Enter')
  await deletion
  await expect(drawer.getByRole('button', { name: 'Supprimer ce participant' })).toHaveAttribute(
    'aria-busy',
    'true',
  )
  await page.keyboard.press('Escape')
  await expect(drawer).toHaveCount(0)
  held.resolve()
  await expect(page.getByText('1 participant', { exact: true })).toBeVisible()
  await expect(rowOf(page, 'ada@exemple.fr')).toBeVisible()
  await expect(rowOf(page, 'zoe@exemple.fr')).toHaveCount(0)
  expect(new URL(page.url()).pathname).toBe(`/quiz/${quiz.id}/statistics`)
})

test('a creator sees and deletes the data of a person in every quiz, and chooses the retention period', {
  tag: ['@dom', '@rare'],
}, async ({ page, creator }) => {
  const quiz = await publishedScoreQuiz(creator.client)
  const other = await publishedScoreQuiz(creator.client)
  for (const one of [quiz, other]) await submit(creator.client, one, 0, 'ada@exemple.fr')
  await submit(creator.client, quiz, 1, 'alan@exemple.fr')
  const period = page.getByLabel('Supprimer les réponses après')

  await test.step('the retention period is shown after it is loaded', async () => {
    const call = '**/retention'
    await page.route(call, (route) =>
      route.fulfill({ status: 503, json: { error: 'Panne passagère' } }),
    )
    await page.goto(`/quiz/${quiz.id}/statistics`)
    await expect(page.getByRole('alert')).toHaveText('Erreur: Panne passagère')
    await expect(period).toBeDisabled()
    await expect(period).not.toContainText('Sans limite')
    await expect(page.getByText('sans limite')).toHaveCount(0)
    await page.unroute(call)
    await page.reload()
    await expect(page.getByText('Les réponses sont conservées sans limite.')).toBeVisible()
    await expect(period).toHaveValue('never')
  })

  const person = page.getByLabel('Adresse email, dans tous vos quiz et sondages')
  await page.getByRole('button', { name: 'Télécharger ses données' }).press('Enter')
  await expect(page.getByText('Indiquez l’adresse de la personne.')).toBeVisible()
  await expect(person).toBeFocused()
  await person.fill('ADA@exemple.fr')
  const coming = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Télécharger ses données' }).press('Enter')
  const given = JSON.parse(readFileSync(await (await coming).path(), 'utf8')) as {
    responses: unknown[]
  }
  expect(given.responses).toHaveLength(2)
  await page.getByRole('button', { name: 'Supprimer ses données' }).press('Enter')
  await expect(page.getByText(/^Supprimer 2 participations de ADA@exemple.fr/)).toBeVisible()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Supprimer' }).press('Enter')
  await expect(page.getByText(/^2 participations supprimées dans tous vos quiz/)).toBeVisible()
  await expect(page.getByText('1 participant', { exact: true })).toBeVisible()
  await period.selectOption('12 mois')
  await expect(page.getByText(/^Aucune suppression n’est prévue/)).toBeVisible()
  await expectAccessible(page)
  await page.reload()
  await expect(period).toHaveValue('12')
  await page.setViewportSize({ width: 390, height: 844 })
  await expectAccessible(page)
})

test('an open screen shows new participants by stream or by polling, and can follow them live', async ({
  page,
  creator,
}) => {
  const quiz = await publishedScoreQuiz(creator.client)
  await submit(creator.client, quiz, 0, 'ada@exemple.fr')
  await page.goto(`/quiz/${quiz.id}/statistics`)
  await expect(page.getByText('1 participant', { exact: true })).toBeVisible()
  await submit(creator.client, quiz, 1, 'alan@exemple.fr')
  await expect(page.getByText('1 nouveau participant', { exact: true })).toBeVisible()
  await submit(creator.client, quiz, 1, 'zoe@exemple.fr')
  await expect(page.getByText('2 nouveaux participants', { exact: true })).toBeVisible()
  await expect(page.getByText('1 participant', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Actualiser' }).press('Enter')
  await expect(page.getByText('3 participants', { exact: true })).toBeVisible()
  await expect(page.getByText('2 nouveaux participants')).toHaveCount(0)
  await page.getByLabel('Suivre en direct').press('Space')
  await submit(creator.client, quiz, 1, 'nina@exemple.fr')
  await expect(page.getByText('4 participants', { exact: true })).toBeVisible()
  await page.clock.install()
  await page.route('**/responses/live', (route) => route.abort())
  await page.reload()
  await expect(page.getByText('4 participants', { exact: true })).toBeVisible()
  await submit(creator.client, quiz, 1, 'adele@exemple.fr')
  await page.clock.runFor(20_000)
  await expect(page.getByText('1 nouveau participant', { exact: true })).toBeVisible()
})

test('a deletion does not count as a new response, and live updates request nothing while nothing changes', {
  tag: '@rare',
}, async ({ page, creator }) => {
  const quiz = await publishedScoreQuiz(creator.client)
  await submit(creator.client, quiz, 0, 'ada@exemple.fr')
  await submit(creator.client, quiz, 1, 'alan@exemple.fr')
  let nb_read = 0
  page.on('request', (request) => {
    if (request.url().endsWith(`/quizzes/${quiz.id}`)) nb_read++
  })
  // The number of new responses keeps its value from before the deletion.
  await page.route('**/responses/live', (route) =>
    route.fulfill({ contentType: 'text/event-stream', body: 'data: {"nb_responses":2}\n\n' }),
  )
  await page.clock.install()
  await page.goto(`/quiz/${quiz.id}/statistics`)
  await page
    .getByRole('link', { name: /: voir le détail$/ })
    .first()
    .press('Enter')
  await remove(page)
  await expect(page.getByText('1 participant', { exact: true })).toBeVisible()
  await expect(page.getByText('nouveau participant')).toHaveCount(0)
  await page.getByLabel('Suivre en direct').press('Space')
  nb_read = 0
  await page.clock.runFor(5_000)
  expect(nb_read).toBe(0)
})
