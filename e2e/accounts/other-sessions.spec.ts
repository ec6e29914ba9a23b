import { expect, signIn, test } from '../support/fixtures.ts'

test.use({ creatorIs: 'away' })

test('a creator sees the other sessions and ends them, and the focus stays in their section', {
  tag: '@rare',
}, async ({ page, creator }) => {
  await signIn(page, creator)
  await page.goto('/settings')
  // The account was created by the API client, whose session is still open.
  await expect(page.getByText('Appareil inconnu')).toBeVisible()
  await expect(page.getByText('Chrome sur Linux')).toBeVisible()
  await page.getByRole('button', { name: 'Déconnecter les autres' }).press('Enter')
  await expect(page.getByText('Vos autres appareils sont déconnectés.')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Sessions actives', exact: true })).toBeFocused()
  await expect(page.getByText('Appareil inconnu')).toBeHidden()
  await expect(creator.client.quizzes.list()).rejects.toThrow('Connexion requise')
})
