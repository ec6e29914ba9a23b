import assert from 'node:assert/strict'
import { beforeEach, mock, test } from 'node:test'
import fc from 'fast-check'
import { changesBetween, hasNoChanges } from '#domain/editing/changes.ts'
import { renumber } from '#domain/questionnaire/pages.ts'
import type { Draft } from '#domain/questionnaire/quiz.ts'
import { takeSnapshot } from '#domain/questionnaire/snapshot.ts'
import { editedDrafts } from '#domain/testing/draft-edits.ts'
import { draftOf, quizOf, textBlockOf } from '#domain/testing/drafts.ts'
import { countCases } from '#domain/testing/pick-by-run.ts'
import { createServer, open, storeAll } from '#web/editor/draft/testing/sessions.ts'
import { restoreIntoDraft } from './restore-into-draft.ts'

beforeEach(() => {
  mock.reset()
  mock.method(console, 'warn', () => undefined)
})

const AS_IT_WAS = { taken_ids: [], missing_image_ids: [], createId: () => 'new' }
const STEP = { undoGroupKey: null, kind: 'version', delay_ms: 60_000 }

/** Returns the draft as the server stores it, without blank text blocks. */
const withoutBlanks = (draft: Draft): Draft => {
  const text_blocks = draft.text_blocks.filter(({ content }) => content.trim() !== '')
  return { ...draft, ...renumber({ ...draft, text_blocks }) }
}

test('restoring a version is one undo step, and undo restores the exact draft here and on the server', () =>
  fc.assert(
    fc.asyncProperty(editedDrafts(2), async ([, published, edited]) => {
      assert.ok(published && edited)
      const start = withoutBlanks(edited)
      const snapshot = takeSnapshot(published)
      const server = createServer(start)
      const session = open(server.stored(), server)
      const before = session.view().draft
      session.change((draft) => restoreIntoDraft(draft, snapshot, AS_IT_WAS), STEP)
      const { draft, can_undo } = session.view()
      assert.deepEqual(takeSnapshot(draft), snapshot)
      if (!can_undo) return
      await storeAll(session)
      assert.deepEqual(takeSnapshot(server.stored()), snapshot)
      session.undo()
      assert.equal(session.view().draft, before)
      assert.equal(session.view().can_undo, false)
      await storeAll(session)
      assert.ok(hasNoChanges(changesBetween(server.stored(), start)))
    }),
    { numRuns: countCases(100) },
  ))

test('restoring the content that a draft already has is not an undo step', () => {
  const start = draftOf({ quiz: quizOf({ name: 'Le même' }), text_blocks: [textBlockOf('hello')] })
  const session = open({ ...start, revision: 0 }, createServer(start))
  const { draft } = session.view()
  assert.equal(restoreIntoDraft(draft, takeSnapshot(start), AS_IT_WAS), draft)
})

test('restoring a version removes empty pages of the draft', () => {
  const start = draftOf({ text_blocks: [textBlockOf('hello', { page_number: 3 })] })
  const session = open({ ...start, revision: 0 }, createServer(start))
  const { draft } = session.view()
  const shown = { ...draft, page_count: 5 }
  const version = takeSnapshot(draftOf({ text_blocks: [textBlockOf('bonjour')] }))
  assert.equal(restoreIntoDraft(shown, version, AS_IT_WAS).page_count, 1)
})
