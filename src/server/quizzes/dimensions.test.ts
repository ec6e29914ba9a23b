import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { LIMITS } from '#domain/common/vocabulary.ts'
import type { Changes } from '#domain/editing/changes.ts'
import { createTestApp } from '#server/testing/app/test-app.ts'
import { refusalOf, refuses } from '#server/testing/network/bodies/refusals.ts'
import { readyScoreQuiz } from '#server/testing/quizzes/sample-quizzes.ts'

const app = await createTestApp()
after(() => app.close())
const { client } = await app.signUp()

const save = async (id: string, changes: Partial<Changes>) => {
  const { revision } = await client.drafts.get({ id })
  return client.drafts.save({ id, body: { based_on: revision, ...changes } })
}

const DIMENSION = {
  id: randomUUID(),
  name: 'Santé',
  description: 'Le *corps*',
  tiers: [
    { id: randomUUID(), from_percent: 0, to_percent: 49, title: 'Faible', text: 'À revoir' },
    { id: randomUUID(), from_percent: 50, to_percent: 100, title: 'Forte', text: null },
  ],
}

describe('dimensions and conditional texts of a draft', () => {
  test('they are loaded as they were saved, and deleted with the rows they belong to', async () => {
    const { id } = await readyScoreQuiz(client)
    const { questions, results } = await client.drafts.get({ id })
    const [question] = questions
    const [result] = results
    assert.ok(question && result)
    const text = {
      id: randomUUID(),
      place: 'result' as const,
      result_id: result.id,
      joined_by: 'or' as const,
      conditions: [
        { kind: 'dimension_tier' as const, dimension_id: DIMENSION.id, tier_id: randomUUID() },
        { kind: 'total_between' as const, from: null, to: 3 },
      ],
      text: 'Bravo',
      button_text: 'Lire',
      button_url: 'https://exemple.fr',
    }
    await save(id, {
      dimensions: [DIMENSION],
      questions: [{ id: question.id, dimension_id: DIMENSION.id }],
      text_variants: [text],
    })
    const loaded = await client.drafts.get({ id })
    assert.deepEqual(loaded.dimensions, [{ ...DIMENSION, quiz_id: id, position: 0 }])
    assert.deepEqual(loaded.text_variants, [{ ...text, quiz_id: id, position: 0 }])
    assert.equal(loaded.questions[0]?.dimension_id, DIMENSION.id)
    await save(id, { removed: [DIMENSION.id, result.id] })
    const after_removal = await client.drafts.get({ id })
    assert.deepEqual(after_removal.dimensions, [])
    assert.deepEqual(after_removal.text_variants, [])
    assert.equal(after_removal.questions[0]?.dimension_id, null)
  })

  test('a question cannot belong to a dimension of another quiz, and no id is taken from another quiz', async () => {
    const [mine, other] = [await readyScoreQuiz(client), await readyScoreQuiz(client)]
    const dimension = { ...DIMENSION, id: randomUUID() }
    await save(other.id, { dimensions: [dimension] })
    const { questions } = await client.drafts.get({ id: mine.id })
    const question = { id: questions[0]?.id ?? '', dimension_id: dimension.id }
    await refuses(save(mine.id, { questions: [question] }), 422, 'invalid')
    await refuses(save(mine.id, { dimensions: [dimension] }), 422, 'invalid')
    assert.deepEqual((await client.drafts.get({ id: mine.id })).dimensions, [])
  })

  test('a thirteenth dimension, a sixth tier and a fourth condition are refused in French', async () => {
    const { id } = await readyScoreQuiz(client)
    const many = Array.from({ length: LIMITS.dimensions }, () => ({
      ...DIMENSION,
      id: randomUUID(),
      tiers: [],
    }))
    await save(id, { dimensions: many })
    const one_more = { dimensions: [{ ...DIMENSION, id: randomUUID(), tiers: [] }] }
    assert.match((await refusalOf(save(id, one_more))).message, /12 dimensions au plus/)
    const [tier] = DIMENSION.tiers
    assert.ok(tier)
    const tiers = Array.from({ length: 6 }, () => ({ ...tier, id: randomUUID() }))
    await refuses(save(id, { dimensions: [{ id: many[0]?.id ?? '', tiers }] }), 422, 'invalid')
    const condition = { kind: 'total_between' as const, from: 0, to: 1 }
    const conditions = [condition, condition, condition, condition]
    const variant = { id: randomUUID(), text: 'x', conditions }
    await refuses(save(id, { text_variants: [variant] }), 422, 'invalid')
  })

  test('only a text of one result names a result, and such a text never stays without it', async () => {
    const { id } = await readyScoreQuiz(client)
    const { results } = await client.drafts.get({ id })
    const result_id = results[0]?.id ?? ''
    const text = { id: randomUUID(), text: 'Bravo', result_id }
    await save(id, { text_variants: [{ ...text, place: 'every_result' }] })
    const stored = async () => (await client.drafts.get({ id })).text_variants[0]
    assert.equal((await stored())?.result_id, null)
    await refuses(save(id, { text_variants: [{ id: text.id, place: 'result' }] }), 422, 'invalid')
    await save(id, { text_variants: [{ ...text, place: 'result' }] })
    await refuses(save(id, { text_variants: [{ id: text.id, result_id: null }] }), 422, 'invalid')
    assert.deepEqual([(await stored())?.place, (await stored())?.result_id], ['result', result_id])
  })
})
