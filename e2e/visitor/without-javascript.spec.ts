import type { Page } from '@playwright/test'
import type { Client } from '../../src/contract/client/client.ts'
import {
  publishedScoreQuiz,
  publishSample,
  readyProfilsQuiz,
  readySondage,
} from '../../src/server/testing/quizzes/sample-quizzes.ts'
import { answerPage } from '../support/editor-steps.ts'
import { expect, expectAccessible, visitorTest as test } from '../support/fixtures.ts'

const countStored = async (client: Client, id: string): Promise<number> =>
  (await client.quizzes.get({ id })).quiz.nb_responses

/** A visitor on a phone whose browser runs no script. */
const testWithoutScripts = test.extend<{ plain: Page }>({
  plain: async ({ browser }, use) => {
    const context = await browser.newContext({
      javaScriptEnabled: false,
      viewport: { width: 390, height: 844 },
    })
    await use(await context.newPage())
    await context.close()
  },
})

testWithoutScripts(
  'without scripts, a quiz by score works from the first page to the result and counts one participant',
  async ({ creator, plain }) => {
    const { id } = await publishedScoreQuiz(creator.client)
    await plain.goto(`/q/${id}`)
    await expect(plain.getByText('Contraste renforcé')).toBeHidden()
    // The browser's own validation refuses a page without an answer.
    await plain.getByRole('button', { name: 'Suivant' }).click()
    await expect(plain.getByText('1 / 2')).toBeVisible()
    await answerPage(plain, { choose: ['Libre'] })
    await expect(plain.getByText('2 / 2')).toBeVisible()

    await plain.getByLabel('Où vous écrire ?').fill('en cours')
    await plain.getByRole('button', { name: 'Précédent' }).click()
    await expect(plain.getByRole('radio', { name: 'Libre' })).toBeChecked()
    await expect(plain.getByRole('button', { name: 'Précédent' })).toBeDisabled()
    await plain.getByRole('button', { name: 'Suivant' }).click()
    const field = plain.getByLabel('Où vous écrire ?')
    await expect(field).toHaveValue('en cours')
    expect(await countStored(creator.client, id)).toBe(0)

    // Enter presses « Suivant », not « Précédent ».
    await field.fill('camille@exemple.fr')
    await field.press('Enter')
    await expect(plain.getByRole('heading', { level: 1 })).toHaveText('Grand saut')
    await expect(plain).toHaveURL(/\/resultat\?/)
    await plain.reload()
    await expect(plain.getByRole('heading', { level: 1 })).toHaveText('Grand saut')
    expect(await countStored(creator.client, id)).toBe(1)
    await plain.goBack()
    await plain.getByRole('button', { name: 'Voir le résultat' }).click()
    await expect(plain.getByRole('heading', { level: 1 })).toHaveText('Grand saut')
    expect(await countStored(creator.client, id)).toBe(1)
  },
)

testWithoutScripts(
  'a quiz by profils, and spaces that are no answer',
  async ({ creator, plain }) => {
    const { id, open_id } = await publishSample(creator.client, readyProfilsQuiz(creator.client))
    // A text question: in an email field the browser itself removes spaces.
    const body = { text: 'D’où écrivez-vous ?', type: 'text' as const, page_number: 2 }
    await creator.client.questions.create({ id, body })
    await creator.client.questions.remove({ id: open_id })
    await creator.client.quizzes.publish({ id })
    await plain.goto(`/q/${id}`)
    await answerPage(plain, { choose: ['Rempli'] })
    await answerPage(plain, { type: { 'D’où écrivez-vous ?': '   ' } })
    await expect(plain.getByRole('alert')).toHaveText(
      'Une question est sans réponse. Répondez-y pour continuer : D’où écrivez-vous ?',
    )
    await answerPage(plain, { type: { 'D’où écrivez-vous ?': 'À Lyon' } })
    await expect(plain.getByRole('heading', { level: 1 })).toHaveText('Pas à pas')
    await expect(plain.getByText('Une étape à la fois.')).toBeVisible()
    expect(await countStored(creator.client, id)).toBe(1)
  },
)

testWithoutScripts(
  'a welcome leads in, and a detail and a button end it',
  async ({ creator, plain }) => {
    const { client } = creator
    const { id, result_ids } = await readyProfilsQuiz(client)
    const welcome = { welcome_title: 'Bonjour', welcome_text: 'Deux questions, **c’est tout**.' }
    await client.quizzes.update({ id, body: { ...welcome, shows_detail: true } })
    const button = { button_text: 'Nous écrire', button_url: 'https://exemple.fr/contact' }
    await client.results.update({ resultId: result_ids[1] ?? '', body: button })
    await client.quizzes.publish({ id })

    await plain.goto(`/q/${id}`)
    const heading = plain.getByRole('heading', { level: 1 })
    await expect(heading).toHaveText('Bonjour')
    await expect(plain.getByText('c’est tout')).toHaveCSS('font-weight', '700')
    await plain.getByRole('button', { name: 'Commencer' }).press('Enter')
    await expect(plain.getByText('1 / 2')).toBeVisible()
    await plain.getByRole('button', { name: 'Précédent' }).click()
    await expect(heading).toHaveText('Bonjour')
    await plain.getByRole('button', { name: 'Commencer' }).click()
    await answerPage(plain, { choose: ['Libre'] })
    await answerPage(plain, { type: { 'Où vous écrire ?': 'camille@exemple.fr' } })
    await expect(heading).toHaveText('Grand saut')
    await expect(plain.getByRole('region', { name: 'Détail du résultat' })).toContainText(
      /Grand saut\s*100\s%\s*Pas à pas\s*0\s%/,
    )
    await expect(plain.getByRole('link', { name: 'Nous écrire' })).toHaveAttribute(
      'href',
      'https://exemple.fr/contact',
    )
    expect(await countStored(client, id)).toBe(1)
  },
)

testWithoutScripts(
  'a sondage of one page, and a number with a comma that is stored as it was written',
  async ({ creator, plain }) => {
    const { id, open_id } = await readySondage(creator.client)
    const body = { text: 'Votre note ?', type: 'number' as const, page_number: 1 }
    await creator.client.questions.create({ id, body })
    await creator.client.questions.update({ id: open_id, body: { page_number: 1 } })
    await creator.client.quizzes.publish({ id })
    await plain.goto(`/q/${id}`)
    await expect(plain.getByRole('button', { name: 'Envoyer' })).toBeVisible()
    await expect(plain.getByLabel('Votre note ?')).not.toHaveAttribute('inputmode')
    await plain.getByLabel('Votre note ?').pressSequentially('3,5')
    await answerPage(plain, {
      choose: ['Rempli'],
      type: { 'Où vous écrire ?': 'camille@exemple.fr' },
    })
    await expect(plain.getByRole('heading', { level: 1 })).toHaveText(
      'Merci pour votre participation !',
    )
    expect(await countStored(creator.client, id)).toBe(1)
    const { details } = await creator.client.statistics.responses({ id })
    expect(details[0]?.answers.map(({ answer_text }) => answer_text)).toContain('3,5')
  },
)

// Axe itself is a script: the pages are requested without scripts, then audited.
test('pages that the server renders are accessible', { tag: '@rare' }, async ({
  creator,
  page,
}) => {
  const { id, question_id } = await publishedScoreQuiz(creator.client)
  const refused = await page.request.post(`/q/${id}?version=1&page=1`, {
    form: { [question_id]: '' },
  })
  expect(refused.status()).toBe(422)
  await page.goto('about:blank')
  await page.setContent(await refused.text())
  await expect(page.getByRole('alert')).toBeVisible()
  await expectAccessible(page, ['.q-next'])
})
