import assert from 'node:assert/strict'
import { test } from 'node:test'
import { composeReplies } from './replies.ts'

const QUESTIONS = [
  { id: 'q1', type: 'text' },
  { id: 'q2', type: 'email' },
  { id: 'q3', type: 'multiple_choice' },
] as const

test('composed and decomposed letters are stored as one text, and addresses without invisible characters', () => {
  const typed = {
    q1: 'e\u0301te\u0301',
    q2: '\u200bLea@Exemple.fr\ufeff',
    q3: ['a', 'other:cafe\u0301'],
  }
  assert.deepEqual(composeReplies(QUESTIONS, typed), {
    q1: 'été',
    q2: 'Lea@Exemple.fr',
    q3: ['a', 'other:café'],
  })
})

test('a reply that is not an address stays as typed', () => {
  const typed = { q2: '<b>pas une</b>\n adresse\u200b' }
  assert.equal(composeReplies(QUESTIONS, typed), typed)
})

test('replies that need no change are returned without a copy', () => {
  const typed = { q1: 'été', q2: 'lea@exemple.fr', q3: 'a' }
  assert.equal(composeReplies(QUESTIONS, typed), typed)
})

test('a reply counts although its id is the name of a property of every object', () => {
  const typed = JSON.parse('{"__proto__":"e\\u0301"}')
  assert.deepEqual(Object.entries(composeReplies(QUESTIONS, typed)), [['__proto__', 'é']])
})
