import { readyScoreQuiz } from '../../src/server/testing/quizzes/sample-quizzes.ts'
import { expectSaved, pasteInto, question } from '../support/editor-steps.ts'
import { expect, test, uniqueEmail } from '../support/fixtures.ts'
import { failCalls } from '../support/network.ts'

/** The specified messages of failures on the creator's screens, one by one (product 14.1 to 14.8). */

test.use({ creatorIs: 'signed in' })
const { step } = test

/** Returns an error response of the server with this message. */
const errorResponse = (error: string, status = 500) => ({
  status,
  contentType: 'application/json',
  body: JSON.stringify({ error, code: 'unexpected' }),
})

test('the sign-in and the sign-up require an email address and a password, and report failures in the specified words (product 12.1, 14.8)', {
  tag: '@dom',
}, async ({ page }) => {
  await page.goto('/login')
  const email = page.getByLabel('Email')
  const password = page.getByLabel('Mot de passe', { exact: true })
  await step('the email address must be valid, and both fields are required', async () => {
    await expect(email).toHaveAttribute('type', 'email')
    await expect(email).toHaveAttribute('required')
    await expect(password).toHaveAttribute('required')
    await page.getByRole('button', { name: 'Se connecter' }).click()
    await expect(email).toHaveAttribute('aria-invalid', 'true')
    await expect(email).toBeFocused()
  })
  await step("a sign-in without the server shows 'Erreur lors de la connexion'", async () => {
    await failCalls(page, { method: 'POST', path: '**/auth/v1/token**' })
    await email.fill(uniqueEmail())
    await password.fill('un mot de passe')
    await page.getByRole('button', { name: 'Se connecter' }).click()
    await expect(page.getByRole('alert')).toHaveText('Erreur lors de la connexion')
  })
  await step("a sign-up without the server shows 'Erreur lors de l'inscription'", async () => {
    await failCalls(page, { method: 'POST', path: '**/auth/v1/signup**' })
    await page.goto('/signup')
    await email.fill(uniqueEmail())
    await password.fill('un mot de passe')
    await page.getByLabel('Confirmer le mot de passe').fill('un mot de passe')
    await page.getByRole('button', { name: 'Créer un compte' }).click()
    await expect(page.getByRole('alert')).toHaveText("Erreur lors de l'inscription")
  })
})

test('each screen shows its loading message, and reports a loading failure in the specified words (product 14.1)', {
  tag: '@dom',
}, async ({ page, creator }) => {
  const { id } = await readyScoreQuiz(creator.client)
  const quizzes = '**/api/v1/quizzes'
  const failure = page.getByText('Erreur: La base est en panne', { exact: true })
  const unknownFailure = page.getByText('Erreur inconnue', { exact: true })
  for (const { screen, call, loading } of [
    {
      screen: `/quiz/${id}/statistics`,
      call: '**/responses**',
      loading: 'Chargement des statistiques...',
    },
    { screen: `/quiz/${id}/results`, call: '**/draft', loading: 'Chargement...' },
    { screen: `/quiz/${id}/questions`, call: '**/draft' },
    { screen: `/quiz/${id}/settings`, call: '**/draft' },
    { screen: `/quiz/${id}/preview`, call: '**/snapshot**', loading: 'Chargement du quiz...' },
  ]) {
    await step(`${screen} shows 'Erreur: {message}' if the server gives a message`, async () => {
      const held = Promise.withResolvers<void>()
      await page.route(call, async (route) => {
        await held.promise
        await route.fulfill(errorResponse('La base est en panne', 503))
      })
      await page.goto(screen)
      if (loading)
        await expect(page.getByRole('status').getByText(loading, { exact: true })).toBeVisible()
      held.resolve()
      await expect(failure).toBeVisible()
      await page.unroute(call)
    })
    await step(`the error of ${screen} links to the dashboard`, async () => {
      await page.getByRole('link', { name: /^Retour au (dashboard|tableau de bord)$/ }).click()
      await expect(page.getByRole('article')).toBeVisible()
    })
    await step(`${screen} shows 'Erreur inconnue' without a message`, async () => {
      await page.route(call, (route) => route.abort())
      await page.goBack()
      await expect(unknownFailure).toBeVisible()
      await page.unroute(call)
    })
  }
  await step('the dashboard shows the same texts', async () => {
    await page.route(quizzes, (route) => route.abort())
    await page.goto('/dashboard')
    await expect(unknownFailure).toBeVisible()
    await page.unroute(quizzes)
    await page.route(quizzes, (route) => route.fulfill(errorResponse('La base est en panne', 503)))
    await page.getByRole('button', { name: 'Réessayer' }).click()
    await expect(failure).toBeVisible()
    await page.unroute(quizzes)
  })
  await step('a 401 only logs a warning and causes no redirect', async () => {
    await page.route('**/api/v1/quizzes**', (route) =>
      route.fulfill(errorResponse('Connexion requise', 401)),
    )
    await page.goto('/dashboard')
    await expect(page.getByText('Erreur: Connexion requise')).toBeVisible()
    await expect(page).toHaveURL(/\/dashboard$/)
  })
})

test('the edit screen reports a failed save, and a failed autosave is tried again without an alert (product 14.2, 14.7)', {
  tag: '@dom',
}, async ({ page, creator }) => {
  const { id } = await readyScoreQuiz(creator.client)
  await step("a refused save on the edit screen shows 'Erreur: {message}'", async () => {
    await page.goto(`/quiz/${id}/edit`)
    await page.route(`**/api/v1/quizzes/${id}`, (route) =>
      route.request().method() === 'PUT'
        ? route.fulfill(errorResponse('Le quiz a changé entre-temps', 409))
        : route.fallback(),
    )
    await page.getByLabel('Nom').fill('Un autre nom')
    await page.getByRole('button', { name: 'Sauvegarder' }).click()
    await expect(page.getByText('Erreur: Le quiz a changé entre-temps')).toBeVisible()
    await page.unroute(`**/api/v1/quizzes/${id}`)
  })
  await step("a save without a network on the edit screen shows 'Erreur: {message}'", async () => {
    await page.context().setOffline(true)
    await page.getByRole('button', { name: 'Sauvegarder' }).click()
    await expect(page.getByText('Erreur: Le serveur n’a pas pu être joint.')).toBeVisible()
    await page.context().setOffline(false)
  })
  await step('a failed autosave shows no alert and is tried again', async () => {
    await page.goto(`/quiz/${id}/questions`)
    const restore = await failCalls(page, { method: 'POST', path: '**/draft' })
    await question(page, 1).fill('Votre semaine ?')
    await expect(page.getByText('Non enregistré, nouvel essai…')).toBeVisible()
    await expect(page.getByText('Hors ligne')).toBeHidden()
    await expect(page.getByRole('alertdialog')).toHaveCount(0)
    await restore()
    await expectSaved(page)
  })
})

test('a failed creation of a result is reported once, the result stays, and the next attempt creates it (product 14.5)', {
  tag: '@dom',
}, async ({ page, creator }) => {
  const { id } = await readyScoreQuiz(creator.client)
  await page.goto(`/quiz/${id}/results`)
  const rows = page.getByLabel(/^Nom du résultat/)
  const field = page.getByLabel('Nouveau résultat')
  await expect(rows).toHaveCount(2)
  const add = async (): Promise<void> => {
    await page.getByRole('button', { name: 'Ajouter un résultat' }).click()
  }
  const expectAlertAndClose = async (): Promise<void> => {
    const alert = page.getByRole('alertdialog')
    await expect(alert).toContainText('Erreur lors de la création du résultat')
    await alert.getByRole('button').click()
    await expect(alert).toBeHidden()
  }
  const names = async () =>
    (await creator.client.results.list({ id })).results.map(({ name }) => name)

  await step('a lost request shows an alert, and the result is saved later', async () => {
    const restore = await failCalls(page, { method: 'POST', path: '**/draft' })
    await field.fill('Équilibre')
    await add()
    await expectAlertAndClose()
    await expect(rows).toHaveCount(3)
    await expect(page.getByText('Non enregistré, nouvel essai…')).toBeVisible()
    await restore()
    await expectSaved(page)
    expect(await names()).toEqual(['Pas à pas', 'Grand saut', 'Équilibre'])
  })
  await step('a lost response shows an alert, and the result is stored once', async () => {
    await page.route(
      '**/draft',
      async (route) => {
        await route.fetch()
        await route.abort()
      },
      { times: 1 },
    )
    await field.fill('Élan')
    await add()
    await expectAlertAndClose()
    await expect(rows).toHaveCount(4)
    await expectSaved(page)
    await expect(field).toHaveValue('')
    expect(await names()).toEqual(['Pas à pas', 'Grand saut', 'Équilibre', 'Élan'])
  })
  await step('a later failed save does not remove a stored result', async () => {
    const restore = await failCalls(page, { method: 'POST', path: '**/draft' })
    await page.getByLabel('Nom du résultat 3').fill('Équilibre fragile')
    await expect(page.getByText('Non enregistré, nouvel essai…')).toBeVisible()
    await expect(rows).toHaveCount(4)
    await expect(page.getByRole('alertdialog')).toHaveCount(0)
    await restore()
    await expectSaved(page)
    expect(await names()).toEqual(['Pas à pas', 'Grand saut', 'Équilibre fragile', 'Élan'])
  })
  await step('the next attempt saves several results that were added at once', async () => {
    await page.route('**/draft', (route) => route.abort(), { times: 1 })
    await pasteInto(field, 'Un\nDeux\nTrois')
    await expectAlertAndClose()
    await expectSaved(page)
    expect((await names()).slice(4)).toEqual(['Un', 'Deux', 'Trois'])
  })
})

test('a field with a blank result name shows an error, and the draft keeps the last name (product 2.2)', {
  tag: ['@dom', '@rare'],
}, async ({ page, creator }) => {
  const { id } = await readyScoreQuiz(creator.client)
  await page.goto(`/quiz/${id}/results`)
  const field = page.getByLabel('Nom du résultat 1')
  await field.fill('')
  await expect(field).toHaveAttribute('aria-invalid', 'true')
  await expect(field).toHaveAccessibleDescription(
    'Le nom est obligatoire : l’ancien est gardé tant que ce champ est vide.',
  )
  await page.getByLabel('Nom du résultat 2').fill('Grand bond')
  await expect
    .poll(async () => (await creator.client.results.list({ id })).results.map(({ name }) => name))
    .toEqual(['Pas à pas', 'Grand bond'])
  await page.reload()
  await expect(field).toHaveValue('Pas à pas')
})

test('a failed publication shows the error message (product 6.8)', {
  tag: ['@dom', '@rare'],
}, async ({ page, creator }) => {
  const { id } = await readyScoreQuiz(creator.client)
  await page.goto(`/quiz/${id}/settings`)
  await page.getByRole('button', { name: 'Publier', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Publier le quiz' })
  const alert = dialog.getByRole('alert')
  await step('a refusal shows the message of the server', async () => {
    await page.route('**/publish', (route) =>
      route.fulfill(errorResponse('La base est en panne', 503)),
    )
    await dialog.getByRole('button', { name: 'Publier' }).click()
    await expect(alert).toContainText('Erreur lors de la publication')
    await expect(alert).toContainText('La base est en panne')
    await page.unroute('**/publish')
  })
  await step('a failure without a response shows a general sentence', async () => {
    await failCalls(page, { method: 'POST', path: '**/publish' })
    await dialog.getByRole('button', { name: 'Publier' }).click()
    await expect(alert).toContainText('Une erreur est survenue lors de la publication du quiz.')
  })
})

test('the preview reports that there are no results, and every screen reports a missing quiz (product 14.4, 14.6)', {
  tag: ['@dom', '@rare'],
}, async ({ page, creator }) => {
  await step("the preview shows 'Aucun résultat n'est défini pour ce quiz...'", async () => {
    const { id } = await readyScoreQuiz(creator.client)
    await creator.client.results.saveAll({ id, body: { results: [] } })
    await page.goto(`/quiz/${id}/preview`)
    await page.getByRole('radio', { name: 'Libre' }).check()
    await page.getByRole('button', { name: 'Suivant' }).click()
    await page.getByLabel('Où vous écrire ?').fill('camille@exemple.fr')
    await page.getByRole('button', { name: 'Voir le résultat' }).click()
    await expect(page.getByRole('alertdialog')).toContainText(
      "Aucun résultat n'est défini pour ce quiz. Veuillez créer au moins un résultat.",
    )
  })
  await step("every screen of a missing quiz shows 'Quiz introuvable'", async () => {
    for (const screen of ['edit', 'results', 'questions', 'settings', 'preview', 'statistics']) {
      await page.goto(`/quiz/00000000-0000-4000-8000-000000000000/${screen}`)
      await expect(page.getByText('Quiz introuvable')).toBeVisible()
      const back = screen === 'preview' ? 'Retour au tableau de bord' : 'Retour au tableau de bord'
      await expect(page.getByRole('link', { name: back })).toHaveAttribute('href', '/dashboard')
    }
    await page.getByRole('link', { name: 'Retour au tableau de bord' }).click()
    await expect(page).toHaveURL(/\/dashboard$/)
  })
})
