import assert from 'node:assert/strict'
import { test } from 'node:test'
import { takeSnapshot } from '#domain/questionnaire/snapshot.ts'
import { draftOf, questionOf } from '#domain/testing/drafts.ts'
import { addQuestionNotes, NO_NOTES } from './question-notes.ts'

const snapshot = takeSnapshot(
  draftOf({
    questions: [
      questionOf('prenom', { type: 'text', global_position: 0 }),
      questionOf('mail', { type: 'email', global_position: 1 }),
      questionOf('autre', { type: 'email', global_position: 2 }),
      questionOf('mobile', { type: 'phone', global_position: 3 }),
      questionOf('fixe', { type: 'phone', global_position: 4 }),
    ],
  }),
)

test('the first email question gets the consent, and each phone question the country', () => {
  const consent = { version: 1, text: 'Oui' }
  const measure = { version: 2, text: 'Mesurez' }
  const notes = { consent, measure, is_mailed: false, country: 'BE' } as const
  const noted = addQuestionNotes(snapshot, notes)
  const phone = { country: 'BE', hint: 'Numéro sans indicatif : Belgique (+32).' }
  assert.deepEqual(
    noted.questions.map((question) => [
      question.id,
      question.consent,
      question.measure,
      question.phone,
    ]),
    [
      ['prenom', undefined, undefined, undefined],
      ['mail', consent, measure, undefined],
      ['autre', undefined, undefined, undefined],
      ['mobile', undefined, undefined, phone],
      ['fixe', undefined, undefined, phone],
    ],
  )
})

test('a snapshot without anything to add stays the same object', () => {
  assert.equal(addQuestionNotes(snapshot, NO_NOTES), snapshot)
  const text = takeSnapshot(draftOf({ questions: [questionOf('prenom', { type: 'text' })] }))
  const box = { version: 1, text: 'Oui' }
  const notes = { consent: box, measure: box, is_mailed: true, country: 'FR' as const }
  assert.equal(addQuestionNotes(text, notes), text)
})
