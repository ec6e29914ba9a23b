import { randomUUID } from 'node:crypto'
import type { APIResponse, Locator, Page } from '@playwright/test'
import type { Client } from '../../src/contract/client/client.ts'
import {
  publishedScoreQuiz,
  type SampleQuiz,
} from '../../src/server/testing/quizzes/sample-quizzes.ts'
import { answerPage } from '../support/editor-steps.ts'
import { readFakeState } from '../support/fake-tools.ts'
import { expect, expectAccessible, newToolKey, test } from '../support/fixtures.ts'
import { measureOverflow } from '../support/layout-checks.ts'
import { choose, enterEmail, expectResult } from '../support/visitor-steps.ts'

test.use({ creatorIs: 'signed in' })

const readStoredParameters = async (client: Client, id: string) =>
  (await client.statistics.responses({ id })).details.map(({ parameters }) => parameters)

/** Creates a quiz with seven participants, some of whom have URL parameters. */
const createQuizWithParticipants = async (client: Client): Promise<SampleQuiz> => {
  const quiz = await publishedScoreQuiz(client)
  await client.quizzes.update({ id: quiz.id, body: { parameters: ['ref'] } })
  const addresses = [
    '?utm_source=newsletter&utm_campaign=printemps&ref=atelier',
    '?utm_source=newsletter&utm_campaign=printemps',
    '?utm_source=instagram',
    `?utm_source=${'un-nom-sans-fin-'.repeat(20)}`,
    '?ref=ami',
    '',
    '',
  ]
  for (const [rank, parameters] of addresses.entries())
    await client.publicQuiz.submit({
      id: quiz.id,
      body: {
        answers: {
          [quiz.question_id]: quiz.answer_ids[rank % 2] ?? '',
          [quiz.open_id]: `p${rank}@exemple.fr`,
        },
        parameters,
      },
    })
  return quiz
}

/** Opens the section of the settings screen that says which URL parameters are stored. */
const openSection = async (page: Page, id: string): Promise<Locator> => {
  await page.goto(`/quiz/${id}/settings`)
  await page.getByRole('tab', { name: 'Automatisations' }).click()
  return page.getByRole('region', { name: 'Paramètres de l’adresse' })
}

test('parameter names are stored immediately, an invalid name is refused at its field, and an enabled tool receives the parameters if the creator allows it @phone', {
  tag: '@rare',
}, async ({ page, creator: { client } }) => {
  const { id } = await publishedScoreQuiz(client)
  await client.quizzes.update({ id, body: { consent_mode: 'requested' } })
  await client.integrations.saveBrevo({ body: { api_key: newToolKey('brevo') } })
  await client.integrations.setBrevo({ id, body: { enabled: true } })
  const section = await openSection(page, id)
  const field = page.getByLabel('Autres paramètres à enregistrer')
  const box = section.getByRole('checkbox', { name: 'Dans des champs de Brevo' })
  const readBrevo = async () => (await client.integrations.ofQuiz({ id })).brevo

  await test.step('names are stored and refused', async () => {
    await field.fill('ref, Parrain')
    await expect(section.getByText('« Parrain » : De 1 à 40 caractères')).toBeVisible()
    await expectAccessible(page)
    await field.fill('ref, parrain')
    await field.press('Enter')
    await expect(section.getByText('Enregistré', { exact: true })).toBeVisible()
    await expect(
      section.getByText('?utm_source=newsletter&ref=exemple&parrain=exemple'),
    ).toBeVisible()
    expect((await client.quizzes.get({ id })).quiz.parameters).toEqual(['ref', 'parrain'])
    await field.fill('')
    await field.blur()
    await expect.poll(async () => (await client.quizzes.get({ id })).quiz.parameters).toEqual([])
    await expect(field).toHaveValue('')
    expect(await measureOverflow(page)).toBe(0)
    await expectAccessible(page)
  })
  await test.step('the tool receives the parameters after its box is ticked', async () => {
    await field.fill('ref')
    await field.press('Enter')
    await expect(box).not.toBeChecked()
    await expect(box).toHaveAccessibleDescription(/^Champs UTM_SOURCE, .*, QUIZ_REF\./)
    await box.press('Space')
    await expect(box).toBeChecked()
    await expect.poll(readBrevo).toMatchObject({ enabled: true, sends_parameters: true })
    await expect(box).not.toHaveAttribute('aria-busy')
    expect(await measureOverflow(page)).toBe(0)
    await section.scrollIntoViewIfNeeded()
    await page.evaluate(() => scrollTo(0, 0))
    await expectAccessible(page)
  })
  await test.step('a tool that was disabled in another tab stays disabled', async () => {
    // The page does not learn of the change before the press, even if it reads the switches again meanwhile.
    let first: Promise<APIResponse> | undefined
    await page.route(/\/quizzes\/[^/]+\/integrations$/, async (route) => {
      if (route.request().method() !== 'GET') return route.continue()
      first ??= route.fetch()
      await route.fulfill({ response: await first })
    })
    await openSection(page, id)
    await expect(box).toBeChecked()
    await client.integrations.setBrevo({ id, body: { enabled: false } })
    await box.press('Space')
    await expect.poll(readBrevo).toMatchObject({ enabled: false, sends_parameters: false })
  })
})

/** Returns the attributes of a contact at the fake Brevo; empty if Brevo does not have the contact. */
const readBrevoAttributes = async (email: string): Promise<Record<string, unknown>> => {
  const state = JSON.parse(await readFakeState('brevo')) as {
    contacts: { email: string; attributes: Record<string, unknown> }[]
  }[]
  const people = state.flatMap(({ contacts }) => contacts)
  return people.find((one) => one.email === email)?.attributes ?? {}
}

test('URL parameters are stored with the participant, even after a reload, and sent to the fields of a tool', {
  tag: '@rare',
}, async ({ creator: { client }, visitor }) => {
  const { id } = await publishedScoreQuiz(client)
  await client.quizzes.update({ id, body: { parameters: ['ref'], consent_mode: 'requested' } })
  await client.integrations.saveBrevo({ body: { api_key: newToolKey('brevo') } })
  await client.integrations.setBrevo({ id, body: { enabled: true, sends_parameters: true } })
  const email = `venue-${randomUUID()}@exemple.fr`
  await visitor.goto(
    `/q/${id}?utm_source=lettre%20d%27avril&ref=%00a&constructor=x&__proto__=y&z=%FF`,
  )
  await choose(visitor, 'Rempli')
  await visitor.reload()
  await enterEmail(visitor, email)
  await expectResult(visitor, 'Pas à pas')
  await expect
    .poll(() => readStoredParameters(client, id))
    .toEqual([{ utm_source: "lettre d'avril", ref: 'a' }])
  await expect
    .poll(() => readBrevoAttributes(email))
    .toEqual({ RESULTAT_QUIZ: 'Pas à pas', UTM_SOURCE: "lettre d'avril", QUIZ_REF: 'a' })
})

test('without scripts the forms carry the URL parameters from page to page', {
  tag: '@rare',
}, async ({ creator, browser }) => {
  const { client } = creator
  const { id } = await publishedScoreQuiz(client)
  const context = await browser.newContext({ javaScriptEnabled: false })
  const plain = await context.newPage()
  await plain.goto(`/q/${id}?utm_source=lettre&utm_content=%22%3E%3Cb`)
  await answerPage(plain, { choose: ['Libre'] })
  await plain.getByRole('button', { name: 'Précédent' }).click()
  await plain.getByRole('button', { name: 'Suivant' }).click()
  await plain.getByLabel('Où vous écrire ?').fill('camille@exemple.fr')
  await plain.getByRole('button', { name: 'Voir le résultat' }).click()
  await expect(plain.getByRole('heading', { level: 1 })).toHaveText('Grand saut')
  expect(await readStoredParameters(client, id)).toEqual([
    { utm_source: 'lettre', utm_content: '"><b' },
  ])
  await context.close()
})

test('the statistics show the sources and filter by them on a tap, and the participant’s detail shows them @phone', {
  tag: '@rare',
}, async ({ page, creator }) => {
  const quiz = await createQuizWithParticipants(creator.client)
  await page.goto(`/quiz/${quiz.id}/statistics`)
  const sources = page.getByRole('region', { name: 'Sources' })
  await expect(sources.getByRole('heading', { level: 3 })).toHaveText([
    'Source (utm_source)',
    'Campagne (utm_campaign)',
    'ref',
  ])
  const list = sources.getByRole('toolbar', { name: 'Filtrer par utm_source' })
  await expect(list.getByRole('button').first()).toHaveText(/^newsletter2 sur 7 · 28,6\u00a0%$/)
  await expect(list.getByRole('button').last()).toHaveText(/^Sans utm_source3 sur 7/)
  expect(await measureOverflow(page)).toBe(0)
  await expectAccessible(page)

  await list.getByRole('button', { name: 'newsletter' }).click()
  await expect(page.getByText('2 sur 7 participants', { exact: true })).toBeVisible()
  await expect(list.getByRole('button', { name: 'newsletter' })).toBeFocused()
  const chips = page.getByRole('list', { name: 'Filtres' })
  await expect(chips.getByRole('button')).toHaveText(['utm_source : newsletter'])
  await expect(page).toHaveURL(/parameters=utm_source%3Dnewsletter/)
  // Axe measures only the part of a control that the links to the sections leave free, and at the top they cover none.
  await page.evaluate(() => scrollTo(0, 0))
  await expectAccessible(page)
  await chips.getByRole('button').click()
  await expect(page.getByText('7 participants', { exact: true })).toBeVisible()

  const without = sources.getByRole('button', { name: 'Sans utm_source' })
  await without.press('Enter')
  await expect(page.getByText('3 sur 7 participants', { exact: true })).toBeVisible()
  await expect(without).toBeFocused()
  await expect(without).toHaveAttribute('aria-pressed', 'true')
  await page.reload()
  await expect(chips.getByRole('button')).toHaveText(['Sans utm_source'])
  await page.getByRole('combobox', { name: 'Source' }).selectOption('ami')
  await expect(page.getByText('1 sur 7 participants', { exact: true })).toBeVisible()
  await expect(chips.getByRole('button')).toHaveText(['ref : ami', 'Sans utm_source'])
  for (const name of ['Sans utm_source', 'ref : ami'])
    await chips.getByRole('button', { name }).click()
  await expect(page.getByText('7 participants', { exact: true })).toBeVisible()
  await page.getByRole('combobox', { name: 'Source' }).selectOption('atelier')
  await expect(chips.getByRole('button')).toHaveText(['ref : atelier'])
  await expect(page.getByText('1 sur 7 participants', { exact: true })).toBeVisible()
  await page.getByRole('row').getByRole('link').first().click()
  const drawer = page.getByRole('dialog')
  await expect(drawer).toContainText('Source (utm_source)newsletter')
  await expect(drawer).toContainText('refatelier')
  await expectAccessible(page)
})
