import type { Page } from '@playwright/test'
import { clientOf } from '../../scripts/http-client.ts'
import { publishedAnonymousSondage } from '../../src/server/testing/app/campaign-scene.ts'
import { publishSample, readySondage } from '../../src/server/testing/quizzes/sample-quizzes.ts'
import {
  expect,
  expectAccessible,
  PASSWORD,
  storeSession,
  uniqueEmail,
} from '../support/fixtures.ts'
import { testWithMails } from '../support/mail-server.ts'

const test = testWithMails({ AUTH_AUTOCONFIRM: 'true' })
// The journeys run one after the other, so that they share a server.
test.describe.configure({ mode: 'default' })

const LINK = /https?:\/\/\S+\/i\/[\w-]{22}/

/** Signs up a creator in a page. Returns the API client. */
const signUp = async (page: Page, origin: string) => {
  const data = { email: uniqueEmail(), password: PASSWORD }
  const signedUp = await page.request.post(`${origin}/auth/v1/signup`, { data })
  await storeSession(page, await signedUp.text())
  return clientOf(origin, (await signedUp.json()).access_token)
}

/** Fills in the form of a new campaign and creates it. */
const createCampaign = async (page: Page, list: string, isAnonymous = false): Promise<void> => {
  await page.getByRole('link', { name: 'Nouvelle campagne' }).click()
  await page.getByRole('textbox', { name: 'Nom' }).fill('Avis de décembre')
  if (isAnonymous) await page.getByRole('switch', { name: 'Campagne anonyme' }).click()
  await page.getByRole('textbox', { name: 'Coller une liste' }).fill(list)
  await page.getByRole('button', { name: 'Lire cette liste' }).click()
  await expect(page.getByRole('status').getByText('à inviter')).toBeVisible()
  await page.getByRole('checkbox', { name: /Ces personnes me connaissent/ }).check()
  await expectAccessible(page)
  await page.getByRole('button', { name: /^Inviter \d/ }).click()
}

test('a creator pastes a list, people get their link, and the states are right @phone', async ({
  page,
  browser,
  origin,
  catcher,
}) => {
  const client = await signUp(page, origin)
  const { id } = await publishSample(client, readySondage(client))
  const [lea, marc] = [uniqueEmail(), uniqueEmail()]

  await test.step('without a list nothing is sent, and the form says what is missing', async () => {
    await page.goto(`${origin}/quiz/${id}/campagnes`)
    await expect(page.getByText('Aucune campagne', { exact: true })).toBeVisible()
    await expectAccessible(page)
    await page.getByRole('link', { name: 'Nouvelle campagne' }).click()
    await page.getByRole('button', { name: 'Inviter', exact: true }).click()
    await expect(page.getByRole('alert')).toContainText('Ajoutez des personnes.')
    await page.getByRole('link', { name: 'Annuler' }).click()
  })

  await test.step('a list with a wrong line and a duplicate invites two people', async () => {
    await createCampaign(page, `${lea};Léa;Martin;Lille\n${lea};Léa\npas une adresse\n${marc};Marc`)
    await expect(page.getByText('0 réponse sur 2')).toBeVisible()
    await expectAccessible(page)
  })

  const mail = await catcher.next(lea)
  const link = LINK.exec(mail.text)?.[0] ?? ''
  const context = await browser.newContext({ viewport: { width: 390, height: 844 } })
  const visitor = await context.newPage()

  await test.step('the invited person replies with the link, on the second page with the address', async () => {
    await visitor.goto(link)
    await visitor.getByText('Rempli').click()
    await visitor.getByRole('button', { name: 'Suivant' }).click()
    await expect(visitor.getByRole('textbox')).toHaveValue(lea)
    await visitor.getByRole('button', { name: /Envoyer|Terminer|Voir/ }).click()
    await expect(visitor.getByRole('heading', { name: /Merci/ })).toBeVisible()
  })

  await test.step('the screen shows who has replied, and the link says so', async () => {
    await page.reload()
    await expect(page.getByText('1 réponse sur 2')).toBeVisible()
    await expect(page.getByRole('listitem').filter({ hasText: lea })).toContainText('Répondu')
    await expect(page.getByRole('listitem').filter({ hasText: marc })).toContainText('Invité')
    const other = await (await browser.newContext()).newPage()
    await other.goto(link)
    await expect(other.getByText('Chaque personne invitée répond une fois.')).toBeVisible()
    await other.context().close()
  })
  await context.close()
})

test('an anonymous campaign shows who has replied, and no reply before five can be shown', async ({
  page,
  browser,
  origin,
  catcher,
}) => {
  const client = await signUp(page, origin)
  const { id } = await publishedAnonymousSondage(client)
  const lea = uniqueEmail()
  await page.goto(`${origin}/quiz/${id}/campagnes`)
  await createCampaign(page, [lea, uniqueEmail(), uniqueEmail()].join('\n'), true)
  const mail = await catcher.next(lea)
  const context = await browser.newContext()
  const visitor = await context.newPage()
  await visitor.goto(LINK.exec(mail.text)?.[0] ?? '')
  await visitor.getByText('Bon').click()
  await visitor.getByRole('button', { name: /Envoyer|Terminer|Suivant/ }).click()
  await expect(visitor.getByRole('heading', { name: /Merci/ })).toBeVisible()
  await context.close()
  await page.reload()
  await expect(page.getByText('1 réponse sur 3')).toBeVisible()
  expect((await client.quizzes.get({ id })).quiz.nb_responses).toBe(0)
})
