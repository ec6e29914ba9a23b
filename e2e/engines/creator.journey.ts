import assert from 'node:assert/strict'
import {
  publishedScoreQuiz,
  readyScoreQuiz,
} from '../../src/server/testing/quizzes/sample-quizzes.ts'
import { PASSWORD, uniqueEmail } from '../support/accounts.ts'
import { poll } from './drivers/child-process.ts'
import { journey, openSignedIn } from './fixtures.ts'
import { button, field, heading, KEYS, menuItem } from './page.ts'

journey('a creator signs up and signs in', async ({ openPage }) => {
  const page = await openPage('desktop')
  const email = uniqueEmail()
  await page.open('/signup')
  await page.fill(field('Email'), email)
  await page.fill(field('Mot de passe'), PASSWORD)
  await page.fill(field('Confirmer le mot de passe'), PASSWORD)
  await page.click(button('Créer un compte'))
  await page.expectText('Compte créé !')
  await page.click(button('OK'))
  await page.expectPath(/\/login$/)
  await page.waitFor(field('Email'), ({ value }) => value === email)
  await page.fill(field('Mot de passe'), PASSWORD)
  await page.click(button('Se connecter'))
  await page.waitFor(heading('Mes quiz & sondages'))
  await page.reload()
  await page.waitFor(heading('Mes quiz & sondages'))
  await page.click(button('Déconnexion'))
  await page.expectPath(/\/login$/)
})

journey(
  'a creator types a question and its answers, which are saved',
  async ({ creator, openPage }) => {
    const page = await openPage('desktop')
    await openSignedIn(page, creator, '/dashboard')
    await page.expectText('Aucun quiz créé')
    await page.click({ css: 'main button', name: 'Créer un questionnaire' })
    await page.click({ css: 'dialog button', name: 'Sondage' })
    const path = await page.expectPath(/\/quiz\/[0-9a-f-]{36}\/questions$/)
    const id = path.split('/')[2] ?? ''
    await page.click(button('Ajouter un élément'))
    await page.click(menuItem('Choix multiple'))
    await page.fill(field('Question 1'), 'Où étiez-vous, l’été dernier ?')
    await page.press(KEYS.Enter)
    const first = field('Réponse 1 de la question 1')
    await page.waitFor(first, ({ is_focused }) => is_focused)
    await page.type('À la mer')
    await page.press(KEYS.Enter)
    await page.waitFor(field('Réponse 2 de la question 1'), ({ is_focused }) => is_focused)
    await page.type('En forêt')
    await page.expectText('Enregistré')
    await page.reload()
    await page.waitFor(
      field('Question 1'),
      ({ value }) => value === 'Où étiez-vous, l’été dernier ?',
    )
    await page.waitFor(first, ({ value }) => value === 'À la mer')
    const { questions } = await creator.client.questions.unified({ id })
    assert.deepEqual(
      questions.map(({ text, answers }) => [text, answers?.map((answer) => answer.text)]),
      [['Où étiez-vous, l’été dernier ?', ['À la mer', 'En forêt']]],
    )
  },
)

journey('a published quiz is on its public page', async ({ creator, openPage }) => {
  const { id } = await readyScoreQuiz(creator.client)
  const page = await openPage('desktop')
  await openSignedIn(page, creator, `/quiz/${id}/questions`)
  await page.click(button('Publier'))
  await page.click({ css: 'dialog button', name: 'Publier' })
  await page.click({ css: '[role="status"] button', name: 'Partager' })
  const { value } = await page.waitFor(field('Lien public'))
  assert.equal((await creator.client.quizzes.get({ id })).quiz.status, 'Publié')
  const visitor = await openPage('phone')
  await visitor.open(new URL(value).pathname)
  await visitor.waitFor(heading('Quel rythme ?'))
  await visitor.waitFor(field('Rempli'))
})

journey('statistics show the counted answers', async ({ creator, openPage }) => {
  const quiz = await publishedScoreQuiz(creator.client)
  for (const [rank, choice] of [0, 0, 1].entries()) {
    const email = `visiteur-${rank}@exemple.fr`
    const answers = { [quiz.question_id]: quiz.answer_ids[choice] ?? '', [quiz.open_id]: email }
    await creator.client.publicQuiz.submit({ id: quiz.id, body: { answers, email } })
  }
  const page = await openPage('desktop')
  await openSignedIn(page, creator, `/quiz/${quiz.id}/statistics`)
  await page.expectText('3 participants')
  await page.expectText('2 réponses · 66,7 %')
  await page.expectText('visiteur-2@exemple.fr')
  assert.equal(await page.evaluate(() => document.querySelectorAll('tbody tr').length), 3)
  assert.equal((await creator.client.statistics.responses({ id: quiz.id })).details.length, 3)
})

journey(
  'a creator moves a question by the keyboard and undoes it',
  async ({ creator, openPage }) => {
    const { id } = await readyScoreQuiz(creator.client)
    const page = await openPage('desktop')
    await openSignedIn(page, creator, `/quiz/${id}/questions`)
    const pagesOfQuestions = async () =>
      (await creator.client.questions.unified({ id })).questions.map(
        ({ page_number }) => page_number,
      )
    await page.click(field('Question 1'))
    await page.press(KEYS.Alt, KEYS.ArrowDown)
    await page.expectText('Enregistré')
    assert.deepEqual(await pagesOfQuestions(), [2, 2])
    await page.click(button('Annuler la dernière modification (Ctrl Z)'))
    await page.expectText('Enregistré')
    assert.deepEqual(await pagesOfQuestions(), [1, 2])
  },
)

journey(
  'a number field shows only its value, and the arrow keys change it',
  async ({ creator, openPage }) => {
    const { id } = await readyScoreQuiz(creator.client)
    const page = await openPage('desktop')
    await openSignedIn(page, creator, `/quiz/${id}/questions`)
    for (const [label, value] of [
      ['Score – Libre', 5],
      ['Maximum – Grand saut', 10],
    ] as const) {
      const target = field(label)
      await page.click(target)
      const { x, y, width } = await page.waitFor(target, ({ is_focused }) => is_focused)
      // Browsers draw the button « more » here, if at all.
      await page.pressAt(
        Math.round(x + width / 2) - MORE_BUTTON.right,
        y - MORE_BUTTON.above_centre,
      )
      await page.press(KEYS.ArrowUp)
      await page.waitFor(target, (state) => state.value === `${value + 1}`)
      await page.press(KEYS.ArrowDown)
      await page.press(KEYS.ArrowDown)
      await page.waitFor(target, (state) => state.value === `${value - 1}`)
    }
  },
)

/** Distances of the button from the right border and from the centre of a number field, in pixels. */
const MORE_BUTTON = { right: 20, above_centre: 5 }

/** Lines of text that fit into a text area, and lines that its text has. */
const countLines = (id: string): { shown: number; written: number } => {
  const area = document.getElementById(id) as HTMLTextAreaElement
  const { lineHeight, paddingTop, paddingBottom } = getComputedStyle(area)
  const linesIn = (height: number): number =>
    (height - Number.parseFloat(paddingTop) - Number.parseFloat(paddingBottom)) /
    Number.parseFloat(lineHeight)
  return { shown: linesIn(area.clientHeight), written: linesIn(area.scrollHeight) }
}

journey('a text area is as high as its text', async ({ creator, openPage }) => {
  const { id } = await readyScoreQuiz(creator.client)
  const page = await openPage('desktop')
  await openSignedIn(page, creator, `/quiz/${id}/results`)
  const expectLines = async (label: string, lines: number): Promise<void> => {
    const { id } = await page.waitFor(field(label))
    let counted = {}
    await poll(
      async () => {
        const { shown, written } = await page.evaluate(countLines, id)
        counted = { shown, written }
        return shown === lines && written === lines ? true : undefined
      },
      () => `« ${label} » has not ${lines} lines: ${JSON.stringify(counted)}`,
    )
  }
  await expectLines('Description – Pas à pas', 1)
  await expectLines('Description – Grand saut', 1)
  await page.fill(field('Description – Pas à pas'), 'Une étape,\npuis une autre,\npuis la fin.')
  await expectLines('Description – Pas à pas', 3)
  await page.fill(field('Description – Pas à pas'), 'Une étape.')
  await expectLines('Description – Pas à pas', 1)
})
