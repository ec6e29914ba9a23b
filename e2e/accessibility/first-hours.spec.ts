import type { Locator, Page } from '@playwright/test'
import sharp from 'sharp'
import { expectAccessibleScreens, publishedToast, question } from '../support/editor-steps.ts'
import { expect, expectAccessible, test } from '../support/fixtures.ts'
import { createGestureCounter, expectAtMost } from '../support/gestures.ts'
import { TOUCH } from '../support/layout-checks.ts'

/** First hours of three creators, who use a mouse, the keyboard alone, and a phone. */

const { step } = test

const button = (scope: Page | Locator, name: string): Locator =>
  scope.getByRole('button', { name, exact: true })
const answer = (page: Page, number: number, rank: number): Locator =>
  page.getByRole('textbox', { name: `Réponse ${rank} de la question ${number}`, exact: true })
const stepLink = (page: Page, name: string): Locator =>
  page.getByRole('navigation', { name: 'Étapes' }).getByRole('link', { name })
const menuItem = (page: Page, name: string): Locator =>
  page.getByRole('menuitem', { name, exact: true })
const readId = (page: Page): string => page.url().split('/')[4] ?? ''

test('a coach with a mouse builds, publishes and updates a score quiz, and opens its statistics', {
  tag: '@rare',
}, async ({ page, creator: { client } }) => {
  const { click, write, press, count } = createGestureCounter(page)
  const RESULTS = ['Pas à pas', 'Bien parti', 'Grand saut']

  await click(button(page, 'Créer un questionnaire').first())
  await click(page.getByRole('dialog').getByRole('button', { name: 'Quiz avec résultat' }))
  await write(page.getByLabel('Nom du quiz'), 'Prêt à vous lancer ?')
  await press('Enter')
  for (const result of RESULTS) {
    await write(page.getByLabel('Nouveau résultat'), result)
    await press('Enter')
  }
  await step('two questions have scores, and the third asks the first name', async () => {
    await click(page.getByRole('link', { name: 'Continuer vers les questions' }))
    await click(button(page.getByRole('region', { name: 'Page 1' }), 'Choix multiple'))
    for (const [number, text, answers] of [
      [1, 'Votre idée ?', ['Vague', 'Claire', 'Testée']],
      [2, 'Votre agenda ?', ['Rempli', 'Serré', 'Libre']],
    ] as const) {
      await write(question(page, number), text)
      for (const [index, one] of answers.entries()) {
        await press('Enter')
        await write(answer(page, number, index + 1), one)
      }
      await click(page.getByLabel(`Score – ${answers[0]}`, { exact: true }))
      for (const [index, one] of answers.entries()) {
        await write(page.getByLabel(`Score – ${one}`, { exact: true }), String(index))
        if (number === 1 || index < 2) await press('Enter')
      }
    }
    await click(button(page, 'Ajouter un élément'))
    await click(menuItem(page, 'Texte court'))
    await write(question(page, 3), 'Quel est votre prénom ?')
    await click(button(page, 'Répartir'))
  })

  const insertion = await count(async () => {
    await click(stepLink(page, 'Résultats'))
    const description = page.getByRole('textbox', { name: 'Description – Pas à pas' })
    await click(description)
    await write(description, 'Bravo ')
    await click(page.getByRole('button', { name: /^Insérer/ }))
    await click(page.getByRole('menu').getByRole('menuitem', { name: 'prénom' }))
    await write(description, ' !')
    await expect(description).toHaveValue('Bravo {{prénom}} !')
  })
  expectAtMost('first name', insertion, { clicks: 4, keys: 0 })

  const links = await count(async () => {
    const first = page.getByRole('listitem').filter({ hasText: 'Bouton et redirection' }).first()
    await click(first.getByText('Bouton et redirection'))
    await click(first.getByLabel('Texte du bouton'))
    await write(first.getByLabel('Texte du bouton'), 'Réserver')
    await press('Tab')
    await write(first.getByLabel('Adresse du bouton'), 'calendly.com/claire')
    await click(button(first, 'Appliquer à tous les résultats'))
    await expect(page.getByText(/^Appliqué aux 3 résultats/).first()).toBeVisible()
  })
  expectAtMost('buttons of the results', links, { clicks: 3, keys: 1 })

  const closing = await count(async () => {
    await click(stepLink(page, 'Réglages'))
    await click(page.getByRole('tab', { name: 'Accès' }))
    const field = page.getByLabel(/^Date et heure de clôture/)
    await click(field)
    // The order of day and month in this field depends on the language of the browser.
    await field.fill('2900-12-15T18:00')
    await expect(page.getByText('Fermera le mercredi 15 décembre 2900 à 18 h')).toBeVisible()
  })
  expectAtMost('closing date', closing, { clicks: 3, keys: 0 })

  const publication = await count(async () => {
    await click(button(page, 'Publier'))
    await click(button(page.getByRole('dialog', { name: 'Publier le quiz' }), 'Publier'))
    await expect(publishedToast(page)).toContainText('Quiz publié')
  })
  expectAtMost('publication', publication, { clicks: 2, keys: 0 })

  const update = await count(async () => {
    await click(stepLink(page, 'Questions'))
    await click(question(page, 2))
    await press('End')
    await press('Backspace')
    await write(question(page, 2), 'en mai ?')
    await expect(page.getByText('Modifications non publiées', { exact: true })).toBeVisible()
    await click(button(page, 'Publier'))
    await click(button(page.getByRole('dialog', { name: 'Mettre à jour' }), 'Mettre à jour'))
    await expect(publishedToast(page)).toContainText('Quiz mis à jour')
    await expect(page.getByText('Modifications non publiées', { exact: true })).toBeHidden()
  })
  expectAtMost('update', update, { clicks: 4, keys: 2 })

  const statistics = await count(async () => {
    await click(page.getByRole('link', { name: 'Statistiques' }))
    await expect(page.getByText('Aucune réponse pour le moment')).toBeVisible()
  })
  expectAtMost('statistics', statistics, { clicks: 1, keys: 0 })

  const id = readId(page)
  const { snapshot } = await client.publicQuiz.snapshot({ id })
  expect(snapshot.questions[1]?.text).toBe('Votre agenda en mai ?')
  const urls = snapshot.results.map(({ button_url }) => button_url)
  expect(urls).toEqual(RESULTS.map(() => 'https://calendly.com/claire'))
  expect((await client.quizzes.get({ id })).quiz.closes_at).toBe('2900-12-15T17:00:00.000Z')
  await expectAccessibleScreens(page, id, ['results', 'questions', 'settings', 'statistics'])
})

test('a trainer with the keyboard alone builds and publishes a sondage, answers it and erases the answer', {
  tag: '@rare',
}, async ({ page, creator: { client } }) => {
  const { done, write, press, moveTo, count } = createGestureCounter(page)
  let nb_presses = 0
  const activate = async (target: Locator): Promise<void> => {
    nb_presses++
    await moveTo(target)
    await press('Enter')
  }

  const creation = await count(async () => {
    await activate(button(page, 'Créer un questionnaire').first())
    await activate(page.getByRole('dialog').getByRole('button', { name: 'Sondage' }))
    await write(page.getByLabel('Nom du sondage'), 'Avis sur l’atelier')
    await press('Enter')
  })
  expectAtMost('creation', creation, { clicks: 0, keys: 12 })

  const scale = await count(async () => {
    await activate(button(page, 'Ajouter un élément'))
    await expect(page.getByRole('menu')).toBeVisible()
    await write(page.getByRole('menuitem').first(), 'ech')
    await press('Enter')
    await write(question(page, 1), 'L’atelier était…')
    const presets = page.getByRole('group', { name: 'Modèles d’échelle – Question 1' })
    await activate(presets.getByRole('button', { name: 'Satisfaction 1–5' }))
  })
  expectAtMost('scale with a preset', scale, { clicks: 0, keys: 4 })

  const text = await count(async () => {
    await activate(button(page, 'Ajouter un élément'))
    await expect(page.getByRole('menu')).toBeVisible()
    await write(page.getByRole('menuitem').first(), 'email')
    await press('Enter')
    await write(question(page, 2), 'Votre email ?')
  })
  expectAtMost('question by a filter', text, { clicks: 0, keys: 11 })

  const publication = await count(async () => {
    await press('Control+Enter')
    await expect(button(page.getByRole('dialog', { name: 'Publier le' }), 'Publier')).toBeFocused()
    await press('Enter')
    await expect(publishedToast(page)).toContainText('Sondage publié')
  })
  expectAtMost('publication', publication, { clicks: 0, keys: 2 })
  expect(done.clicks).toBe(0)

  const id = readId(page)
  await page.goto(`/q/${id}`)
  await step('the trainer answers', async () => {
    await moveTo(page.getByRole('radio').first())
    await press('ArrowRight')
    await moveTo(page.getByLabel('Votre email ?'))
    await write(page.getByLabel('Votre email ?'), 'camille@exemple.fr')
    await press('Enter')
    await expect(page.getByText('Merci pour votre participation')).toBeVisible()
  })
  await page.goto(`/quiz/${id}/questions`)
  const before = nb_presses
  const erasure = await count(async () => {
    await activate(page.getByRole('link', { name: 'Statistiques' }))
    await activate(page.getByRole('link', { name: ', camille@exemple.fr :' }))
    await activate(button(page, 'Supprimer ce participant'))
    await activate(button(page.getByRole('alertdialog'), 'Supprimer'))
    const confirmation = page.getByRole('status').filter({ hasText: 'Effacement confirmé' })
    await expect(confirmation).toContainText('Personne : camille@exemple.fr.')
  })
  expectAtMost('erasure', erasure, { clicks: 0, keys: 44 })
  // Each press of a control is a click of a creator with a mouse.
  expect(nb_presses - before).toBeLessThanOrEqual(4)
  await expect(page.getByText('Aucune réponse pour le moment')).toBeVisible()
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
  await expectAccessible(page)
  expect((await client.quizzes.get({ id })).quiz.nb_responses).toBe(0)
})

test.describe('on a phone', () => {
  test.use(TOUCH)

  test('a shop owner builds a profile quiz with eight undescribed pictures, publishes it and shares it', {
    tag: '@rare',
  }, async ({ page, creator: { client } }) => {
    const { tap, write, press, count } = createGestureCounter(page)
    const buffer = await sharp({
      create: { width: 300, height: 200, channels: 3, background: '#c8562a' },
    })
      .jpeg()
      .toBuffer()
    const addPicture = async (name: string): Promise<void> => {
      const field = page.getByRole('group', { name: `Image – ${name}`, exact: true })
      const chooser = page.waitForEvent('filechooser')
      await tap(button(field, 'Choisir une image'))
      await (await chooser).setFiles({ name: 'vitrine.jpg', mimeType: 'image/jpeg', buffer })
      await expect(field.getByLabel('Description de l’image')).toBeFocused()
    }
    const openPictures = async (name: string, action: string): Promise<void> => {
      await tap(button(page, `Actions – ${name}`))
      await tap(menuItem(page, action))
    }
    const RESULTS = ['Artisane', 'Exploratrice']

    await tap(button(page, 'Créer un questionnaire').first())
    await tap(page.getByRole('dialog').getByRole('button', { name: 'Quiz avec résultat' }))
    await write(page.getByLabel('Nom du quiz'), 'Quelle boutique êtes-vous ?')
    await press('Enter')
    for (const result of RESULTS) {
      await write(page.getByLabel('Nouveau résultat'), result)
      await press('Enter')
    }
    for (const result of RESULTS) {
      await openPictures(result, 'Ajouter une image')
      await addPicture(result)
    }
    await tap(page.getByRole('link', { name: 'Continuer vers les questions' }))
    for (const [number, text, answers] of [
      [1, 'Votre vitrine ?', ['En bois', 'En ligne']],
      [2, 'Votre matière ?', ['Le lin', 'Le métal']],
    ] as const) {
      if (number === 1) {
        await tap(button(page.getByRole('region', { name: 'Page 1' }), 'Choix multiple'))
      } else {
        await tap(button(page, 'Ajouter un élément'))
        await tap(menuItem(page, 'Choix multiple'))
      }
      await write(question(page, number), text)
      for (const [index, one] of answers.entries()) {
        await press('Enter')
        await write(answer(page, number, index + 1), one)
      }
      for (const [index, one] of answers.entries()) {
        const pills = page.getByRole('group', { name: `Résultats associés à ${one}` })
        await tap(pills.locator('label', { hasText: RESULTS[index] ?? '' }))
        await expect(pills.getByRole('checkbox', { checked: true })).toHaveCount(1)
      }
      await openPictures(`Question ${number}`, 'Ajouter une image')
      await addPicture(`Question ${number}`)
      await openPictures(`Question ${number}`, 'Images des réponses')
      for (const one of answers) await addPicture(one)
    }

    const fixes = await count(async () => {
      await tap(button(page, 'Voir les 4 points à corriger'))
      await tap(button(page.getByRole('dialog'), 'Toutes décoratives'))
      await expect(page.getByText('4 images marquées décoratives').first()).toBeVisible()
      await expect(button(page, 'Publier')).toBeFocused()
    })
    expectAtMost('descriptions of the pictures', fixes, { clicks: 2, keys: 0 })

    const sharing = await count(async () => {
      await tap(button(page, 'Publier'))
      await expect(page.getByRole('dialog').getByText('75 %')).toBeVisible()
      await tap(button(page.getByRole('dialog', { name: 'Publier le quiz' }), 'Publier'))
      await tap(button(publishedToast(page), 'Partager'))
      const dialog = page.getByRole('dialog', { name: 'Partager le quiz' })
      await expect(dialog.getByLabel('Lien public')).toHaveValue(new RegExp(readId(page)))
      await expectAccessible(page)
    })
    expectAtMost('publication and link', sharing, { clicks: 3, keys: 0 })

    const id = readId(page)
    const { snapshot } = await client.publicQuiz.snapshot({ id })
    expect(snapshot.questions.map(({ image_alt }) => image_alt)).toEqual(['', ''])
    expect(snapshot.results.map(({ image_alt }) => image_alt)).toEqual(['', ''])
    await expectAccessibleScreens(page, id, ['results', 'questions', 'settings', 'statistics'])
  })
})
