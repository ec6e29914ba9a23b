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
  const ids = [id, ...scales, ...choices.flatMap((choice) => [choice.id, ...choice.answers]), text]
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
    .reduce((words, id, rank) => words.replaceAll(id, `id-${rank}`), whole)
    .replaceAll(/(\d{4}-\d\d-\d\d|\d\d\/\d\d\/\d{4})[T ]\d\d:\d\d(:\d\d(\.\d+)?Z?)?/g, 'now')
}

test('the same replies with and without grids store, count and export the same rows', async () => {
  const gridded = await publishGridSondage(client)
  const single = await publishGridSondage(client, { has_grids: false })
  for (const sondage of [gridded, single])
    for (const given of PARTICIPANTS)
      await app.client.publicQuiz.submit({
        id: sondage.id,
        body: { answers: repliesOf(sondage, given) },
      })
  const found = await everythingOf(gridded, true)
  assert.match(
    found,
    /Votre formation : Le rythme convenait,Votre formation : Les supports étaient clairs,Votre formation : Les salles,Et après \? : Je recommande/,
  )
  const unnamed = found.replaceAll(/(?:Votre formation|Et après \?) : /g, '')
  assert.equal(unnamed, await everythingOf(single, false))
})

test('a row is named with its grid in filters, cross tables and the answers of a participant', async () => {
  const sondage = await publishGridSondage(client)
  const { id, scales, choices } = sondage
  const [given = assert.fail()] = PARTICIPANTS
  await app.client.publicQuiz.submit({ id, body: { answers: repliesOf(sondage, given) } })
  const { details, figures } = await client.statistics.responses({ id, figures: '1' })
  const names = ['Votre formation : Le rythme convenait', 'Et après ? : Je recommande']
  assert.equal(details[0]?.answers[0]?.question_text, names[0])
  const offered = figures?.choices.questions.map(({ text }) => text) ?? []
  assert.ok(
    names.every((name) => offered.includes(name)),
    offered.join(),
  )
  const sides = { rows: scales[0] ?? '', columns: choices[0]?.id ?? '' }
  const { table } = await client.statistics.crosstab({ id, ...sides })
  assert.deepEqual([table?.rows.text, table?.columns.text], names)
})
