import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type DryRunSubject, readDryRunSubject } from './dry-run.ts'

const [result_id, question_id, answer_id] = ['r', 'q', 'a']

describe('the subject of a dry run', () => {
  const [dimension_id, tier_id] = ['d', 't']
  const SUBJECTS: [string, Parameters<typeof readDryRunSubject>[0], DryRunSubject | undefined][] = [
    ['a result', { result_id }, { result_id, question_id: null, answer_id: null }],
    [
      'an answer and its question',
      { question_id, answer_id },
      { result_id: null, question_id, answer_id },
    ],
    [
      'a tier and its dimension',
      { dimension_id, tier_id },
      { result_id: null, question_id: null, answer_id: null, dimension_id, tier_id },
    ],
    [
      'a mapped reply',
      { source: 'question', question_id },
      { source: 'question', question_id, dimension_id: null },
    ],
    [
      'the mapped score',
      { source: 'score' },
      { source: 'score', question_id: null, dimension_id: null },
    ],
    [
      'the mapped result',
      { source: 'result' },
      { source: 'result', question_id: null, dimension_id: null },
    ],
    [
      'a mapped dimension',
      { source: 'dimension', dimension_id },
      { source: 'dimension', question_id: null, dimension_id },
    ],
    ['a mapped dimension without its id', { source: 'dimension' }, undefined],
    ['a tier without its dimension', { tier_id }, undefined],
    ['a dimension alone', { dimension_id }, undefined],
    ['a tier with a result', { dimension_id, tier_id, result_id }, undefined],
    ['no field', {}, undefined],
    ['an answer without its question', { answer_id }, undefined],
    ['a question alone', { question_id }, undefined],
    ['a result with a question', { result_id, question_id }, undefined],
    ['a result with an answer', { result_id, question_id, answer_id }, undefined],
    ['a mapped reply without its question', { source: 'question' }, undefined],
    ['the mapped score with a question', { source: 'score', question_id }, undefined],
    ['a mapping with a result', { source: 'result', result_id }, undefined],
    ['a mapping with an answer', { source: 'question', question_id, answer_id }, undefined],
  ]
  for (const [name, fields, expected] of SUBJECTS)
    test(`${name}: ${expected ? 'accepted' : 'refused'}`, () => {
      assert.deepEqual(readDryRunSubject(fields), expected)
    })
})
