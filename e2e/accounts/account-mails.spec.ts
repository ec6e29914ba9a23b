import type { Page } from '@playwright/test'
import type { MailCatcher } from '../../src/server/testing/network/mail/mail-catcher.ts'
import { expectAccessible, PASSWORD, uniqueEmail } from '../support/fixtures.ts'
import { testWithMails } from '../support/mail-server.ts'
import { expect } from '../support/server-process.ts'

const test = testWithMails()
// One worker runs all tests of the file, because each worker starts a server.
test.describe.configure({ mode: 'default' })
const testWhereConfirmed = testWithMails({ AUTH_AUTOCONFIRM: 'true' })

/** Signs up on the sign-up screen and waits for the login screen. */
const signUpOnScreen = async (
  page: Page,
  origin: string,
  email: string,
  password = PASSWORD,
): Promise<void> => {
  await page.goto(`${origin}/signup`)
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Mot de passe', { exact: true }).fill(password)
  await page.getByLabel('Confirmer le mot de passe').fill(password)
  await page.getByRole('button', { name: 'Créer un compte' }).click()
  const alert = page.getByRole('alertdialog')
  await expect(alert).toContainText('Vérifiez votre email pour confirmer votre compte.')
  await alert.getByRole('button', { name: 'OK' }).click()
  // Waits for the heading, because the sign-up and login screens both have a password field.
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Connexion')
}

test('an account is confirmed by mail, and its owner can request a new link if the first has expired', async ({
  page,
  origin,
  catcher,
}) => {
  const email = uniqueEmail()
  await signUpOnScreen(page, origin, email)
  await expect(page.getByText(`Ouvrez le lien envoyé à ${email}`)).toBeVisible()
  // Arrives again without the state of the sign-up.
  await page.goto(`${origin}/login`)
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Mot de passe', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Se connecter' }).click()
  await expect(page.getByRole('alert')).toHaveText(
    'Confirmez d’abord votre adresse avec le lien reçu par email',
  )
  await expect(page.getByText(`Ouvrez le lien envoyé à ${email}`)).toBeVisible()
  await expectAccessible(page)

  const { link } = await catcher.next(email)
  await page.getByRole('button', { name: 'Renvoyer' }).click()
  await expect(page.getByText('Le message vient de repartir.')).toBeVisible()
  await catcher.next(email)
  await page.goto(link.replace(/token=[^&]+/, `token=${'0'.repeat(56)}`))
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Ce lien n’est plus valable')
  await expectAccessible(page)
  await page.getByLabel('Email').fill(email)
  await page.getByRole('button', { name: 'Recevoir un nouveau lien' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Consultez votre messagerie')
  await expectAccessible(page)

  await page.goto((await catcher.next(email)).link)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Votre adresse est confirmée')
  await expect(page).toHaveURL(`${origin}/confirmation`)
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Aller à mes quiz' }).click()
  await expect(page.getByRole('heading', { name: 'Mes quiz & sondages' })).toBeVisible()
})

test('after two sign-ups with different passwords neither password opens the account, and the confirmation asks for a new one', {
  tag: '@rare',
}, async ({ page, origin, catcher }) => {
  const email = uniqueEmail()
  const theirs = { email, password: 'le mot de passe d’un autre' }
  await page.request.post(`${origin}/auth/v1/signup`, { data: theirs })
  await catcher.next(email)
  await signUpOnScreen(page, origin, email, 'un premier choix')
  await page.goto((await catcher.next(email)).link)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Nouveau mot de passe')
  await expect(page).toHaveURL(`${origin}/new-password`)
  for (const password of [theirs.password, 'un premier choix']) {
    const url = `${origin}/auth/v1/token?grant_type=password`
    const reply = await page.request.post(url, { data: { email, password } })
    expect(reply.status()).toBe(400)
  }
  await page.getByLabel('Nouveau mot de passe', { exact: true }).fill(PASSWORD)
  await page.getByLabel('Confirmer le mot de passe').fill(PASSWORD)
  await page.getByRole('button', { name: 'Changer le mot de passe' }).click()
  await expect(page.getByRole('heading', { name: 'Mes quiz & sondages' })).toBeVisible()
})

test('a sign-up link keeps the password in the browser of the sign-up and asks for a new one in another browser', {
  tag: '@rare',
}, async ({ page, browser, origin, catcher }) => {
  const same = uniqueEmail()
  await signUpOnScreen(page, origin, same)
  await page.goto((await catcher.next(same)).link)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Votre adresse est confirmée')
  await page.evaluate(() => localStorage.clear())
  await signIn(page, origin, same)
  await page.evaluate(() => localStorage.clear())

  const other = uniqueEmail()
  await signUpOnScreen(page, origin, other)
  const context = await browser.newContext()
  const elsewhere = await context.newPage()
  await elsewhere.goto((await catcher.next(other)).link)
  await expect(elsewhere.getByRole('heading', { level: 1 })).toHaveText('Nouveau mot de passe')
  await expect(elsewhere).toHaveURL(`${origin}/new-password`)
  await page.getByLabel('Mot de passe', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Se connecter' }).click()
  await expect(page.getByRole('alert')).toBeVisible()
  const chosen = 'celui de sa titulaire'
  await elsewhere.getByLabel('Nouveau mot de passe', { exact: true }).fill(chosen)
  await elsewhere.getByLabel('Confirmer le mot de passe').fill(chosen)
  await elsewhere.getByRole('button', { name: 'Changer le mot de passe' }).click()
  await expect(elsewhere.getByRole('heading', { name: 'Mes quiz & sondages' })).toBeVisible()
  await context.close()
  await page.getByLabel('Mot de passe', { exact: true }).fill(chosen)
  await page.getByRole('button', { name: 'Se connecter' }).click()
  await expect(page.getByRole('heading', { name: 'Mes quiz & sondages' })).toBeVisible()
})

test('a mail replaces a forgotten password, and its link works once', { tag: '@rare' }, async ({
  page,
  origin,
  catcher,
}) => {
  const email = uniqueEmail()
  const body = { email, password: 'un ancien mot de passe' }
  await page.request.post(`${origin}/auth/v1/signup`, { data: body })
  await page.goto((await catcher.next(email)).link)
  await page.evaluate(() => localStorage.clear())

  await page.goto(`${origin}/login`)
  await page.getByLabel('Email').fill(email)
  await page.getByRole('link', { name: 'Mot de passe oublié ?' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Mot de passe oublié')
  await expect(page.getByLabel('Email')).toHaveValue(email)
  await expectAccessible(page)
  await page.getByLabel('Email').fill('personne')
  await page.getByRole('button', { name: 'Recevoir un lien' }).click()
  await expect(page.getByText('Adresse attendue de la forme nom@exemple.fr')).toBeVisible()
  await page.getByLabel('Email').fill(email)
  await page.getByRole('button', { name: 'Recevoir un lien' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Consultez votre messagerie')

  const { link } = await catcher.next(email)
  await page.goto(link)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Nouveau mot de passe')
  await expect(page).toHaveURL(`${origin}/new-password`)
  await expectAccessible(page)
  await page.getByLabel('Nouveau mot de passe', { exact: true }).fill(PASSWORD)
  await page.getByLabel('Confirmer le mot de passe').fill('autre chose')
  await page.getByRole('button', { name: 'Changer le mot de passe' }).click()
  await expect(page.getByText('Les mots de passe ne correspondent pas')).toBeVisible()
  await page.getByLabel('Confirmer le mot de passe').fill(PASSWORD)
  await page.getByRole('button', { name: 'Changer le mot de passe' }).click()
  await expect(page.getByRole('heading', { name: 'Mes quiz & sondages' })).toBeVisible()
  expect((await catcher.next(email)).subject).toBe('Votre mot de passe a été changé')

  await page.getByRole('button', { name: 'Déconnexion' }).click()
  await page.goto(link)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Ce lien n’est plus valable')
  await page.getByRole('link', { name: 'Recevoir un nouveau lien' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Mot de passe oublié')
  await page.goto(`${origin}/login`)
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Mot de passe', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Se connecter' }).click()
  await expect(page.getByRole('heading', { name: 'Mes quiz & sondages' })).toBeVisible()
})

/** Creates an account whose address is confirmed, and returns the address. */
const signUpAndConfirm = async (page: Page, origin: string, catcher: MailCatcher) => {
  const email = uniqueEmail()
  await page.request.post(`${origin}/auth/v1/signup`, { data: { email, password: PASSWORD } })
  const { link } = await catcher.next(email)
  await page.request.get(link, { maxRedirects: 0 })
  return email
}
/** Signs in on the login screen. */
const signIn = async (page: Page, origin: string, email: string): Promise<void> => {
  await page.goto(`${origin}/login`)
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Mot de passe', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Se connecter' }).click()
  await expect(page.getByRole('heading', { name: 'Mes quiz & sondages' })).toBeVisible()
}

test('a creator changes their address in the settings after both addresses confirm it', {
  tag: '@rare',
}, async ({ page, origin, catcher }) => {
  const email = await signUpAndConfirm(page, origin, catcher)
  const new_email = uniqueEmail()
  await signIn(page, origin, email)
  await page.getByRole('link', { name: 'Mon compte', exact: true }).click()

  const field = page.getByLabel('Nouvelle adresse email')
  await field.fill(email)
  await page.getByRole('button', { name: 'Changer l’adresse' }).click()
  await expect(page.getByText('C’est déjà votre adresse')).toBeVisible()
  await field.fill(new_email)
  await page.getByRole('button', { name: 'Changer l’adresse' }).click()
  await expect(page.getByText('Un message vient de partir')).toBeVisible()
  await expect(page.getByText(`En attente : ${new_email}`)).toBeVisible()
  await expectAccessible(page)

  await page.goto((await catcher.next(new_email)).link)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Encore une adresse')
  await page.goto((await catcher.next(email)).link)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Votre adresse est confirmée')
  await page.goto(`${origin}/settings`)
  await expect(page.getByText(new_email, { exact: true })).toBeVisible()
  await expect(page.getByText('En attente')).toBeHidden()
})

const readSignedInEmail = (page: Page): Promise<string> =>
  page.evaluate(() => JSON.parse(localStorage.getItem('quizaine-session') ?? '{}').user?.email)

test('a link to another account names that account and asks before it replaces the signed-in account', {
  tag: '@rare',
}, async ({ page, origin, catcher }) => {
  const [mine, other] = [
    await signUpAndConfirm(page, origin, catcher),
    await signUpAndConfirm(page, origin, catcher),
  ]
  await signIn(page, origin, mine)
  /** Returns the URL fragment of a mail link of the other account. */
  const fragment = async (): Promise<string> => {
    const data = { email: other, password: PASSWORD }
    const reply = await page.request.post(`${origin}/auth/v1/token?grant_type=password`, { data })
    const { access_token, refresh_token } = await reply.json()
    const session = { access_token, refresh_token, token_type: 'bearer', expires_in: '3600' }
    return `#${new URLSearchParams(session)}`
  }
  const heading = page.getByRole('heading', { level: 1 })
  let declined = ''
  for (const path of ['/confirmation', '/new-password', '/login']) {
    await page.goto('about:blank')
    const tokens = await fragment()
    await page.goto(`${origin}${path}${tokens}`)
    await expect(heading).toHaveText('Changer de compte ?')
    await expect(page.getByText(other)).toBeVisible()
    await expect(page.getByText(mine)).toBeVisible()
    expect(page.url()).toBe(`${origin}${path}`)
    expect(await readSignedInEmail(page)).toBe(mine)
    await page.getByRole('button', { name: 'Rester sur mon compte' }).click()
    await expect(page.getByRole('heading', { name: 'Mes quiz & sondages' })).toBeVisible()
    expect(await readSignedInEmail(page)).toBe(mine)
    // The declined session has ended.
    const token = new URLSearchParams(tokens.slice(1)).get('access_token')
    const headers = { authorization: `Bearer ${token}` }
    expect((await page.request.get(`${origin}/auth/v1/user`, { headers })).status()).toBe(403)
    declined = tokens
  }
  // A declined link does not end the session of this browser.
  await page.goto('about:blank')
  await page.goto(`${origin}/confirmation${declined}`)
  await expect(heading).toHaveText('Ce lien n’est plus valable')
  expect(await readSignedInEmail(page)).toBe(mine)
  await page.goto('about:blank')
  await page.goto(`${origin}/confirmation${await fragment()}`)
  await expect(heading).toHaveText('Changer de compte ?')
  await expectAccessible(page)
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 900 })
    const beyond = await page.evaluate(
      () => document.documentElement.scrollWidth - window.innerWidth,
    )
    expect(beyond).toBe(0)
  }
  await page.getByRole('button', { name: 'Ouvrir l’autre compte' }).click()
  await expect(heading).toHaveText('Votre adresse est confirmée')
  expect(await readSignedInEmail(page)).toBe(other)
})

testWhereConfirmed(
  'where accounts confirm themselves, the settings say that one of the two links is enough',
  { tag: '@rare' },
  async ({ page, origin, catcher }) => {
    const email = uniqueEmail()
    const new_email = uniqueEmail()
    await page.request.post(`${origin}/auth/v1/signup`, { data: { email, password: PASSWORD } })
    await signIn(page, origin, email)
    await page.getByRole('link', { name: 'Mon compte', exact: true }).click()
    await page.getByLabel('Nouvelle adresse email').fill(new_email)
    await page.getByRole('button', { name: 'Changer l’adresse' }).click()
    await expect(page.getByText('suivez l’un des deux liens')).toBeVisible()
    await expect(page.getByText('Suivez le lien reçu à l’une des deux adresses')).toBeVisible()
    await page.goto((await catcher.next(email)).link)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Votre adresse est confirmée')
    await page.goto(`${origin}/settings`)
    await expect(page.getByText(new_email, { exact: true })).toBeVisible()
    await expect(page.getByText('En attente')).toBeHidden()
  },
)
