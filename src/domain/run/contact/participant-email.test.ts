import assert from 'node:assert/strict'
import { test } from 'node:test'
import { takeSnapshot } from '#domain/questionnaire/snapshot.ts'
import { answerOf, draftOf, questionOf } from '#domain/testing/drafts.ts'
import { participantEmail } from './contact.ts'

test('the email address of a run is the trimmed reply to the first email question', () => {
  const snapshot = takeSnapshot(
    draftOf({
      questions: [
        questionOf('mail', { type: 'email', global_position: 0 }),
        questionOf('autre', { type: 'email', global_position: 1 }),
      ],
    }),
  )
  const replies = { mail: ' a@b.fr ', autre: 'c@d.fr' }
  assert.equal(participantEmail(snapshot, replies), 'a@b.fr')
  assert.equal(participantEmail(snapshot, { autre: 'c@d.fr' }), '')
  assert.equal(participantEmail({ questions: [] }, replies), '')
})

test('an email address on a page that the run does not visit does not count', () => {
  const snapshot = takeSnapshot(
    draftOf({
      questions: [
        questionOf('fin', { answers: [answerOf('oui', { jump_to: 0 }), answerOf('non')] }),
        questionOf('mail', { type: 'email', page_number: 2, global_position: 1 }),
      ],
    }),
  )
  assert.equal(participantEmail(snapshot, { fin: 'oui', mail: 'a@b.fr' }), '')
  assert.equal(participantEmail(snapshot, { fin: 'non', mail: 'a@b.fr' }), 'a@b.fr')
})
