import { randomUUID } from 'node:crypto'
import type { Client } from '../../src/contract/client/client.ts'
import {
  type FakeReceiver,
  startReceiver,
} from '../../src/server/testing/fakes/webhook-receiver.ts'
import {
  publishedScoreQuiz,
  type SampleQuiz,
} from '../../src/server/testing/quizzes/sample-quizzes.ts'
import { changeFakeTool, readFakeState } from '../support/fake-tools.ts'
import { expect, expectAccessible, newToolKey, test } from '../support/fixtures.ts'
import { rowOf } from '../support/regions.ts'

test.use({ creatorIs: 'signed in' })

let receiver: FakeReceiver
test.beforeAll(async () => {
  receiver = await startReceiver()
})
test.afterAll(() => receiver.close())

const readBrevoState = (): Promise<string> => readFakeState('brevo')
const failBrevo = (fault: object) => changeFakeTool('brevo', 'faults', fault)

/** Creates a quiz that sends to Brevo and a webhook. `submitAndDeliver` adds a participant and awaits both deliveries. */
const createQuizWithBrevo = async (client: Client, name: string) => {
  const quiz = await publishedScoreQuiz(client)
  const { id } = quiz
  await client.integrations.saveBrevo({ body: { api_key: newToolKey('brevo') } })
  await client.quizzes.update({ id, body: { consent_mode: 'requested' } })
  await client.integrations.setBrevo({ id, body: { enabled: true } })
  const { secret } = await client.webhooks.add({ id, body: { url: receiver.urlOf(name) } })
  receiver.verifyAt(name, secret)
  const submitAndDeliver = async (email: string): Promise<void> => {
    await submit(client, quiz, email)
    await expect.poll(readBrevoState).toContain(email)
    await expect.poll(() => countDelivered(client, id, email)).toBe(2)
  }
  return { id, submitAndDeliver }
}
const submit = (client: Client, quiz: SampleQuiz, email: string) =>
  client.publicQuiz.submit({
    id: quiz.id,
    body: { answers: { [quiz.question_id]: quiz.answer_ids[0] ?? '', [quiz.open_id]: email } },
  })
const countDelivered = async (client: Client, id: string, email: string): Promise<number> =>
  (await client.deliveries.list({ id, email })).deliveries.filter(
    ({ status }) => status === 'delivered',
  ).length

const createEmail = (name: string): string => `${name}-${randomUUID()}@exemple.fr`

test(
  'deleting a participant also deletes them at chosen tools, notifies webhooks and lists the answers @phone',
  { tag: '@dom' },
  async ({ page, creator }, { project }) => {
    // Two participants and a retried deletion take longer than the timeout of a normal test.
    test.slow()
    const { client } = creator
    const name = `effacement-${project.name}`
    const { id, submitAndDeliver } = await createQuizWithBrevo(client, name)
    const [goes, stays] = [createEmail('part'), createEmail('reste')]
    await submitAndDeliver(stays)
    await submitAndDeliver(goes)
    await page.goto(`/quiz/${id}/statistics`)
    await rowOf(page, goes).press('Enter')
    const drawer = page.getByRole('dialog', { name: goes })
    const dialog = page.getByRole('dialog', { name: 'Confirmation' })
    const brevo = dialog.getByRole('group', { name: 'Dans Brevo' })

    await test.step('no deletion is selected in advance, and Escape deletes nothing', async () => {
      await drawer.getByRole('button', { name: 'Supprimer ce participant' }).press('Enter')
      await expect(brevo.getByLabel('Ne rien y faire')).toBeChecked()
      await expect(dialog).toContainText('Le webhook qui a reçu cette personne en sera prévenu.')
      await expectAccessible(page)
      await page.emulateMedia({ colorScheme: 'dark' })
      await expectAccessible(page)
      await page.emulateMedia({ colorScheme: 'light' })
      await page.keyboard.press('Escape')
      await expect(dialog).toHaveCount(0)
      await expect(drawer).toBeVisible()
      await expect(drawer.getByRole('button', { name: 'Supprimer ce participant' })).toBeFocused()
    })

    await test.step('the creator selects a deletion at Brevo, and Brevo refuses it', async () => {
      const body = { code: 'invalid_parameter', message: 'non' }
      await failBrevo({ method: 'DELETE', mode: 'before', status: 400, body })
      await page.keyboard.press('Enter')
      await brevo.getByLabel('Ne rien y faire').press('ArrowDown')
      await brevo.getByLabel('La désinscrire').press('ArrowDown')
      await expect(brevo.getByLabel('La supprimer')).toBeChecked()
      await dialog.getByRole('button', { name: 'Supprimer' }).press('Enter')
      await expect(drawer).toHaveCount(0)
      await expect(page.getByText('1 participant', { exact: true })).toBeVisible()
    })

    await test.step('the delivery screen shows the refusal, and a retry deletes the person', async () => {
      await page.goto(`/quiz/${id}/envois`)
      const row = page.getByRole('row').filter({ hasText: 'Suppression' })
      await expect(row).toContainText('Refusé')
      await expect(row).toContainText('L’outil l’a refusé.')
      await expect(page.getByRole('row').filter({ hasText: 'Annonce' })).toContainText(
        'L’adresse a été prévenue.',
      )
      await expectAccessible(page)
      await row.getByRole('button', { name: 'Réessayer' }).press('Enter')
      await expect(row).toContainText('La personne y est supprimée.')
      await expect(page.getByRole('region', { name: 'Tableau des effacements' })).toBeFocused()
      await expect(page.getByText(goes)).toHaveCount(0)
      await expectAccessible(page)
    })

    await test.step('Brevo keeps only the other participant, and the webhook is notified', async () => {
      const state = await readBrevoState()
      expect(state).not.toContain(goes)
      expect(state).toContain(stays)
      const types = receiver
        .receivedAt(name)
        .map(({ text }) => (JSON.parse(text) as { type: string }).type)
      expect(types).toEqual(['response.created', 'response.created', 'person.erased'])
    })
  },
)

test('a person is deleted in every tool that received them if the creator chooses so', {
  tag: ['@dom', '@rare'],
}, async ({ page, creator }) => {
  test.slow()
  const { client } = creator
  const { id, submitAndDeliver } = await createQuizWithBrevo(client, `personne-${randomUUID()}`)
  const [first, second] = [createEmail('une'), createEmail('deux')]
  for (const email of [first, second, createEmail('reste')]) await submitAndDeliver(email)
  await page.goto(`/quiz/${id}/statistics`)
  const field = page.getByLabel('Adresse email, dans tous vos quiz et sondages')
  const dialog = page.getByRole('dialog', { name: 'Confirmation' })
  const ask = async (email: string): Promise<void> => {
    await field.fill(email)
    await page.getByRole('button', { name: 'Supprimer ses données' }).press('Enter')
    await expect(dialog).toContainText(`Supprimer 1 participation de ${email}`)
  }
  await ask(first)
  await dialog.getByRole('button', { name: 'Supprimer' }).press('Enter')
  await expect(page.getByText(/^1 participation supprimée dans tous vos quiz/)).toBeVisible()
  await ask(second)
  await dialog.getByLabel('La désinscrire').check()
  await dialog.getByRole('button', { name: 'Supprimer' }).press('Enter')
  await expect(page.getByText('Brevo : désinscription demandée.')).toBeVisible()
  await page.getByRole('link', { name: 'Envois vers vos outils d’emailing' }).click()
  await expect(page.getByRole('row').filter({ hasText: 'Désinscription' })).toContainText(
    'La personne y est désinscrite.',
  )
  const state = await readBrevoState()
  expect(state).toContain(first)
  expect(state.split(second)[1]).toMatch(/^[^}]*\}?[^}]*"emailBlacklisted":true/)
})
