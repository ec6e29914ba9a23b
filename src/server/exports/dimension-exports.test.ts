import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { EXPORT_FORMATS } from '#contract/participants.ts'
import { createTestApp } from '#server/testing/app/test-app.ts'
import {
  type DimensionQuiz,
  publishDimensionQuiz,
  publishMovedDimensions,
  takeDimensionQuiz,
} from '#server/testing/quizzes/dimension-quiz.ts'

const app = await createTestApp()
after(() => app.close())
const { client } = await app.signUp()

let quiz: DimensionQuiz
before(async () => {
  quiz = await publishDimensionQuiz(client)
  await publishMovedDimensions(client, quiz)
  const run = { several: [], scale: 2 }
  await takeDimensionQuiz(app.client, quiz, { ...run, version: 1, way: 'past' })
  await takeDimensionQuiz(app.client, quiz, { ...run, version: 2, way: 'past' })
  await takeDimensionQuiz(app.client, quiz, { ...run, version: 2, way: 'out' })
})

const download = async (format: (typeof EXPORT_FORMATS)[number]) => {
  const { url } = await client.exports.link({ id: quiz.id, body: { format } })
  return app.raw({ method: 'GET', url })
}

describe('dimensions in exports and lists', () => {
  test('a CSV has one column with the percent of each dimension after the score', async () => {
    const [titles = '', ...lines] = (await download('csv')).body.split('\r\n')
    const names = titles.split(',')
    const score = names.indexOf('Score')
    assert.deepEqual(names.slice(score, score + 3), ['Score', 'Argent (%)', 'Forme (%)'])
    assert.deepEqual(
      lines.slice(0, 3).map((line) => line.split(',').slice(score + 1, score + 3)),
      [
        ['', '100'],
        ['40', '50'],
        ['40', '50'],
      ],
    )
  })

  test('JSON and the list of participants name each dimension with its percent and tier', async () => {
    const { participants } = (await download('json')).json<{
      participants: { dimensions: unknown }[]
    }>()
    const { details } = await client.statistics.responses({ id: quiz.id })
    const expected = [
      [{ name: 'Forme', percent: 100, tier: 'Forte' }],
      [
        { name: 'Argent', percent: 40, tier: 'Fragile' },
        { name: 'Forme', percent: 50, tier: 'À revoir' },
      ],
      [
        { name: 'Santé', percent: 50, tier: 'Forte' },
        { name: 'Argent', percent: 40, tier: 'Fragile' },
      ],
    ]
    assert.deepEqual(
      participants.map(({ dimensions }) => dimensions),
      expected,
    )
    assert.deepEqual(
      details.map(({ dimensions }) => dimensions),
      expected,
    )
  })
})
