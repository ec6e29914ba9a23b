import assert from 'node:assert/strict'
import { test } from 'node:test'
import { visibleReplies } from './visible-replies.ts'

const question = (id: string, type: 'multiple_choice' | 'scale' | 'text' | 'email' | 'phone') => ({
  id,
  type,
})

test('a finished run keeps chosen answers and numbers of scales, and an unfinished run its typed texts too', () => {
  const questions = [
    question('choice', 'multiple_choice'),
    question('several', 'multiple_choice'),
    question('other', 'multiple_choice'),
    question('scale', 'scale'),
    question('name', 'text'),
    question('email', 'email'),
    question('phone', 'phone'),
  ]
  const replies = {
    choice: 'a',
    several: ['a', 'other:Un kayak'],
    other: 'other:Un lac',
    scale: '7',
    name: 'Camille',
    email: 'camille@exemple.fr',
    phone: '0612345678',
    consent: '1',
  }
  assert.deepEqual(visibleReplies({ questions }, { is_finished: true, replies }), {
    choice: 'a',
    several: ['a', 'other:'],
    other: 'other:',
    scale: '7',
  })
  assert.equal(visibleReplies({ questions }, { is_finished: false, replies }), replies)
})
