import { randomUUID } from 'node:crypto'
import type { Browser, Page } from '@playwright/test'
import { publishedScoreQuiz } from '../../src/server/testing/quizzes/sample-quizzes.ts'
import { answerPage, enableFirstTool, openScreen } from '../support/editor-steps.ts'
import { changeFakeTool, readFakeState } from '../support/fake-tools.ts'
import { expect, expectAccessible, newToolKey, test } from '../support/fixtures.ts'
import { cardOf } from '../support/regions.ts'
import { choose, enterEmail, expectResult, resumeRun } from '../support/visitor-steps.ts'

test.use({ creatorIs: 'signed in' })

/** Raises the rate limit of the fake Systeme.io, so that deliveries do not wait for the limit. */
const raiseRateLimit = () => changeFakeTool('systemio', 'switches', { calls: 1_000 })
const FAKE_TOOLS = ['kit', 'systemio', 'brevo'] as const
const TOOLS = ['Kit', 'Systeme.io', 'Brevo']
const BOX = /J’accepte que mon adresse email/
const createEmail = (name: string): string => `${name}-${randomUUID()}@exemple.fr`

const openPageWithoutScripts = async (browser: Browser): Promise<Page> => {
  const context = await browser.newContext({ javaScriptEnabled: false })
  return context.newPage()
}

test('participants who agree arrive at each tool with their result, and the sums of the ledger balance', async ({
  page,
  creator,
  visitor,
  browser,
}) => {
  // Three visitors, three tools and many screens take longer than the timeout of a normal test.
  test.slow()
  const { client } = creator
  const { id } = await publishedScoreQuiz(client)
  await raiseRateLimit()
  const [agrees, declines, plain] = [
    createEmail('oui'),
    createEmail('non'),
    createEmail('sans-script'),
  ]

  await test.step('the creator connects and enables three tools', async () => {
    await client.integrations.saveSystemio({ body: { api_key: newToolKey('systemio') } })
    await client.integrations.saveBrevo({ body: { api_key: newToolKey('brevo') } })
    await page.goto(`/quiz/${id}/settings?onglet=integrations`)
    await cardOf(page, 'Kit').getByRole('button', { name: 'Connecter Kit' }).click()
    await page.getByRole('button', { name: 'Continuer vers Kit' }).click()
    await expect(page.getByText('Kit est connecté.')).toBeVisible()
    await visitor.goto(`/q/${id}`)
    await enableFirstTool(page, cardOf(page, 'Kit'), { hasBox: true })
    for (const name of ['Systeme.io', 'Brevo']) {
      await cardOf(page, name).getByRole('switch').click()
      await expect(cardOf(page, name).getByRole('switch')).toBeChecked()
    }
    await expectAccessible(page)
  })

  await test.step('the consent box is unticked at first, and a reload keeps the visitor’s tick', async () => {
    await expect
      .poll(async () => (await fetch(`${new URL(page.url()).origin}/q/${id}`)).text())
      .toContain('J’accepte que mon adresse email')
    await visitor.goto(`/q/${id}`)
    await choose(visitor, 'Rempli')
    const box = visitor.getByRole('checkbox', { name: BOX })
    await expect(box).not.toBeChecked()
    await box.check()
    await visitor.getByLabel('Où vous écrire ?').fill(agrees)
    await visitor.reload()
    await resumeRun(visitor)
    await expect(box).toBeChecked()
    await expectAccessible(visitor, ['.q-next'])
    await enterEmail(visitor, agrees)
    await expectResult(visitor, 'Pas à pas')
  })

  await test.step('a visitor who leaves the box unticked still gets the result', async () => {
    const other = await (await browser.newContext()).newPage()
    await other.goto(`/q/${id}`)
    await choose(other, 'Libre')
    await enterEmail(other, declines)
    await expectResult(other, 'Grand saut')
    await other.context().close()
  })

  await test.step('a third visitor agrees without scripts', async () => {
    const other = await openPageWithoutScripts(browser)
    await other.goto(`/q/${id}`)
    await answerPage(other, { choose: ['Libre'] })
    await other.getByRole('checkbox', { name: BOX }).check()
    await other.getByLabel('Où vous écrire ?').fill(plain)
    await other.getByRole('button', { name: 'Voir le résultat' }).last().click()
    await expectResult(other, 'Grand saut')
    await other.context().close()
  })

  await test.step('each tool has the two visitors who agreed, with their results, and not the third', async () => {
    for (const tool of FAKE_TOOLS) {
      await expect.poll(() => readFakeState(tool)).toContain(agrees)
      await expect.poll(() => readFakeState(tool)).toContain(plain)
      expect(await readFakeState(tool)).not.toContain(declines)
    }
    for (const tool of FAKE_TOOLS) {
      const state = await readFakeState(tool)
      for (const [email, result] of [
        [agrees, 'Pas à pas'],
        [plain, 'Grand saut'],
      ] as const) {
        const [, about = '', ...more] = state.split(email)
        expect(about.slice(0, 300)).toContain(result)
        expect(more).toEqual([])
      }
    }
  })

  await test.step('the delivery screen shows two sent contacts and one refusal', async () => {
    await openScreen(page, `/quiz/${id}/envois`)
    for (const name of TOOLS)
      await expect(page.getByRole('region', { name, exact: true })).toContainText(
        '3 participants = 2 envoyés + 1 sans consentement',
      )
    await page.getByLabel('Rechercher un participant').fill(declines)
    await expect(page.getByRole('row')).toHaveCount(4)
    await expect(page.getByRole('row').nth(1)).toContainText('Sans consentement')
    await expectAccessible(page)
  })

  await test.step('the creator tests a tool with their own address', async () => {
    const card = page.getByRole('region', { name: 'Brevo', exact: true })
    await card.getByText('Tester l’envoi').click()
    await card.getByRole('button', { name: 'Envoyer' }).click()
    await expect(card.getByText('Le contact est arrivé.')).toBeVisible()
    await expect(card.getByText(`"email": "${creator.email}"`)).toBeVisible()
  })

  await test.step('the statistics show how many participants agreed', async () => {
    await openScreen(page, `/quiz/${id}/statistics`)
    await expect(page.getByText('2 sur 3 participants ont accepté · 66,7 %')).toBeVisible()
  })
})

test('the consent box has the text of the creator, and is absent if the questionnaire announces the transfer', {
  tag: '@rare',
}, async ({ page, creator, visitor }) => {
  const { client } = creator
  const { id } = await publishedScoreQuiz(client)
  await client.integrations.saveBrevo({ body: { api_key: newToolKey('brevo') } })
  await client.integrations.setBrevo({ id, body: { enabled: true } })
  await client.quizzes.update({ id, body: { consent_mode: 'box' } })
  await page.goto(`/quiz/${id}/settings`)
  await page.getByRole('tab', { name: 'Intégrations' }).click()
  await page.getByLabel('Texte de la case').fill('Oui, écrivez-moi')
  await expect
    .poll(async () => (await client.quizzes.get({ id })).quiz.consent_text)
    .toBe('Oui, écrivez-moi')
  await visitor.goto(`/q/${id}`)
  await choose(visitor, 'Libre')
  await expect(visitor.getByRole('checkbox', { name: 'Oui, écrivez-moi' })).not.toBeChecked()
  await page.getByRole('button', { name: 'Reprendre le texte proposé' }).press('Enter')
  await expect(page.getByLabel('Texte de la case')).toHaveValue(BOX)
  await expect(page.getByLabel('Texte de la case')).toBeFocused()
  await page.getByLabel("Sans case : mon questionnaire annonce l'envoi").click()
  const dialog = page.getByRole('alertdialog')
  await expect(dialog).toContainText('Vous devez pouvoir prouver')
  await dialog.getByRole('button').last().click()
  await expect
    .poll(async () => (await client.quizzes.get({ id })).quiz.consent_mode)
    .toBe('requested')
  await openScreen(page, `/quiz/${id}/preview`)
  await choose(page, 'Libre')
  await expect(page.getByLabel('Où vous écrire ?')).toBeVisible()
  await expect(page.getByRole('checkbox')).toHaveCount(0)
})

test('the first switch of a quiz asks how participants agree, and the consent box is selected in advance', {
  tag: '@dom',
}, async ({ page, creator: { client } }) => {
  // Two quizzes and a delivery take longer than the timeout of a normal test.
  test.slow()
  const { id } = await publishedScoreQuiz(client)
  await raiseRateLimit()
  await client.integrations.saveBrevo({ body: { api_key: newToolKey('brevo') } })
  await client.integrations.saveSystemio({ body: { api_key: newToolKey('systemio') } })
  await page.goto(`/quiz/${id}/settings`)
  await page.getByRole('tab', { name: 'Intégrations' }).click()
  const brevo = cardOf(page, 'Brevo')
  const isOn = async (id: string) => (await client.integrations.ofQuiz({ id })).brevo.enabled
  const modeOf = async () => (await client.quizzes.get({ id })).quiz.consent_mode

  await test.step('closing the dialog without an answer enables nothing', async () => {
    await brevo.getByRole('switch').click()
    await page.getByRole('dialog').getByRole('button', { name: 'Annuler' }).click()
    await expect(brevo.getByRole('switch')).not.toBeChecked()
    expect(await isOn(id)).toBe(false)
    expect(await modeOf()).toBe('requested')
  })

  await test.step('the consent box is stored before the tool is enabled', async () => {
    await enableFirstTool(page, brevo, { hasBox: true })
    await expect.poll(() => isOn(id)).toBe(true)
    expect(await modeOf()).toBe('box')
    await expect(page.getByLabel('Texte de la case')).toBeVisible()
  })

  await test.step('the second tool is enabled without a question', async () => {
    await cardOf(page, 'Systeme.io').getByRole('switch').click()
    await expect(cardOf(page, 'Systeme.io').getByRole('switch')).toBeChecked()
    await brevo.getByRole('switch').click()
    await expect(brevo.getByRole('switch')).not.toBeChecked()
    await brevo.getByRole('switch').click()
    await expect(brevo.getByRole('switch')).toBeChecked()
  })

  await test.step('without the box, every address is forwarded', async () => {
    const other = await publishedScoreQuiz(client)
    await page.goto(`/quiz/${other.id}/settings`)
    await page.getByRole('tab', { name: 'Intégrations' }).click()
    await enableFirstTool(page, brevo, { hasBox: false })
    await expect.poll(() => isOn(other.id)).toBe(true)
    const { quiz } = await client.quizzes.get({ id: other.id })
    expect(quiz.consent_mode).toBe('requested')
    const email = createEmail('annonce')
    const answers = { [other.question_id]: other.answer_ids[0] ?? '', [other.open_id]: email }
    await client.publicQuiz.submit({
      id: other.id,
      body: { answers, email, participant_uuid: randomUUID() },
    })
    await expect.poll(() => readFakeState('brevo')).toContain(email)
  })
})

test('a refused account and a missing email question are reported on the screens concerned', {
  tag: ['@dom', '@rare'],
}, async ({ page, creator: { client } }) => {
  const { quiz } = await client.quizzes.create({ body: { name: 'Sans adresse', type: 'sondage' } })
  await client.integrations.saveBrevo({ body: { api_key: newToolKey('brevo') } })
  await client.integrations.setBrevo({ id: quiz.id, body: { enabled: true } })
  const message = 'Brevo n’accepte plus la clé API : enregistrez-en une nouvelle.'
  await page.route('**/api/v1/integrations/brevo/status', (route) =>
    route.fulfill({ json: { configured: true, email: null, needs_attention: true, message } }),
  )
  await page.route('**/api/v1/deliveries/summary', async (route) => {
    const summary = await client.deliveries.summary()
    const providers = summary.providers.map((one) => ({
      ...one,
      needs_attention: one.provider === 'brevo',
    }))
    await route.fulfill({ json: { ...summary, providers } })
  })
  const note = page.getByText(
    'À reconnecter : Brevo. Les participants attendent, aucun n’est perdu.',
  )
  for (const path of ['/dashboard', `/quiz/${quiz.id}/statistics`]) {
    await page.goto(path)
    await expect(note).toBeVisible()
    await expectAccessible(page)
  }
  await openScreen(page, '/settings')
  await expect(cardOf(page, 'Brevo').getByText('À reconnecter', { exact: true })).toBeVisible()
  await expect(cardOf(page, 'Brevo').getByText('Connecté', { exact: true })).toBeHidden()
  await openScreen(page, `/quiz/${quiz.id}/settings`)
  await page.getByRole('tab', { name: 'Intégrations' }).click()
  const lack = page.getByText('Ce questionnaire n’a pas de question email')
  await expect(cardOf(page, 'Brevo').getByText('À reconnecter', { exact: true })).toBeVisible()
  await expect(lack).toBeVisible()
  await expectAccessible(page)
  await openScreen(page, `/quiz/${quiz.id}/envois`)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^Envois\s: /)
  await expect(lack).toBeVisible()
  // The published version decides whether there is an email question, not the draft.
  const ask = (text: string, type: 'number' | 'email') =>
    client.questions.create({ id: quiz.id, body: { text, type } })
  await ask('Votre note ?', 'number')
  await client.quizzes.publish({ id: quiz.id })
  await ask('Où vous écrire ?', 'email')
  await page.reload()
  await expect(lack).toBeVisible()
  await client.quizzes.publish({ id: quiz.id })
  await page.reload()
  await expect(cardOf(page, 'Brevo')).toBeVisible()
  await expect(lack).toHaveCount(0)
})
