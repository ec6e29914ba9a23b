import { publishedScoreQuiz } from '../../src/server/testing/quizzes/sample-quizzes.ts'
import { openingsFor } from '../../src/web/editor/sharing/embed-guides.ts'
import { expect } from '../support/fixtures.ts'
import { answerInFrame, listKeptKeys, quizIn, test } from '../support/host-site.ts'
import { resumeRun } from '../support/visitor-steps.ts'

test.use({ creatorIs: 'away' })

test.describe('the share dialog', () => {
  test.use({ creatorIs: 'signed in' })

  test('the embed code of each opening is copied, and the button says so for a while', {
    tag: '@rare',
  }, async ({ page, creator, site }) => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    const { id } = await publishedScoreQuiz(creator.client)
    await page.goto(`/quiz/${id}/results`)
    await page.getByRole('button', { name: 'Partager' }).click()
    const dialog = page.getByRole('dialog', { name: 'Partager le quiz' })
    const code = dialog.getByRole('textbox', { name: 'Code à coller' })
    const events = dialog.getByLabel('Ajouter les étapes au dataLayer de la page')
    for (const { value: opening, label } of openingsFor('html')) {
      await dialog.getByLabel('Affichage').selectOption(label)
      for (const has_data_layer of [true, false]) {
        if (opening !== 'frame') await events.setChecked(has_data_layer)
        await expect(code).toHaveValue(site.codeOf(id, { opening, has_data_layer }))
      }
    }
    await dialog.getByRole('button', { name: 'Copier le code' }).click()
    await expect(dialog.getByRole('button', { name: 'Copié' })).toBeVisible()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(await code.inputValue())
    await expect(dialog.getByRole('button', { name: 'Copié' })).toHaveCount(0)
  })
})

test('a quiz in another site’s page is as high as its content, also if the script loads later, and counts its answers', async ({
  page,
  creator,
  site,
}) => {
  const { id } = await publishedScoreQuiz(creator.client)
  const inline = site.codeOf(id)
  const quiz = quizIn(page)
  const inner = () => quiz.locator('body').evaluate((body) => body.clientHeight)
  const outer = () => page.locator('iframe').evaluate((element) => element.clientHeight)

  await test.step('a frame whose page loads before the script of the site gets its height', async () => {
    const [frame_alone = '', script = ''] = inline.split('\n')
    await site.show(page, frame_alone)
    await expect(quiz.getByText('Votre agenda ?')).toBeVisible()
    expect((await outer()) - (await inner())).not.toBe(0)
    await page.addScriptTag({ url: /src="([^"]+)"/.exec(script)?.[1] ?? '' })
    await expect.poll(async () => (await outer()) - (await inner())).toBe(0)
  })

  await test.step('the height follows the content to the result', async () => {
    await site.show(page, inline)
    await expect(quiz.getByText('Votre agenda ?')).toBeVisible()
    await expect.poll(async () => (await outer()) - (await inner())).toBe(0)
    expect(await outer()).not.toBe(600)
    await answerInFrame(quiz)
    await expect.poll(async () => (await outer()) - (await inner())).toBe(0)
    await expect
      .poll(async () => (await creator.client.quizzes.get({ id })).quiz.nb_responses)
      .toBe(1)
  })
})

test('a quiz in another site’s page receives the source of the visitor of that page, also in a dialog', {
  tag: '@rare',
}, async ({ page, creator, site }) => {
  const { client } = creator
  const { id } = await publishedScoreQuiz(client)
  const [inline, button] = [site.codeOf(id), site.codeOf(id, { opening: 'button' })]
  const quiz = quizIn(page)
  const answer = async (): Promise<void> => {
    const told = () => page.frames().some((frame) => frame.url().includes('utm_source='))
    await expect.poll(told).toBe(true)
    await answerInFrame(quiz)
  }
  await site.show(page, inline, { query: '?utm_source=lettre&client=42&utm_term=a%26b' })
  await answer()
  const stored = async () =>
    (await client.statistics.responses({ id })).details.map(({ parameters }) => parameters)
  // The frame keeps its parameters until the submission has arrived.
  await expect.poll(stored).toEqual([{ utm_source: 'lettre', utm_term: 'a&b' }])
  await site.show(page, button, { query: '?utm_source=fen%C3%AAtre' })
  await page.getByRole('button', { name: 'Répondre au quiz' }).click()
  await answer()
  await expect.poll(stored).toHaveLength(2)
  expect((await stored())[0]).toEqual({ utm_source: 'fenêtre' })
})

test('two quizzes in one page each keep their own answers after a reload', {
  tag: '@rare',
}, async ({ page, creator, site }) => {
  const one = await publishedScoreQuiz(creator.client)
  const two = await publishedScoreQuiz(creator.client)
  await site.show(page, site.codeOf(one.id) + site.codeOf(two.id))
  const frames = [quizIn(page, 0), quizIn(page, 1)]
  for (const [index, quiz] of frames.entries()) {
    await quiz.getByRole('radio', { name: ['Libre', 'Rempli'][index] ?? '' }).check()
    await quiz.getByRole('button', { name: 'Suivant' }).click()
    await quiz.getByLabel('Où vous écrire ?').fill(`${index}@exemple.fr`)
  }
  await page.reload()
  for (const [index, quiz] of frames.entries()) {
    await resumeRun(quiz)
    await expect(quiz.getByLabel('Où vous écrire ?')).toHaveValue(`${index}@exemple.fr`)
  }
  for (const [index, quiz] of frames.entries()) {
    await quiz.getByRole('button', { name: 'Voir le résultat' }).click()
    const result = ['Grand saut', 'Pas à pas'][index] ?? ''
    await expect(quiz.getByRole('heading', { level: 1 })).toHaveText(result)
  }
})

test('a frame starts again only after its answers have arrived', { tag: '@rare' }, async ({
  page,
  creator,
  site,
}) => {
  const { id } = await publishedScoreQuiz(creator.client)
  const inline = site.codeOf(id)
  await site.show(page, inline)
  const quiz = page.frameLocator('iframe')
  const heading = quiz.getByRole('heading', { level: 1 })
  await quiz.getByRole('radio', { name: 'Libre' }).check()
  await quiz.getByRole('button', { name: 'Suivant' }).click()
  await quiz.getByLabel('Où vous écrire ?').fill('camille@exemple.fr')
  const submissions = '**/api/v1/quizzes/*/submit'
  await page.route(submissions, (route) => route.abort())
  await quiz.getByRole('button', { name: 'Voir le résultat' }).click()
  await expect(heading).toHaveText('Grand saut')
  await page.reload()
  await expect(heading).toHaveText('Grand saut')
  await page.unroute(submissions)
  await page.reload()
  await expect(heading).toHaveText('Grand saut')
  await expect.poll(() => listKeptKeys(quiz)).not.toContain('pending')
  await site.show(page, inline)
  await expect(heading).toHaveText('Quel rythme ?')
  await expect(quiz.getByText('1 / 2', { exact: true })).toBeVisible()
  await expect(quiz.getByRole('radio', { checked: true })).toHaveCount(0)
  expect((await creator.client.quizzes.get({ id })).quiz.nb_responses).toBe(1)
})

test('a button opens the quiz in a dialog, and Escape inside the quiz closes it', {
  tag: '@rare',
}, async ({ page, creator, site }) => {
  const { id } = await publishedScoreQuiz(creator.client)
  const button = site.codeOf(id, { opening: 'button' })
  // The page loads the script twice, like a site with two quizzes.
  await site.show(page, button + button.split('\n')[1])
  const opener = page.getByRole('button', { name: 'Répondre au quiz' })
  await opener.focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Répondre au quiz' })
  await expect(dialog).toHaveCount(1)
  await expect(dialog.getByRole('button', { name: 'Fermer' })).toBeFocused()
  const quiz = page.frameLocator('iframe')
  await quiz.getByRole('radio', { name: 'Rempli' }).check()
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await expect(opener).toBeFocused()
  await opener.click()
  const close = page.getByRole('button', { name: 'Fermer' })
  const before = await close.boundingBox()
  expect(before?.height).toBeGreaterThanOrEqual(24)
  expect(before?.width).toBeGreaterThanOrEqual(24)
  await expect
    .poll(() => page.locator('iframe').evaluate(({ style }) => style.height))
    .toMatch(/px$/)
  expect(await close.boundingBox()).toEqual(before)
  await close.click()
  await expect(dialog).toHaveCount(0)
  await expect(opener).toBeFocused()
})

test('pages without a frame permission cannot be framed', { tag: '@rare' }, async ({
  creator,
  site,
  visitor,
  baseURL,
}) => {
  const { id } = await publishedScoreQuiz(creator.client)
  const refused: string[] = []
  visitor.on('console', (message) => {
    if (message.type() === 'error') refused.push(message.text())
  })
  for (const path of [`/q/${id}`, '/login', `/q/${id}/resultat`]) {
    const before = refused.length
    await site.show(visitor, `<iframe src="${baseURL}${path}"></iframe>`)
    await expect.poll(() => refused.length).toBeGreaterThan(before)
    expect(refused.at(-1)).toMatch(/frame-ancestors|X-Frame-Options/)
    await expect(visitor.frameLocator('iframe').getByText('Votre agenda ?')).toHaveCount(0)
  }
})
