import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { groupIntoPages } from '#domain/questionnaire/pages.ts'
import { neighbourOnPath, pagesLeftOut, questionsPassed } from '#domain/run/path.ts'
import {
  chosenAnswers,
  fitsFields,
  formatReply,
  partsOf,
  repliesOf,
  replyFault,
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
        assert.equal(absent.questionsPassed(questions), questions)
        assert.deepEqual(questionsPassed(questions, replies), questions)
        for (const [page_index, { number }] of pages.entries()) {
          const isLeftOut = pagesLeftOut(questions, replies)
          assert.equal(absent.pagesLeftOut()(), isLeftOut(number))
          for (const step of [1, -1] as const) {
            const way = { page_index, step, isLeftOut }
            assert.equal(neighbourOnPath(pages, way), page_index + step)
          }
        }
        for (const question of questions) {
          const { id } = question
          assert.deepEqual(absent.replyTo(replies, id), replyTo(replies, id))
          if (partsOf(replies, question).length === 0) continue
          const fits = fitsFields(question, replies)
          assert.equal(absent.fitsFields(question, replies), fits)
          if (!fits) continue
          // Only replies that fit are kept, and all of them come from the fields of the page.
          assert.equal(replyFault(question, replies), undefined)
          assert.deepEqual(absent.partsOf(replies, question), partsOf(replies, question))
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
