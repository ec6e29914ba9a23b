import type { BrowserContextOptions, Page } from '@playwright/test'
import { publishCompleteQuiz } from '../../src/server/testing/quizzes/complete-quiz.ts'
import {
  expectCompleteEnd,
  expectCompleteReplies,
  takeCompleteQuiz,
} from '../support/complete-run.ts'
import { expect } from '../support/fixtures.ts'
import { quizIn, test } from '../support/host-site.ts'
import { ALL_OLDER_ENGINES, NO_STORAGE, openBrowser } from '../support/older-engines.ts'
import { keepTranslating } from '../support/translation.ts'

/** Runs through everything that visitors see, once in each surrounding of docs/world.md. */

test.use({ creatorIs: 'away' })

type Surrounding = {
  browser?: BrowserContextOptions
  /** Script that runs before those of the page. */
  script?: string
  /** Step before the page is opened. */
  prepare?: (page: Page) => Promise<void>
  /** Step after the page was opened. */
  follow?: (page: Page) => Promise<void>
}

/** Loses the first request for a file or a call. */
const loseFirst = async (page: Page, pattern: string): Promise<void> => {
  await page.route(pattern, (route) => route.abort('connectionfailed'), { times: 1 })
}

const SURROUNDINGS: Record<string, Surrounding> = {
  'an engine of spring 2021': { script: ALL_OLDER_ENGINES },
  'a browser that stores nothing': { script: NO_STORAGE },
  'a browser without scripts': { browser: { javaScriptEnabled: false } },
  'forced colours, less motion and a window of 320 pixels': {
    browser: {
      forcedColors: 'active',
      reducedMotion: 'reduce',
      viewport: { width: 320, height: 500 },
    },
  },
  'a translated page': { follow: keepTranslating },
  'a network that loses the second file and the submission once': {
    prepare: async (page) => {
      await loseFirst(page, '**/assets/player-*.js*')
      await loseFirst(page, '**/submit')
    },
  },
  'another language and time zone': { browser: { locale: 'ar-MA', timezoneId: 'Pacific/Noumea' } },
}

for (const [name, surrounding] of Object.entries(SURROUNDINGS))
  test(`a run meets every part of a quiz: ${name}`, async ({ creator, browser }) => {
    const id = await publishCompleteQuiz(creator.client)
    const page = await openBrowser(browser, surrounding.script ?? '', surrounding.browser)
    const errors: string[] = []
    page.on('pageerror', (error) => errors.push(error.message))
    await surrounding.prepare?.(page)
    await page.goto(`/q/${id}`)
    await surrounding.follow?.(page)
    await takeCompleteQuiz(page)
    await expectCompleteEnd(page)
    await expectCompleteReplies(creator.client, { id })
    expect(errors).toEqual([])
    await page.context().close()
  })

const SANDBOXES = ['allow-scripts', 'allow-scripts allow-same-origin allow-forms allow-popups']

test('a run meets every part of a quiz: in the frame of another site, in each sandbox', async ({
  visitor,
  creator,
  site,
}) => {
  const id = await publishCompleteQuiz(creator.client)
  const code = site.codeOf(id)
  for (const [rank, sandbox] of ['', ...SANDBOXES].entries())
    await test.step(sandbox || 'none', async () => {
      await site.show(
        visitor,
        sandbox ? code.replace('<iframe', `<iframe sandbox="${sandbox}"`) : code,
      )
      await takeCompleteQuiz(quizIn(visitor))
      await expectCompleteEnd(quizIn(visitor))
      await expectCompleteReplies(creator.client, { id, nb_participants: rank + 1 })
    })
})
