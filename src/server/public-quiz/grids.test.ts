import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { createBuiltApp } from '#server/testing/app/built-app.ts'
import { RUN_SECRET } from '#server/testing/app/own-pages.ts'
import { postForm } from '#server/testing/network/bodies/post-form.ts'
import { type GridSondage, publishGridSondage } from '#server/testing/quizzes/grid-sondage.ts'
import { testInAll } from '#server/testing/test-in-all.ts'

const app = await createBuiltApp()
after(app.close)
const { client } = await app.signUp()

const open = async (id: string): Promise<string> => (await app.app.inject(`/q/${id}`)).body
/** Returns the page of a version without its number, so that two versions can be compared. */
const withoutVersion = (page: string, version: number): string =>
  page
    .replaceAll(new RegExp(`version=${version}\\b`, 'g'), 'version=')
    .replaceAll(new RegExp(`"version":${version}\\b`, 'g'), '"version":')
    .replaceAll(new RegExp(`image-${version}\\b`, 'g'), 'image-')

/** Publishes the sondage with its first three questions as a grid, or as single questions. */
const publishWith = async ({ id, scales }: GridSondage, isGrid: boolean): Promise<void> => {
  const { revision } = await client.drafts.get({ id })
  const questions = scales.map((id, rank) => ({
    id,
    continues_grid: isGrid && rank > 0,
    grid_title: isGrid && rank === 0 ? 'Avis' : null,
  }))
  await client.drafts.save({ id, body: { based_on: revision, questions } })
  await client.quizzes.publish({ id })
}

describe('the page of a quiz with a grid', () => {
  test('a grid is one table with a caption, column headers, and a row header and a group for each question', async () => {
    const { id, scales } = await publishGridSondage(client)
    const [table = ''] = /<table.*<\/table>/s.exec(await open(id)) ?? []
    assert.match(table, /<caption class="q-question" dir="auto">Votre formation<\/caption>/)
    const headers = [...table.matchAll(/<th scope="col" dir="auto">(.*?)<\/th>/g)]
    assert.deepEqual(
      headers.map(([, text]) => text),
      ['1', '2', '3', '4', '5'],
    )
    assert.equal(table.match(/<th scope="row">/g)?.length, 3)
    for (const [rank, one] of scales.entries()) {
      const hint = rank === 1 ? `q-${one}-help q-${one}-hint` : `q-${one}-hint`
      assert.ok(
        table.includes(
          `<div role="radiogroup" aria-labelledby="q-${one}-text" aria-describedby="${hint}" aria-required="${rank < 2}">`,
        ),
        table,
      )
    }
    assert.equal(table.match(/type="radio"/g)?.length, 15)
    assert.equal(table.match(/\brequired=""/g)?.length, 10)
  })

  testInAll(
    'the page of a quiz without grids is the same before and after it had one, without the part for grids',
    async () => {
      const sondage = await publishGridSondage(client, { has_grids: false })
      const before = withoutVersion(await open(sondage.id), 1)
      await publishWith(sondage, true)
      assert.ok((await open(sondage.id)).includes('.q-table'))
      await publishWith(sondage, false)
      assert.equal(withoutVersion(await open(sondage.id), 3), before)
      assert.ok(!before.includes('q-table'))
    },
  )

  test('without scripts, a missing row is named with a link to it, and a whole run is stored', async () => {
    const { id, scales, choices, text } = await publishGridSondage(client)
    const [rhythm = '', material = ''] = scales
    const post = (path: string, fields: Record<string, string>) =>
      postForm(app.app, { url: `/q/${id}${path}`, fields })
    const lacking = await post('?version=1&page=1', { [rhythm]: '4' })
    assert.match(
      lacking.body,
      new RegExp(`role="alert".*?<a href="#q-${material}" dir="auto">Les supports`, 's'),
    )
    assert.ok(lacking.body.includes(`<tr class="q-item q-row" id="q-${material}">`))
    assert.match(
      lacking.body,
      new RegExp(`<input[^>]*name="${rhythm}"[^>]*checked=""[^>]*value="4"`),
    )
    const replies = {
      participant_uuid: randomUUID(),
      run_secret: RUN_SECRET,
      [rhythm]: '4',
      [material]: '5',
      [text]: 'Merci',
      ...Object.fromEntries(choices.map((choice) => [choice.id, choice.answers[2] ?? ''])),
    }
    assert.equal((await post('/resultat?version=1', replies)).statusCode, 303)
    const { details } = await client.statistics.responses({ id })
    assert.deepEqual(
      details[0]?.answers.map(({ answer_text }) => answer_text),
      ['4', '5', '', 'Non', 'Non', 'Merci'],
    )
  })
})
