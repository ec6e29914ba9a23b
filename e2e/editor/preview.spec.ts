import { readyScoreQuiz } from '../../src/server/testing/quizzes/sample-quizzes.ts'
import { publishSizedQuiz } from '../../src/server/testing/quizzes/sized-quiz.ts'
import { answerPage, question } from '../support/editor-steps.ts'
import { expect, expectAccessible, test } from '../support/fixtures.ts'
import { atEachWidth } from '../support/layout-checks.ts'

test.use({ creatorIs: 'signed in' })

test('a creator answers the draft in the preview without being counted, and can start again', {
  tag: '@dom',
}, async ({ page, creator }) => {
  const { id } = await readyScoreQuiz(creator.client)
  await page.goto(`/quiz/${id}/preview`)
  await expect(page.getByText('Mode Aperçu')).toBeVisible()
  await expect(page.getByText('1 / 2')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Mon compte', exact: true })).toHaveCount(0)
  await expectAccessible(page)
  await answerPage(page, { choose: ['Rempli'] })
  await expect(page.getByRole('button', { name: 'Voir le résultat' })).toBeEnabled()
  await page.getByRole('button', { name: 'Voir le résultat' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Pas à pas')
  const share = page.getByRole('button', { name: 'Partager mon résultat' })
  await expect(share).toHaveAccessibleDescription(/^Sans effet dans l’aperçu\s: vos participants/)
  await expect(share).toBeDisabled()
  await expectAccessible(page, ['.q-next'])
  await test.step('the end is what visitors see, and the bar of the preview starts again', async () => {
    await expect(page.getByRole('main').getByText('Recommencer')).toHaveCount(0)
    await page.getByRole('banner').getByRole('button', { name: 'Recommencer' }).click()
  })
  await expect(page.getByText('1 / 2')).toBeVisible()
  await expect(page.getByRole('radio', { checked: true })).toHaveCount(0)
  expect((await creator.client.quizzes.get({ id })).quiz.nb_responses).toBe(0)
  await page.getByRole('button', { name: 'Fermer l’aperçu' }).click()
  await expect(page).toHaveURL(`/quiz/${id}/questions`)
})

test('a closed preview returns to the same question and position on wide and narrow screens', async ({
  page,
  creator,
}) => {
  const id = await publishSizedQuiz(creator.client, 40)
  await page.goto(`/quiz/${id}/questions`)
  const topOf = async () => (await question(page, 30).boundingBox())?.y ?? Number.NaN
  await atEachWidth(page, [1440, 390], async () => {
    await question(page, 30).evaluate((field) => {
      field.scrollIntoView({ block: 'center' })
      field.focus({ preventScroll: true })
    })
    for (const close of [
      () => page.getByRole('button', { name: 'Fermer l’aperçu' }).click(),
      () => page.keyboard.press('Escape'),
      () => page.goBack(),
    ]) {
      // The layout is stable when two readings agree.
      let before = Number.NaN
      await expect
        .poll(async () => {
          const last = before
          before = await topOf()
          return before - last
        })
        .toBe(0)
      // Pressed with the mouse itself, because `click` may scroll first.
      const link = await page.getByRole('link', { name: 'Prévisualiser' }).boundingBox()
      await page.mouse.click((link?.x ?? 0) + 9, (link?.y ?? 0) + 9)
      await expect(page.getByText('Mode Aperçu')).toBeVisible()
      await close()
      await expect(page).toHaveURL(`/quiz/${id}/questions`)
      await expect(question(page, 30)).toBeFocused()
      await expect.poll(async () => Math.abs((await topOf()) - before)).toBeLessThan(2)
    }
  })
})

test('a preview returns to the screen and the tab that opened it', { tag: '@rare' }, async ({
  page,
  creator,
}) => {
  const { id } = await readyScoreQuiz(creator.client)
  await page.goto(`/quiz/${id}/results`)
  await expect(page.getByLabel('Nouveau résultat')).toBeVisible()
  await page.keyboard.press('Control+p')
  await page.getByRole('button', { name: 'Fermer l’aperçu' }).click()
  await expect(page).toHaveURL(`/quiz/${id}/results`)
  await page.goto(`/quiz/${id}/settings`)
  await page.getByRole('tab', { name: 'Automatisations' }).click()
  await expect(page).toHaveURL(`/quiz/${id}/settings?onglet=automatisations`)
  await page.getByRole('link', { name: 'Prévisualiser' }).click()
  await page.reload()
  await page.getByRole('button', { name: 'Fermer l’aperçu' }).click()
  await expect(page.getByRole('tab', { name: 'Automatisations' })).toHaveAttribute(
    'aria-selected',
    'true',
  )
})

test('the preview of a quiz without results names the missing parts, and says if no result matches the answers', {
  tag: '@dom',
}, async ({ page, creator }) => {
  const { quiz } = await creator.client.quizzes.create({ body: { name: 'Vide', type: 'quiz' } })
  await creator.client.questions.create({
    id: quiz.id,
    body: { text: 'Votre note ?', type: 'number' },
  })
  await page.goto(`/quiz/${quiz.id}/preview`)
  await page.getByRole('button', { name: 'Voir le résultat' }).click()
  await expect(page.getByRole('alertdialog')).toContainText(
    "Aucun résultat n'est défini pour ce quiz. Veuillez créer au moins un résultat.",
  )

  const { id, question_id, answer_ids } = await readyScoreQuiz(creator.client)
  const [first, second] = answer_ids
  await creator.client.questions.saveAnswers({
    id: question_id,
    body: {
      answers: [
        { id: first, text: 'Rempli', score: 1 },
        { id: second, text: 'Libre', score: 50 },
      ],
    },
  })
  await page.goto(`/quiz/${id}/preview`)
  await answerPage(page, { choose: ['Libre'] })
  await page.getByRole('button', { name: 'Voir le résultat' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(
    'Aucun résultat ne correspond à ces réponses',
  )
  await expect(page.getByRole('button', { name: 'Recommencer' })).toBeVisible()
})

test('a partly typed number stays while the width of the preview changes, and the last button of a sondage says « Envoyer »', {
  tag: '@rare',
}, async ({ page, creator }) => {
  const { quiz } = await creator.client.quizzes.create({ body: { name: 'Note', type: 'sondage' } })
  await creator.client.questions.create({
    id: quiz.id,
    body: { text: 'Votre note ?', type: 'number' },
  })
  await page.goto(`/quiz/${quiz.id}/preview`)
  const field = page.getByLabel('Votre note ?')
  const isHalfTyped = () => field.evaluate((input: HTMLInputElement) => input.validity.badInput)
  await field.pressSequentially('1e')
  expect(await isHalfTyped()).toBe(true)
  await page.getByRole('button', { name: 'Largeur de téléphone' }).click()
  await expect(page.getByRole('button', { name: 'Largeur de téléphone' })).toHaveAttribute(
    'aria-pressed',
    'true',
  )
  expect(await isHalfTyped()).toBe(true)
  await field.pressSequentially('2')
  await expect(field).toHaveValue('1e2')
  await page.getByRole('button', { name: 'Envoyer' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(
    'Merci pour votre participation !',
  )
})

test('the screen of a missing quiz has a link back', { tag: ['@dom', '@rare'] }, async ({
  page,
  creator,
}) => {
  expect(creator.email).not.toBe('')
  await page.goto('/quiz/00000000-0000-4000-8000-000000000000/preview')
  await expect(page.getByText('Quiz introuvable')).toBeVisible()
  await page.getByRole('link', { name: 'Retour au tableau de bord' }).click()
  await expect(page).toHaveURL(/\/dashboard$/)
})
