import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { groupIntoPages } from '#domain/questionnaire/pages.ts'
import { adjacentPageIndex, createIsPageSkipped, visitedQuestions } from '#domain/run/path.ts'
import {
  canShowReply,
  chosenAnswers,
  formatReply,
  repliesOf,
  replyFault,
  replyPartsOf,
  replyTo,
} from '#domain/run/replies.ts'
import { resultOfTieQuestion } from '#domain/run/ties.ts'
import { versionsWithReplies } from '#domain/testing/versions-with-replies.ts'
import * as absent from './absent.ts'

test('a plain page’s substitutes for the rules of replies, paths and ties give the results of the real rules', () =>
  fc.assert(
    fc.property(
      versionsWithReplies({ strangeness: 30, is_plain: true }),
      ({ snapshot, replies }) => {
        const { questions, results } = snapshot
        assert.equal(absent.resultOfTieQuestion(), null)
        assert.equal(resultOfTieQuestion(snapshot, results, replies), undefined)
        const pages = groupIntoPages(snapshot)
        assert.equal(absent.visitedQuestions(questions), questions)
        assert.deepEqual(visitedQuestions(questions, replies), questions)
        for (const [page_index, { number }] of pages.entries()) {
          const isSkipped = createIsPageSkipped(questions, replies)
          assert.equal(absent.createIsPageSkipped()(), isSkipped(number))
          for (const step of [1, -1] as const) {
            const way = { page_index, step, isSkipped }
            assert.equal(adjacentPageIndex(pages, way), page_index + step)
          }
        }
        for (const question of questions) {
          const { id } = question
          assert.deepEqual(absent.replyTo(replies, id), replyTo(replies, id))
          if (replyPartsOf(replies, question).length === 0) continue
          const fits = canShowReply(question, replies)
          assert.equal(absent.canShowReply(question, replies), fits)
          if (!fits) continue
          // Only replies that fit are kept, and all of them come from the fields of the page.
          assert.equal(replyFault(question, replies), undefined)
          assert.deepEqual(absent.replyPartsOf(replies, question), replyPartsOf(replies, question))
          assert.deepEqual(
            absent.chosenAnswers(question, replies),
            chosenAnswers(question, replies),
          )
          assert.equal(absent.formatReply(question, replies), formatReply(question, replies))
          const fields: [string, string][] = [[id, `${replies[id]}`]]
          assert.deepEqual(absent.repliesOf(fields), repliesOf(fields))
        }
      },
    ),
  ))
