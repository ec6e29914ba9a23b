import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { createTestApp } from '#server/testing/app/test-app.ts'
import { refuses } from '#server/testing/network/bodies/refusals.ts'
import { readyProfilsQuiz, readyScoreQuiz } from '#server/testing/quizzes/sample-quizzes.ts'

const app = await createTestApp()
after(() => app.close())
const { client } = await app.signUp()

const listed = async (id: string) =>
  (await client.results.list({ id })).results.map(({ name, priority_order }) => [
    name,
    priority_order,
  ])

test('a new result is last and its name is trimmed', async () => {
  const { id } = await readyScoreQuiz(client)
  const { result } = await client.results.create({ id, body: { name: '  Équilibre ' } })
  assert.deepEqual([result.name, result.description, result.priority_order], ['Équilibre', null, 2])
  await refuses(client.results.create({ id, body: { name: ' \t ' } }), 422, 'invalid')
})

test('the autosave replaces the list with the sent list', async () => {
  const { id, result_ids } = await readyScoreQuiz(client)
  const [low = '', high = ''] = result_ids
  const { results, id_map } = await client.results.saveAll({
    id,
    body: {
      results: [
        { id: 'temp_1', name: 'Neuf' },
        { id: high, name: 'Grand saut !' },
      ],
    },
  })
  assert.deepEqual(await listed(id), [
    ['Neuf', 0],
    ['Grand saut !', 1],
  ])
  assert.equal(id_map.temp_1, results[0]?.id)
  assert.deepEqual([results[1]?.min_score, results[1]?.max_score], [5, 10], 'bounds stay')
  await refuses(client.results.update({ resultId: low, body: { name: 'x' } }), 404, 'not_found')
})

test('an edit of a result changes only the given fields and moves it to its order', async () => {
  const { id, result_ids } = await readyScoreQuiz(client)
  const [low = '', high = ''] = result_ids
  const { result } = await client.results.update({
    resultId: low,
    body: { priority_order: 7, max_score: null },
  })
  const { name, description, priority_order, min_score, max_score } = result
  assert.deepEqual(
    { name, description, priority_order, min_score, max_score },
    {
      name: 'Pas à pas',
      description: 'Une étape à la fois.',
      priority_order: 7,
      min_score: 0,
      max_score: null,
    },
  )
  await client.results.update({ resultId: high, body: { description: null } })
  assert.deepEqual(await listed(id), [
    ['Grand saut', 1],
    ['Pas à pas', 7],
  ])
})

test('a quiz has at most a hundred results', async () => {
  const { id } = await readyScoreQuiz(client)
  const results = Array.from({ length: 100 }, (_, rank) => ({ name: `R${rank}` }))
  await client.results.saveAll({ id, body: { results } })
  await refuses(client.results.create({ id, body: { name: 'De trop' } }), 422, 'invalid')
  assert.equal((await listed(id)).length, 100)
})

test('a blank name of a result is never stored', async () => {
  const { id, result_ids } = await readyScoreQuiz(client)
  const [low = ''] = result_ids
  const { revision } = await client.drafts.get({ id })
  for (const name of ['', ' ', '\t\u00a0 ']) {
    const blank = [{ id: low, name }]
    await refuses(client.results.create({ id, body: { name } }), 422, 'invalid')
    await refuses(client.results.update({ resultId: low, body: { name } }), 422, 'invalid')
    await refuses(client.results.saveAll({ id, body: { results: blank } }), 422, 'invalid')
    const changed = { based_on: revision, results: blank }
    await refuses(client.drafts.save({ id, body: changed }), 422, 'invalid')
  }
  const unnamed = { based_on: revision, results: [{ id: randomUUID(), priority_order: 2 }] }
  await refuses(client.drafts.save({ id, body: unnamed }), 422, 'invalid')
  assert.deepEqual(await listed(id), [
    ['Pas à pas', 0],
    ['Grand saut', 1],
  ])
  await assert.rejects(
    app.db.updateTable('results').set({ name: ' ' }).where('id', '=', low).execute(),
    /results_name_filled/,
  )
})

test('saving the same list twice changes nothing the second time', async () => {
  const { id, result_ids } = await readyScoreQuiz(client)
  const body = { results: result_ids.map((result_id) => ({ id: result_id, name: 'Pareil' })) }
  const first = await client.results.saveAll({ id, body })
  assert.deepEqual(await client.results.saveAll({ id, body }), first)
})

test('the id of another item is refused as the id of a result', async () => {
  const { id, question_id } = await readyScoreQuiz(client)
  const other = await readyScoreQuiz(client)
  const before = await listed(id)
  for (const stranger of [question_id, other.result_ids[0] ?? '']) {
    const body = { results: [{ name: 'Neuf' }, { id: stranger, name: 'Volé' }] }
    await refuses(client.results.saveAll({ id, body }), 422, 'invalid')
  }
  assert.deepEqual(await listed(id), before)
})

test('deleting a result deletes its associations', async () => {
  const { id, result_ids } = await readyProfilsQuiz(client)
  await client.results.remove({ id, resultId: result_ids[0] ?? '' })
  const { results, answer_results } = await client.quizzes.get({ id })
  assert.deepEqual(
    [results.length, answer_results.map(({ result_id }) => result_id)],
    [1, [result_ids[1]]],
  )
})

test('two concurrent saves leave the list of one of them', async () => {
  const { id } = await readyScoreQuiz(client)
  const lists = ['a', 'b'].map((letter) =>
    Array.from({ length: 5 }, (_, rank) => ({ id: randomUUID(), name: `${letter}${rank}` })),
  )
  await Promise.all(lists.map((results) => client.results.saveAll({ id, body: { results } })))
  const names = (await client.results.list({ id })).results.map(({ name }) => name)
  assert.ok(
    lists.some((list) => list.map(({ name }) => name).join() === names.join()),
    names.join(),
  )
})
