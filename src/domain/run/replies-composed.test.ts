import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Replies } from '#domain/questionnaire/quiz.ts'
import { composeReplies } from './replies.ts'

const QUESTIONS = [
  { id: 'q1', type: 'text', text: 'Le mot ?' },
  { id: 'q2', type: 'email', text: 'Votre adresse ?' },
  { id: 'q3', type: 'multiple_choice', text: 'Où ?' },
  { id: 'q4', type: 'date', text: 'Quel jour ?' },
  { id: 'q5', type: 'date', text: 'Votre date de naissance' },
] as const

const compose = (replies: Replies): Replies => composeReplies(QUESTIONS, replies, 2026)

test('composed and decomposed letters are stored as one text, and addresses without invisible characters', () => {
  const typed = {
    q1: 'e\u0301te\u0301',
    q2: '\u200bLea@Exemple.fr\ufeff',
    q3: ['a', 'other:cafe\u0301'],
  }
  assert.deepEqual(compose(typed), {
    q1: 'été',
    q2: 'Lea@Exemple.fr',
    q3: ['a', 'other:café'],
  })
})

test('a reply that is not an address stays as typed', () => {
  const typed = { q2: '<b>pas une</b>\n adresse\u200b' }
  assert.equal(compose(typed), typed)
})

test('replies that need no change are returned without a copy', () => {
  const typed = { q1: 'été', q2: 'lea@exemple.fr', q3: 'a' }
  assert.equal(compose(typed), typed)
})

test('a reply counts although its id is the name of a property of every object', () => {
  const typed = JSON.parse('{"__proto__":"e\\u0301"}')
  assert.deepEqual(Object.entries(compose(typed)), [['__proto__', 'é']])
})

test('years of two digits are stored with four, and only in days', () => {
  const typed = { q1: '0031-12-31', q3: '0031-12-31', q4: '0031-12-31', q5: '0031-12-31' }
  assert.deepEqual(compose(typed), { ...typed, q4: '2031-12-31', q5: '1931-12-31' })
})
