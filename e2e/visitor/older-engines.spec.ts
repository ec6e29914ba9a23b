import type { Browser, Page } from '@playwright/test'
import type { Client } from '../../src/contract/client/client.ts'
import { publishedScoreQuiz } from '../../src/server/testing/quizzes/sample-quizzes.ts'
import { expect, visitorTest as test } from '../support/fixtures.ts'
import {
  ALL_OLDER_ENGINES,
  NO_STORAGE,
  OLDER_ENGINES,
  openBrowser,
} from '../support/older-engines.ts'
import {
  CAMILLE,
  choose,
  enterEmail,
  expectParticipants,
  expectResult,
  interceptSubmissions,
  resumeRun,
} from '../support/visitor-steps.ts'

const LIBRE = `${CAMILLE}: Libre → Grand saut`

/**
 * Takes the quiz in a new browser for each script, which runs before those of the page. `take` ends a run with the
 * result; each run is then expected among the stored ones. Returns the errors of all pages.
 */
const takeInBrowsers = async (
  { creator, browser }: { creator: { client: Client }; browser: Browser },
  scripts: Record<string, string>,
  take: (page: Page) => Promise<void>,
): Promise<string[]> => {
  const { id } = await publishedScoreQuiz(creator.client)
  const stored: string[] = []
  const errors: string[] = []
  for (const [name, content] of Object.entries(scripts))
    await test.step(name, async () => {
      const page = await openBrowser(browser, content)
      page.on('pageerror', (error) => errors.push(`${name}: ${error.message}`))
      await page.goto(`/q/${id}`)
      await choose(page, 'Libre')
      await take(page)
      await expectResult(page, 'Grand saut')
      stored.push(LIBRE)
      await expectParticipants(creator.client, id, stored)
      await page.context().close()
    })
  return errors
}

test('a run finishes and its answers are stored in engines of spring 2021, whichever newer interface is missing', async ({
  creator,
  browser,
}) => {
  const scripts = { ...OLDER_ENGINES, all: ALL_OLDER_ENGINES }
  const errors = await takeInBrowsers({ creator, browser }, scripts, async (page) => {
    await page.getByLabel('Où vous écrire ?').fill('cam')
    await page.reload()
    await resumeRun(page)
    await expect(page.getByLabel('Où vous écrire ?')).toHaveValue('cam')
    await enterEmail(page)
    await expectResult(page, 'Grand saut')
    await expect(page.locator('.q-refused')).toHaveText('')
  })
  expect(errors).toEqual([])
})

const NOT_SENT = /^Vos réponses ne sont pas encore transmises\s: gardez cette page ouverte\.$/

test('a page that cannot send says so below the result, and sends the answers as a plain form', async ({
  creator,
  browser,
}) => {
  const scripts = {
    'fetch fails at once': 'window.fetch = () => { throw new TypeError("broken") }',
    'fetch is missing': 'delete window.fetch',
    'nothing is stored either': `delete window.fetch; ${NO_STORAGE}`,
  }
  await takeInBrowsers({ creator, browser }, scripts, async (page) => {
    await enterEmail(page)
    await expectResult(page, 'Grand saut')
    await expect(page.locator('.q-refused')).toHaveText(NOT_SENT)
    await page.getByRole('button', { name: 'Réessayer' }).click()
    await expect(page).toHaveURL(/\/resultat\?/)
  })
})

test('a visitor whose device stores nothing reads that the answers are not sent, until they are', async ({
  creator,
  browser,
}) => {
  const { id } = await publishedScoreQuiz(creator.client)
  const page = await openBrowser(browser, NO_STORAGE)
  let isDown = true
  await interceptSubmissions(page, Number.POSITIVE_INFINITY, (route) =>
    isDown ? route.fulfill({ status: 500, body: '{}' }) : route.continue(),
  )
  await page.goto(`/q/${id}`)
  await choose(page, 'Libre')
  await enterEmail(page)
  await expectResult(page, 'Grand saut')
  await expect(page.locator('.q-refused')).toHaveText(NOT_SENT)
  await expectParticipants(creator.client, id, [])
  isDown = false
  await expectParticipants(creator.client, id, [LIBRE])
  await expect(page.locator('.q-refused')).toHaveText('')
  await expect(page.getByRole('button', { name: 'Réessayer' })).toHaveCount(0)
  await page.context().close()
})

test('a script that fails at any step leaves the run to the form without scripts, and nothing is lost', {
  tag: '@rare',
}, async ({ creator, browser }) => {
  const scripts = {
    'at the start': 'crypto.getRandomValues = () => { throw new Error("start") }',
    'when a page is left': 'history.pushState = () => { throw new Error("next") }',
    'when the answers are handed over': 'performance.now = () => { throw new Error("end") }',
    'when the end is drawn':
      'const create = Document.prototype.createElementNS; Document.prototype.createElementNS = function (space, tag) { if (tag === "section") throw new Error("draw"); return create.call(this, space, tag) }',
  }
  await takeInBrowsers({ creator, browser }, scripts, enterEmail)
})

test('answers of an earlier visit that the server refuses are announced, and not lost without a word', async ({
  creator,
  visitor,
}) => {
  const { id } = await publishedScoreQuiz(creator.client)
  await visitor.goto(`/q/${id}`)
  await visitor.evaluate((quiz_id) => {
    const submission = { answers: {}, participant_uuid: '01900000-0000-7000-8000-000000000001' }
    const key = `quizaine:pending:${submission.participant_uuid}`
    localStorage.setItem(key, JSON.stringify({ quiz_id, submission }))
  }, id)
  await visitor.goto(`/q/${id}`)
  await expect(visitor.locator('.q-refused')).toHaveText('Des réponses n’ont pas été transmises.')
  await choose(visitor, 'Libre')
  await enterEmail(visitor)
  await expectParticipants(creator.client, id, [LIBRE])
})
