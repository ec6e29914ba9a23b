import { clientOf } from '../../scripts/http-client.ts'
import { publishedScoreQuiz } from '../../src/server/testing/quizzes/sample-quizzes.ts'
import {
  expect,
  expectAccessible,
  PASSWORD,
  storeSession,
  uniqueEmail,
} from '../support/fixtures.ts'
import { atEachWidth, measureOverflow } from '../support/layout-checks.ts'
import { testWithMails } from '../support/mail-server.ts'

const test = testWithMails({ AUTH_AUTOCONFIRM: 'true' })
// The journeys run one after the other, so that they share a server.
test.describe.configure({ mode: 'default' })

const SHOTS = process.env.SHOTS

test('a creator names the sender, confirms an address for replies with a code, and a quiz has others', async ({
  page,
  origin,
  catcher,
}) => {
  const data = { email: uniqueEmail(), password: PASSWORD }
  const signedUp = await page.request.post(`${origin}/auth/v1/signup`, { data })
  const client = clientOf(origin, (await signedUp.json()).access_token)
  const { id } = await publishedScoreQuiz(client)
  await storeSession(page, await signedUp.text())
  const shoot = async (name: string): Promise<void> => {
    if (!SHOTS) return
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 900 })
      await page.screenshot({ path: `${SHOTS}/${name}-${width}.png`, fullPage: true })
    }
    await page.setViewportSize({ width: 1280, height: 800 })
  }
  const section = page.getByRole('region', { name: 'Envoi des emails' })
  const replies = uniqueEmail()

  await test.step('the name of a bank is refused in words, and a name is stored', async () => {
    await page.goto(`${origin}/settings`)
    const name = section.getByLabel('Nom de l’expéditeur')
    await name.fill('Banque de France')
    await name.press('Enter')
    await expect(section).toContainText('ferait croire à un message de « Banque de France »')
    await expect(name).toBeFocused()
    await name.fill('Dupont, Marie')
    await name.press('Enter')
    await expect(section.getByText('Le nom est enregistré.')).toBeVisible()
    await expect(section).toContainText('Dupont, Marie via Quizaine <bonjour@quiz.example>')
    await expect(section).toContainText('Personne ne lit les réponses')
  })

  await test.step('an address is confirmed by its code, with the keyboard', async () => {
    await section.getByLabel('Autre adresse pour les réponses').fill(replies)
    await page.keyboard.press('Enter')
    const { code } = await catcher.next(replies)
    const field = section.getByLabel('Code reçu par email')
    await field.fill(code === '000000' ? '000001' : '000000')
    await field.press('Enter')
    await expect(section.getByText('Ce code est faux ou n’est plus valable')).toBeVisible()
    await field.fill(code)
    await field.press('Enter')
    await expect(section.getByRole('radio', { name: replies })).toBeVisible()
    await section.getByRole('radio', { name: replies }).check()
    await expect(section).toContainText(`Les réponses arrivent à ${replies}.`)
    await expectAccessible(page)
    await atEachWidth(page, [390, 1280], async () => expect(await measureOverflow(page)).toBe(0))
    await shoot('account')
  })

  await test.step('a quiz has another name and no address for replies', async () => {
    await page.goto(`${origin}/quiz/${id}/settings?onglet=automatisations`)
    const card = page.getByRole('region', { name: 'Emails', exact: true })
    await expect(card).toContainText(`Les réponses arrivent à ${replies}.`)
    await card.getByLabel('Nom de l’expéditeur').fill('La Poste')
    await expect(card.getByText(/ferait croire/)).toBeVisible()
    await card.getByLabel('Nom de l’expéditeur').fill('Atelier Élan')
    await expect(card).toContainText('Atelier Élan via Quizaine')
    await card.getByLabel('Adresse pour les réponses').selectOption('none')
    await expect(card).toContainText('Personne ne lit les réponses')
    await card.getByRole('button', { name: 'Modifier l’email' }).click()
    await expect(card.getByText(/Cet email fait environ \d+\sKo sur 90\sKo/)).toBeVisible()
    await expectAccessible(page)
    await atEachWidth(page, [390, 1280], async () => expect(await measureOverflow(page)).toBe(0))
    await shoot('card')
    await expect
      .poll(async () => (await client.quizzes.get({ id })).quiz.sender_name)
      .toBe('Atelier Élan')
    await expect.poll(async () => (await client.quizMails.get({ id })).mails.reply_to).toBe('none')
  })

  await test.step('a removed address gets no more replies', async () => {
    await page.goto(`${origin}/settings`)
    await section.getByRole('button', { name: `Retirer ${replies}` }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Retirer' }).click()
    await expect(section.getByRole('radio', { name: replies })).toHaveCount(0)
    await expect(section).toContainText('Personne ne lit les réponses')
  })
})
