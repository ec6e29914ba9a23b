import { randomUUID } from 'node:crypto'
import { question } from '../support/editor-steps.ts'
import { expect, PASSWORD, test } from '../support/fixtures.ts'
import { createGestureCounter } from '../support/gestures.ts'

const NAME = 'Prêt à vous lancer ?'
const RESULTS = ['Pas à pas', 'Bien parti', 'Grand saut']
const QUESTIONS = [
  { text: 'Votre idée ?', answers: ['Vague', 'Claire', 'Testée'] },
  { text: 'Votre agenda ?', answers: ['Rempli', 'Serré', 'Libre'] },
  { text: 'Vos économies ?', answers: ['Aucune', 'Six mois', 'Un an'] },
  { text: 'Vos clients ?', answers: ['Aucun', 'Quelques-uns', 'Une liste'] },
  { text: 'Votre entourage ?', answers: ['Contre', 'Partagé', 'Avec moi'] },
]

test('from sign-up to a published quiz of 5 questions with 3 answers each and 3 results, a creator needs at most 12 clicks and 42 keys besides the content', {
  tag: '@rare',
}, async ({ page }) => {
  const { done, click, write, press } = createGestureCounter(page)
  const email = `c${randomUUID().slice(0, 8)}@exemple.fr`
  await page.goto('/signup')
  await write(page.getByLabel('Email'), email)
  await press('Tab')
  await write(page.getByLabel('Mot de passe', { exact: true }), PASSWORD)
  await press('Enter')
  await write(page.getByLabel('Confirmer le mot de passe'), PASSWORD)
  await press('Enter')
  await expect(page.getByRole('alertdialog')).toBeVisible()
  await press('Enter')
  await expect(page.getByLabel('Email')).toHaveValue(email)
  await write(page.getByLabel('Mot de passe', { exact: true }), PASSWORD)
  await press('Enter')

  await click(page.getByRole('button', { name: 'Créer un questionnaire' }))
  await click(page.getByRole('dialog').getByRole('button', { name: 'Quiz avec résultat' }))
  await write(page.getByLabel('Nom du quiz'), NAME)
  await press('Enter')
  for (const result of RESULTS) {
    await write(page.getByLabel('Nouveau résultat'), result)
    await press('Enter')
  }
  await click(page.getByRole('link', { name: 'Continuer vers les questions' }))
  await click(
    page.getByRole('region', { name: 'Page 1' }).getByRole('button', { name: 'Choix multiple' }),
  )
  for (const [index, { text, answers }] of QUESTIONS.entries()) {
    const number = index + 1
    const isLast = number === QUESTIONS.length
    await write(question(page, number), text)
    for (const [place, answer] of answers.entries()) {
      await press('Enter')
      await write(
        page.getByRole('textbox', { name: `Réponse ${place + 1} de la question ${number}` }),
        answer,
      )
    }
    await click(page.getByLabel(`Score – ${answers[0]}`, { exact: true }))
    for (const [place, answer] of answers.entries()) {
      await write(page.getByLabel(`Score – ${answer}`, { exact: true }), String(place))
      if (!isLast || place < answers.length - 1) await press('Enter')
    }
  }
  await click(page.getByRole('button', { name: 'Répartir' }))
  await click(page.getByRole('button', { name: 'Publier', exact: true }))
  await expect(page.getByRole('dialog').getByRole('button', { name: 'Publier' })).toBeFocused()
  await press('Enter')
  await expect(page.getByText('Publié', { exact: true })).toBeVisible()

  console.log(`${done.clicks} clicks, ${done.keys} keys, of which ${done.content} write content`)
  expect(done.clicks).toBeLessThanOrEqual(12)
  expect(done.keys - done.content).toBeLessThanOrEqual(42)
})
