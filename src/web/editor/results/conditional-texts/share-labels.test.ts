import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { NeverShown } from '#domain/odds/text-odds.ts'
import { answerOf, draftOf, questionOf, resultOf, textVariantOf } from '#domain/testing/drafts.ts'
import { shareSentence } from './share-labels.ts'

const draft = draftOf({
  quiz_mode: 'score',
  results: [resultOf('r', { name: 'Prêt' })],
  questions: [
    questionOf('q', {
      answers: [answerOf('a', { text: 'Oui', score: 1 }), answerOf('b', { score: 4 })],
    }),
  ],
})
const variant = textVariantOf('v', {
  place: 'result',
  result_id: 'r',
  conditions: [
    { kind: 'answer_chosen', question_id: 'q', answer_id: 'a' },
    { kind: 'total_between', from: 9, to: null },
  ],
})
const plain = (text: string): string => text.replaceAll(/[\u00a0\u202f]/g, ' ')
const sentence = (probability: number, is_exact: boolean, why_never: NeverShown | null = null) =>
  plain(shareSentence({ id: 'v', probability, is_exact, why_never }, variant, draft))

test('the share of a text is exact, or marked as an estimate', () => {
  assert.equal(sentence(0.3712, true), 'Montré à 37,1 % des parcours.')
  assert.equal(sentence(0.3712, false), 'Montré à ≈ 37,1 % des parcours.')
})

test('a share of 0 has the reason', () => {
  const reasonOf = (why: NeverShown): string => sentence(0, true, why).split(' : ')[1] ?? ''
  assert.equal(reasonOf({ kind: 'result' }), '« Prêt » ne peut pas sortir.')
  assert.equal(
    reasonOf({ kind: 'together' }),
    'aucun parcours ne remplit toutes ses conditions à la fois.',
  )
  assert.equal(
    reasonOf({ kind: 'conditions', indexes: [0, 1] }),
    'aucun parcours ne remplit la condition « Oui » choisie à la question 1 et total d’au moins 9 (le total va de 1 à 4).',
  )
})
