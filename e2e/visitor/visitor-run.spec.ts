import {
  publishedScoreQuiz,
  readyScoreQuiz,
} from '../../src/server/testing/quizzes/sample-quizzes.ts'
import { answerPage } from '../support/editor-steps.ts'
import { expect, expectAccessible, visitorTest as test } from '../support/fixtures.ts'

const createResponseCounter =
  (client: Parameters<typeof publishedScoreQuiz>[0], id: string) => async () =>
    (await client.quizzes.get({ id })).quiz.nb_responses

test('a visitor goes forward and back, reloads, and is counted once', async ({
  creator,
  visitor,
}) => {
  const { id } = await publishedScoreQuiz(creator.client)
  await visitor.goto(`/q/${id}`)
  await expect(visitor.getByRole('button', { name: 'Précédent' })).toBeDisabled()
  await answerPage(visitor, { choose: ['Libre'] })
  await visitor.getByRole('button', { name: 'Précédent' }).click()
  await expect(visitor.getByRole('radio', { name: 'Libre' })).toBeChecked()
  await visitor.getByRole('button', { name: 'Suivant' }).click()
  await visitor.reload()
  await expect(visitor.getByLabel('Où vous écrire ?')).toBeVisible()
  await expect(visitor.getByRole('button', { name: 'Voir le résultat' })).toBeDisabled()
  await visitor.getByLabel('Où vous écrire ?').fill('   ')
  await expect(visitor.getByRole('button', { name: 'Voir le résultat' })).toBeDisabled()
  await answerPage(visitor, { type: { 'Où vous écrire ?': 'camille@exemple.fr' } })
  await expect(visitor.getByRole('heading', { level: 1 })).toHaveText('Grand saut')
  await expect.poll(createResponseCounter(creator.client, id)).toBe(1)
  await visitor.reload()
  await expect.poll(createResponseCounter(creator.client, id)).toBe(1)
})

test('a visitor takes a quiz with the keyboard alone', { tag: '@rare' }, async ({
  creator,
  visitor,
}) => {
  const { id } = await publishedScoreQuiz(creator.client)
  await visitor.goto(`/q/${id}`)
  await visitor.getByRole('radio', { name: 'Rempli' }).focus()
  await visitor.keyboard.press('ArrowDown')
  await expect(visitor.getByRole('radio', { name: 'Libre' })).toBeChecked()
  await visitor.keyboard.press('Enter')
  await expect(visitor.getByRole('heading', { level: 1 })).toBeFocused()
  await visitor.keyboard.press('Tab')
  await visitor.keyboard.type('camille@exemple.fr')
  await visitor.keyboard.press('Enter')
  await expect(visitor.getByRole('heading', { level: 1 })).toHaveText('Grand saut')
})

test('a quiz that is missing, unpublished or withdrawn says so', { tag: '@rare' }, async ({
  creator,
  visitor,
}) => {
  await visitor.goto('/q/00000000-0000-4000-8000-000000000000')
  await expect(visitor.getByRole('heading', { name: 'Quiz introuvable' })).toBeVisible()
  await expect(visitor.getByText("Ce quiz n'existe pas ou n'est plus disponible.")).toBeVisible()
  const { id } = await readyScoreQuiz(creator.client)
  await visitor.goto(`/q/${id}`)
  await expect(visitor.getByRole('heading', { name: 'Quiz non disponible' })).toBeVisible()
  await expect(visitor.getByText("Ce quiz n'est pas encore publié.")).toBeVisible()
  await expectAccessible(visitor)
  await creator.client.quizzes.publish({ id })
  await visitor.reload()
  await expect(visitor.getByRole('radio', { name: 'Libre' })).toBeVisible()
  await creator.client.quizzes.update({ id, body: { status: 'Brouillon' } })
  await visitor.reload()
  await expect(visitor.getByRole('heading', { name: 'Quiz non disponible' })).toBeVisible()
})

test('a visitor who began before an update loses no answers', async ({ creator, visitor }) => {
  const { id, question_id } = await publishedScoreQuiz(creator.client)
  await visitor.goto(`/q/${id}`)
  await answerPage(visitor, { choose: ['Libre'] })
  await creator.client.questions.update({ id: question_id, body: { text: 'Votre semaine ?' } })
  await creator.client.quizzes.publish({ id })
  await answerPage(visitor, { type: { 'Où vous écrire ?': 'camille@exemple.fr' } })
  await expect(visitor.getByRole('heading', { level: 1 })).toHaveText('Grand saut')
  await expect.poll(createResponseCounter(creator.client, id)).toBe(1)
  const { details } = await creator.client.statistics.responses({ id })
  expect(details[0]?.answers[0]?.question_text).toBe('Votre agenda ?')
})
