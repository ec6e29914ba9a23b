import { Webhook } from 'standardwebhooks'
import type { Client } from '../../src/contract/client/client.ts'
import {
  type FakeReceiver,
  startReceiver,
} from '../../src/server/testing/fakes/webhook-receiver.ts'
import {
  publishedScoreQuiz,
  type SampleQuiz,
} from '../../src/server/testing/quizzes/sample-quizzes.ts'
import { openScreen } from '../support/editor-steps.ts'
import { expect, expectAccessible, test } from '../support/fixtures.ts'
import { choose, enterEmail, expectResult } from '../support/visitor-steps.ts'

test.use({ creatorIs: 'signed in' })

let receiver: FakeReceiver
test.beforeAll(async () => {
  receiver = await startReceiver()
})
test.afterAll(() => receiver.close())

const submit = (
  client: Client,
  { id, question_id, answer_ids, open_id }: SampleQuiz,
  email: string,
) =>
  client.publicQuiz.submit({
    id,
    body: { answers: { [question_id]: answer_ids[0] ?? '', [open_id]: email } },
  })

test(
  'a creator adds and tests a webhook, a visitor answers, the webhook receives the answers, and the ledger shows it @phone',
  { tag: '@rare' },
  async ({ page, creator, visitor }, { project }) => {
    const { client } = creator
    const { id } = await publishedScoreQuiz(client)
    const name = `e2e-${project.name}`
    const url = receiver.urlOf(name)
    const line = page.getByRole('listitem').filter({ hasText: url })
    let secret = ''

    await test.step('an address without https is refused under its field', async () => {
      await page.goto(`/quiz/${id}/settings`)
      await page.getByRole('tab', { name: 'Automatisations' }).click()
      await expect(page.getByText('Aucun webhook')).toBeVisible()
      await page.getByLabel('Adresse d’un nouveau webhook').fill('http://exemple.fr')
      await page.getByRole('button', { name: 'Ajouter' }).click()
      await expect(page.getByText('L’adresse doit commencer par https://')).toBeVisible()
      await expect(page.getByLabel('Adresse d’un nouveau webhook')).toBeFocused()
      // The page scrolls to the top, because on a phone axe would report steps behind the sticky header as small.
      await page.evaluate(() => scrollTo(0, 0))
      await expectAccessible(page)
    })

    await test.step('the secret of a new webhook is shown once and gets the focus', async () => {
      await page.getByLabel('Adresse d’un nouveau webhook').fill(url)
      await page.getByRole('button', { name: 'Ajouter' }).click()
      await expect(page.getByRole('heading', { name: 'Secret du webhook' })).toBeFocused()
      secret = String(await line.locator('code').textContent())
      expect(secret).toMatch(/^whsec_/)
      receiver.verifyAt(name, secret)
      await expectAccessible(page)
      await line.getByRole('button', { name: 'Masquer le secret' }).click()
      await expect(line.locator('code')).toHaveCount(0)
    })

    await test.step('« Tester » shows the response of the webhook address', async () => {
      await line.getByRole('button', { name: 'Tester' }).click()
      await expect(line).toContainText('Le test est arrivé : l’adresse a répondu 204.')
      receiver.fail({ path: `/hooks/${name}`, mode: 'before', status: 500, body: 'En panne' })
      await line.getByRole('button', { name: 'Tester' }).click()
      await expect(line).toContainText('L’adresse a répondu 500')
      await expect(line).toContainText('En panne')
      await expectAccessible(page)
    })

    await test.step('answers given during a pause are delivered with a signature after the pause', async () => {
      await line.getByRole('button', { name: 'Mettre en pause' }).click()
      await expect(line).toContainText('En pause')
      await visitor.goto(`/q/${id}`)
      await choose(visitor, 'Rempli')
      await enterEmail(visitor, 'camille@exemple.fr')
      await expectResult(visitor, 'Pas à pas')
      await line.getByRole('button', { name: 'Reprendre' }).click()
      await expect(line).toContainText('Actif')
      const ofParticipants = () =>
        receiver.receivedAt(name).filter(({ text }) => text.includes('response.created'))
      await expect.poll(() => ofParticipants().length).toBe(1)
      const [{ text, headers } = { text: '', headers: {} }] = ofParticipants()
      const event = new Webhook(secret).verify(text, headers) as { data: { email: string } }
      expect(event.data.email).toBe('camille@exemple.fr')
    })

    await test.step('the delivery screen lists the webhook', async () => {
      await page.getByRole('link', { name: 'Voir les envois' }).click()
      const card = page.getByRole('region', { name: new RegExp(`^Webhook : .*/hooks/${name}$`) })
      await expect(card).toContainText('1 participant = 1 envoyé')
      await expect(page.getByRole('cell', { name: /^Webhook : / })).toHaveCount(1)
      await expectAccessible(page)
    })

    await test.step('a new secret and the previous secret both sign, and a deleted webhook disappears', async () => {
      await openScreen(page, `/quiz/${id}/settings?onglet=automatisations`)
      await line.getByRole('button', { name: 'Nouveau secret' }).click()
      await page.getByRole('alertdialog').getByRole('button', { name: 'Créer' }).click()
      await expect(line).toContainText('L’ancien secret signe aussi jusqu’au')
      expect(await line.locator('code').textContent()).not.toBe(secret)
      await line.getByRole('button', { name: 'Supprimer' }).click()
      await page.getByRole('alertdialog').getByRole('button', { name: 'Supprimer' }).click()
      await expect(page.getByText('Aucun webhook')).toBeVisible()
      await expect(page.locator('h1')).toBeFocused()
    })
  },
)

test(
  'text that is typed while a webhook is stored stays, and each secret is shown until it is hidden',
  { tag: '@dom' },
  async ({ page, creator: { client } }, { project }) => {
    const { id } = await publishedScoreQuiz(client)
    const [first, second, third] = ['une', 'deux', 'trois'].map((name) =>
      receiver.urlOf(`${name}-${project.name}`),
    ) as [string, string, string]
    const lineOf = (url: string) => page.getByRole('listitem').filter({ hasText: url })
    let held = Promise.withResolvers<void>()
    await page.route(`**/quizzes/${id}/webhooks**`, async (route) => {
      if (route.request().method() !== 'GET') await held.promise
      await route.continue()
    })
    const waitForSave = () =>
      page.waitForRequest((request) => /^(POST|PATCH|PUT)$/.test(request.method()))
    await page.goto(`/quiz/${id}/settings`)
    await page.getByRole('tab', { name: 'Automatisations' }).click()
    const address = page.getByLabel('Adresse d’un nouveau webhook')
    await address.fill(first)
    const adding = waitForSave()
    await address.press('Enter')
    await adding
    await address.fill(second)
    held.resolve()
    await expect(lineOf(first).locator('code')).toHaveText(/^whsec_/)
    const add = page.getByRole('button', { name: 'Ajouter', exact: true })
    await expect(add).not.toHaveAttribute('aria-busy')
    await expect(address).toHaveValue(second)
    await add.click()
    for (const url of [first, second])
      await expect(lineOf(url).locator('code')).toHaveText(/^whsec_/)
    await expect(address).toHaveValue('')

    held = Promise.withResolvers()
    await lineOf(second).getByRole('button', { name: 'Changer l’adresse' }).click()
    const other = page.getByLabel('Nouvelle adresse')
    const save = page.getByRole('button', { name: 'Enregistrer', exact: true })
    await other.fill(third)
    const changing = waitForSave()
    await other.press('Enter')
    await changing
    await other.fill(second)
    held.resolve()
    await expect(lineOf(third)).toBeVisible()
    await expect(save).not.toHaveAttribute('aria-busy')
    await expect(other).toHaveValue(second)
    await save.click()
    await expect(other).toHaveCount(0)
    await expect(lineOf(second).getByRole('heading', { level: 3 })).toBeFocused()
  },
)

test(
  'a secret stays while another tab is shown, and takes the focus once',
  { tag: '@dom' },
  async ({ page, creator: { client } }, { project }) => {
    const { id } = await publishedScoreQuiz(client)
    await page.goto(`/quiz/${id}/settings`)
    const tab = page.getByRole('tab', { name: 'Automatisations' })
    await tab.click()
    const address = page.getByLabel('Adresse d’un nouveau webhook')
    await address.fill(receiver.urlOf(`onglet-${project.name}`))
    await address.press('Enter')
    const title = page.getByRole('heading', { name: 'Secret du webhook' })
    await expect(title).toBeFocused()
    const code = page.locator('li code')
    const secret = String(await code.textContent())
    await tab.press('ArrowRight')
    await expect(title).toHaveCount(0)
    const access = page.getByRole('tab', { name: 'Accès' })
    await access.press('ArrowLeft')
    await expect(code).toHaveText(secret)
    await expect(tab).toBeFocused()
    await page.getByRole('button', { name: 'Masquer le secret' }).click()
    await expect(title).toHaveCount(0)
    await tab.press('ArrowRight')
    await expect(access).toHaveAttribute('aria-selected', 'true')
    await access.press('ArrowLeft')
    await expect(address).toBeVisible()
    await expect(title).toHaveCount(0)
  },
)

test(
  'a creator restarts a webhook that needs attention with the keyboard',
  { tag: ['@dom', '@rare'] },
  async ({ page, creator: { client } }, { project }) => {
    const quiz = await publishedScoreQuiz(client)
    const { id } = quiz
    const name = `relance-${project.name}`
    const url = receiver.urlOf(name)
    await client.webhooks.add({ id, body: { url } })
    receiver.fail({ path: `/hooks/${name}`, mode: 'before', status: 410 })
    await submit(client, quiz, 'ada@exemple.fr')
    await expect
      .poll(async () => (await client.webhooks.list({ id })).webhooks[0]?.state)
      .toBe('needs_attention')
    await page.goto(`/quiz/${id}/settings`)
    await page.getByRole('tab', { name: 'Automatisations' }).click()
    const line = page.getByRole('listitem').filter({ hasText: url })
    await line.getByRole('button', { name: 'Relancer' }).press('Enter')
    await expect(line).toContainText('Actif')
    await expect(line.getByRole('button', { name: 'Relancer' })).toHaveCount(0)
    await expect(line.getByRole('heading')).toBeFocused()
  },
)

test(
  'a failed search keeps the listed deliveries and can be retried',
  { tag: ['@dom', '@rare'] },
  async ({ page, creator: { client } }, { project }) => {
    const quiz = await publishedScoreQuiz(client)
    await client.webhooks.add({
      id: quiz.id,
      body: { url: receiver.urlOf(`recherche-${project.name}`) },
    })
    const email = 'ada@exemple.fr'
    await submit(client, quiz, email)
    await page.goto(`/quiz/${quiz.id}/envois`)
    const found = page.getByRole('cell', { name: email })
    await expect(found).toBeVisible()

    const waitForSave = new Set<string>()
    const call = /\/deliveries\?(.*&)?email=/
    await page.route(call, (route) => {
      waitForSave.add(route.request().url())
      return route.fulfill({ status: 503, json: { error: 'Panne passagère' } })
    })
    const search = page.getByLabel('Rechercher un participant')
    await search.pressSequentially(email)
    await expect(page.getByRole('alert')).toContainText('Panne passagère')
    await expect(search).toHaveValue(email)
    await expect(search).toBeFocused()
    await expect(found).toBeVisible()
    // The search makes fewer calls than there are typed letters.
    expect(waitForSave.size).toBeLessThan(email.length)
    await expectAccessible(page)

    await page.unroute(call)
    await page.getByRole('button', { name: 'Réessayer' }).press('Enter')
    await expect(page.getByRole('alert')).toHaveCount(0)
    await expect(found).toBeVisible()
    await expect(page.locator('h1')).toBeFocused()
  },
)

test('the button that adds a webhook does not move while slow cards of its tab are loaded', {
  tag: '@rare',
}, async ({ page, creator: { client } }) => {
  const { id } = await publishedScoreQuiz(client)
  const slow = ['automations', 'mails', 'integrations', 'status'].map(
    (name) => `**/api/v1/**/${name}`,
  )
  for (const pattern of slow)
    await page.route(pattern, async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 1_500))
      await route.continue()
    })
  await page.goto(`/quiz/${id}/settings`)
  await page.getByRole('tab', { name: 'Automatisations' }).click()
  const button = page.getByRole('button', { name: 'Ajouter', exact: true })
  await expect(button).toBeVisible()
  const measureTop = (): Promise<number> =>
    button.evaluate((element) => element.getBoundingClientRect().top + scrollY)
  const top = await measureTop()
  await page.waitForLoadState('networkidle')
  await expect(page.getByText('Chargement')).toHaveCount(0)
  expect(await measureTop()).toBe(top)
})
