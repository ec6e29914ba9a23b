import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import type { Replies } from './quiz.ts'
import { takeSnapshot } from './snapshot.ts'
import { layoutOf, packReplies, readReplies, unpackReplies } from './stored-replies.ts'
import { answerOf, draftOf, drafts, questionOf, resultOf } from './testing/drafts.ts'

const answers = [answerOf('oui', { text: 'Oui' }), answerOf('non', { text: 'Non' })]
const taken = takeSnapshot(
  draftOf({
    questions: [
      questionOf('nom', { type: 'text', global_position: 0 }),
      questionOf('choix', { answers, global_position: 1 }),
      questionOf('avis', { type: 'textarea', global_position: 2 }),
      questionOf('encore', { answers, global_position: 3 }),
    ],
    results: [resultOf('Grand saut', { priority_order: 1 }), resultOf('Pas à pas')],
  }),
)
const replies = { nom: ' Camille ', choix: 'non', avis: 'Bien,\nmerci', encore: 'oui' }

describe('stored replies', () => {
  test('are the ranks of the choices and the texts, trimmed, each in order', () =>
    assert.deepEqual(packReplies(taken, replies), {
      choices: [1, 0],
      texts: ['Camille', 'Bien,\nmerci'],
    }))

  test('belong to the questions of their kind and to the results, in order', () =>
    assert.deepEqual(layoutOf(taken), {
      choice_questions: [1, 3],
      text_questions: ['nom', 'avis'],
      result_names: ['Pas à pas', 'Grand saut'],
    }))

  test('are read as what was asked and given, in order', () =>
    assert.deepEqual(readReplies(taken, { choices: [1, 0], texts: ['Camille', 'Bien'] }), [
      { question_text: 'nom ?', answer_text: 'Camille' },
      { question_text: 'choix ?', answer_text: 'Non' },
      { question_text: 'avis ?', answer_text: 'Bien' },
      { question_text: 'encore ?', answer_text: 'Oui' },
    ]))

  test('what is missing of them reads as nothing', () =>
    assert.deepEqual(
      readReplies(taken, { choices: [9], texts: [] }).map(({ answer_text }) => answer_text),
      ['', '', '', ''],
    ))
})

/** A version, what a participant sent to it, and what they saw of both. */
const runs = fc.tuple(drafts, fc.infiniteStream(fc.nat(9)), fc.string()).map(([draft, ...more]) => {
  const [stream, typed] = more
  const version = takeSnapshot(draft)
  const sent: Replies = {}
  const seen = version.questions.map(({ id, text, type, answers }) => {
    const pick = stream.next().value ?? 0
    const answer = answers[pick % Math.max(1, answers.length)]
    const isChoice = type === 'multiple_choice'
    sent[id] = isChoice ? (answer?.id ?? '') : `  ${pick} ${typed}. `
    return {
      question_text: text,
      answer_text: isChoice ? (answer?.text ?? '') : `${pick} ${typed}.`,
    }
  })
  return { version, sent, seen }
})

describe('whatever was taken', () => {
  test('the participant reads what they saw and gave', () =>
    fc.assert(
      fc.property(runs, ({ version, sent, seen }) => {
        assert.deepEqual(readReplies(version, packReplies(version, sent)), seen)
      }),
    ))

  test('replies come back as they were sent, typed texts trimmed', () =>
    fc.assert(
      fc.property(runs, ({ version, sent }) => {
        const stored = packReplies(version, sent)
        assert.deepEqual(packReplies(version, unpackReplies(version, stored)), stored)
      }),
    ))

  test('version and replies may have been JSON in between', () =>
    fc.assert(
      fc.property(runs, ({ version, sent, seen }) => {
        const kept: typeof version = JSON.parse(JSON.stringify(version))
        const stored: ReturnType<typeof packReplies> = JSON.parse(
          JSON.stringify(packReplies(version, sent)),
        )
        assert.deepEqual(readReplies(kept, stored), seen)
      }),
    ))

  test('the order of the replies does not count', () =>
    fc.assert(
      fc.property(runs, ({ version, sent }) => {
        const turned = Object.fromEntries(Object.entries(sent).reverse())
        assert.deepEqual(packReplies(version, turned), packReplies(version, sent))
      }),
    ))
})
