import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { publishedScoreQuiz } from '../../src/server/testing/quizzes/sample-quizzes.ts'
import {
  test as creatorTest,
  expect,
  expectAccessible,
  visitorTest as test,
} from '../support/fixtures.ts'
import { CAMILLE, choose, expectResult } from '../support/visitor-steps.ts'

test('a blocked « Suivant » names the first unanswered question and leads to it', async ({
  creator,
  visitor,
}) => {
  const { id } = await publishedScoreQuiz(creator.client)
  const body = { text: 'Votre prénom ?', type: 'text' as const, page_number: 1 }
  await creator.client.questions.create({ id, body })
  await creator.client.quizzes.publish({ id })
  await visitor.goto(`/q/${id}`)
  const next = visitor.getByRole('button', { name: 'Suivant' })
  await expect(next).toBeDisabled()
  await expect(next).toHaveAttribute('title', 'Répondre à : Votre agenda ?')
  // Waits until the new page takes presses; a forced press would not wait.
  await visitor.getByRole('radio', { name: 'Rempli' }).click({ trial: true })
  await next.click({ force: true })
  await expect(visitor.getByRole('radio', { name: 'Rempli' })).toBeFocused()
  await next.focus()
  await visitor.getByRole('button', { name: 'Répondre à : Votre agenda ?' }).click()
  await expect(visitor.getByRole('radio', { name: 'Rempli' })).toBeFocused()
  await visitor.getByRole('radio', { name: 'Libre' }).check()
  await expect(visitor.getByRole('button', { name: 'Répondre à : Votre prénom ?' })).toBeVisible()
  await expectAccessible(visitor, ['.q-next'])
  await next.click({ force: true })
  await expect(visitor.getByLabel('Votre prénom ?')).toBeFocused()
  await visitor.getByLabel('Votre prénom ?').fill('Camille')
  await expect(visitor.getByRole('button', { name: /^Répondre à/ })).toHaveCount(0)
  await expect(next).toBeEnabled()
  await next.click()
  await expect(visitor.getByText('2 / 2', { exact: true })).toBeVisible()
})

test('a telephone number has at least six digits, and a number that is typed or pasted with a comma keeps its value', async ({
  creator,
  visitor,
}) => {
  const { id } = await publishedScoreQuiz(creator.client)
  for (const [text, type] of [
    ['Votre téléphone ?', 'phone'],
    ['Votre note ?', 'number'],
  ] as const)
    await creator.client.questions.create({ id, body: { text, type, page_number: 2 } })
  await creator.client.quizzes.publish({ id })
  await visitor.goto(`/q/${id}`)
  await choose(visitor, 'Libre')
  const phone = visitor.getByLabel('Votre téléphone ?')
  const number = visitor.getByLabel('Votre note ?')
  await expect(number).toHaveAttribute('type', 'number')
  // A keypad for decimals would have no minus sign on iOS.
  await expect(number).not.toHaveAttribute('inputmode')
  await visitor.getByLabel('Où vous écrire ?').fill(CAMILLE)
  await phone.fill('06 12 3')
  await number.pressSequentially('1 200,5')
  await expect(number).toHaveValue('1200.5')
  await number.fill('')
  await visitor.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await visitor.evaluate(() => navigator.clipboard.writeText('3,5'))
  await number.press('Control+v')
  await expect(number).toHaveValue('3.5')
  for (const [pasted, expected] of [
    ['−3', '-3'],
    ['1.234,56', ''],
    ['1.234.56', ''],
    ['3,5', '3.5'],
  ] as const) {
    await number.fill('')
    await visitor.evaluate((text) => navigator.clipboard.writeText(text), pasted)
    await number.press('Control+v')
    await expect(number).toHaveValue(expected)
  }
  await visitor.getByRole('button', { name: 'Voir le résultat' }).click()
  await expect(phone).toBeFocused()
  await expect(visitor.getByRole('alert')).toHaveText(
    'Saisissez un numéro d’au moins six chiffres, par exemple 06 12 34 56 78.',
  )
  await phone.fill('06 12 34')
  await visitor.getByRole('button', { name: 'Voir le résultat' }).click()
  await expectResult(visitor, 'Grand saut')
  await expect
    .poll(async () => (await creator.client.statistics.responses({ id })).details[0]?.answers)
    .toEqual(expect.arrayContaining([expect.objectContaining({ answer_text: '3.5' })]))
})

test('a year of two digits is read as this century or as a birthday of the past, and an impossible year is refused at its field', async ({
  creator,
  visitor,
}) => {
  const { id } = await publishedScoreQuiz(creator.client)
  for (const text of ['Quand partez-vous ?', 'Votre date de naissance'])
    await creator.client.questions.create({ id, body: { text, type: 'date', page_number: 2 } })
  await creator.client.quizzes.publish({ id })
  await visitor.goto(`/q/${id}`)
  await choose(visitor, 'Libre')
  await visitor.getByLabel('Où vous écrire ?').fill(CAMILLE)
  const departure = visitor.getByLabel('Quand partez-vous ?')
  const birthday = visitor.getByLabel('Votre date de naissance')
  await departure.fill('0202-12-31')
  // Chromium reads two typed digits as a year of the first century.
  await birthday.fill('0084-05-03')
  await visitor.getByRole('button', { name: 'Voir le résultat' }).click()
  await expect(departure).toBeFocused()
  await expect(visitor.getByRole('alert')).toHaveText(
    'Saisissez une date complète, par exemple 31/12/2026.',
  )
  await expect(birthday).toHaveValue('1984-05-03')
  await departure.fill('0031-12-31')
  await visitor.getByRole('button', { name: 'Voir le résultat' }).click()
  await expectResult(visitor, 'Grand saut')
  await expect
    .poll(async () =>
      (await creator.client.statistics.responses({ id })).details[0]?.answers.map(
        ({ answer_text }) => answer_text,
      ),
    )
    .toEqual(expect.arrayContaining(['31/12/2031', '03/05/1984']))
})

creatorTest.use({ creatorIs: 'signed in' })
creatorTest(
  'only addresses in texts become links, and these open in a new tab',
  {
    tag: '@phone',
  },
  async ({ creator, visitor, page }) => {
    const { id } = await publishedScoreQuiz(creator.client)
    const content =
      'Voir https://exemple.fr/a?b=1&c=2, (http://exemple.fr/x_(y)) ou www.exemple.fr. Écrire à aide@exemple.fr ! javascript:alert(1) data:text/html,x ftp://x.fr <a href=//x.fr>x</a>'
    await creator.client.questions.saveDraft({
      id,
      body: {
        ...(await creator.client.questions.unified({ id })),
        text_blocks: [{ id: randomUUID(), content, page_number: 1, global_position: 9 }],
      },
    })
    await creator.client.quizzes.publish({ id })
    const expected = [
      'https://exemple.fr/a?b=1&c=2',
      'http://exemple.fr/x_(y)',
      'https://www.exemple.fr',
      'mailto:aide@exemple.fr',
    ]
    const linksOf = (shown: Page) =>
      shown.locator('.q-text').evaluate((block) => ({
        text: block.textContent,
        links: [...block.querySelectorAll('a')].map((link) => link.getAttribute('href')),
        ways: [...new Set([...block.querySelectorAll('a')].map((a) => `${a.target} ${a.rel}`))],
      }))
    const right = {
      text: content.replace(' !', '\u202f!'),
      links: expected,
      ways: ['_blank noopener'],
    }
    await visitor.goto(`/q/${id}`)
    await expect(visitor.locator('.q-page[novalidate]')).toBeVisible()
    expect(await linksOf(visitor)).toEqual(right)
    await expect(visitor.locator('.q-text')).toHaveAttribute('dir', 'auto')
    await page.goto(`/quiz/${id}/preview`)
    await expect(page.locator('.q-text')).toBeVisible()
    expect(await linksOf(page)).toEqual(right)
    const html = await (await visitor.request.get(`/q/${id}`)).text()
    for (const href of expected) expect(html).toContain(`href="${href.replaceAll('&', '&amp;')}"`)
  },
)

test('the legal footer does not make a short page scroll', { tag: '@rare' }, async ({
  creator,
  visitor,
}) => {
  const { id } = await publishedScoreQuiz(creator.client)
  await visitor.goto(`/q/${id}`)
  for (const [width, height] of [
    [390, 844],
    [1440, 900],
  ] as const) {
    await visitor.setViewportSize({ width, height })
    await expect(visitor.getByRole('link', { name: 'Mentions légales' })).toBeInViewport()
    const excess = () =>
      visitor.evaluate(() => document.documentElement.scrollHeight - window.innerHeight)
    expect(await excess()).toBeLessThanOrEqual(0)
  }
})
