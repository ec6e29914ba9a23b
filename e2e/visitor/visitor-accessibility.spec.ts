import type { Page } from '@playwright/test'
import {
  publishedScoreQuiz,
  readySondage,
} from '../../src/server/testing/quizzes/sample-quizzes.ts'
import { expect, expectAccessible, listMotions, visitorTest as test } from '../support/fixtures.ts'
import { CAMILLE, choose, enterEmail, expectResult } from '../support/visitor-steps.ts'

const enableStrongContrast = (page: Page): Promise<void> =>
  page.getByRole('button', { name: 'Contraste renforcé' }).click()

/** Expects no part of the page outside the window, and no clipped text. */
const expectNothingClipped = async (page: Page): Promise<void> => {
  const clipped = await page.evaluate(() => {
    const shown = [...document.querySelectorAll<HTMLElement>('main *:not(.q-said)')]
    const isOut = ({ left, right }: DOMRect) => left < 0 || right > innerWidth
    const isCut = (one: HTMLElement) =>
      !one.matches('input, textarea, progress') && one.scrollWidth > one.clientWidth + 1
    return shown
      .filter((one) => isOut(one.getBoundingClientRect()) || (one.clientWidth > 0 && isCut(one)))
      .map((one) => one.outerHTML)
  })
  expect(clipped).toEqual([])
  const width = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
  expect(width).toBeLessThanOrEqual(0)
}

test('with « Contraste renforcé », every state is accessible in the default colours; without it, only « Suivant » has too little contrast', {
  tag: '@rare',
}, async ({ creator, visitor }) => {
  const { id } = await publishedScoreQuiz(creator.client)
  await visitor.goto(`/q/${id}`)
  await expectAccessible(visitor)
  await visitor.getByRole('radio', { name: 'Libre' }).check()
  await expectAccessible(visitor, ['.q-next'])
  await enableStrongContrast(visitor)
  const button = visitor.getByRole('button', { name: 'Contraste renforcé' })
  await expect(button).toHaveAttribute('aria-pressed', 'true')
  await expect(visitor.getByRole('button', { name: 'Suivant' })).toBeEnabled()
  await expectAccessible(visitor)
  await visitor.getByRole('button', { name: 'Suivant' }).click()
  await visitor.getByLabel('Où vous écrire ?').fill('camille')
  await visitor.getByRole('button', { name: 'Voir le résultat' }).click()
  await expect(visitor.getByRole('alert')).toBeVisible()
  await expectAccessible(visitor)
  await enterEmail(visitor)
  await expectResult(visitor, 'Grand saut')
  await expectAccessible(visitor)
})

test('a screen reader announces every part and each new page', async ({ creator, visitor }) => {
  const { id } = await publishedScoreQuiz(creator.client)
  await visitor.goto(`/q/${id}`)
  await expect(visitor.getByRole('main')).toMatchAriaSnapshot(`
    - main:
      - progressbar "Progression"
      - heading "Quel rythme ?" [level=1]
      - status: Page 1 sur 2
      - group "Votre agenda ?":
        - text: Votre agenda ?
        - radio "Rempli"
        - text: Rempli
        - radio "Libre"
        - text: Libre
      - button "Précédent" [disabled]
      - paragraph: 1 / 2
      - button "Suivant" [disabled]
      - status: 1 question sans réponse
      - button "Contraste renforcé"
  `)
  await expect(visitor.getByRole('progressbar')).toHaveJSProperty('value', 50)
  await expect(visitor.getByRole('button', { name: 'Suivant' })).toHaveAccessibleDescription(
    '1 question sans réponse',
  )
  // The live region must be the same element, because a new one might not be announced.
  const region = visitor.getByRole('status').first()
  await region.evaluate((element) => element.setAttribute('data-first', ''))
  await choose(visitor, 'Libre')
  await expect(region).toHaveText('Page 2 sur 2')
  await expect(region).toHaveAttribute('data-first')
  await expect(visitor.getByRole('heading', { level: 1 })).toBeFocused()
  await enterEmail(visitor)
  await expect(visitor.getByRole('heading', { level: 1, name: 'Grand saut' })).toBeFocused()
})

test('the keyboard reaches everything in reading order, and the focus is always visible', async ({
  creator,
  visitor,
}) => {
  const { id } = await publishedScoreQuiz(creator.client)
  await visitor.goto(`/q/${id}`)
  const focused = visitor.locator(':focus')
  const order = ['Rempli', 'Suivant', 'Contraste renforcé']
  await visitor.keyboard.press('Tab')
  await expect(focused).toHaveAccessibleName('Rempli')
  await visitor.keyboard.press('Space')
  for (const name of order.slice(1)) {
    await visitor.keyboard.press('Tab')
    await expect(focused).toHaveAccessibleName(name)
    const outline = await focused.evaluate((element) => getComputedStyle(element).outlineStyle)
    expect(outline).toBe('solid')
  }
  await visitor.keyboard.press('Enter')
  await expect(focused).toHaveAttribute('aria-pressed', 'true')
  await visitor.keyboard.press('Shift+Tab')
  await visitor.keyboard.press('Enter')
  await visitor.keyboard.press('Tab')
  await expect(focused).toHaveAccessibleName('Où vous écrire ?')
  await visitor.keyboard.press('Tab')
  await expect(focused).toHaveAccessibleName('Précédent')
  await visitor.keyboard.press('Enter')
  await expect(visitor.getByText('1 / 2', { exact: true })).toBeVisible()
})

test('no text is clipped at 320 pixels or at twice the text size', { tag: '@rare' }, async ({
  creator,
  visitor,
}) => {
  const { id, question_id, answer_ids } = await publishedScoreQuiz(
    creator.client,
    'Anticonstitutionnellement, un nom de quiz comme on en fait peu : très long !',
  )
  await creator.client.questions.update({
    id: question_id,
    body: { text: `${'Donaudampfschifffahrtsgesellschaft'.repeat(3)} ?` },
  })
  await creator.client.questions.saveAnswers({
    id: question_id,
    body: {
      answers: answer_ids.map((answer_id, index) => ({
        id: answer_id,
        text: index ? 'Libre' : 'https://exemple.fr/une/adresse/qui/ne/se/coupe/nulle/part',
        score: index ? 5 : 1,
      })),
    },
  })
  await creator.client.quizzes.publish({ id })
  await visitor.setViewportSize({ width: 320, height: 256 })
  for (const size of ['100%', '200%']) {
    await visitor.goto(`/q/${id}`)
    const enlarge = (value: string) => {
      document.documentElement.style.fontSize = value
    }
    await visitor.evaluate(enlarge, size)
    await expectNothingClipped(visitor)
    await choose(visitor, 'Libre')
    await visitor.getByLabel('Où vous écrire ?').fill('camille')
    await visitor.getByRole('button', { name: 'Voir le résultat' }).click()
    await expect(visitor.getByRole('alert')).toBeVisible()
    await expectNothingClipped(visitor)
    await enterEmail(visitor)
    await expectResult(visitor, 'Grand saut')
    await expectNothingClipped(visitor)
    await visitor.evaluate(() => localStorage.clear())
  }
})

test('no « ? », « ! », « : » or « ; » is alone on a line, and texts have French spacing', {
  tag: '@rare',
}, async ({ creator, visitor }) => {
  const name = 'Un titre : « Prêt » ou non ? Oui ; enfin !'
  const { id } = await publishedScoreQuiz(creator.client, name)
  await visitor.goto(`/q/${id}`)
  const title = visitor.getByRole('heading', { level: 1 })
  expect(await title.evaluate((element) => element.textContent)).toBe(
    'Un titre\u00a0: «\u00a0Prêt\u00a0» ou non\u202f? Oui\u202f; enfin\u202f!',
  )
  const lonely = await title.evaluate((element) => {
    const starts: string[] = []
    for (let width = 300; width >= 140; width -= 2) {
      element.style.width = `${width}px`
      element.style.textWrap = 'wrap'
      let bottom = Number.NEGATIVE_INFINITY
      const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
      while (texts.nextNode()) {
        const text = texts.currentNode
        for (const [offset, sign] of [...(text.textContent ?? '')].entries()) {
          if (/\s/.test(sign)) continue
          const range = document.createRange()
          range.setStart(text, offset)
          range.setEnd(text, offset + 1)
          const box = range.getBoundingClientRect()
          if (box.top >= bottom) starts.push(sign)
          bottom = Math.max(bottom, box.bottom - 1)
        }
      }
    }
    return [...new Set(starts)].filter((sign) => '?!:;»'.includes(sign))
  })
  expect(lonely).toEqual([])
})

test('the page follows the preferences of the system: reduced motion, forced colours and more contrast', {
  tag: '@rare',
}, async ({ creator, visitor }) => {
  const { id } = await publishedScoreQuiz(creator.client)
  await creator.client.quizzes.update({
    id,
    body: { bg_color: '#222222', text_color: '#444444', accent_color: '#333333' },
  })
  await creator.client.quizzes.publish({ id })

  await test.step('the choice, the progress and the buttons are visible in forced colours', async () => {
    await visitor.emulateMedia({ forcedColors: 'active' })
    await visitor.goto(`/q/${id}`)
    const borderOf = (name: string) =>
      visitor
        .locator('.q-choice', { hasText: name })
        .evaluate((element) => getComputedStyle(element).borderColor)
    await visitor.getByRole('radio', { name: 'Libre' }).check()
    expect(await borderOf('Libre')).not.toBe(await borderOf('Rempli'))
    const edge = await visitor
      .getByRole('progressbar')
      .evaluate((element) => getComputedStyle(element).borderStyle)
    expect(edge).toBe('solid')
    const next = visitor.getByRole('button', { name: 'Suivant' })
    const frame = await next.evaluate((element) => {
      const { borderColor, backgroundColor } = getComputedStyle(element)
      return borderColor !== backgroundColor
    })
    expect(frame).toBe(true)
  })

  await test.step('nothing moves with reduced motion', async () => {
    await visitor.emulateMedia({ forcedColors: 'none', reducedMotion: 'reduce' })
    await visitor.goto(`/q/${id}`)
    await visitor.getByRole('radio', { name: 'Libre' }).check()
    await visitor.getByRole('button', { name: 'Suivant' }).click()
    expect(await visitor.evaluate(listMotions)).toEqual([])
  })

  await test.step('a system that prefers more contrast gets it immediately', async () => {
    await visitor.emulateMedia({ reducedMotion: 'no-preference', contrast: 'more' })
    await visitor.goto(`/q/${id}`)
    await choose(visitor, 'Libre')
    await visitor.getByLabel('Où vous écrire ?').fill(CAMILLE)
    await expect(visitor.getByRole('button', { name: 'Voir le résultat' })).toBeEnabled()
    await expectAccessible(visitor)
    await visitor.getByRole('button', { name: 'Voir le résultat' }).click()
    await expectAccessible(visitor)
  })
})

test('every target is large enough for a finger', { tag: '@rare' }, async ({
  creator,
  visitor,
}) => {
  const sondage = await readySondage(creator.client)
  await creator.client.quizzes.publish({ id: sondage.id })
  await visitor.goto(`/q/${sondage.id}`)
  for (const target of await visitor.locator('.q-choice, .q-back, .q-next').all())
    expect((await target.boundingBox())?.height).toBeGreaterThanOrEqual(48)
  const contrast = visitor.getByRole('button', { name: 'Contraste renforcé' })
  expect((await contrast.boundingBox())?.height).toBeGreaterThanOrEqual(24)
})
