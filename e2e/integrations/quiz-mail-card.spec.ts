import { publishedScoreQuiz } from '../../src/server/testing/quizzes/sample-quizzes.ts'
import { expect, expectAccessible, test } from '../support/fixtures.ts'

test.use({ creatorIs: 'signed in' })

test('the mail card explains that mails need a mail server, can be retried after a failure, and keeps its text', {
  tag: '@dom',
}, async ({ page, creator: { client } }) => {
  const { id } = await publishedScoreQuiz(client)
  const card = page.getByRole('region', { name: 'Emails', exact: true })
  const edit = card.getByRole('button', { name: 'Modifier l’email' })
  const snapshot = `**/quizzes/${id}/snapshot**`
  await page.route(snapshot, (route) => route.fulfill({ status: 503, json: { error: 'Panne' } }))
  await page.goto(`/quiz/${id}/settings`)
  await page.getByRole('tab', { name: 'Automatisations' }).click()

  await test.step('without a mail server no mail can be enabled', async () => {
    await expect(card).toContainText('aucun email ne peut être activé')
    await expect(card.getByRole('switch', { name: /^À chaque participant/ })).toBeDisabled()
    await expect(card.getByRole('radio')).toHaveCount(1)
    await expectAccessible(page)
  })

  await test.step('an error is shown if the quiz cannot be loaded, and the focus stays on the screen', async () => {
    await edit.click()
    await expect(card.getByRole('alert')).toContainText('Panne')
    await expectAccessible(page)
    await page.unroute(snapshot)
    await card.getByRole('button', { name: 'Réessayer' }).press('Enter')
    await expect(card.getByLabel('Texte')).toBeVisible()
    await expect(page.locator('h1')).toBeFocused()
  })

  await test.step('the text stays when the creator opens another tab and returns', async () => {
    const lookAway = async () => {
      await page.getByRole('tab', { name: 'Design' }).click()
      await expect(card).toHaveCount(0)
      await page.getByRole('tab', { name: 'Automatisations' }).click()
    }
    await card.getByLabel('Texte').fill('Bonjour, voici votre profil.')
    await lookAway()
    await expect(card.getByLabel('Texte')).toHaveValue('Bonjour, voici votre profil.')
    await card.getByRole('button', { name: 'Enregistrer' }).click()
    await expect(card.getByText('L’email est enregistré.')).toBeVisible()
    await lookAway()
    // The saved text is also shown after a second change of tabs.
    await edit.click()
    await expect(card.getByLabel('Texte')).toHaveValue('Bonjour, voici votre profil.')
  })
})
