import type { Page } from '@playwright/test'
import { readyScoreQuiz } from '../../src/server/testing/quizzes/sample-quizzes.ts'
import { expectSaved, question } from '../support/editor-steps.ts'
import {
  type Account,
  expect,
  expectAccessible,
  signIn,
  test,
  uniqueEmail,
} from '../support/fixtures.ts'

/** Sessions that another device has ended: the creator signs in again and loses nothing. */

test.use({ creatorIs: 'signed in' })

/** Signs in on another device and returns the headers of its session. */
const signInElsewhere = async (page: Page, { email, password }: Account) => {
  const data = { email, password }
  const reply = await page.request.post('/auth/v1/token?grant_type=password', { data })
  const { access_token } = await reply.json()
  return { authorization: `Bearer ${access_token}` }
}

/** Ends all sessions of the account from a new session on another device. */
const endOtherSessions = async (page: Page, account: Account): Promise<void> => {
  const headers = await signInElsewhere(page, account)
  const ended = await page.request.post('/auth/v1/logout?scope=others', { headers })
  expect(ended.status()).toBe(204)
}

const sessionEndedDialog = (page: Page) =>
  page.getByRole('alertdialog', { name: 'Votre session a pris fin' })

const signInAgain = async (page: Page, password: string): Promise<void> => {
  await sessionEndedDialog(page).getByLabel('Mot de passe', { exact: true }).fill(password)
  await sessionEndedDialog(page).getByRole('button', { name: 'Se reconnecter' }).click()
}

const answer = (page: Page, number: number) =>
  page.getByRole('textbox', { name: `Réponse ${number} de la question 1` })

/** Expects the texts that `typeUntilSessionEnds` typed: the first question and its first two answers. */
const expectAllStored = async (page: Page, account: Account, id: string): Promise<void> => {
  const headers = await signInElsewhere(page, account)
  const stored = async () => {
    const draft = await (await page.request.get(`/api/v1/quizzes/${id}/draft`, { headers })).json()
    const [first] = draft.questions
    return [first.text, first.answers[0].text, first.answers[1].text]
  }
  await expect.poll(stored).toEqual(['Avant la fin ?', 'Pendant', 'Encore pendant'])
}

/** Opens the questions, types, ends the session elsewhere, and types more until a save is refused. */
const typeUntilSessionEnds = async (page: Page, creator: Account): Promise<string> => {
  const { id } = await readyScoreQuiz(creator.client)
  await page.goto(`/quiz/${id}/questions`)
  await question(page, 1).fill('Avant la fin ?')
  await expectSaved(page)
  await endOtherSessions(page, creator)
  await answer(page, 1).fill('Pendant')
  await answer(page, 2).fill('Encore pendant')
  await expect(sessionEndedDialog(page)).toBeVisible()
  return id
}

test('everything typed in the editor is stored on the same screen after the creator signs in again', {
  tag: '@dom',
}, async ({ page, creator }) => {
  const id = await typeUntilSessionEnds(page, creator)
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(sessionEndedDialog(page)).toBeVisible()
  await expect(sessionEndedDialog(page).getByLabel('Email')).toHaveValue(creator.email)
  await sessionEndedDialog(page).getByRole('button', { name: 'Se reconnecter' }).click()
  const missing = sessionEndedDialog(page).getByText('Le mot de passe est obligatoire')
  await expect(missing).toBeVisible()
  await sessionEndedDialog(page).getByLabel('Mot de passe', { exact: true }).fill('p')
  await expect(missing).toHaveCount(0)
  await signInAgain(page, 'pas le bon')
  await expect(sessionEndedDialog(page).getByRole('alert')).toHaveText(
    'Email ou mot de passe incorrect',
  )
  await signInAgain(page, creator.password)
  await expect(sessionEndedDialog(page)).toBeHidden()
  await expect(answer(page, 2)).toBeFocused()
  await expectSaved(page)
  await expect(page).toHaveURL(new RegExp(`/quiz/${id}/questions$`))
  await expectAllStored(page, creator, id)
})

test('another sign-in method returns to the same screen', { tag: '@dom' }, async ({
  page,
  creator,
}) => {
  const id = await typeUntilSessionEnds(page, creator)
  await sessionEndedDialog(page).getByRole('button', { name: 'Se connecter autrement' }).click()
  await expect(page).toHaveURL(/\/login$/)
  await expect(page.getByText('Votre session a pris fin.')).toBeVisible()
  await expect(page.getByLabel('Email')).toHaveValue(creator.email)
  await page.getByLabel('Mot de passe', { exact: true }).fill(creator.password)
  await page.getByRole('button', { name: 'Se connecter' }).click()
  await expect(page).toHaveURL(new RegExp(`/quiz/${id}/questions$`))
  await expect(answer(page, 2)).toHaveValue('Encore pendant')
  await expectSaved(page)
  await expectAllStored(page, creator, id)
})

test('another account sees neither the screen nor the typed text, which is kept for its author', async ({
  page,
  creator,
}) => {
  const id = await typeUntilSessionEnds(page, creator)
  await sessionEndedDialog(page).getByRole('button', { name: 'Se connecter autrement' }).click()
  const other = { email: uniqueEmail(), password: 'un autre secret' }
  await page.request.post('/auth/v1/signup', { data: other })
  await page.getByLabel('Email').fill(other.email)
  await page.getByLabel('Mot de passe', { exact: true }).fill(other.password)
  await page.getByRole('button', { name: 'Se connecter' }).click()
  await expect(page.getByRole('heading', { name: 'Aucun quiz créé' })).toBeVisible()
  await expect(page).toHaveURL(/\/dashboard$/)
  await page.goto(`/quiz/${id}/questions`)
  await expect(page.getByText('Quiz introuvable')).toBeVisible()
  await expect(page.getByText('Pendant')).toHaveCount(0)
  await page.getByRole('button', { name: 'Déconnexion' }).click()
  await signIn(page, creator)
  await expectAllStored(page, creator, id)
})

test('an announcement of one session does not appear in the next session', {
  tag: ['@dom', '@rare'],
}, async ({ page, creator }) => {
  const { id } = await readyScoreQuiz(creator.client)
  await page.goto(`/quiz/${id}/questions`)
  await answer(page, 2).press('Enter')
  const announced = page.getByRole('status').filter({ hasText: 'Réponse 3 ajoutée' })
  await expect(announced).toBeAttached()
  await expectSaved(page)
  await page.getByRole('link', { name: 'Retour' }).click()
  await page.getByRole('button', { name: 'Déconnexion' }).click()
  await page.getByLabel('Email').fill(creator.email)
  await page.getByLabel('Mot de passe', { exact: true }).fill(creator.password)
  await page.getByRole('button', { name: 'Se connecter' }).click()
  await expect(page.getByRole('button', { name: 'Déconnexion' })).toBeVisible()
  await expect(announced).toHaveCount(0)
})

test('a screen that failed to load loads in every tab after the creator signs in again', {
  tag: '@rare',
}, async ({ page, creator }) => {
  await page.goto('/dashboard')
  const other = await page.context().newPage()
  await other.goto('/settings')
  await expect(other.getByText('Cet appareil')).toBeVisible()
  await endOtherSessions(page, creator)
  await page.getByRole('link', { name: 'Mon compte', exact: true }).click()
  await expect(sessionEndedDialog(page)).toBeVisible()
  await expect(sessionEndedDialog(other)).toBeVisible()
  await other.emulateMedia({ colorScheme: 'dark' })
  await other.setViewportSize({ width: 390, height: 844 })
  await expectAccessible(other)
  await signInAgain(page, creator.password)
  for (const tab of [page, other]) {
    await expect(sessionEndedDialog(tab)).toBeHidden()
    await expect(tab).toHaveURL(/\/settings$/)
  }
  await expect(page.getByText('Cet appareil')).toBeVisible()
  await page.getByRole('button', { name: 'Déconnexion' }).click()
  for (const tab of [page, other]) await expect(tab).toHaveURL(/\/login$/)
})

test('a sign-in with another account in this browser restarts this tab', { tag: '@rare' }, async ({
  page,
  creator,
}) => {
  await typeUntilSessionEnds(page, creator)
  const other = { email: uniqueEmail(), password: 'un autre secret' }
  await page.request.post('/auth/v1/signup', { data: other })
  const tab = await page.context().newPage()
  await signIn(tab, other)
  await expect(page).toHaveURL(/\/dashboard$/)
  await expect(page.getByRole('heading', { name: 'Aucun quiz créé' })).toBeVisible()
  await expect(sessionEndedDialog(page)).toHaveCount(0)
})

test('a creator who opens a page after the session has ended returns to that page after the sign-in', {
  tag: '@rare',
}, async ({ page, creator }) => {
  await page.goto('/settings')
  await expect(page.getByText('Cet appareil')).toBeVisible()
  await endOtherSessions(page, creator)
  await page.evaluate(() => {
    const kept = JSON.parse(localStorage.getItem('quizaine-session') ?? '{}')
    localStorage.setItem('quizaine-session', JSON.stringify({ ...kept, expires_at: 1 }))
  })
  await page.reload()
  await expect(page).toHaveURL(/\/login$/)
  await expect(page.getByLabel('Email')).toHaveValue(creator.email)
  await page.getByLabel('Mot de passe', { exact: true }).fill(creator.password)
  await page.getByRole('button', { name: 'Se connecter' }).click()
  await expect(page.getByText('Cet appareil')).toBeVisible()
  await expect(page).toHaveURL(/\/settings$/)
  await page.getByRole('button', { name: 'Déconnexion' }).click()
  await signIn(page, creator)
  await expect(page).toHaveURL(/\/dashboard$/)
})
