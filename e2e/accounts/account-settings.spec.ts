import { readFile } from 'node:fs/promises'
import { expect, expectAccessible, PASSWORD, test } from '../support/fixtures.ts'

test.use({ creatorIs: 'signed in' })

test.beforeEach(async ({ page, creator: _ }) => {
  await page.goto('/settings')
  await expect(page.getByText('Cet appareil')).toBeVisible()
})

test('a creator changes the password by entering the current one', { tag: '@dom' }, async ({
  page,
  creator,
}) => {
  const current = page.getByLabel('Mot de passe actuel')
  const change = page.getByRole('button', { name: 'Changer le mot de passe' })
  await change.click()
  await expect(current).toBeFocused()
  await expect(page.getByText('Indiquez votre mot de passe actuel')).toBeVisible()
  await current.fill('ce n’est pas lui')
  await page.getByLabel('Nouveau mot de passe', { exact: true }).fill('un autre secret')
  await page.getByLabel('Confirmer le nouveau mot de passe').fill('un autre secret')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Le mot de passe actuel n’est pas le bon')).toBeVisible()
  await expectAccessible(page)
  await current.fill(PASSWORD)
  await change.click()
  await expect(page.getByText('Votre mot de passe est changé.')).toBeVisible()
  await expect(current).toHaveValue('')

  await page.getByRole('button', { name: 'Déconnexion' }).click()
  // The account screen also has a field for an address.
  await expect(page).toHaveURL(/\/login$/)
  await page.getByLabel('Email').fill(creator.email)
  await page.getByLabel('Mot de passe', { exact: true }).fill('un autre secret')
  await page.getByRole('button', { name: 'Se connecter' }).click()
  await expect(page.getByRole('heading', { name: 'Mes quiz & sondages' })).toBeVisible()
})

test('a creator creates an API key, copies it, uses it in a program and revokes it', {
  tag: '@rare',
}, async ({ page, context, baseURL }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const section = page.getByRole('region', { name: 'Clés d’API' })
  await expect(section.getByText('Aucune clé pour l’instant.')).toBeVisible()
  const open = section.getByRole('button', { name: 'Créer une clé...' })
  await open.click()
  const dialog = page.getByRole('dialog')
  const name = dialog.getByLabel('Nom de la clé')
  await expect(name).toBeFocused()
  await dialog.getByRole('button', { name: 'Créer la clé' }).click()
  await expect(dialog.getByText('Donnez-lui un nom')).toBeVisible()
  await expectAccessible(page)
  await name.fill('Tableur')
  await dialog.getByLabel('Expiration').selectOption('Dans 30 jours')
  await page.keyboard.press('Enter')
  await expect(dialog.getByLabel('Clé d’API')).toBeFocused()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Copier' }).click()
  await expect(dialog.getByRole('button', { name: 'Copiée' })).toBeVisible()
  const key = await page.evaluate(() => navigator.clipboard.readText())
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(open).toBeFocused()

  const call = async (method: string) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const body = method === 'POST' ? { body: JSON.stringify({ type: 'quiz' }) } : {}
    return (await fetch(`${baseURL}/api/v1/quizzes`, { method, headers, ...body })).status
  }
  expect([await call('GET'), await call('POST')]).toEqual([200, 403])
  await page.reload()
  await expect(section.getByText(/dernier usage le/)).toBeVisible()
  expect(await page.content()).not.toContain(key)
  await section.getByRole('button', { name: 'Révoquer la clé Tableur' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Révoquer' }).click()
  await expect(section.getByText('La clé « Tableur » est révoquée.')).toBeVisible()
  await expect(section.getByText('Aucune clé pour l’instant.')).toBeVisible()
  expect(await call('GET')).toBe(401)
  await expectAccessible(page)
})

test('a creator downloads the data of the account, types the confirmation word and deletes the account with the keyboard alone', {
  tag: ['@dom', '@rare'],
}, async ({ page, creator }) => {
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Télécharger mes données' }).click()
  const file = await download
  expect(file.suggestedFilename()).toBe('quizaine-mes-donnees.json')
  const data = JSON.parse(await readFile(await file.path(), 'utf8'))
  expect(data.account.email).toBe(creator.email)

  await page.getByRole('button', { name: 'Supprimer mon compte...' }).focus()
  await page.keyboard.press('Enter')
  const word = page.getByLabel('Pour confirmer, saisissez SUPPRIMER')
  await word.fill('oui')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Saisissez SUPPRIMER, en majuscules')).toBeVisible()
  await expectAccessible(page)
  await word.fill('SUPPRIMER')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/login$/)
  await page.getByLabel('Email').fill(creator.email)
  await page.getByLabel('Mot de passe', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Se connecter' }).click()
  await expect(page.getByRole('alert')).toHaveText('Email ou mot de passe incorrect')
})
