import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ContactRole, QuestionType } from '#domain/common/vocabulary.ts'
import type { SnapshotQuestion } from '#domain/questionnaire/snapshot.ts'
import { CONTACT_LIMITS, contactDataOf, NO_CONTACT } from './contact.ts'

const questionOf = (
  id: string,
  contact_role?: ContactRole,
  type: QuestionType = contact_role === 'phone' ? 'phone' : 'text',
): SnapshotQuestion => ({
  id,
  text: id,
  type,
  position: 0,
  global_position: 0,
  page_number: 1,
  answers: [],
  contact_role,
})

const first = questionOf('first', 'first_name')
const last = questionOf('last', 'last_name')
const phone = questionOf('phone', 'phone')

const cases: [title: string, questions: SnapshotQuestion[], replies: object, expected: object][] = [
  [
    'each role takes the reply to its question',
    [first, last, phone],
    { first: 'Camille', last: 'Durand', phone: '06 12 34 56 78' },
    { first_name: 'Camille', last_name: 'Durand', phone: '06 12 34 56 78' },
  ],
  ['a blank reply gives no contact data', [first], { first: '  \n ' }, {}],
  ['a question that was not visited gives no contact data', [], { first: 'Camille' }, {}],
  ['a question without a role gives no contact data', [questionOf('x')], { x: 'Camille' }, {}],
  [
    'a role that does not fit the type is ignored',
    [questionOf('x', 'first_name', 'phone'), questionOf('y', 'phone', 'text')],
    { x: '06 12 34 56 78', y: '06 12 34 56 78' },
    {},
  ],
  [
    'signs of control and of direction are not stored in names and numbers',
    [first, last, phone],
    { first: '\u202eCa\u001bmille\u0085', last: '\u2067Durand\u2069', phone: '\u200e06 12\u2028' },
    { first_name: 'Ca mille', last_name: 'Durand', phone: '06 12' },
  ],
  [
    'joiners that a name needs stay',
    [first],
    { first: 'می‌خواهم 👩‍🎓' },
    { first_name: 'می‌خواهم 👩‍🎓' },
  ],
  [
    'a reply on several lines is stored on one line',
    [first],
    { first: ' Jean\n\tLuc ' },
    { first_name: 'Jean Luc' },
  ],
  [
    'the first reply counts if two questions have one role',
    [first, questionOf('again', 'first_name')],
    { first: '', again: 'Camille' },
    { first_name: 'Camille' },
  ],
  [
    'a name of 300 characters is shortened',
    [first],
    { first: 'é'.repeat(300) },
    { first_name: 'é'.repeat(CONTACT_LIMITS.first_name) },
  ],
  ['a phone number that is too long does not count', [phone], { phone: '1'.repeat(41) }, {}],
]
for (const [title, questions, replies, expected] of cases)
  test(title, () =>
    assert.deepEqual(contactDataOf(questions, replies as Record<string, string>), {
      ...NO_CONTACT,
      ...expected,
    }),
  )

test('a shortened name never ends with half an emoji', () => {
  const name = `${'a'.repeat(CONTACT_LIMITS.first_name - 1)}😀😀`
  const { first_name } = contactDataOf([first], { first: name })
  assert.ok(first_name?.isWellFormed())
})
