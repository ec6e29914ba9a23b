import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { versionsWithReplies } from '#domain/testing/versions-with-replies.ts'
import { packReplies, pathWithReplies, readReplies } from './stored-replies.ts'

describe('the path of a run', () => {
  test('the path of a run has every page with questions once, in order, with the replies on visited pages', () => {
    fc.assert(
      fc.property(versionsWithReplies(), ({ snapshot, replies }) => {
        const stored = packReplies(snapshot, replies)
        const path = pathWithReplies(snapshot, stored)
        assert.deepEqual(
          path.map(({ page_number }) => page_number),
          [...new Set(snapshot.questions.map(({ page_number }) => page_number))],
        )
        assert.deepEqual(
          path.flatMap(({ answers }) => answers),
          readReplies(snapshot, stored),
        )
        for (const { is_left_out, answers } of path) assert.equal(is_left_out, answers.length === 0)
      }),
    )
  })
})
