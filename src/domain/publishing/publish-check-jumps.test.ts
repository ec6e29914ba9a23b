import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Draft } from '#domain/questionnaire/quiz.ts'
import { answerOf, draftOf, questionOf, quizOf } from '#domain/testing/drafts.ts'
import { publishErrors } from './publish-errors.ts'

const SONDAGE = quizOf({ type: 'sondage' })
const messages = (draft: Draft): string[] => publishErrors(draft).map(({ message }) => message)

describe('jumps of answers', () => {
  const leading = (jump_to: number | null, more = {}) =>
    questionOf('q', {
      text: 'Quand ?',
      page_number: 2,
      global_position: 1,
      answers: [answerOf('a', { text: 'Matin', jump_to, ...more })],
    })
  const pages = (question: ReturnType<typeof questionOf>): Draft =>
    draftOf({
      quiz: SONDAGE,
      questions: [
        questionOf('first', { type: 'text' }),
        question,
        questionOf('blank', { type: 'text', text: ' ', page_number: 3, global_position: 2 }),
        questionOf('last', { type: 'text', page_number: 4, global_position: 3 }),
      ],
    })
  const faults: [string, number | null, string | undefined][] = [
    ['to the next page', null, undefined],
    ['to the end', 0, undefined],
    ['to a later page', 4, undefined],
    ['to a deleted page', -1, 'mène à une page qui a été supprimée'],
    ['to its own page', 2, 'mène à sa propre page'],
    ['to an earlier page', 1, 'mène à la page 1, qui vient avant la sienne'],
    ['to a page without visible items', 3, 'mène à la page 3, où il n’y a rien à voir'],
    ['to a page that does not exist', 9, 'mène à la page 9, où il n’y a rien à voir'],
  ]
  for (const [name, jump_to, fault] of faults)
    test(`the publish check accepts or refuses a jump ${name}`, () => {
      const about = { question_id: 'q', answer_id: 'a', field: 'jump_to' }
      const message = `La réponse "Matin" de la question "Quand ?" ${fault}`
      assert.deepEqual(publishErrors(pages(leading(jump_to))), fault ? [{ message, ...about }] : [])
    })
  test('invisible questions and answers are not checked', () => {
    assert.deepEqual(messages(pages({ ...leading(-1), type: 'text' })), [])
    const [, ...others] = messages(pages(leading(-1, { text: ' ' })))
    assert.deepEqual(others, [])
  })
})
