import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import type { Replies, Reply } from '#domain/questionnaire/quiz.ts'
import { takeSnapshot } from '#domain/questionnaire/snapshot.ts'
import { answerOf, draftOf, questionOf, resultOf } from '#domain/testing/drafts.ts'
import { versionsWithReplies } from '#domain/testing/versions-with-replies.ts'
import { visitedQuestions } from './path.ts'
import { chosenTexts, formatReply } from './replies.ts'
import { layoutOf, packReplies, readReplies, unpackReplies } from './stored-replies.ts'

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
  test('stored replies hold the ranks of choices and the trimmed texts, in order', () =>
    assert.deepEqual(packReplies(taken, replies), {
      choices: [1, 0],
      texts: ['Camille', 'Bien,\nmerci'],
    }))

  test('stored replies belong to the questions of their kind and to the results, in order', () =>
    assert.deepEqual(layoutOf(taken), {
      choice_questions: [1, 3],
      text_questions: ['nom', 'avis'],
      result_names: ['Pas à pas', 'Grand saut'],
    }))

  test('stored replies are read as questions with replies, in order', () =>
    assert.deepEqual(readReplies(taken, { choices: [1, 0], texts: ['Camille', 'Bien'] }), [
      { question_text: 'nom ?', answer_text: 'Camille', choices: [] },
      { question_text: 'choix ?', answer_text: 'Non', choices: ['Non'] },
      { question_text: 'avis ?', answer_text: 'Bien', choices: [] },
      { question_text: 'encore ?', answer_text: 'Oui', choices: ['Oui'] },
    ]))

  test('missing values are read as no reply', () =>
    assert.deepEqual(
      readReplies(taken, { choices: [9], texts: [] }).map(({ answer_text }) => answer_text),
      ['', '', '', ''],
    ))
})

/** A version, the replies of a participant, and the texts that they saw. */
const runs = versionsWithReplies().map(({ snapshot, replies }) => ({
  version: snapshot,
  sent: replies,
  seen: visitedQuestions(snapshot.questions, replies).map((question) => ({
    question_text: question.text,
    answer_text: formatReply(question, replies).trim(),
    choices: chosenTexts(question, replies).map((text) => text.trim()),
  })),
}))

describe('stored replies of any run', () => {
  test('the participant’s questions and replies are read back', () =>
    fc.assert(
      fc.property(runs, ({ version, sent, seen }) => {
        assert.deepEqual(readReplies(version, packReplies(version, sent)), seen)
      }),
    ))

  test('replies are unpacked as sent, with typed texts trimmed', () =>
    fc.assert(
      fc.property(runs, ({ version, sent }) => {
        const stored = packReplies(version, sent)
        assert.deepEqual(packReplies(version, unpackReplies(version, stored)), stored)
      }),
    ))

  test('a version and its replies can be converted to JSON and back', () =>
    fc.assert(
      fc.property(runs, ({ version, sent, seen }) => {
        const kept: typeof version = JSON.parse(JSON.stringify(version))
        const stored: ReturnType<typeof packReplies> = JSON.parse(
          JSON.stringify(packReplies(version, sent)),
        )
        assert.deepEqual(readReplies(kept, stored), seen)
      }),
    ))

  test('the order of the replies does not matter', () =>
    fc.assert(
      fc.property(runs, ({ version, sent }) => {
        const turned = Object.fromEntries(
          Object.entries(sent)
            .map(([id, reply]): [string, Reply] => [
              id,
              typeof reply === 'string' ? reply : reply.toReversed(),
            ])
            .reverse(),
        )
        assert.deepEqual(packReplies(version, turned), packReplies(version, sent))
      }),
    ))

  test('the storage has a number for every slot and a text for every place of the version', () =>
    fc.assert(
      fc.property(runs, ({ version, sent }) => {
        const { choices, texts } = packReplies(version, sent)
        const { choice_questions, text_questions } = layoutOf(version)
        assert.equal(choices.length, choice_questions.length)
        assert.equal(texts.length, text_questions.length)
      }),
    ))

  test('replies on skipped pages are dropped', () =>
    fc.assert(
      fc.property(runs, ({ version, sent }) => {
        const passed = visitedQuestions(version.questions, sent)
        const own = Object.fromEntries(
          passed.flatMap(({ id }) => (sent[id] === undefined ? [] : [[id, sent[id]]])),
        )
        assert.deepEqual(packReplies(version, sent), packReplies(version, own))
        assert.ok(
          Object.keys(unpackReplies(version, packReplies(version, sent))).every((id) => id in own),
        )
      }),
    ))
})

describe('a version with optional or skipped questions', () => {
  const version = takeSnapshot(
    draftOf({
      questions: [
        questionOf('chemin', {
          answers: [
            answerOf('long', { text: 'Long' }),
            answerOf('court', { text: 'Court', jump_to: 3 }),
          ],
          global_position: 0,
        }),
        questionOf('plats', {
          max_choices: 2,
          has_other: true,
          is_required: false,
          answers,
          global_position: 1,
          page_number: 2,
        }),
        questionOf('avis', { type: 'text', global_position: 2, page_number: 2 }),
        questionOf('note', { type: 'scale', global_position: 3, page_number: 3 }),
        questionOf('jour', {
          type: 'date',
          is_required: false,
          global_position: 4,
          page_number: 3,
        }),
      ],
    }),
  )
  const cases: [string, Replies, choices: (number | null)[], texts: string[], words: string[]][] = [
    [
      'every slot has a value',
      { chemin: 'long', plats: ['non', 'oui'], avis: 'Bien', note: '10', jour: '2026-02-28' },
      [0, 0, 1, null, 10, null],
      ['', 'Bien', '2026-02-28'],
      ['Long', 'Oui, Non', 'Bien', '10', '28/02/2026'],
    ],
    [
      'a typed « Autre… » and a blank date',
      { chemin: 'long', plats: ['other: Tarte ', 'non'], avis: ' Bien ', note: '0' },
      [0, 1, 2, null, 0, -1],
      ['Tarte', 'Bien', ''],
      ['Long', 'Non, Autre : Tarte', 'Bien', '0', ''],
    ],
    [
      'a blank multiple choice',
      { chemin: 'long', plats: 'other:  ', avis: 'Bien', note: '7' },
      [0, -1, null, null, 7, -1],
      ['', 'Bien', ''],
      ['Long', '', 'Bien', '7', ''],
    ],
    [
      'a skipped page whose replies are not stored',
      { chemin: 'court', plats: ['oui', 'other:x'], avis: 'Bien', note: '7' },
      [1, -2, null, -2, 7, -1],
      ['', '', ''],
      ['Court', '7', ''],
    ],
  ]
  for (const [name, sent, choices, texts, words] of cases)
    test(`replies are stored and read back: ${name}`, () => {
      const stored = packReplies(version, sent)
      assert.deepEqual(stored, { choices, texts })
      assert.deepEqual(
        readReplies(version, stored).map(({ answer_text }) => answer_text),
        words,
      )
    })

  test('the layout of stored replies names the question of each slot and text', () => {
    const { choice_questions, text_questions } = layoutOf(version)
    assert.deepEqual(choice_questions, [0, 1, 1, 2, 3, 4])
    assert.deepEqual(text_questions, ['plats', 'avis', 'jour'])
  })
})
