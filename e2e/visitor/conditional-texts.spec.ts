import type { Page } from '@playwright/test'
import type { Client } from '../../src/contract/client/client.ts'
import { readyScoreQuiz } from '../../src/server/testing/quizzes/sample-quizzes.ts'
import { expect, expectAccessible, test } from '../support/fixtures.ts'
import { choose, enterEmail } from '../support/visitor-steps.ts'

test.use({ creatorIs: 'signed in' })

/** Publishes a quiz with three conditional texts, of which « Rempli » shows the first and the third. */
const publishTexts = async (client: Client): Promise<string> => {
  const { id, question_id, answer_ids, result_ids } = await readyScoreQuiz(client)
  const { revision } = await client.drafts.get({ id })
  const chosen = (rank: number) => ({
    kind: 'answer_chosen' as const,
    question_id,
    answer_id: answer_ids[rank] ?? '',
  })
  const variant = (position: number, text: string, more: object) => ({
    id: crypto.randomUUID(),
    position,
    place: 'every_result' as const,
    result_id: null,
    joined_by: 'and' as const,
    text,
    button_text: null,
    button_url: null,
    ...more,
  })
  await client.drafts.save({
    id,
    body: {
      based_on: revision,
      text_variants: [
        variant(0, 'Un agenda **rempli**, un score de {{score}}', { conditions: [chosen(0)] }),
        variant(1, 'Un agenda libre', { conditions: [chosen(1)] }),
        variant(2, 'Par où commencer', {
          place: 'result',
          result_id: result_ids[0],
          joined_by: 'or',
          conditions: [chosen(1), { kind: 'total_between', from: null, to: 3 }],
          button_text: 'Prendre rendez-vous',
          button_url: 'https://exemple.fr/rdv',
        }),
      ],
    },
  })
  await client.quizzes.publish({ id })
  return id
}

const expectTexts = async (page: Page, texts: (string | RegExp)[]): Promise<void> => {
  await expect(page.locator('.q-variant')).toHaveText(texts)
}
const SHOWN = [/^Un agenda rempli, un score de 1$/, /^Par où commencer\s*Prendre rendez-vous$/]

const answer = async (page: Page, name: 'Rempli' | 'Libre'): Promise<void> => {
  await choose(page, name)
  await enterEmail(page)
}

/** Expects the texts in a wide and in a narrow window, and runs another check in each. */
const expectTextsAtEachWidth = async (page: Page, check?: () => Promise<void>): Promise<void> => {
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 844 })
    await expectTexts(page, SHOWN)
    await check?.()
  }
}

test('page, page without scripts and preview show the same conditional texts on wide and narrow screens', {
  tag: '@rare',
}, async ({ page, creator, visitor, browser }) => {
  const id = await publishTexts(creator.client)

  await test.step('the public page, also if the second file never arrives', async () => {
    await visitor.route('**/assets/player-*.js*', (route) => route.abort())
    await visitor.goto(`/q/${id}`)
    await answer(visitor, 'Rempli')
    const button = visitor.getByRole('link', { name: 'Prendre rendez-vous' })
    await expectTextsAtEachWidth(visitor, async () => {
      await expect(button).toHaveAttribute('href', 'https://exemple.fr/rdv')
      await expectAccessible(visitor, ['.q-next'])
    })
  })

  await test.step('the page without scripts', async () => {
    const plain = await (await browser.newContext({ javaScriptEnabled: false })).newPage()
    await plain.goto(`/q/${id}`)
    await answer(plain, 'Rempli')
    await expectTextsAtEachWidth(plain)
    await plain.goto(`/q/${id}`)
    await answer(plain, 'Libre')
    await expectTexts(plain, ['Un agenda libre'])
    await plain.context().close()
  })

  await test.step('the preview', async () => {
    await page.goto(`/quiz/${id}/preview`)
    await answer(page, 'Rempli')
    await expectTextsAtEachWidth(page)
  })
})
