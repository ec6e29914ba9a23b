import { publishedScoreQuiz } from '../../src/server/testing/quizzes/sample-quizzes.ts'
import { expect } from '../support/fixtures.ts'
import {
  answerInFrame,
  quizIn,
  RUN_EVENTS,
  test,
  waitForNextMessage,
} from '../support/host-site.ts'

test.use({ creatorIs: 'away' })

test('forged messages send no event and resize no frame, and a flood of them does not slow the page', {
  tag: '@rare',
}, async ({ page, creator, site, events, baseURL }) => {
  const { id } = await publishedScoreQuiz(creator.client)
  const inline = site.codeOf(id)
  const policy = `default-src 'none'; script-src ${baseURL}; frame-src ${baseURL} ${site.origin}; style-src 'none'`
  await site.show(page, `${inline}<iframe src="/autre" title="Une publicité"></iframe>`, { policy })
  await expect.poll(() => events).toEqual(['page 1'])
  const frame = page.locator('iframe').first()
  await expect.poll(() => frame.evaluate(({ style }) => style.height)).not.toBe('')
  const forged = [
    `finish ${id} 1`,
    `start ${id} `,
    `page ${id} 7`,
    'close',
    9_999,
    ['finish', id, 1],
    { step: 'finish', quiz: id, rank: 1 },
  ]
  const height = () => frame.evaluate((element) => element.clientHeight)
  const before = await height()
  /** Posts forged messages to the page from a window, and returns how long the page took for all of them. */
  const flood = (messages: unknown[]) =>
    page.evaluate(async (sent) => {
      const end = new Promise((heard) =>
        addEventListener('message', ({ data }) => data === 'end' && heard(undefined)),
      )
      const from = performance.now()
      for (let time = 0; time < 5_000; time++)
        postMessage({ quizaine: sent[time % sent.length] }, '*')
      postMessage('end', '*')
      await end
      return performance.now() - from
    }, messages)
  expect(await flood(forged)).toBeLessThan(1_000)
  expect(await height()).toBe(before)
  // A frame of another site, and a window that the site has opened.
  const advert = page.frames().find((frame) => frame.url().endsWith('/autre'))
  await advert?.evaluate((sent) => {
    for (const quizaine of sent) parent.postMessage({ quizaine }, '*')
  }, forged)
  // A quiz of the same installation, framed by the other site: right origin, but no frame of this page.
  const nested = await publishedScoreQuiz(creator.client)
  await advert?.evaluate((src) => {
    document.body.append(Object.assign(document.createElement('iframe'), { src }))
  }, `${baseURL}/q/${nested.id}?embed=1`)
  const nestedFrame = () => page.frames().find((frame) => frame.url().includes(nested.id))
  await expect.poll(() => nestedFrame() !== undefined).toBe(true)
  await nestedFrame()?.evaluate((sent) => {
    for (const quizaine of sent) top?.postMessage({ quizaine }, '*')
  }, forged)
  const [other] = await Promise.all([
    page.waitForEvent('popup'),
    page.evaluate(() => void window.open('/fenetre')),
  ])
  await other.evaluate((sent) => {
    for (const quizaine of sent) opener.postMessage({ quizaine }, '*')
  }, forged)
  await other.close()
  // Messages from the frame of the quiz that our script never sends.
  await quizIn(page)
    .locator('body')
    .evaluate(
      (_, sent) => {
        for (const quizaine of sent) parent.postMessage({ quizaine }, '*')
      },
      [
        'finish x 1',
        `finish ${id}`,
        `finish ${id} 12345`,
        `FINISH ${id} 1`,
        `finish ${id} 1 `,
        null,
        [],
        { toString: 1 },
      ],
    )
  await waitForNextMessage(page)
  expect(events).toEqual(['page 1'])
  expect(await height()).toBe(before)
  await answerInFrame(quizIn(page))
  await expect.poll(() => events).toEqual(RUN_EVENTS)
})

test('a site without scripts shows the quiz, which counts its answers and sends no event', {
  tag: '@rare',
}, async ({ page, creator, site, events, baseURL }) => {
  const { client } = creator
  const { id } = await publishedScoreQuiz(client)
  const inline = site.codeOf(id)
  const [frame = ''] = inline.split('\n')
  const policy = `default-src 'none'; frame-src ${baseURL}; style-src 'none'`
  await site.show(page, frame, { policy })
  await answerInFrame(quizIn(page))
  await expect.poll(async () => (await client.quizzes.get({ id })).quiz.nb_responses).toBe(1)
  expect(events).toEqual([])
})
