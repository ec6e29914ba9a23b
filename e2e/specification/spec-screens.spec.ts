import { readyScoreQuiz } from '../../src/server/testing/quizzes/sample-quizzes.ts'
import { expect, test } from '../support/fixtures.ts'

/** The specified screens of creators, one by one; each step tests one part of a screen. */

test.use({ creatorIs: 'signed in' })
const { step } = test

test('the layout and the routes are as specified (product 7.1, 7.3)', { tag: '@rare' }, async ({
  page,
  creator,
}) => {
  expect(creator.email).not.toBe('')
  await page.goto('/dashboard')
  await step('a left sidebar of 60 units width shows the logo text', async () => {
    const sidebar = page.getByRole('banner')
    expect((await sidebar.boundingBox())?.width).toBe(240)
    await expect(sidebar).toContainText('Quizaine')
  })
  await step(
    'the sidebar links to Tableau de bord and Mon compte and highlights the current link',
    async () => {
      await expect(page.getByRole('link', { name: 'Tableau de bord' })).toHaveAttribute(
        'aria-current',
        'page',
      )
      await page.getByRole('link', { name: 'Mon compte', exact: true }).click()
      await expect(page).toHaveURL(/\/settings$/)
      await expect(page.getByRole('link', { name: 'Mon compte', exact: true })).toHaveAttribute(
        'aria-current',
        'page',
      )
    },
  )
  await step('/quiz/create and /quiz/new/edit open the same dialog', async () => {
    for (const path of ['/quiz/create', '/quiz/new/edit']) {
      await page.goto(path)
      await expect(page.getByRole('button', { name: 'Créer le quiz' })).toBeVisible()
      await expect(page.getByRole('link', { name: '← Retour' })).toHaveAttribute(
        'href',
        '/dashboard',
      )
    }
  })
  await step('an unknown path leads to /login, and thus here to the dashboard', async () => {
    for (const path of ['/quiz', '/%E0%A4']) {
      await page.goto(path)
      await expect(page).toHaveURL(/\/dashboard$/)
    }
    expect((await page.request.get('/favicon.ico')).headers()['content-type']).toBe('image/x-icon')
    expect(await (await page.request.get('/robots.txt')).text()).toContain('User-agent: *')
  })
  await step('Déconnexion signs out and goes to /login', async () => {
    await page.getByRole('button', { name: 'Déconnexion' }).click()
    await expect(page).toHaveURL(/\/login$/)
  })
})

test('the edit screen is as specified (product 7.5)', { tag: '@dom' }, async ({
  page,
  creator,
}) => {
  const { id } = await readyScoreQuiz(creator.client, 'Avant')
  await page.goto(`/quiz/${id}/edit`)
  await step('the form has the fields name, type and status', async () => {
    await expect(page.getByLabel('Nom')).toHaveValue('Avant')
    await expect(page.getByLabel('Type')).toHaveValue('quiz')
    await expect(page.getByLabel('Statut')).toHaveValue('Brouillon')
  })
  await step("the screen has 'Sauvegarder', 'Ajouter des questions →' and '← Retour'", async () => {
    await expect(page.getByRole('button', { name: 'Sauvegarder' })).toBeVisible()
    await expect(page.getByRole('link', { name: 'Ajouter des questions →' })).toHaveAttribute(
      'href',
      `/quiz/${id}/questions`,
    )
    await expect(page.getByRole('link', { name: '← Retour' })).toHaveAttribute('href', '/dashboard')
  })
  await step('a refused publication shows the reason and changes nothing', async () => {
    await creator.client.results.saveAll({ id, body: { results: [] } })
    await page.getByLabel('Statut').selectOption('Publié')
    await page.getByRole('button', { name: 'Sauvegarder' }).click()
    await expect(page.getByRole('alert').first()).toContainText(
      'Il faut au moins 2 résultats pour publier le quiz',
    )
    expect((await creator.client.quizzes.get({ id })).quiz.status).toBe('Brouillon')
  })
})

test('the steps and buttons that all editor screens share are as specified (product 7.6)', {
  tag: '@dom',
}, async ({ page, creator }) => {
  const { quiz } = await creator.client.quizzes.create({ body: { name: 'Neuf', type: 'quiz' } })
  await page.goto(`/quiz/${quiz.id}/results`)
  const steps = page.getByRole('navigation', { name: 'Étapes' })
  await step(
    'there are three steps: the current step is marked and the questions are locked',
    async () => {
      await expect(steps.getByRole('listitem')).toHaveCount(3)
      await expect(steps.locator('[aria-current=step]')).toContainText('Résultats')
      const locked = steps.getByTitle('Créez au moins 2 résultats pour débloquer cette étape')
      await expect(locked).toContainText('Créez au moins 2 résultats (0/2)')
      await locked.press('Enter')
      await expect(page).toHaveURL(/\/results$/)
    },
  )
  await step('the settings step is never locked', async () => {
    await expect(steps.getByRole('link', { name: /Réglages/ })).toHaveAttribute(
      'href',
      `/quiz/${quiz.id}/settings`,
    )
  })
  await step(
    'Retour, Prévisualiser and Publier are shown, and sharing needs a published quiz',
    async () => {
      await expect(page.getByRole('link', { name: 'Retour' })).toHaveAttribute('href', '/dashboard')
      await expect(page.getByRole('link', { name: 'Prévisualiser' })).toHaveAttribute(
        'href',
        `/quiz/${quiz.id}/preview`,
      )
      await expect(page.getByRole('button', { name: 'Publier', exact: true })).toBeDisabled()
      const share = page.getByRole('button', { name: 'Partager' })
      await expect(share).toBeDisabled()
      await expect(share).toHaveAttribute('title', "Publiez d'abord le quiz")
    },
  )
})

test('the results screen is as specified (product 7.9)', { tag: ['@dom', '@rare'] }, async ({
  page,
  creator,
}) => {
  const { quiz } = await creator.client.quizzes.create({ body: { name: 'Neuf', type: 'quiz' } })
  await page.goto(`/quiz/${quiz.id}/results`)
  await step(
    'the screen has an editable name of at most 100 characters, a status badge and an info box',
    async () => {
      await expect(page.getByLabel('Nom du quiz')).toHaveAttribute('maxlength', '100')
      await expect(page.getByText('Brouillon', { exact: true })).toBeVisible()
      await expect(page.getByText('Comment ça marche ?')).toBeVisible()
    },
  )
  await step("a quiz without results shows 'Aucun résultat créé'", async () => {
    await expect(page.getByText('Aucun résultat créé')).toBeVisible()
  })
  await step(
    "a blank name adds nothing, and Enter or 'Ajouter un résultat' adds a result",
    async () => {
      await page.getByLabel('Nouveau résultat').fill('   ')
      await page.getByLabel('Nouveau résultat').press('Enter')
      await expect(page.getByText('Aucun résultat créé')).toBeVisible()
      await page.getByLabel('Nouveau résultat').fill('Lune')
      await page.getByLabel('Nouveau résultat').press('Enter')
      await expect(page.getByRole('link', { name: 'Continuer vers les questions' })).toBeHidden()
      await page.getByLabel('Nouveau résultat').fill('Soleil')
      await page.getByRole('button', { name: 'Ajouter un résultat' }).click()
    },
  )
  await step(
    'each result has a handle, a rank, a name, a description and a delete button',
    async () => {
      await expect(page.getByRole('button', { name: 'Déplacer Soleil' })).toBeVisible()
      await expect(page.getByLabel('Nom du résultat 2')).toHaveValue('Soleil')
      await expect(page.getByLabel('Description – Soleil')).toBeVisible()
      await expect(page.getByRole('button', { name: 'Supprimer Soleil' })).toBeVisible()
    },
  )
  await step("two results are enough to show 'Continuer vers les questions'", async () => {
    await expect(page.getByRole('link', { name: 'Continuer vers les questions' })).toBeVisible()
  })
  await step('deleting a result asks for a confirmation', async () => {
    await page.getByRole('button', { name: 'Supprimer Lune' }).click()
    await expect(page.getByRole('alertdialog')).toContainText(
      'Êtes-vous sûr de vouloir supprimer ce résultat ?',
    )
    await page.getByRole('alertdialog').getByRole('button', { name: 'Supprimer' }).click()
    await expect(page.getByLabel('Nom du résultat 1')).toHaveValue('Soleil')
    await expect(page.getByLabel('Nom du résultat 1')).toBeFocused()
  })
})

test('the questions screen is as specified (product 7.10)', { tag: ['@dom', '@rare'] }, async ({
  page,
  creator,
}) => {
  const { id } = await readyScoreQuiz(creator.client)
  await creator.client.quizzes.resetMode({ id })
  await page.goto(`/quiz/${id}/questions`)
  await step('the menu offers each kind of question, a text block, a page, a preset', async () => {
    await page.getByRole('button', { name: 'Ajouter un élément' }).click()
    await expect(page.getByRole('menuitem')).toHaveText([
      ...['Choix multiple', 'Texte court', 'Texte long', 'Email', 'Téléphone', 'Nombre'],
      ...['Échelle', 'Date', 'Grille', 'Bloc de texte', 'Nouvelle page', 'Coordonnées'],
      'Consentement (RGPD)',
    ])
    await page.keyboard.press('Escape')
  })
  await step('while the mode is unset, scores and associations are both shown', async () => {
    await expect(page.getByLabel('Score – Rempli')).toBeVisible()
    await expect(page.getByRole('group', { name: 'Résultats associés à Rempli' })).toBeVisible()
    await expect(page.getByText('Paliers de score')).toBeHidden()
  })
  await step(
    'the first score that is not zero hides associations and shows the tiers',
    async () => {
      await page.getByLabel('Score – Rempli').fill('0')
      await expect(page.getByRole('heading', { name: 'Aucun mode choisi' })).toBeVisible()
      await page.getByLabel('Score – Rempli').fill('3')
      await expect(page.getByRole('group', { name: 'Résultats associés à Rempli' })).toHaveCount(0)
      await expect(page.getByLabel('Minimum – Pas à pas')).toHaveAttribute('placeholder', '0')
      await expect(page.getByLabel('Maximum – Pas à pas')).toHaveAttribute('placeholder', '100')
    },
  )
  await step('an empty or invalid score becomes 0', async () => {
    await page.getByLabel('Score – Libre').fill('')
    await page.getByLabel('Score – Libre').blur()
    await page.getByLabel('Score – Libre').fill('4')
    await page.getByLabel('Score – Libre').fill('')
    await page.getByLabel('Score – Libre').blur()
    await expect(page.getByLabel('Score – Libre')).toHaveValue('0')
  })
  await step(
    'deleting a question, a filled answer or a text block asks for a confirmation',
    async () => {
      await page.getByRole('button', { name: 'Supprimer la réponse 2 de la question 1' }).click()
      const dialog = page.getByRole('alertdialog')
      await expect(dialog).toContainText('Êtes-vous sûr de vouloir supprimer cette réponse ?')
      await dialog.getByRole('button', { name: 'Annuler' }).click()
      await page.getByRole('button', { name: 'Ajouter un élément' }).click()
      await page.getByRole('menuitem', { name: 'Bloc de texte' }).click()
      await page.getByRole('button', { name: 'Supprimer Bloc de texte 1' }).click()
      await expect(dialog).toContainText('Êtes-vous sûr de vouloir supprimer ce bloc de texte ?')
      await dialog.getByRole('button', { name: 'Supprimer' }).click()
      await expect(page.getByLabel('Bloc de texte 1', { exact: true })).toHaveCount(0)
    },
  )
  await step('a blank answer is deleted without a confirmation', async () => {
    await page.getByRole('button', { name: 'Ajouter une réponse' }).first().click()
    const blank = page.getByLabel('Réponse 3 de la question 1', { exact: true })
    await expect(blank).toBeFocused()
    await blank.press('Backspace')
    await expect(blank).toHaveCount(0)
    await expect(page.getByRole('alertdialog')).toHaveCount(0)
  })
})

test('the settings screen is as specified (product 7.12)', { tag: '@rare' }, async ({
  page,
  creator,
}) => {
  const { id } = await readyScoreQuiz(creator.client)
  await page.goto(`/quiz/${id}/settings`)
  await step(
    'five colour pickers with hex fields show the default colours of the editor',
    async () => {
      const defaults: [name: string, color: string][] = [
        ['Fond', '#FFFFFF'],
        ['Texte', '#37352F'],
        ['Bouton', '#000000'],
        ['Texte du bouton', '#FFFFFF'],
        ['Accent', '#0070D7'],
      ]
      for (const [name, color] of defaults) {
        await expect(page.getByLabel(`${name} – palette`, { exact: true })).toHaveValue(
          color.toLowerCase(),
        )
        await expect(page.getByLabel(`${name} – code hexadécimal`, { exact: true })).toHaveValue(
          color,
        )
      }
    },
  )
  await step('the preview shows a changed colour immediately', async () => {
    await page.getByLabel('Fond – code hexadécimal').fill('#abc')
    await expect(page.locator('figure .q')).toHaveCSS('--q-bg', '#aabbcc')
  })
  await step(
    'an invalid colour is refused at its field, and the previous colour stays',
    async () => {
      await page.getByLabel('Accent – code hexadécimal').fill('rouge')
      await page.getByLabel('Accent – code hexadécimal').blur()
      await expect(page.getByText(/Couleur attendue/)).toBeVisible()
      await expect(page.getByLabel('Accent – palette')).toHaveValue('#0070d7')
    },
  )
})
