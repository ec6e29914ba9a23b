import type { Locator, Page } from '@playwright/test'
import { publishPrefilledSondage } from '../../src/server/testing/quizzes/prefilled-sondage.ts'
import { expect, expectAccessible, test } from '../support/fixtures.ts'
import { atEachWidth } from '../support/layout-checks.ts'

test.use({ creatorIs: 'signed in' })

const openForm = async (page: Page, id: string): Promise<Locator> => {
  await page.goto(`/quiz/${id}/questions`)
  await page.getByRole('button', { name: 'Partager' }).click()
  const dialog = page.getByRole('dialog', { name: 'Partager le quiz' })
  const open = dialog.getByRole('button', { name: 'Préparer un lien prérempli' })
  await open.focus()
  await page.keyboard.press('Enter')
  await expect(open).toHaveAttribute('aria-expanded', 'true')
  await expect(dialog.getByLabel('Outil qui envoie l’email')).toBeVisible()
  return dialog
}

test('the share dialog writes a prefilled link with the tags of each tool and chosen replies', async ({
  page,
  creator,
}) => {
  const { id } = await publishPrefilledSondage(creator.client)
  const dialog = await openForm(page, id)
  const link = dialog.getByLabel('Lien prérempli à coller')
  const tool = dialog.getByLabel('Outil qui envoie l’email')
  const path = `/q/${id}`
  await expect(link).toHaveValue(new RegExp(`${path}$`))
  await tool.selectOption('Kit')
  await expect(link).toHaveValue(
    new RegExp(
      `${path}\\?prenom=\\{\\{subscriber\\.first_name\\}\\}&email=\\{\\{subscriber\\.email_address\\}\\}$`,
    ),
  )
  await expect(tool).toHaveAccessibleDescription('Kit écrit pour chaque personne : prénom, email.')
  await tool.selectOption('Systeme.io')
  await expect(link).toHaveValue(/\?prenom=\{first_name\}&email=\{email\}$/)
  await tool.selectOption('Brevo')
  await expect(link).toHaveValue(/\?prenom=\{\{contact\.PRENOM\}\}&email=\{\{contact\.EMAIL\}\}$/)

  const add = dialog.getByLabel('Ajouter une réponse')
  await add.selectOption({ label: '4. Quelle note ?' })
  const note = dialog.getByLabel('4. Quelle note ?')
  await expect(note).toHaveAccessibleDescription('Dans le lien : q.note')
  await note.selectOption('9')
  await add.selectOption({ label: '5. Quels sujets ?' })
  await dialog.getByLabel('Vente').focus()
  await page.keyboard.press('Space')
  await dialog.getByLabel('Outils').check()
  await add.selectOption({ label: '7. Un mot, {{prénom}} ?' })
  await dialog.getByLabel('7. Un mot').fill('a & b')
  await expect(link).toHaveValue(/&q\.note=9&q\.5=Vente%7COutils&q\.7=a%20%26%20b$/)
  await add.selectOption({ label: '2. Votre email ?' })
  await dialog.getByLabel('2. Votre email ?').fill('pas une adresse')
  await expect(dialog.getByText('La question n’accepte pas cette réponse')).toBeVisible()
  await dialog.getByRole('button', { name: 'Retirer « Votre email ? »' }).click()
  await expect(link).not.toHaveValue(/adresse/)
  await atEachWidth(page, [1_440, 390], () => expectAccessible(page))

  const [trial] = await Promise.all([
    page.context().waitForEvent('page'),
    dialog.getByRole('link', { name: 'Essayer' }).click(),
  ])
  await expect(trial.getByLabel('Votre prénom ?')).toHaveValue('Camille')
  await expect(trial.getByText('Mode test')).toBeVisible()
  await trial.getByRole('radio', { name: 'Oui' }).check()
  await trial.getByRole('button', { name: 'Suivant' }).click()
  await expect(trial.getByRole('radio', { name: '9', exact: true })).toBeChecked()
  await expect(trial.getByLabel('Un mot, Camille ?')).toHaveValue('a & b')
  await trial.close()
  expect((await creator.client.quizzes.get({ id })).quiz.nb_responses).toBe(0)
})

test('a row of links is copied as HTML and as text, and each link fills in its answer', async ({
  page,
  creator,
}) => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  const { id } = await publishPrefilledSondage(creator.client)
  const dialog = await openForm(page, id)
  await dialog.getByLabel('Outil qui envoie l’email').selectOption('Systeme.io')
  const row = dialog.getByLabel('Rangée de liens pour un email')
  await row.selectOption({ label: '4. Quelle note ?' })
  await expect(dialog.getByRole('link', { name: '10', exact: true })).toBeVisible()
  await atEachWidth(page, [1_440, 390], () => expectAccessible(page))
  await page.evaluate(() => {
    const copied: Record<string, string | undefined> = {}
    Object.assign(window, { copied })
    addEventListener('copy', ({ clipboardData }) => {
      for (const type of ['text/html', 'text/plain']) copied[type] = clipboardData?.getData(type)
    })
  })
  await dialog.getByRole('button', { name: 'Copier la rangée' }).click()
  await expect(dialog.getByText('Rangée copiée')).toBeAttached()
  const copied = await page.evaluate(() => {
    const { copied } = window as unknown as { copied: Record<string, string> }
    return { html: copied['text/html'], text: copied['text/plain'] }
  })
  const pasted = await page.evaluate(() => navigator.clipboard.readText())
  expect(pasted.replaceAll('\r', '')).toBe(copied.text)
  expect(copied.text).toContain('Quelle note ?\n0 : http')
  expect(copied.text).toContain('?prenom={first_name}&email={email}&q.note=10')
  expect(copied.html).toMatch(/^<p style=.*<table /)
  const code = await dialog.getByLabel('Code HTML de la rangée').inputValue()
  expect(code.match(/<td align="center" bgcolor=/g)).toHaveLength(11)
  expect(code).toContain('prenom={first_name}&amp;email={email}&amp;q.note=0"')

  await row.selectOption({ label: '3. Continuer ?' })
  const [trial] = await Promise.all([
    page.context().waitForEvent('page'),
    dialog.getByRole('link', { name: 'Non', exact: true }).click(),
  ])
  await expect(trial.getByRole('radio', { name: 'Non' })).toBeChecked()
  await trial.close()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: 'Partager' })).toBeFocused()
})
