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
  const noted = addQuestionNotes(snapshot, { consent, is_mailed: false, country: 'BE' })
  const phone = { country: 'BE', hint: 'Numéro sans indicatif : Belgique (+32).' }
  assert.deepEqual(
    noted.questions.map((question) => [question.id, question.consent, question.phone]),
    [
      ['prenom', undefined, undefined],
      ['mail', consent, undefined],
      ['autre', undefined, undefined],
      ['mobile', undefined, phone],
      ['fixe', undefined, phone],
    ],
  )
})

test('a snapshot without anything to add stays the same object', () => {
  assert.equal(addQuestionNotes(snapshot, NO_NOTES), snapshot)
  const text = takeSnapshot(draftOf({ questions: [questionOf('prenom', { type: 'text' })] }))
  const notes = { consent: { version: 1, text: 'Oui' }, is_mailed: true, country: 'FR' as const }
  assert.equal(addQuestionNotes(text, notes), text)
})
