import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { alphaText, questionAdvice } from './question-quality-labels.ts'

const good = {
  nb_asked: 46,
  correlation: 0.4,
  alpha_without: 0.7,
  decides: 0.3,
  unused_answers: [],
}
const said = (more: Partial<Parameters<typeof questionAdvice>[0]>, alpha: number | null = 0.75) =>
  questionAdvice({ ...good, ...more }, { alpha }).join(' ')

describe('the texts about all questions', () => {
  const cases: [number | null, RegExp][] = [
    [null, /ne se calcule pas/],
    [-0.4, /choses différentes \(alpha de Cronbach : -0,4\)/],
    [0.49, /choses différentes/],
    [0.5, /à peu près la même chose/],
    [0.7, /bien la même chose \(alpha de Cronbach : 0,7\)/],
    [0.899, /bien la même chose/],
    [0.9, /se répètent peut-être/],
  ]
  for (const [alpha, words] of cases)
    test(`the text about an alpha of ${alpha} matches ${words}`, () =>
      assert.match(alphaText({ alpha }), words))
})

describe('the advice about one question', () => {
  test('a question that works gets no advice', () => {
    assert.deepEqual(questionAdvice(good, { alpha: 0.75 }), [])
    assert.deepEqual(
      questionAdvice({ ...good, correlation: 0.2, decides: 0.05 }, { alpha: 0.75 }),
      [],
    )
  })

  test('a question with too few participants is not judged', () => {
    assert.equal(
      said({ nb_asked: 12, correlation: -0.5 }),
      'Trop tôt pour la juger : 12 participants y sont arrivés.',
    )
    assert.match(said({ nb_asked: 1 }), /presque personne/)
  })

  const cases: [string, Parameters<typeof said>[0], RegExp][] = [
    ['with a negative correlation', { correlation: -0.01 }, /à l’encontre des autres/],
    ['with a low correlation', { correlation: 0.19 }, /peu de rapport/],
    ['that gives everyone the same points', { correlation: null }, /les mêmes points/],
    ['that decides nothing', { decides: 0 }, /n’a changé le résultat de personne/],
    ['that rarely decides the result', { decides: 0.04 }, /ne change presque jamais le résultat/],
    [
      'without which alpha rises',
      { alpha_without: 0.78 },
      /Sans elle, l’alpha passerait de 0,75 à 0,78/,
    ],
  ]
  for (const [name, more, words] of cases)
    test(`a question ${name} gets advice`, () => assert.match(said(more), words))

  test('the advice names at most three answers that nobody chooses', () => {
    const named = (count: number) => ({
      unused_answers: 'abcde'
        .slice(0, count)
        .split('')
        .map((text) => ({ id: text, text })),
    })
    assert.equal(
      said(named(2)),
      'Jamais choisi : « a », « b ». Reformulez ou retirez ces réponses.',
    )
    assert.match(said(named(5)), /« c » et 2 de plus/)
  })
})
