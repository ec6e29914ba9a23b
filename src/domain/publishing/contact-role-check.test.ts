import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Question } from '#domain/questionnaire/quiz.ts'
import { draftOf, questionOf, quizOf } from '#domain/testing/drafts.ts'
import { contactRoleErrors } from './contact-role-check.ts'
import { publishErrors } from './publish-errors.ts'

const roleErrorsOf = (rows: Partial<Question>[]) =>
  contactRoleErrors(
    rows.map((row, index) =>
      questionOf(`q${index + 1}`, { type: 'text', global_position: index, ...row }),
    ),
  )
const firstName = (text: string, more: Partial<Question> = {}): Partial<Question> => ({
  text,
  contact_role: 'first_name',
  ...more,
})

describe('a draft in which each role is asked once', () => {
  const accepted: [string, Partial<Question>[]][] = [
    [
      'with three roles has no error',
      [
        firstName('Votre prénom'),
        { text: 'Votre nom', contact_role: 'last_name' },
        { text: 'Votre numéro', type: 'phone', contact_role: 'phone' },
      ],
    ],
    [
      'has no error for a role that does not fit the type',
      [firstName('Votre prénom'), firstName('Racontez', { type: 'textarea' })],
    ],
    [
      'has no error for a blank question, which is not published',
      [firstName('Votre prénom'), firstName(' ')],
    ],
  ]
  for (const [name, rows] of accepted)
    test(`a draft ${name}`, () => assert.deepEqual(roleErrorsOf(rows), []))
})

test('each further question with a role names the first one and leads to its own field', () => {
  const long = 'Comment vous appelez-vous, et comment faut-il vous appeler ?'
  assert.deepEqual(
    roleErrorsOf([firstName('Prénom'), firstName(long), firstName('Et le vôtre ?')]),
    [
      {
        message:
          'La coordonnée « Prénom » est demandée par deux questions : « Prénom » et « Comment vous appelez-vous, et comment fa »',
        question_id: 'q2',
        field: 'contact_role',
      },
      {
        message:
          'La coordonnée « Prénom » est demandée par deux questions : « Prénom » et « Et le vôtre ? »',
        question_id: 'q3',
        field: 'contact_role',
      },
    ],
  )
})

test('a role that two questions ask for is refused at publication, also if a jump skips one of them', () => {
  const questions = [
    questionOf('q1', { type: 'text', text: 'Prénom', contact_role: 'first_name' }),
    questionOf('q2', { type: 'text', text: 'Encore', contact_role: 'first_name', page_number: 3 }),
  ]
  const errors = publishErrors(draftOf({ quiz: quizOf({ type: 'sondage' }), questions }))
  assert.deepEqual(
    errors.map(({ field }) => field),
    ['contact_role'],
  )
})
