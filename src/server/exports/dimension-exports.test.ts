import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { EXPORT_FORMATS } from '#contract/participants.ts'
import { createTestApp } from '#server/testing/app/test-app.ts'
import { unzip } from '#server/testing/network/bodies/unzip.ts'
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

const COLUMNS = [
  'Score',
  'Score (%)',
  'Argent (%)',
  'Argent (palier)',
  'Forme (%)',
  'Forme (palier)',
]

const download = async (format: (typeof EXPORT_FORMATS)[number]) => {
  const { url } = await client.exports.link({ id: quiz.id, body: { format } })
  return app.raw({ method: 'GET', url })
}

describe('dimensions in exports and lists', () => {
  test('a CSV has the percent of the score, then the percent and the tier of each dimension', async () => {
    const [titles = '', ...lines] = (await download('csv')).body.split('\r\n')
    const names = titles.split(',')
    const score = names.indexOf('Score')
    assert.deepEqual(names.slice(score, score + COLUMNS.length), COLUMNS)
    assert.deepEqual(
      lines.slice(0, 3).map((line) => line.split(',').slice(score + 2, score + 6)),
      [
        ['', '', '100', 'Forte'],
        ['25', 'Fragile', '50', 'À revoir'],
        ['25', 'Fragile', '50', 'Forte'],
      ],
    )
  })

  test('a workbook has the same columns with numbers, and empty cells for hidden dimensions', async () => {
    const { rawPayload } = await download('xlsx')
    const sheet = unzip(rawPayload)['xl/worksheets/sheet1.xml'] ?? ''
    const rows = [...sheet.matchAll(/<row>(.*?)<\/row>/g)].map(([, row = '']) =>
      [...row.matchAll(/<c\/>|<c[ >].*?<\/c>/g)].map(([cell]) => cell),
    )
    const titles = rows[0]?.map((cell) => cell.replaceAll(/<[^>]*>/g, '')) ?? []
    const score = titles.indexOf('Score')
    assert.deepEqual(titles.slice(score, score + COLUMNS.length), COLUMNS)
    assert.equal(titles.filter((title) => title.endsWith('(%)')).length, 3)
    const [none, half, quarter, all] = ['<c/>', ...[50, 25, 100].map((n) => `<c><v>${n}</v></c>`)]
    assert.deepEqual(
      rows.slice(1).map((row) => [row[score + 2], row[score + 4]]),
      [
        [none, all],
        [quarter, half],
        [quarter, half],
      ],
    )
  })

  test('JSON, the list, the sheet of a participant and the export of the account name each dimension with its percent and tier', async () => {
    const { participants } = (await download('json')).json<{
      participants: { dimensions: unknown }[]
    }>()
    const { details } = await client.statistics.responses({ id: quiz.id })
    const expected = [
      [{ name: 'Forme', percent: 100, tier: 'Forte' }],
      [
        { name: 'Argent', percent: 25, tier: 'Fragile' },
        { name: 'Forme', percent: 50, tier: 'À revoir' },
      ],
      [
        { name: 'Santé', percent: 50, tier: 'Forte' },
        { name: 'Argent', percent: 25, tier: 'Fragile' },
      ],
    ]
    assert.deepEqual(
      participants.map(({ dimensions }) => dimensions),
      expected,
    )
    const sheets = details.map(async ({ participant_uuid: participantId }) => {
      return (await client.participants.explain({ id: quiz.id, participantId })).participant
    })
    const exported = (await client.account.exportData()).responses as typeof participants
    for (const listed of [details, await Promise.all(sheets)])
      assert.deepEqual(
        listed.map(({ dimensions }) => dimensions),
        expected,
      )
    const sorted = (all: unknown[]): string[] => all.map((value) => JSON.stringify(value)).sort()
    assert.deepEqual(sorted(exported.map(({ dimensions }) => dimensions)), sorted(expected))
  })
})
