import { publishedScoreQuiz } from '../../src/server/testing/quizzes/sample-quizzes.ts'
import { openScreen } from '../support/editor-steps.ts'
import { readFakeState } from '../support/fake-tools.ts'
import { expect, expectAccessible, newToolKey, test, uniqueEmail } from '../support/fixtures.ts'
import { publishWheel } from '../support/published-quizzes.ts'
import { choose, enterEmail, expectResult } from '../support/visitor-steps.ts'

test.use({ creatorIs: 'signed in' })

/** Returns true if the fake Brevo has a contact with this address in the list of this name. */
const isInList = async (email: string, name: string): Promise<boolean> => {
  const state = JSON.parse(await readFakeState('brevo')) as {
    contacts: { email: string; list_ids: number[] }[]
    lists: Record<string, string>
  }[]
  return state.some(({ contacts, lists }) =>
    contacts.some(
      (one) => one.email === email && one.list_ids.some((id) => lists[String(id)] === name),
    ),
  )
}

test('a creator adds, tests and removes a rule, a visitor is added to its list, and the ledger shows it @phone', async ({
  page,
  creator,
  visitor,
}, { project }) => {
  const { client } = creator
  const { id } = await publishedScoreQuiz(client)
  const email = `regle-${Date.now()}-${project.name}@exemple.fr`
  const sentence =
    'Quand le résultat est « Pas à pas », ajouter à la liste « Participants » dans Brevo'
  const line = page.getByRole('listitem').filter({ hasText: sentence })

  await test.step('without a tool, the section connects one in a dialog', async () => {
    await page.goto(`/quiz/${id}/settings`)
    await page.getByRole('tab', { name: 'Automatisations' }).click()
    await expect(page.getByText('Connectez d’abord Kit, Systeme.io ou Brevo')).toBeVisible()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Connecter Brevo' }).click()
    const dialog = page.getByRole('dialog', { name: 'Connecter Brevo' })
    await expect(dialog.getByLabel('Clé API Brevo')).toBeFocused()
    await page.keyboard.type(newToolKey('brevo'))
    await page.keyboard.press('Enter')
    await expect(page.getByText('La clé API de Brevo est enregistrée.')).toBeVisible()
    await expect(dialog).toBeHidden()
    await expect(page.getByRole('heading', { name: 'Tags, listes et inscriptions' })).toBeFocused()
    await expect(page.getByRole('form', { name: 'Ajouter une règle' })).toBeVisible()
  })

  await test.step('a creator adds a rule for a result and selects a list of the account', async () => {
    await client.quizzes.update({ id, body: { consent_mode: 'requested' } })
    await client.integrations.setBrevo({ id, body: { enabled: true } })
    const form = page.getByRole('form', { name: 'Ajouter une règle' })
    await form.getByRole('button', { name: 'Ajouter la règle' }).click()
    await expect(form.getByText('Indiquez une liste')).toBeVisible()
    await expect(form.getByLabel('Liste')).toBeFocused()
    await expect(page.locator('datalist option')).toHaveAttribute('value', 'Participants')
    await form.getByLabel('Liste').fill('participants')
    await form.getByRole('button', { name: 'Ajouter la règle' }).click()
    // The rule shows the list name as it is spelled in the account.
    await expect(line).toBeVisible()
    await expect(form.getByLabel('Liste')).toHaveValue('')
    await expectAccessible(page)
  })

  await test.step('a creator adds a rule for an answer, and the rule names a new list', async () => {
    const form = page.getByRole('form', { name: 'Ajouter une règle' })
    await form.getByLabel('Quand').selectOption('la réponse est')
    await form.getByLabel('Réponse').selectOption('Rempli')
    await form.getByLabel('Liste').fill('Agendas pleins')
    await form.getByRole('button', { name: 'Ajouter la règle' }).press('Enter')
    await expect(
      page.getByRole('listitem').filter({
        hasText:
          'Quand la réponse à « Votre agenda ? » est « Rempli », ajouter à la liste « Agendas pleins » dans Brevo',
      }),
    ).toBeVisible()
    await form.getByLabel('Quand').selectOption('le résultat est')
    await form.getByLabel('Liste').fill('Participants')
    await form.getByRole('button', { name: 'Ajouter la règle' }).click()
    await expect(form.getByText('Cette automatisation est déjà dans la liste')).toBeVisible()
    await expect(form.getByLabel('Liste')).toBeFocused()
    await expectAccessible(page)
  })

  await test.step('text that is typed while a rule is saved stays in the field', async () => {
    const form = page.getByRole('form', { name: 'Ajouter une règle' })
    const held = Promise.withResolvers<void>()
    const rules = `**/quizzes/${id}/automations`
    await page.route(rules, async (route) => {
      if (route.request().method() === 'POST') await held.promise
      await route.continue()
    })
    await form.getByLabel('Liste').fill('Prudents')
    const request = page.waitForRequest(
      (request) => request.method() === 'POST' && request.url().endsWith('/automations'),
    )
    await form.getByRole('button', { name: 'Ajouter la règle' }).press('Enter')
    await request
    await form.getByLabel('Liste').fill('La suivante')
    held.resolve()
    await expect(
      page.getByRole('heading', { name: /à la liste « Prudents » dans Brevo/ }),
    ).toBeVisible()
    await expect(form.getByRole('button', { name: 'Ajouter la règle' })).not.toHaveAttribute(
      'aria-busy',
    )
    await expect(form.getByLabel('Liste')).toHaveValue('La suivante')
    await page.unroute(rules)
    const { automations } = await client.automations.list({ id })
    const added = automations.find(({ sentence: words }) => words.includes('« Prudents »'))
    await client.automations.remove({ id, automationId: added?.id ?? '' })
  })

  await test.step('« Tester » adds a test contact to the list', async () => {
    await line.getByText('Tester').click()
    await line.getByLabel('Votre adresse email').fill(`essai-${email}`)
    await line.getByRole('button', { name: 'Envoyer' }).click()
    await expect(line.getByText('Le contact est arrivé.')).toBeVisible()
    expect(await isInList(`essai-${email}`, 'Participants')).toBe(true)
    // The page scrolls to the top, because the sticky header would cover some controls.
    await page.locator('h1').scrollIntoViewIfNeeded()
    await expectAccessible(page)
  })

  await test.step('a visitor with this result and this answer is added to both lists', async () => {
    await visitor.goto(`/q/${id}`)
    await choose(visitor, 'Rempli')
    await enterEmail(visitor, email)
    await expectResult(visitor, 'Pas à pas')
    await expect.poll(() => isInList(email, 'Agendas pleins')).toBe(true)
    expect(await isInList(email, 'Participants')).toBe(true)
    await page.getByRole('link', { name: 'Voir les envois' }).click()
    await expect(page.getByText('Listes : Participants, Agendas pleins')).toBeVisible()
    await expectAccessible(page)
  })

  await test.step('a removed rule disappears from the list', async () => {
    await openScreen(page, `/quiz/${id}/settings?onglet=automatisations`)
    await line.getByRole('button', { name: 'Supprimer' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Supprimer' }).click()
    await expect(line).toHaveCount(0)
    await expect(page.locator('h1')).toBeFocused()
  })
})

test('a rule for a tier adds the visitors of this tier to its list', { tag: '@rare' }, async ({
  page,
  creator: { client },
  visitor,
}) => {
  const { id } = await publishWheel(client)
  await client.integrations.saveBrevo({ body: { api_key: newToolKey('brevo') } })
  await client.integrations.setBrevo({ id, body: { enabled: true } })
  await page.goto(`/quiz/${id}/settings`)
  await page.getByRole('tab', { name: 'Automatisations' }).click()
  const form = page.getByRole('form', { name: 'Ajouter une règle' })
  await form.getByLabel('Quand').selectOption('la dimension est')
  await form.getByLabel('Dimension').selectOption('Santé')
  await form.getByLabel('Palier').selectOption('Faible')
  await form.getByLabel('Liste').fill('À rappeler')
  await form.getByRole('button', { name: 'Ajouter la règle' }).click()
  const sentence = 'Quand « Santé » est « Faible », ajouter à la liste « À rappeler » dans Brevo'
  await expect(page.getByRole('heading', { name: sentence })).toBeVisible()
  await expectAccessible(page)
  const emails = { Libre: uniqueEmail(), Rempli: uniqueEmail() }
  for (const answer of ['Libre', 'Rempli'] as const) {
    await visitor.goto(`/q/${id}`)
    await choose(visitor, answer)
    await enterEmail(visitor, emails[answer])
    await expectResult(visitor, answer === 'Libre' ? 'Grand saut' : 'Pas à pas')
  }
  await expect.poll(() => isInList(emails.Rempli, 'À rappeler')).toBe(true)
  await openScreen(page, `/quiz/${id}/envois`)
  await expect(page.getByText('2 participants = 2 envoyés')).toBeVisible()
  expect(await isInList(emails.Libre, 'À rappeler')).toBe(false)
})

test('a tool with an unreadable state is not shown as missing, and is requested again', {
  tag: '@dom',
}, async ({ page, creator: { client } }) => {
  const { id } = await publishedScoreQuiz(client)
  await client.integrations.saveBrevo({ body: { api_key: newToolKey('brevo') } })
  const status = '**/integrations/brevo/status'
  await page.route(status, (route) => route.fulfill({ status: 503, json: { error: 'Panne' } }))
  await page.goto(`/quiz/${id}/settings`)
  await page.getByRole('tab', { name: 'Automatisations' }).click()
  const section = page.getByRole('region', { name: 'Tags, listes et inscriptions' })
  await expect(section.getByRole('alert')).toContainText('Panne')
  await expect(section.getByText('Connectez d’abord')).toHaveCount(0)
  await expectAccessible(page)
  await page.getByRole('tab', { name: 'Intégrations' }).click()
  const card = page.getByRole('region', { name: 'Brevo', exact: true })
  await expect(card.getByRole('alert')).toContainText('Panne')
  await expect(card.getByRole('switch')).toBeDisabled()
  await expectAccessible(page)
  await page.unroute(status)
  await card.getByRole('button', { name: 'Réessayer' }).click()
  await expect(card.getByRole('switch')).toBeEnabled()
  await expect(card.getByRole('alert')).toHaveCount(0)
})

test(
  'a creator enrols participants in a course with the keyboard, and each state of the list is told @phone',
  { tag: ['@dom', '@rare'] },
  async ({ page, creator: { client } }, { project }) => {
    const quiz = await publishedScoreQuiz(client)
    const { id } = quiz
    await client.integrations.saveSystemio({ body: { api_key: newToolKey('systemio') } })
    const listed = '**/integrations/systemio/labels?kind=*'
    const many = Array.from({ length: 12 }, (_, at) => ({
      vendor_id: `${7_000 + at}`,
      name: `Module ${at + 1}`,
    }))
    const rules = page.getByRole('region', { name: 'Tags, listes et inscriptions' })
    const action = rules.getByLabel('Action')
    const add = rules.getByRole('button', { name: 'Ajouter la règle' })

    await test.step('an empty account and a plan without the feature are told', async () => {
      await page.route(listed, (route) =>
        route.request().url().endsWith('course')
          ? route.fulfill({ json: { labels: [] } })
          : route.fulfill({
              status: 409,
              json: {
                error: 'Votre offre Systeme.io ne comprend pas les communautés.',
                code: 'missing_feature',
              },
            }),
      )
      await page.goto(`/quiz/${id}/settings`)
      await page.getByRole('tab', { name: 'Automatisations' }).click()
      await action.selectOption({ label: 'Inscrire au cours' })
      await expect(rules.getByText('Aucun cours dans ce compte.')).toBeVisible()
      await expectAccessible(page)
      await action.selectOption({ label: 'Ajouter à la communauté' })
      await expect(rules.getByRole('alert')).toContainText('Votre offre Systeme.io ne comprend pas')
      await expectAccessible(page)
    })

    await test.step('a long list is filtered, and a rule without a choice is refused', async () => {
      await page.unroute(listed)
      await page.route(listed, (route) => route.fulfill({ json: { labels: many } }))
      await rules.getByRole('button', { name: 'Réessayer' }).click()
      await expect(rules.getByRole('radio')).toHaveCount(12)
      await rules.getByLabel('Filtrer les communautés').fill('module 1')
      await expect(rules.getByRole('radio')).toHaveCount(4)
      await rules.getByLabel('Filtrer les communautés').fill('absente')
      await expect(rules.getByText('Aucune communauté ne contient « absente ».')).toBeVisible()
      await add.click()
      await expect(rules.getByText('Choisissez une communauté')).toBeVisible()
      await expect(rules.getByRole('radiogroup')).toBeFocused()
      await expectAccessible(page)
      await page.unroute(listed)
    })

    await test.step('a course is picked with the keyboard, and the rule is a sentence', async () => {
      await page.reload()
      await page.getByRole('tab', { name: 'Automatisations' }).click()
      await action.selectOption({ label: 'Inscrire au cours' })
      await rules.getByRole('radio', { name: 'Premiers pas' }).focus()
      await page.keyboard.press('Space')
      await page.keyboard.press('Enter')
      await expect(
        rules.getByRole('heading', {
          name: 'Quand le résultat est « Pas à pas », inscrire au cours « Premiers pas » dans Systeme.io',
        }),
      ).toBeVisible()
      await expect(rules.getByRole('radio', { name: 'Premiers pas' })).not.toBeChecked()
      await expectAccessible(page)
      const zoomed = await page.evaluate(() => {
        document.documentElement.style.fontSize = '200%'
        return document.documentElement.scrollWidth <= innerWidth
      })
      expect(zoomed).toBe(true)
    })

    await test.step('a participant is enrolled, and the ledger names the course', async () => {
      await client.quizzes.update({ id, body: { consent_mode: 'requested' } })
      await client.integrations.setSystemio({ id, body: { enabled: true } })
      const email = `cours-${Date.now()}-${project.name}@exemple.fr`
      await client.publicQuiz.submit({
        id,
        body: {
          answers: { [quiz.question_id]: quiz.answer_ids[0] ?? '', [quiz.open_id]: email },
        },
      })
      const enrolments = async () =>
        (await client.deliveries.list({ id })).deliveries[0]?.enrolments ?? []
      await expect.poll(enrolments).toEqual([{ kind: 'course', name: 'Premiers pas' }])
      await openScreen(page, `/quiz/${id}/envois`)
      await expect(page.getByText('Cours : Premiers pas')).toBeVisible()
      await expectAccessible(page)
    })
  },
)
