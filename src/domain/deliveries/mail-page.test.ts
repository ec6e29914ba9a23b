import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Replies } from '#domain/questionnaire/quiz.ts'
import type { Snapshot } from '#domain/questionnaire/snapshot.ts'
import { plainText } from '#domain/run/rich-text.ts'
import { mailInsertionNames, type ResultMailInput } from './mail-insertions.ts'
import { composeMail, mailErrors } from './quiz-mail.ts'

const question = { page_number: 1, global_position: 0, is_required: true, answers: [] }
const snapshot = {
  quiz: { name: 'Quel rythme ?', type: 'sondage' },
  quiz_mode: null,
  questions: [{ ...question, id: 'q1', type: 'text', text: 'Prénom ?', label: 'Prénom' }],
  text_blocks: [],
  results: [],
} as unknown as Snapshot
const runOf = (replies: Replies = { q1: 'Léa' }): ResultMailInput => ({
  snapshot,
  replies,
  result: null,
  email: 'lea@exemple.fr',
})
const asTyped = (text: string) => text

describe('the page of the participant in a mail', () => {
  const page_url = 'https://q.example/q/1/ma-page/abc'
  const text = 'Votre page : {{ma page}}.'
  const mail = { subject: 'x', text }

  test('the text inserts the address as a link, and a short name of the same name wins', () => {
    const { body } = composeMail(mail, { ...runOf(), page_url }, asTyped)
    assert.deepEqual(body, [['Votre page : ', { a: [page_url], href: page_url }, '.']])
    const questions = snapshot.questions.map((entry) =>
      entry.id === 'q1' ? { ...entry, label: 'Ma page' } : entry,
    )
    const named = { ...runOf(), snapshot: { ...snapshot, questions }, page_url }
    assert.equal(plainText(composeMail(mail, named, asTyped).body), 'Votre page : Léa.')
    assert.equal(plainText(composeMail(mail, runOf(), asTyped).body), 'Votre page :.')
  })

  test('only the text of a quiz that keeps pages can insert it', () => {
    assert.ok(!mailInsertionNames(snapshot).includes('ma page'))
    assert.ok(mailInsertionNames(snapshot, true).includes('ma page'))
    const draft = { ...snapshot, dimensions: [], text_variants: [] } as never as Parameters<
      typeof mailErrors
    >[1]
    const errorsOf = (keeps_page: boolean, written: typeof mail) =>
      mailErrors(written, { ...draft, quiz: { ...draft.quiz, keeps_page } })
    assert.deepEqual(errorsOf(true, mail), [])
    assert.equal(errorsOf(false, mail).length, 1)
    assert.equal(errorsOf(true, { subject: '{{ma page}}', text: 'a' })[0]?.field, 'subject')
  })
})
