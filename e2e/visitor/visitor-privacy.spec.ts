import { publishedScoreQuiz } from '../../src/server/testing/quizzes/sample-quizzes.ts'
import { expect, visitorTest as test } from '../support/fixtures.ts'
import { choose, enterEmail, expectResult } from '../support/visitor-steps.ts'

test('a complete visit contacts no other host, keeps its run in its tab and leaves nothing on the device', async ({
  creator,
  visitor,
  baseURL,
}) => {
  const { id } = await publishedScoreQuiz(creator.client)
  const context = visitor.context()
  const requests: string[] = []
  const cookies: string[] = []
  context.on('request', (request) => requests.push(request.url()))
  context.on('response', async (response) => {
    const { 'set-cookie': cookie } = await response.allHeaders()
    if (cookie) cookies.push(cookie)
  })
  visitor.on('websocket', (socket) => requests.push(socket.url()))

  await visitor.goto(`/q/${id}`)
  await choose(visitor, 'Rempli')
  const readStorage = () =>
    visitor.evaluate(() => [{ ...localStorage }, Object.keys(sessionStorage)])
  expect(await readStorage()).toEqual([{}, ['quizaine:run']])
  await enterEmail(visitor)
  await expectResult(visitor, 'Pas à pas')
  await visitor.reload()
  await expectResult(visitor, 'Pas à pas')
  // Pending answers are removed from the device as soon as they are stored.
  await expect.poll(readStorage).toEqual([{}, ['quizaine:run']])

  const others = requests.filter(
    (url) => !url.startsWith(`${baseURL}/`) && !url.startsWith('data:'),
  )
  expect(others).toEqual([])
  const paths = new Set(requests.map((url) => new URL(url).pathname.replace(id, '{id}')))
  for (const path of paths)
    expect(path).toMatch(
      /^(?:\/q\/\{id\}(?:\/visite\/[\d/]+)?|\/api\/v1\/quizzes\/\{id\}\/submit|\/assets\/player-[\w-]+\.js|,)$/,
    )
  expect(cookies).toEqual([])
  expect(await context.cookies()).toEqual([])
  const left = await visitor.evaluate(async () => ({
    caches: await caches.keys(),
    databases: await indexedDB.databases(),
    workers: (await navigator.serviceWorker.getRegistrations()).length,
  }))
  expect(left).toEqual({ caches: [], databases: [], workers: 0 })
})
