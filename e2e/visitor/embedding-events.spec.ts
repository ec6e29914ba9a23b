import type { Page } from '@playwright/test'
import {
  publishedScoreQuiz,
  publishSample,
  readySondage,
} from '../../src/server/testing/quizzes/sample-quizzes.ts'
import { expect } from '../support/fixtures.ts'
import {
  answerInFrame,
  listKeptKeys,
  quizIn,
  RUN_EVENTS,
  test,
  waitForNextMessage,
} from '../support/host-site.ts'
import { resumeRun } from '../support/visitor-steps.ts'

test.use({ creatorIs: 'away' })

const ALL = RUN_EVENTS
const readDataLayer = (page: Page) =>
  page.evaluate(() => (window as unknown as { dataLayer?: unknown[] }).dataLayer)

test('a run sends its pages, its start and its end once at each width, and to no data layer unasked', {
  tag: '@rare',
}, async ({ page, creator, site, events }) => {
  const { id } = await publishedScoreQuiz(creator.client)
  for (const width of [1_440, 390])
    await test.step(`at ${width} pixels`, async () => {
      events.length = 0
      await page.setViewportSize({ width, height: 844 })
      await site.show(page, site.codeOf(id))
      await expect.poll(() => events).toEqual(['page 1'])
      await quizIn(page).getByRole('radio', { name: 'Rempli' }).check()
      await expect.poll(() => events).toEqual(['page 1', 'start null'])
      await answerInFrame(quizIn(page))
      await expect.poll(() => events).toEqual(ALL)
      await waitForNextMessage(page)
      expect(events).toEqual(ALL)
      expect(await readDataLayer(page)).toBeUndefined()
      // The next visit starts a new run only after the answers have arrived.
      await expect.poll(() => listKeptKeys(quizIn(page))).not.toContain('pending')
    })
})

test('a page that is shown again sends no second event', { tag: '@rare' }, async ({
  page,
  creator,
  site,
  events,
}) => {
  const { id } = await publishedScoreQuiz(creator.client)
  const inline = site.codeOf(id)
  await site.show(page, inline)
  const quiz = quizIn(page)
  await quiz.getByRole('radio', { name: 'Rempli' }).check()
  await quiz.getByRole('button', { name: 'Suivant' }).click()
  await quiz.getByRole('button', { name: 'Précédent' }).click()
  await answerInFrame(quiz)
  await expect.poll(() => events).toEqual(ALL)
})

test('the data layer gets the events if the code asks for it, and the end of a sondage has no rank', {
  tag: '@rare',
}, async ({ page, creator, site, events }) => {
  const { id } = await publishSample(creator.client, readySondage(creator.client))
  await site.show(page, site.codeOf(id, { has_data_layer: true }))
  const quiz = quizIn(page)
  await quiz.getByRole('radio', { name: 'Libre' }).check()
  await quiz.getByRole('button', { name: 'Suivant' }).click()
  await quiz.getByLabel('Où vous écrire ?').fill('camille@exemple.fr')
  await quiz.getByRole('button', { name: 'Envoyer' }).click()
  await expect.poll(() => events).toEqual(['page 1', 'start null', 'page 2', 'finish null'])
  expect(await readDataLayer(page)).toEqual([
    { event: 'quizaine:page', quiz: id, rank: 1 },
    { event: 'quizaine:start', quiz: id, rank: null },
    { event: 'quizaine:page', quiz: id, rank: 2 },
    { event: 'quizaine:finish', quiz: id, rank: null },
  ])
})

test('a reload of the site or of the frame repeats no event, and the next run sends new events', {
  tag: '@rare',
}, async ({ page, creator, site, events }) => {
  const { id } = await publishedScoreQuiz(creator.client)
  const inline = site.codeOf(id)
  await site.show(page, inline)
  const quiz = quizIn(page)
  const reloadFrame = async (): Promise<void> => {
    await page.locator('iframe').evaluate((frame) => {
      const element = frame as HTMLIFrameElement
      element.src = `${element.src}`
    })
  }
  await expect.poll(() => events).toEqual(['page 1'])
  await page.reload()
  await quiz.getByRole('radio', { name: 'Libre' }).check()
  await quiz.getByRole('button', { name: 'Suivant' }).click()
  const email = quiz.getByLabel('Où vous écrire ?')
  await email.fill('camille@exemple.fr')
  await expect.poll(() => events).toEqual(ALL.slice(0, 3))
  for (const reload of [() => page.reload(), reloadFrame]) {
    await reload()
    await resumeRun(quiz)
    await expect(email).toHaveValue('camille@exemple.fr')
    await waitForNextMessage(page)
    expect(events).toEqual(ALL.slice(0, 3))
  }
  const submissions = '**/api/v1/quizzes/*/submit'
  await page.route(submissions, (route) => route.abort())
  await quiz.getByRole('button', { name: 'Voir le résultat' }).click()
  await expect.poll(() => events).toEqual(ALL)
  // The answers have not arrived, so that the run is continued at its end.
  for (const reload of [() => page.reload(), reloadFrame]) {
    await reload()
    await expect(quiz.getByRole('heading', { level: 1 })).toHaveText('Grand saut')
    await waitForNextMessage(page)
    expect(events).toEqual(ALL)
  }
  await page.unroute(submissions)
  await page.reload()
  await expect.poll(() => listKeptKeys(quiz)).not.toContain('pending')
  await page.reload()
  await answerInFrame(quiz, 'Rempli')
  await expect.poll(() => events).toEqual([...ALL, ...ALL.slice(0, 3), 'finish 1'])
})

test('a run that starts again on the same page sends its events again', { tag: '@rare' }, async ({
  page,
  creator,
  site,
  events,
}) => {
  const { id } = await publishedScoreQuiz(creator.client)
  await creator.client.quizzes.update({ id, body: { allows_restart: true } })
  await creator.client.quizzes.publish({ id })
  const inline = site.codeOf(id)
  await site.show(page, inline)
  await answerInFrame(quizIn(page))
  await quizIn(page).getByRole('link', { name: 'Recommencer' }).click()
  await answerInFrame(quizIn(page))
  await expect.poll(() => events).toEqual([...ALL, ...ALL])
})

test('two quizzes in one page with the script twice send each event once, from their own frame', {
  tag: '@rare',
}, async ({ page, creator, site, events }) => {
  const ids = [await publishedScoreQuiz(creator.client), await publishedScoreQuiz(creator.client)]
  await site.show(page, ids.map(({ id }) => site.codeOf(id)).join(''))
  await page.evaluate(() => {
    const sent: unknown[] = []
    Object.assign(window, { sent })
    for (const frame of document.querySelectorAll('iframe'))
      frame.addEventListener('quizaine:finish', (event) =>
        sent.push([
          frame.src.includes((event as CustomEvent).detail.quiz),
          (event as CustomEvent).detail,
        ]),
      )
  })
  await answerInFrame(quizIn(page, 1), 'Rempli')
  await answerInFrame(quizIn(page, 0), 'Libre')
  await expect.poll(() => events).toHaveLength(8)
  const endings = events.filter((event) => event.startsWith('finish'))
  expect(endings).toEqual(['finish 1', 'finish 2'])
  expect(await page.evaluate(() => Reflect.get(window, 'sent'))).toEqual([
    [true, { quiz: ids[1]?.id, rank: 1 }],
    [true, { quiz: ids[0]?.id, rank: 2 }],
  ])
  const heights = page.locator('iframe').evaluateAll((frames) => frames.map((f) => f.clientHeight))
  const inner = await Promise.all(
    [0, 1].map((index) =>
      quizIn(page, index)
        .locator('body')
        .evaluate((body) => body.clientHeight),
    ),
  )
  expect(await heights).toEqual(inner)
})

test('a script of the site that loads late receives the missed steps once', {
  tag: '@rare',
}, async ({ page, creator, site, events }) => {
  const { id } = await publishedScoreQuiz(creator.client)
  const inline = site.codeOf(id)
  const [frame = '', script = ''] = inline.split('\n')
  await site.show(page, frame)
  await answerInFrame(quizIn(page))
  expect(events).toEqual([])
  for (let time = 0; time < 2; time++)
    await page.addScriptTag({ url: /src="([^"]+)"/.exec(script)?.[1] ?? '' })
  await expect.poll(() => events).toEqual(ALL)
  await waitForNextMessage(page)
  expect(events).toEqual(ALL)
})

test('a browser that refuses the storage sends each event once', { tag: '@rare' }, async ({
  page,
  creator,
  site,
  events,
}) => {
  const { id } = await publishedScoreQuiz(creator.client)
  const inline = site.codeOf(id)
  await page.addInitScript(() => {
    if (location.search.includes('embed=1'))
      for (const name of ['sessionStorage', 'localStorage'])
        Object.defineProperty(window, name, {
          get: () => {
            throw new DOMException('refused', 'SecurityError')
          },
        })
  })
  await site.show(page, inline)
  await answerInFrame(quizIn(page))
  await expect.poll(() => events).toEqual(ALL)
})
