import type { Page } from '@playwright/test'
import { publishCorrectedQuiz } from '../../src/server/testing/quizzes/corrected-quiz.ts'
import { expect, expectAccessible, visitorTest as test } from '../support/fixtures.ts'
import { measureOverflow } from '../support/layout-checks.ts'
import { resumeRun } from '../support/visitor-steps.ts'

const SECOND_FILE = '**/assets/player-*.js*'
const next = (page: Page) => page.getByRole('button', { name: 'Suivant' })
const goOn = (page: Page) => page.getByRole('button', { name: 'Continuer' })
const corrections = (page: Page) => page.getByRole('region', { name: 'Corrections' })

test('each page shows its corrections before the next one, locked, also after Back and a reload', async ({
  creator,
  visitor,
}) => {
  const { id } = await publishCorrectedQuiz(creator.client)
  const file = visitor.waitForResponse(SECOND_FILE)
  await visitor.goto(`/q/${id}`)
  await (await file).finished()

  await test.step('a page is answered, corrected and read by keyboard alone', async () => {
    await visitor.getByRole('radio', { name: 'Lyon' }).focus()
    await visitor.keyboard.press('Space')
    await next(visitor).focus()
    await visitor.keyboard.press('Enter')
    await expect(visitor.getByText('0 réponse juste sur 1')).toBeFocused()
    await expect(visitor.getByText('Mauvaise réponse')).toBeVisible()
    await expect(visitor.getByText('Lyon (votre réponse, fausse)')).toBeVisible()
    await expect(visitor.getByText('Paris (bonne réponse)')).toBeVisible()
    await expect(visitor.getByText('Nice (')).toHaveCount(0)
    await expect(visitor.locator('.q-correction strong').last()).toHaveText('987')
    await expect(visitor.getByRole('radio', { name: 'Paris' })).toBeDisabled()
    await expect(visitor.getByRole('radio', { name: 'Lyon' })).toBeChecked()
    await expectAccessible(visitor)
    await goOn(visitor).focus()
    await visitor.keyboard.press('Enter')
    await expect(visitor.getByText('2 / 3')).toBeVisible()
    await expect(visitor.getByRole('heading', { level: 1 })).toBeFocused()
  })

  await test.step('several choices are right only together, and a free question is not corrected', async () => {
    await visitor.getByRole('checkbox', { name: 'La Seine' }).check()
    await visitor.getByRole('checkbox', { name: 'Autre…' }).check()
    await visitor.getByLabel('Autre : précisez').fill('Un lac')
    await next(visitor).click()
    await expect(visitor.getByText('0 réponse juste sur 1')).toBeFocused()
    await expect(visitor.getByText('Réponse en partie juste')).toBeVisible()
    await expect(visitor.locator('.q-correction li')).toHaveText([
      '✓La Seine (votre réponse, juste)',
      '✓Le Rhône (bonne réponse)',
      '✗Autre\u00a0: Un lac (votre réponse, fausse)',
    ])
    await expect(visitor.getByLabel('Un commentaire')).toBeDisabled()
    await expectAccessible(visitor)
  })

  await test.step('Back and a reload keep a corrected page locked', async () => {
    await visitor.reload()
    await resumeRun(visitor)
    await expect(visitor.getByText('Réponse en partie juste')).toBeVisible()
    await expect(visitor.getByRole('checkbox', { name: 'Le Rhône' })).toBeDisabled()
    await visitor.getByRole('button', { name: 'Précédent' }).click()
    await expect(visitor.getByRole('radio', { name: 'Lyon' })).toBeChecked()
    await expect(visitor.getByRole('radio', { name: 'Paris' })).toBeDisabled()
    await expect(visitor.getByText('Mauvaise réponse')).toBeVisible()
    await goOn(visitor).click()
    await goOn(visitor).click()
    await expect(visitor.getByText('3 / 3')).toBeVisible()
  })

  await test.step('the last page, left blank, shows its corrections before the end', async () => {
    await visitor.getByRole('button', { name: 'Voir le résultat' }).click()
    await expect(visitor.getByText('Sans réponse', { exact: true })).toBeVisible()
    await goOn(visitor).click()
    await expect(visitor.getByRole('heading', { level: 1 })).toHaveText('À revoir')
    await expect(corrections(visitor)).toHaveCount(0)
    await expect
      .poll(async () => (await creator.client.quizzes.get({ id })).quiz.nb_responses)
      .toBe(1)
  })
})

test('the end lists every corrected question of the path, on narrow and wide screens', {
  tag: '@rare',
}, async ({ creator, visitor }) => {
  const { id } = await publishCorrectedQuiz(creator.client, 'end')
  await visitor.goto(`/q/${id}`)
  await visitor.getByRole('radio', { name: 'Nice' }).check()
  await next(visitor).click()
  await visitor.getByRole('radio', { name: 'Oui' }).check()
  await visitor.getByRole('button', { name: 'Voir le résultat' }).click()
  await expect(visitor.getByRole('heading', { level: 1 })).toHaveText('À revoir')
  await expect(corrections(visitor).getByText('1 réponse juste sur 2')).toBeVisible()
  await expect(corrections(visitor).locator('ol > li')).toContainText([
    /Quelle est la capitale.*Mauvaise réponse.*Paris \(bonne réponse\).*Nice \(votre réponse, fausse\).*Depuis 987/,
    /La Loire.*Bonne réponse.*Oui \(votre réponse, juste\)/,
  ])
  await expectAccessible(visitor)
  for (const width of [320, 390, 1440]) {
    await visitor.setViewportSize({ width, height: 800 })
    expect(await measureOverflow(visitor)).toBeLessThanOrEqual(0)
  }
})

test('without the second file a run goes on, and the end shows the corrections once it arrives', {
  tag: '@rare',
}, async ({ creator, visitor }) => {
  const { id } = await publishCorrectedQuiz(creator.client)
  await visitor.route(SECOND_FILE, (route) => route.abort())
  await visitor.goto(`/q/${id}`)
  await visitor.getByRole('radio', { name: 'Nice' }).check()
  await next(visitor).click()
  await expect(visitor.getByText('3 / 3')).toBeVisible()
  await visitor.getByRole('radio', { name: 'Non' }).check()
  await visitor.unroute(SECOND_FILE)
  await visitor.getByRole('button', { name: 'Voir le résultat' }).click()
  await expect(visitor.getByRole('heading', { level: 1 })).toHaveText('À revoir')
  await expect(corrections(visitor).getByText('0 réponse juste sur 2')).toBeVisible()
})

test('without scripts, the server shows each page with its corrections, and the end lists them', {
  tag: '@rare',
}, async ({ creator, browser }) => {
  const context = await browser.newContext({
    javaScriptEnabled: false,
    viewport: { width: 390, height: 844 },
  })
  const plain = await context.newPage()
  const { id } = await publishCorrectedQuiz(creator.client)
  await plain.goto(`/q/${id}`)
  await plain.getByRole('radio', { name: 'Paris' }).check()
  await next(plain).click()
  await expect(plain.getByText('1 réponse juste sur 1')).toBeVisible()
  await expect(plain.getByRole('radio', { name: 'Paris' })).toBeDisabled()
  await goOn(plain).click()
  await plain.getByRole('checkbox', { name: 'La Seine' }).check()
  await plain.getByRole('checkbox', { name: 'Le Rhône' }).check()
  await plain.getByLabel('Un commentaire').fill('Rien')
  await next(plain).click()
  await expect(plain.getByText('Bonne réponse', { exact: true })).toBeVisible()
  await plain.getByRole('button', { name: 'Précédent' }).click()
  await expect(plain.getByRole('radio', { name: 'Lyon' })).toBeDisabled()
  await goOn(plain).click()
  await goOn(plain).click()
  await plain.getByRole('radio', { name: 'Non' }).check()
  await plain.getByRole('button', { name: 'Voir le résultat' }).click()
  await expect(plain.getByText('Oui (bonne réponse)')).toBeVisible()
  await goOn(plain).click()
  await expect(plain.getByRole('heading', { level: 1 })).toHaveText('Bravo')
  await expect(corrections(plain)).toHaveCount(0)
  const { details } = await creator.client.statistics.responses({ id })
  expect(details[0]?.answers.map(({ answer_text }) => answer_text)).toEqual([
    'Paris',
    'La Seine, Le Rhône',
    'Rien',
    'Non',
  ])

  const { id: later } = await publishCorrectedQuiz(creator.client, 'end')
  await plain.goto(`/q/${later}`)
  await plain.getByRole('radio', { name: 'Nice' }).check()
  await next(plain).click()
  await plain.getByRole('button', { name: 'Voir le résultat' }).click()
  await expect(corrections(plain).getByText('0 réponse juste sur 2')).toBeVisible()
  await expect(corrections(plain).getByText('Sans réponse')).toBeVisible()
  await context.close()
})
