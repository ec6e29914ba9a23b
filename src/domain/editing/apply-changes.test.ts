import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { editedDrafts } from '#domain/testing/draft-edits.ts'
import { answerOf, draftOf, questionOf, quizOf, resultOf } from '#domain/testing/drafts.ts'
import { appliedChanges, applyChanges } from './apply-changes.ts'
import { changesBetween, hasNoChanges, NO_CHANGES } from './changes.ts'

test('a draft contains all changes that led to it, and its base contains none', () => {
  fc.assert(
    fc.property(editedDrafts(2), ([before, after]) => {
      assert.ok(before && after)
      const changes = changesBetween(before, after)
      const whole = applyChanges(before, appliedChanges(before, changes, after))
      assert.ok(hasNoChanges(changesBetween(whole, applyChanges(before, changes))))
      const none = applyChanges(before, appliedChanges(before, changes, before))
      assert.ok(hasNoChanges(changesBetween(before, none)))
    }),
  )
})

test('the contained part of a change is returned: fields, links, added and removed rows', () => {
  const link = { answer_id: 'slow', result_id: 'calm', weight: 2, is_checked: true }
  const base = draftOf({
    quiz: quizOf({ name: 'Tempo' }),
    results: [resultOf('calm')],
    questions: [questionOf('pace', { text: 'Vite ?', answers: [answerOf('slow', { score: 1 })] })],
  })
  const changes = {
    ...NO_CHANGES,
    quiz: { name: 'Rythme', bg_color: '#000000' },
    quiz_mode: 'profils' as const,
    questions: [
      { id: 'pace', text: 'Lent ?', help: 'Au plus juste.' },
      { id: 'mood', text: 'Et encore ?' },
      { id: 'gone', text: 'Et puis ?' },
    ],
    associations: [link, { ...link, answer_id: 'fast' }],
    removed: ['calm', 'slow'],
  }
  const draft = draftOf({
    quiz: quizOf({ name: 'Rythme' }),
    quiz_mode: 'profils',
    questions: [
      questionOf('pace', {
        text: 'Lent ?',
        answers: [answerOf('slow', { associations: [{ id: 'link', ...link }] })],
      }),
      questionOf('mood', { text: 'Et encore, reformulé ?' }),
    ],
  })
  assert.deepEqual(appliedChanges(base, changes, draft), {
    ...NO_CHANGES,
    quiz: { name: 'Rythme' },
    quiz_mode: 'profils',
    // A new row is whole, because only the changes hold its initial fields.
    questions: [
      { id: 'pace', text: 'Lent ?' },
      { id: 'mood', text: 'Et encore ?' },
    ],
    associations: [link],
    removed: ['calm'],
  })
})
