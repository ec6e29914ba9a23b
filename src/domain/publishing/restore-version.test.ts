import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { PUBLISHED } from '#domain/common/vocabulary.ts'
import { changesToSave, hasNoChanges } from '#domain/editing/changes.ts'
import { checkDraft } from '#domain/editing/edit-rules.ts'
import { applySave } from '#domain/editing/edits.ts'
import { imagesOf } from '#domain/questionnaire/images.ts'
import { renumber } from '#domain/questionnaire/pages.ts'
import type { Draft } from '#domain/questionnaire/quiz.ts'
import { type Snapshot, takeSnapshot } from '#domain/questionnaire/snapshot.ts'
import { editedDrafts } from '#domain/testing/draft-edits.ts'
import {
  answerOf,
  draftOf,
  IMAGE_IDS,
  questionOf,
  quizOf,
  resultOf,
  textBlockOf,
} from '#domain/testing/drafts.ts'
import { countCases } from '#domain/testing/pick-by-run.ts'
import { idsOfVersion, restoreVersion } from './restore-version.ts'

const createIds = () => {
  let made = 0
  return () => `restored${made++}`
}
const restored = (draft: Draft, version: Snapshot, lost: Partial<typeof NOTHING> = {}): Draft =>
  restoreVersion(draft, version, { ...NOTHING, ...lost, createId: createIds() })
const NOTHING: { taken_ids: string[]; missing_image_ids: string[] } = {
  taken_ids: [],
  missing_image_ids: [],
}
const frozen = (draft: Draft): Snapshot =>
  takeSnapshot({ ...draft, quiz: { ...draft.quiz, status: PUBLISHED } })

const version = frozen(
  draftOf({
    quiz: quizOf({
      name: 'Avant',
      welcome_title: 'Bonjour',
      logo_image_id: IMAGE_IDS[1],
      tie_rule: 'question',
      tie_question_id: 'pace',
    }),
    quiz_mode: 'profils',
    results: [resultOf('calm', { image_id: IMAGE_IDS[0], image_alt: 'Un lac' })],
    questions: [
      questionOf('pace', { answers: [answerOf('slow', { counts_for: { calm: 2 }, jump_to: 2 })] }),
      questionOf('mood', { type: 'scale', scale_max: 5, global_position: 1, page_number: 2 }),
    ],
    text_blocks: [textBlockOf('hello', { global_position: 2, page_number: 2 })],
  }),
)

describe('restoreVersion', () => {
  test('freezing a restored version gives the version again, whatever the draft was', () =>
    fc.assert(
      fc.property(editedDrafts(2), ([, published, draft]) => {
        assert.ok(published && draft)
        const snapshot = frozen(published)
        assert.deepEqual(frozen(restored(draft, snapshot)), snapshot)
      }),
      { numRuns: countCases(500) },
    ))

  test('a save stores the restored draft, and the save of its undo restores the draft from before', () =>
    fc.assert(
      fc.property(editedDrafts(2), ([, published, draft]) => {
        assert.ok(published && draft)
        const snapshot = frozen(published)
        const target = restored(draft, snapshot)
        const stored = applySave(draft, changesToSave(draft, target))
        assert.deepEqual(frozen(stored), snapshot)
        checkDraft(draft, stored)
        const back = applySave(stored, changesToSave(stored, draft))
        assert.ok(hasNoChanges(changesToSave(back, draft)), 'nothing is left to save')
      }),
      { numRuns: countCases(500) },
    ))

  test('restored rows get their ids back, and content outside the version stays', () => {
    const quiz = quizOf({ name: 'Après', slug: 'mon-quiz', consent_mode: 'requested' })
    const draft = restored(draftOf({ quiz, quiz_mode: 'score' }), version)
    assert.deepEqual(draft.quiz, {
      ...quiz,
      name: 'Avant',
      welcome_title: 'Bonjour',
      logo_image_id: IMAGE_IDS[1],
      tie_rule: 'question',
      tie_question_id: 'pace',
    })
    assert.equal(draft.quiz_mode, 'profils')
    const { ids } = idsOfVersion(version)
    assert.deepEqual(ids, ['calm', 'hello', 'pace', 'slow', 'mood'])
    assert.deepEqual(idsOfVersion(takeSnapshot(draft)).ids, ids)
  })

  test('a taken id is replaced, in the row and in all references', () => {
    const { quiz, questions, results } = restored(draftOf(), version, {
      taken_ids: ['calm', 'pace'],
    })
    const [result] = results
    const [question] = questions
    assert.match(result?.id ?? '', /^restored/)
    assert.match(question?.id ?? '', /^restored/)
    assert.equal(quiz.tie_question_id, question?.id)
    const [answer] = question?.answers ?? []
    assert.deepEqual([answer?.id, answer?.question_id], ['slow', question?.id])
    assert.deepEqual(
      answer?.associations.map(({ answer_id, result_id }) => [answer_id, result_id]),
      [['slow', result?.id]],
    )
  })

  test('an id that names another kind of row in the draft is replaced', () => {
    const draft = draftOf({
      questions: [questionOf('pace', { type: 'text' }), questionOf('slow')],
      text_blocks: [textBlockOf('calm')],
    })
    const { ids } = idsOfVersion(takeSnapshot(restored(draft, version)))
    assert.deepEqual(
      ids.map((id) => id.startsWith('restored')),
      [true, false, true, true, false],
    )
  })

  test('a restored version contains neither the id nor the description of a deleted image', () => {
    const draft = restored(draftOf(), version, { missing_image_ids: [IMAGE_IDS[0]] })
    assert.deepEqual([...imagesOf(draft).keys()], [IMAGE_IDS[1]])
    assert.equal(draft.results[0]?.image_alt, null)
    const none = restored(draftOf(), version, { missing_image_ids: [...IMAGE_IDS] })
    assert.deepEqual([...imagesOf(none).keys()], [])
  })
})

test('leaving a mode keeps what both drafts have', () => {
  const scored = (id: string) => answerOf(id, { score: 3, counts_for: { calm: 1 } })
  const questions = [questionOf('pace', { answers: [scored('slow')] })]
  const before = draftOf({ quiz_mode: 'score', results: [resultOf('calm')], questions })
  const after = { ...before, ...renumber(before), quiz_mode: 'profils' as const }
  assert.deepEqual(applySave(before, changesToSave(before, after)), after)
})
