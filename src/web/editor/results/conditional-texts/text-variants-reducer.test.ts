import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Draft } from '#domain/questionnaire/quiz.ts'
import type { TextVariant } from '#domain/questionnaire/text-variants.ts'
import {
  answerOf,
  draftOf,
  questionOf,
  quizOf,
  resultOf,
  textVariantOf,
} from '#domain/testing/drafts.ts'
import { conditionOf, conditionsClause, possibleKinds } from './conditions.ts'
import { createVariant, type VariantsAction, withVariants } from './text-variants-reducer.ts'

const variants = (['every_result', 'mail', 'result', 'mail'] as const).map((place, position) =>
  textVariantOf(`v${position}`, { place, position }),
)
const draft = draftOf({ text_variants: variants })
const orderAfter = (action: VariantsAction): string =>
  withVariants(draft, action)
    .text_variants.map(({ id, position }) => `${id} ${position}`)
    .join(', ')

describe('the order of conditional texts', () => {
  test('a text moves past the next text of its own page or mail', () => {
    assert.equal(orderAfter({ type: 'exchanged', id: 'v0', by: 1 }), 'v1 0, v2 1, v0 2, v3 3')
    assert.equal(orderAfter({ type: 'exchanged', id: 'v3', by: -1 }), 'v0 0, v3 1, v1 2, v2 3')
  })
  test('the last text of a list does not move down, and the first does not move up', () => {
    const before = 'v0 0, v1 1, v2 2, v3 3'
    assert.equal(orderAfter({ type: 'exchanged', id: 'v2', by: 1 }), before)
    assert.equal(orderAfter({ type: 'exchanged', id: 'v1', by: -1 }), before)
  })
  test('a copy follows its original, and a removed text leaves no gap', () => {
    const copied = orderAfter({ type: 'duplicated', id: 'v1', new_id: 'new' })
    assert.equal(copied, 'v0 0, v1 1, new 2, v2 3, v3 4')
    assert.equal(orderAfter({ type: 'removed', id: 'v1' }), 'v0 0, v2 1, v3 2')
  })
})

const answers = [answerOf('yes', { text: 'Oui' }), answerOf('no', { text: 'Non' })]
const full: Partial<Draft> = {
  quiz_mode: 'score',
  results: [resultOf('r', { name: 'Prêt' })],
  questions: [
    questionOf('q', { answers }),
    questionOf('s', { type: 'scale', scale_min: 1, scale_max: 5, global_position: 1 }),
  ],
}

test('a new text has the first condition that the questionnaire allows', () => {
  const created = (more: Partial<Draft>): Pick<TextVariant, 'place' | 'conditions'> => {
    const { place, conditions } = createVariant('v', draftOf(more))
    return { place, conditions }
  }
  const first = { kind: 'answer_chosen', question_id: 'q', answer_id: 'yes' }
  assert.deepEqual(created(full), { place: 'every_result', conditions: [first] })
  const sondage = { quiz: quizOf({ type: 'sondage' }) }
  assert.deepEqual(created(sondage), { place: 'end', conditions: [] })
})

test('only conditions on things that the questionnaire has are offered', () => {
  const kindsOf = (more: Partial<Draft>): string => possibleKinds(draftOf(more)).join(' ')
  const asked = 'answer_chosen answer_not_chosen scale_at_least scale_at_most'
  assert.equal(kindsOf(full), `${asked} total_between result`)
  assert.equal(kindsOf({ ...full, quiz: quizOf({ type: 'sondage' }) }), asked)
  assert.equal(kindsOf({ ...full, quiz_mode: 'profils', questions: [] }), 'result')
  assert.equal(kindsOf({}), '')
})

test('another kind or question keeps the parts of a condition that fit', () => {
  const before = { kind: 'answer_chosen', question_id: 'q', answer_id: 'no' } as const
  assert.deepEqual(conditionOf('answer_not_chosen', draftOf(full), before), {
    ...before,
    kind: 'answer_not_chosen',
  })
  const beyond = { kind: 'scale_at_least', question_id: 's', number: 9 } as const
  assert.equal(
    JSON.stringify(conditionOf('scale_at_most', draftOf(full), beyond)),
    JSON.stringify({ kind: 'scale_at_most', question_id: 's', number: 5 }),
  )
})

test('the conditions of a text are one clause, which names what was deleted', () => {
  const conditions: TextVariant['conditions'] = [
    { kind: 'answer_chosen', question_id: 'q', answer_id: 'yes' },
    { kind: 'scale_at_least', question_id: 'gone', number: 3 },
    { kind: 'total_between', from: 2, to: null },
  ]
  const clauseOf = (joined_by: 'and' | 'or', of = conditions) =>
    conditionsClause({ conditions: of, joined_by }, draftOf(full))
  assert.equal(
    clauseOf('and'),
    'Si « Oui » choisie à la question 1 et au moins 3 à une question supprimée et total d’au moins 2',
  )
  assert.equal(
    clauseOf('or', [{ kind: 'result', result_id: 'r' }, ...conditions.slice(0, 1)]),
    'Si résultat « Prêt » ou « Oui » choisie à la question 1',
  )
  assert.equal(clauseOf('and', []), 'Sans condition')
})
