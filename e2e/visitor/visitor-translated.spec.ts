import type { Page } from '@playwright/test'
import { publishedScoreQuiz } from '../../src/server/testing/quizzes/sample-quizzes.ts'
import { expect, visitorTest as test } from '../support/fixtures.ts'
import { translate } from '../support/translation.ts'
import { CAMILLE, expectParticipants, expectResult } from '../support/visitor-steps.ts'

/** Translates the questionnaire, with marks around each text. */
const translateQuiz = (page: Page): Promise<void> =>
  translate(page, { root: '.q', mark: ['[', ']'] })

test('a translated page continues to work and shows no outdated message', async ({
  creator,
  visitor,
}) => {
  const { id } = await publishedScoreQuiz(creator.client)
  const errors: Error[] = []
  visitor.on('pageerror', (error) => errors.push(error))
  await visitor.goto(`/q/${id}`)
  const hint = visitor.locator('.q-hint')
  await expect(hint).toHaveText('1 question sans réponse')
  await translateQuiz(visitor)
  await expect(hint).toHaveText('[1 question sans réponse]')
  await visitor.getByRole('radio', { name: 'Libre' }).check()
  await expect(hint).toHaveText('')
  await visitor.getByRole('button', { name: 'Suivant' }).click()
  await expect(visitor.locator('.q-counter')).toHaveText('2 / 2')
  await translateQuiz(visitor)
  await visitor.getByRole('button', { name: 'Précédent' }).click()
  await expect(visitor.getByRole('radio', { name: 'Libre' })).toBeChecked()
  await visitor.getByRole('button', { name: 'Suivant' }).click()
  await visitor.getByLabel('Où vous écrire ?').fill(CAMILLE)
  await translateQuiz(visitor)
  await visitor.getByRole('button', { name: 'Voir le résultat' }).click()
  await expectResult(visitor, 'Grand saut')
  await expectParticipants(creator.client, id, [`${CAMILLE}: Libre → Grand saut`])
  expect(errors).toEqual([])
})

test('the player takes over a page that was translated before its script ran', {
  tag: '@rare',
}, async ({ creator, visitor }) => {
  const { id } = await publishedScoreQuiz(creator.client)
  const errors: Error[] = []
  visitor.on('pageerror', (error) => errors.push(error))
  await visitor.route(`**/q/${id}`, async (route) => {
    const response = await route.fetch()
    const html = await response.text()
    const body = html.replace(/<main.*<\/main>/s, (main) =>
      main.replace(/>([^<]+)</g, '><font><font>[$1]</font></font><'),
    )
    expect(body).toContain('[Libre]')
    await route.fulfill({ response, body })
  })
  await visitor.goto(`/q/${id}`)
  await expect(visitor.locator('.q-hint')).toHaveText('1 question sans réponse')
  await expect(visitor.locator('.q')).not.toContainText('[')
  await expect(visitor.locator('.q font')).toHaveCount(0)
  await visitor.getByRole('radio', { name: 'Libre' }).check()
  await visitor.getByRole('button', { name: 'Suivant' }).click()
  await visitor.getByLabel('Où vous écrire ?').fill(CAMILLE)
  await visitor.getByRole('button', { name: 'Voir le résultat' }).click()
  await expectResult(visitor, 'Grand saut')
  await expectParticipants(creator.client, id, [`${CAMILLE}: Libre → Grand saut`])
  expect(errors).toEqual([])
})

test('texts that the browser translates in place stay translated while the visitor types something else', {
  tag: '@rare',
}, async ({ creator, visitor }) => {
  const { id } = await publishedScoreQuiz(creator.client)
  await visitor.goto(`/q/${id}`)
  const title = visitor.getByRole('heading', { level: 1 })
  await expect(title).toHaveText('Quel rythme ?')
  await title.evaluate((node) => {
    const [first] = node.childNodes
    if (first instanceof Text) first.data = 'Which rhythm'
  })
  await visitor.getByRole('radio', { name: 'Libre' }).check()
  await expect(visitor.locator('.q-hint')).toHaveText('')
  await expect(title).toHaveText('Which rhythm')
  await visitor.getByRole('button', { name: 'Suivant' }).click()
  await expect(visitor.locator('.q-counter')).toHaveText('2 / 2')
  await expect(title).toHaveText('Which rhythm')
})
