import {
  expect,
  expectAccessible,
  PASSWORD,
  signIn,
  test,
  uniqueEmail,
} from '../support/fixtures.ts'

test('a creator signs up and signs in, stays signed in after a reload, and a sign-out ends the session in every tab', async ({
  page,
}) => {
  const email = uniqueEmail()
  await page.goto('/')
  await expect(page).toHaveURL(/\/login$/)
  await page.getByRole('link', { name: 'Créer un compte' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Inscription')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Mot de passe', { exact: true }).fill('court')
  await page.getByLabel('Confirmer le mot de passe').fill('court')
  await page.getByRole('button', { name: 'Créer un compte' }).click()
  await expect(page.getByText('Le mot de passe doit contenir au moins 6 caractères')).toBeVisible()
  await page.getByLabel('Mot de passe', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Créer un compte' }).click()
  await expect(page.getByText('Les mots de passe ne correspondent pas')).toBeVisible()
  await expectAccessible(page)
  await page.getByLabel('Confirmer le mot de passe').fill(PASSWORD)
  await page.getByRole('button', { name: 'Créer un compte' }).click()
  const alert = page.getByRole('alertdialog')
  await expect(alert).toContainText('Compte créé ! Vous pouvez maintenant vous connecter.')
  await alert.getByRole('button', { name: 'OK' }).click()
  await expect(page).toHaveURL(/\/login$/)
  await expect(page.getByLabel('Email')).toHaveValue(email)

  await page.getByLabel('Mot de passe', { exact: true }).fill('autre chose')
  await page.getByRole('button', { name: 'Se connecter' }).click()
  await expect(page.getByRole('alert')).toBeVisible()
  await expectAccessible(page)
  await signIn(page, { email, password: PASSWORD })
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Mes quiz & sondages' })).toBeVisible()
  await page.goto('/nulle-part')
  await expect(page).toHaveURL(/\/dashboard$/)

  const other = await page.context().newPage()
  await other.goto('/settings')
  await expect(other.getByRole('heading', { level: 1 })).toHaveText('Mon compte')
  await expect(other.getByText(email)).toBeVisible()
  await expect(other.getByRole('link', { name: 'Mon compte', exact: true })).toHaveAttribute(
    'aria-current',
    'page',
  )
  await page.getByRole('button', { name: 'Déconnexion' }).click()
  await expect(page).toHaveURL(/\/login$/)
  await expect(other).toHaveURL(/\/login$/)
})

test('only signed-in creators can open the screens of a creator', { tag: '@dom' }, async ({
  page,
}) => {
  for (const path of [
    '/dashboard',
    '/settings',
    '/quiz/create',
    '/quiz/00000000-0000-4000-8000-000000000000/results',
  ])
    await test.step(path, async () => {
      await page.goto(path)
      await expect(page).toHaveURL(/\/login$/)
    })
})
