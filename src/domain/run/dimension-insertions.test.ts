import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { DIMENSION_RULE } from '#domain/questionnaire/dimensions.ts'
import { questionOf, THIRDS } from '#domain/testing/dimension-questions.ts'
import { dimensionInsertions, shownDimensions } from './dimensions.ts'

describe('the end of a run', () => {
  const tiers = THIRDS.map((tier) => ({ ...tier, title: tier.id, text: `*${tier.id}*` }))
  const dimensions = ['Santé', 'Argent', 'Temps', 'Loisirs'].map((name) => ({
    id: name,
    name,
    description: null,
    tiers: name === 'Temps' ? [] : tiers,
  }))
  const questions = dimensions.map(({ id }, position) =>
    questionOf(id, id === 'Loisirs' ? [5] : [0, 1, 2, 3], { dimension_id: id, position }),
  )
  /** Returns the insertions of a run that chose these answers; a question without a rank stays blank. */
  const insertionsWith = (ranks: readonly (number | null)[], dimension_rule?: number) => {
    const replies = Object.fromEntries(
      questions.flatMap(({ id }, at) =>
        typeof ranks[at] === 'number' ? [[id, `${id}${ranks[at]}`]] : [],
      ),
    )
    return Object.fromEntries(
      dimensionInsertions({ questions, dimensions, dimension_rule }, replies),
    )
  }

  test('shows each dimension with its percentage and the texts of its tier', () => {
    const replies = { Santé: 'Santé2', Argent: 'Argent0', Temps: 'Temps3', Loisirs: 'Loisirs0' }
    const shown = shownDimensions({ questions, dimensions }, replies)
    assert.deepEqual(
      shown.map(({ name, percent, tier, description }) => [
        name,
        percent,
        tier?.title,
        tier?.text,
        description,
      ]),
      [
        ['Santé', 67, 'strong', '*strong*', null],
        ['Argent', 0, 'weak', '*weak*', null],
        ['Temps', 100, undefined, undefined, null],
      ],
    )
  })

  test('inserts the highest and the lowest dimension, and each percentage in French typography', () => {
    assert.deepEqual(insertionsWith([2, 0, 3, 0], DIMENSION_RULE), {
      'point fort': 'Temps',
      'point faible': 'Argent',
      'dimension Santé': '67\u00a0%',
      'dimension Argent': '0\u00a0%',
      'dimension Temps': '100\u00a0%',
      'dimension Loisirs': '',
    })
  })

  const extremes: [name: string, (number | null)[], now: string[], before: string[]][] = [
    ['names one dimension each', [2, 0, 3, 0], ['Temps', 'Argent'], ['Temps', 'Argent']],
    ['names all tied dimensions', [3, 3, 1, 0], ['Santé et Argent', 'Temps'], ['Santé', 'Temps']],
    ['names nothing if all are equal', [1, 1, 1, 0], ['', ''], ['Santé', 'Santé']],
    ['names nothing if one alone is shown', [1, null, null, 0], ['', ''], ['Santé', 'Argent']],
    ['names nothing if none is shown', [null, null, null, null], ['', ''], ['Santé', 'Santé']],
    [
      'does not name a dimension without an answered question',
      [2, null, 3, 0],
      ['Temps', 'Santé'],
      ['Temps', 'Argent'],
    ],
  ]
  for (const [name, ranks, now, before] of extremes)
    test(`${name} as strong and as weak point`, () => {
      const named = (rule?: number) => {
        const { 'point fort': strong, 'point faible': weak } = insertionsWith(ranks, rule)
        return [strong, weak]
      }
      assert.deepEqual(named(DIMENSION_RULE), now)
      assert.deepEqual(named(), before)
    })

  test('names at most three tied dimensions, in their order', () => {
    const names = ['Santé', 'Travail', 'Argent', 'Amis', 'Sens']
    const many = names.map((name) => ({ id: name, name, description: null, tiers: [] }))
    const asked = names.map((id) => questionOf(id, [0, 1], { dimension_id: id }))
    const insertedFor = (...best: string[]) =>
      Object.fromEntries(
        dimensionInsertions(
          { questions: asked, dimensions: many, dimension_rule: DIMENSION_RULE },
          Object.fromEntries(names.map((id) => [id, `${id}${best.includes(id) ? 1 : 0}`])),
        ),
      )
    const three = insertedFor('Argent', 'Santé', 'Travail')
    assert.equal(three['point fort'], 'Santé, Travail et Argent')
    assert.equal(three['point faible'], 'Amis et Sens')
    assert.equal(insertedFor('Sens')['point faible'], 'Santé, Travail et Argent')
  })

  test('inserts nothing for a dimension that no question shows, and has no insertions without dimensions', () => {
    const hidden = dimensionInsertions({ questions: [], dimensions: dimensions.slice(0, 1) }, {})
    assert.deepEqual(hidden, [
      ['point fort', ''],
      ['point faible', ''],
      ['dimension Santé', ''],
    ])
    assert.deepEqual(dimensionInsertions({ questions }, {}), [])
  })
})
