import type { Browser, Page } from '@playwright/test'
import type { Client } from '../../src/contract/client/client.ts'
import { publishedScoreQuiz } from '../../src/server/testing/quizzes/sample-quizzes.ts'
import { expect, visitorTest as test } from '../support/fixtures.ts'
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

/** Scripts that take an interface away, as in Safari 14.1, Chrome 90 or Firefox 88. */
const OLDER_ENGINES: Record<string, string> = {
  'AbortSignal.timeout': 'delete AbortSignal.timeout; delete AbortSignal.any',
  'Object.hasOwn': 'delete Object.hasOwn; delete Object.groupBy',
  'navigator.locks': 'delete Navigator.prototype.locks',
  structuredClone: 'delete window.structuredClone',
  'crypto.randomUUID': 'delete Crypto.prototype.randomUUID',
  'arrays and texts':
    'for (const kind of [Array, String]) for (const name of ["at", "findLast", "findLastIndex", "toSorted", "toReversed", "toSpliced", "with", "isWellFormed", "toWellFormed"]) delete kind.prototype[name]',
  promises: 'delete Promise.withResolvers; delete Promise.try',
  requestIdleCallback: 'delete window.requestIdleCallback; delete window.cancelIdleCallback',
  'HTMLElement.inert': 'delete HTMLElement.prototype.inert',
  dialog: 'delete HTMLDialogElement.prototype.showModal; delete HTMLDialogElement.prototype.show',
  'constructed styles':
    'delete CSSStyleSheet.prototype.replaceSync; delete Document.prototype.adoptedStyleSheets',
  'forms and attributes':
    'delete HTMLFormElement.prototype.requestSubmit; delete SubmitEvent.prototype.submitter; delete Element.prototype.ariaLabel',
  'navigation timing': 'performance.getEntriesByType = () => []',
  'Intl.Segmenter': 'delete Intl.Segmenter',
  'URL.canParse': 'delete URL.canParse',
  BroadcastChannel: 'delete window.BroadcastChannel',
}

/** Opens a page of a new browser, in which a script runs before those of the page. */
const openBrowser = async (browser: Browser, content: string): Promise<Page> => {
  const context = await browser.newContext()
  await context.addInitScript({ content })
  return context.newPage()
}

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
  const all = Object.values(OLDER_ENGINES).join(';')
  const scripts = { ...OLDER_ENGINES, all }
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
const NO_STORAGE =
  'for (const name of ["localStorage", "sessionStorage"]) Object.defineProperty(window, name, { get() { throw new DOMException("denied", "SecurityError") } })'

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

test('a script that fails at any step leaves the run to the form without scripts, and nothing is lost', async ({
  creator,
  browser,
}) => {
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
