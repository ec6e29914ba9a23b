import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import Fastify from 'fastify'
import { GROUPS, RESOURCES } from '#server/heavy-work/resources.ts'
import { createCurrentVersions } from '#server/published-versions/current-versions.ts'
import { createVersionReader } from '#server/published-versions/published-versions.ts'
import { createTestApp } from '#server/testing/app/test-app.ts'
import { createTestVersions } from '#server/testing/app/test-versions.ts'
import { buildPlayer } from '#server/testing/built-player.ts'
import { createOpenJobs, jobOf } from '#server/testing/heavy-work/open-jobs.ts'
import { publishedScoreQuiz } from '#server/testing/quizzes/sample-quizzes.ts'
import { createPublicPages } from './public-pages.ts'
import { registerQuizPage } from './quiz-page.ts'

const app = await createTestApp()
const { client } = await app.signUp()
const { player_folder, remove } = buildPlayer()
const { heavyWork, compiled } = createTestVersions(app.db)
const versions = createCurrentVersions(app.db, { trusted_ms: 0 })
const versionReader = createVersionReader(app.db, { compiled, versions })
const { public_url } = app.config
const server = Fastify()
const pages = createPublicPages({ versionReader, heavyWork, public_url, player_folder })
registerQuizPage(server, { versionReader, pages, answerTrial: async (_, reply) => reply.code(403) })
after(async () => {
  await heavyWork.close()
  await server.close()
  await app.close()
  remove()
})
const statusOf = async (url: string) => (await server.inject({ url })).statusCode

describe('pages and pictures that name a result', () => {
  test('the page and the picture of a result wait in the turns of visits, and the page of the quiz does not', async () => {
    const { id } = await publishedScoreQuiz(client)
    const { add, running } = createOpenJobs(heavyWork)
    const jobs = Array.from({ length: RESOURCES.page.max_concurrent }, (_, rank) =>
      add(jobOf('page', `other ${rank}`)),
    )
    const ranked = Promise.all([statusOf(`/q/${id}?r=1`), statusOf(`/q/${id}/image-1-r1.png`)])
    assert.equal(await statusOf(`/q/${id}`), 200)
    assert.equal(await Promise.race([ranked, setTimeout(300, 'waiting')]), 'waiting')
    for (const { end } of [...running]) end()
    assert.deepEqual(await ranked, [200, 200])
    await Promise.all(jobs)
  })

  test('the page of a result counts for the network of its visitor and is refused with Retry-After', async () => {
    const { id } = await publishedScoreQuiz(client)
    const { add, running } = createOpenJobs(heavyWork)
    const { max_concurrent_per_network, max_queued_per_network } = GROUPS.visit
    const jobs = Array.from(
      { length: max_concurrent_per_network + max_queued_per_network },
      (_, rank) => add(jobOf('page', `other ${rank}`, { network: '127.0.0.1' })),
    )
    const { statusCode, headers } = await server.inject({ url: `/q/${id}?r=1` })
    assert.equal(statusCode, 503)
    assert.match(String(headers['retry-after']), /^[1-9]\d*$/)
    while (running.length > 0) {
      running[0]?.end()
      await setTimeout(0)
    }
    await Promise.all(jobs)
    assert.equal(await statusOf(`/q/${id}?r=1`), 200)
  })
})
