import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Replies } from '#domain/questionnaire/quiz.ts'
import { createTestApp } from '#server/testing/app/test-app.ts'
import { type GridSondage, publishGridSondage } from '#server/testing/quizzes/grid-sondage.ts'

const app = await createTestApp()
after(() => app.close())
const { client } = await app.signUp()

/** Replies of a participant: the numbers of the three scales, and the ranks of the two answers. */
type Given = { notes: (number | undefined)[]; ranks: number[] }
const PARTICIPANTS: Given[] = [
  { notes: [1, 5, undefined], ranks: [0, 2] },
  { notes: [3, 3, 3], ranks: [1, 1] },
  { notes: [5, 1, 4], ranks: [2, 0] },
]

const repliesOf = ({ scales, choices, text }: GridSondage, { notes, ranks }: Given): Replies => ({
  ...Object.fromEntries(
    scales.flatMap((id, rank) => (notes[rank] === undefined ? [] : [[id, `${notes[rank]}`]])),
  ),
  ...Object.fromEntries(
    choices.map(({ id, answers }, rank) => [id, answers[ranks[rank] ?? 0] ?? '']),
  ),
  [text]: 'Merci',
})

/** Returns what is stored, counted and exported, with the ids of the sondage replaced by their ranks. */
const everythingOf = async (sondage: GridSondage, has_grids: boolean): Promise<string> => {
  const { id, scales, choices, text } = sondage
  const ids = [id, ...scales, ...choices.flatMap((one) => [one.id, ...one.answers]), text]
  const { stats, details } = await client.statistics.responses({ id })
  const { figures } = await client.statistics.responses({ id, figures: '1' })
  // Only the names of the grids tell them apart.
  const { grids, ...counted } = figures ?? assert.fail()
  assert.equal(grids.length, has_grids ? 2 : 0)
  const files: string[] = []
  for (const format of ['csv', 'csv_excel'] as const)
    for (const choices of ['joined', 'columns'] as const) {
      const { url } = await client.exports.link({ id, body: { format, choices } })
      files.push((await app.raw({ method: 'GET', url })).body)
    }
  const stored = details.map(({ answers }) => answers)
  const whole = JSON.stringify({ stats, counted, stored, files })
  return ids
    .reduce((words, one, rank) => words.replaceAll(one, `id-${rank}`), whole)
    .replaceAll(/(\d{4}-\d\d-\d\d|\d\d\/\d\d\/\d{4})[T ]\d\d:\d\d(:\d\d(\.\d+)?Z?)?/g, 'now')
}

test('the same replies with and without grids store, count and export the same rows', async () => {
  const gridded = await publishGridSondage(client)
  const single = await publishGridSondage(client, { has_grids: false })
  for (const sondage of [gridded, single])
    for (const given of PARTICIPANTS)
      await app.client.taking.submit({
        id: sondage.id,
        body: { answers: repliesOf(sondage, given) },
      })
  const found = await everythingOf(gridded, true)
  assert.equal(found, await everythingOf(single, false))
  assert.match(found, /Le rythme convenait,Les supports étaient clairs,Les salles,Je recommande/)
})
