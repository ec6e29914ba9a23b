import type { Page, Route } from '@playwright/test'
import type { Client } from '../../src/contract/client/client.ts'
import { publishDimensionQuiz } from '../../src/server/testing/quizzes/dimension-quiz.ts'
import { readyScoreQuiz } from '../../src/server/testing/quizzes/sample-quizzes.ts'
import { expect, expectAccessible, visitorTest as test } from '../support/fixtures.ts'
import { measureOverflow } from '../support/layout-checks.ts'
import { SECOND_FILE } from '../support/phone-steps.ts'
import {
  CAMILLE,
  choose,
  expectEmptyLocalStorage,
  expectParticipants,
  expectResult,
} from '../support/visitor-steps.ts'

const REMPLI = `${CAMILLE}: Rempli → Pas à pas`

/** Publishes the sample quiz with everything that its end may show. */
const publishWithExtras = async (client: Client): Promise<string> => {
  const { id, result_ids } = await readyScoreQuiz(client)
  const [low = '', high = ''] = result_ids
  await client.results.saveAll({
    id,
    body: {
      results: [
        {
          id: low,
          name: 'Pas à pas',
          description: 'Une étape à la fois, **{{score}} point**.',
          min_score: 0,
          max_score: 4,
          button_text: 'Prendre rendez-vous',
          button_url: 'https://exemple.fr/rendez-vous',
        },
        { id: high, name: 'Grand saut', min_score: 5, max_score: 10 },
      ],
    },
  })
  const colors = { button_color: '#1f1f1f', button_text_color: '#ffffff' }
  await client.quizzes.update({
    id,
    body: { ...colors, shows_detail: true, allows_restart: true },
  })
  await client.quizzes.publish({ id })
  return id
}

const detailOf = (page: Page) => page.getByRole('region', { name: 'Détail du résultat' })

const finish = async (page: Page): Promise<void> => {
  await page.getByLabel('Où vous écrire ?').fill(CAMILLE)
  await page.getByRole('button', { name: 'Voir le résultat' }).click()
  await expectResult(page, 'Pas à pas')
}

/** Expects the plain end: name, formatted text with its insertion, restart, and none of the additional parts. */
const expectPlainEnd = async (page: Page): Promise<void> => {
  await expect(page.locator('.q-text strong')).toHaveText('1 point')
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
  await expect(page.getByRole('link')).toHaveText([
    'Recommencer',
    'Confidentialité',
    'Accessibilité',
    'Mentions légales',
  ])
  await expect(detailOf(page)).toHaveCount(0)
}

test('a page loads its second file after itself, from one address for every quiz', async ({
  creator,
  visitor,
}) => {
  const loaded: string[] = []
  for (const id of [
    await publishWithExtras(creator.client),
    await publishWithExtras(creator.client),
  ]) {
    const answer = visitor.waitForResponse(SECOND_FILE)
    await visitor.goto(`/q/${id}`)
    loaded.push((await answer).url())
    const [start, end] = await visitor.evaluate(() => {
      const [page] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
      const files = performance
        .getEntriesByType('resource')
        .filter(({ name }) => /player-/.test(name))
      return [page?.loadEventStart ?? 0, Math.min(...files.map(({ startTime }) => startTime))]
    })
    expect(end).toBeGreaterThanOrEqual(start ?? Number.POSITIVE_INFINITY)
  }
  expect(new Set(loaded).size).toBe(1)
})

test('a run ends and starts again if the second file is blocked or of another release', async ({
  creator,
  visitor,
}) => {
  const errors: Error[] = []
  visitor.on('pageerror', (error) => errors.push(error))
  const id = await publishWithExtras(creator.client)
  const stored: string[] = []
  for (const [name, refuse] of [
    ['blocked', (route: Route) => route.abort()],
    ['of another release', (route: Route) => route.fulfill({ status: 404, json: {} })],
  ] as const)
    await test.step(name, async () => {
      await visitor.route(SECOND_FILE, refuse)
      await visitor.goto(`/q/${id}`)
      await choose(visitor, 'Rempli')
      await finish(visitor)
      await expectPlainEnd(visitor)
      await expectAccessible(visitor)
      stored.push(REMPLI)
      await expectParticipants(creator.client, id, stored)
      await visitor.getByRole('link', { name: 'Recommencer' }).click()
      await expect(visitor.getByRole('radio', { name: 'Rempli' })).not.toBeChecked()
      await visitor.unroute(SECOND_FILE)
    })
  expect(errors).toEqual([])
})

test('a slow second file adds its parts below the result at each width, and moves nothing above them', {
  tag: '@rare',
}, async ({ creator, visitor }) => {
  const id = await publishWithExtras(creator.client)
  for (const width of [390, 1440])
    await test.step(`at ${width} pixels`, async () => {
      await visitor.setViewportSize({ width, height: 900 })
      const isReleased = Promise.withResolvers<void>()
      await visitor.route(SECOND_FILE, async (route) => {
        await isReleased.promise
        await route.continue()
      })
      await visitor.goto(`/q/${id}`)
      await choose(visitor, 'Rempli')
      await finish(visitor)
      await expectPlainEnd(visitor)
      const above = visitor.locator('.q-ending > .q-text')
      const before = await above.boundingBox()
      isReleased.resolve()
      await expect(detailOf(visitor)).toContainText('1 sur 5')
      await expect(
        visitor.getByRole('status').filter({ hasText: 'La suite du résultat est affichée.' }),
      ).toHaveCount(1)
      expect(await above.boundingBox()).toEqual(before)
      await expect(visitor.getByRole('heading', { level: 1 })).toBeFocused()
      for (const name of ['Prendre rendez-vous', 'Partager mon résultat', 'Recommencer']) {
        await visitor.keyboard.press('Tab')
        await expect(visitor.getByRole('link', { name })).toBeFocused()
      }
      await expectAccessible(visitor)
      await expectEmptyLocalStorage(visitor)
      await visitor.unroute(SECOND_FILE)
    })
})

test('a visitor who is offline at the end gets its other parts when the device is online again', async ({
  creator,
  visitor,
}) => {
  await visitor.route(SECOND_FILE, (route) => route.abort())
  const id = await publishWithExtras(creator.client)
  await visitor.goto(`/q/${id}`)
  await choose(visitor, 'Rempli')
  await visitor.context().setOffline(true)
  await finish(visitor)
  await expectPlainEnd(visitor)
  await visitor.unroute(SECOND_FILE)
  await visitor.context().setOffline(false)
  await expect(detailOf(visitor)).toBeVisible()
  await expectParticipants(creator.client, id, [REMPLI])
  await visitor.reload()
  await expectResult(visitor, 'Pas à pas')
  await expect(detailOf(visitor)).toContainText('1 sur 5')
})

test('a second file that fails to load is loaded again with another address, which no browser remembers as failed', {
  tag: '@rare',
}, async ({ creator, visitor }) => {
  const id = await publishWithExtras(creator.client)
  const addresses: string[] = []
  await visitor.route(SECOND_FILE, async (route) => {
    addresses.push(route.request().url())
    await (addresses.length === 1 ? route.abort() : route.continue())
  })
  await visitor.goto(`/q/${id}`)
  await choose(visitor, 'Rempli')
  await expect.poll(() => addresses.length).toBe(2)
  expect(new Set(addresses).size).toBe(2)
  await finish(visitor)
  await expect(detailOf(visitor)).toContainText('1 sur 5')
})

test('the second file shows the dimensions of a run as a list with bars, also after a reload', async ({
  creator,
  visitor,
}) => {
  const { id } = await publishDimensionQuiz(creator.client)
  await visitor.setViewportSize({ width: 320, height: 800 })
  await visitor.goto(`/q/${id}`)
  await visitor.getByRole('radio', { name: 'Dehors' }).check()
  await visitor.getByRole('button', { name: 'Voir le résultat' }).click()
  const dimensions = visitor.getByRole('region', { name: 'Résultat par dimension' })
  const expectWheel = async (): Promise<void> => {
    // The run jumps over the questions of the other dimension, which therefore has no percentage.
    await expect(dimensions.getByRole('listitem')).toHaveText([/Santé 100\s%\s*Forte/])
    await expect(dimensions.locator('svg')).toHaveCount(1)
  }
  await expectWheel()
  expect(await measureOverflow(visitor)).toBeLessThanOrEqual(0)
  await visitor.reload()
  await expectWheel()
})
