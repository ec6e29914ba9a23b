import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { checkDraft, RefusedEdit } from '#domain/editing/edit-rules.ts'
import {
  answerOf,
  draftOf,
  questionOf,
  quizOf,
  resultOf,
  textBlockOf,
} from '#domain/testing/drafts.ts'
import { largestDrafts } from '#domain/testing/largest-drafts.ts'
import {
  MAX_QUESTIONNAIRE_SIZE,
  partSizes,
  questionnaireSize,
  sizeError,
} from './questionnaire-size.ts'
import type { Draft } from './quiz.ts'
import { takeSnapshot } from './snapshot.ts'
import { textSize } from './text-size.ts'

/** Makes a draft with `count` answers, 100 for each question. */
const draftWith = (nb_answers: number): Draft =>
  draftOf({
    questions: Array.from({ length: Math.ceil(nb_answers / 100) }, (_, index) =>
      questionOf(`q${index}`, {
        answers: Array.from({ length: Math.min(100, nb_answers - index * 100) }, (_, rank) =>
          answerOf(`a${index}-${rank}`, { text: 'Une réponse' }),
        ),
      }),
    ),
  })
const ALLOWED = 4_000
const LARGE = 6_000
const LARGER = 6_001
const LARGEST = largestDrafts()

const refusalOf = (before: Draft, after: Draft): string | undefined => {
  try {
    checkDraft(before, after)
    return undefined
  } catch (error) {
    assert.ok(error instanceof RefusedEdit)
    return error.message
  }
}

describe('the size of a questionnaire', () => {
  test('an edit that exceeds the size of a whole questionnaire is refused', () => {
    assert.equal(refusalOf(draftOf(), draftWith(ALLOWED)), undefined)
    assert.match(refusalOf(draftOf(), draftWith(LARGE)) ?? '', /^Ce questionnaire est trop grand/)
  })

  test('a draft that was too large before may become smaller but not larger', () => {
    assert.equal(refusalOf(draftWith(LARGER), draftWith(LARGE)), undefined)
    assert.equal(refusalOf(draftWith(LARGE), draftWith(LARGE)), undefined)
    assert.match(refusalOf(draftWith(LARGE), draftWith(LARGER)) ?? '', /trop grand/)
  })

  test('the refusal names the excess, the largest parts and the largest item', () => {
    assert.equal(sizeError(draftWith(ALLOWED)), undefined)
    assert.equal(
      sizeError(draftWith(LARGE)),
      'Ce questionnaire est trop grand : il dépasse de 39 % la taille permise. Le plus lourd : les réponses (6 000), puis le texte des questions (60), et d’abord la question « q10 ? ». Enlevez-en une partie, ou faites-en deux questionnaires',
    )
  })

  test('the refusal names marks and insertions if they are a large share of the size', () => {
    const blocks = Array.from({ length: 40 }, (_, rank) =>
      textBlockOf(`b${rank}`, { content: '- a\n'.repeat(498) }),
    )
    assert.match(sizeError(draftOf({ text_blocks: blocks })) ?? '', /Les mises en forme/)
  })

  test('each kind of part adds to the size', () => {
    const results = [resultOf('r', { name: 'Un', description: 'Deux' })]
    const plain = draftOf({
      results,
      questions: [questionOf('q', { answers: [answerOf('a')] })],
      text_blocks: [textBlockOf('b')],
    })
    const size = questionnaireSize(plain)
    const more: Draft[] = [
      { ...plain, quiz: quizOf({ welcome_text: 'Bienvenue' }) },
      { ...plain, results: [...results, resultOf('s')] },
      { ...plain, questions: [questionOf('q', { answers: [answerOf('a'), answerOf('b')] })] },
      {
        ...plain,
        questions: [questionOf('q', { answers: [answerOf('a', { counts_for: { r: 1 } })] })],
      },
      { ...plain, questions: [questionOf('q', { has_other: true, answers: [answerOf('a')] })] },
      { ...plain, questions: [questionOf('q', { help: 'Aide', answers: [answerOf('a')] })] },
      { ...plain, text_blocks: [textBlockOf('b', { image_id: 'i' } as object), textBlockOf('c')] },
    ]
    for (const draft of more) assert.ok(questionnaireSize(draft) > size)
    const sizes = Object.values(partSizes(plain))
    assert.equal(
      sizes.reduce((sum, bytes) => sum + bytes, 0),
      size,
    )
  })

  test('a frozen version is no larger than its draft', () => {
    for (const { shape, draft } of LARGEST)
      assert.ok(questionnaireSize(takeSnapshot(draft)) <= questionnaireSize(draft), shape)
  })
})

describe('the size of a text', () => {
  const sizes: [text: string | null, size: number][] = [
    [null, 0],
    ['', 0],
    ['mot', 3],
    ['été', 5],
    ['漢', 3],
    ['😀', 4],
    ['"<', 12],
    ['**a**', 45],
    ['- a', 53],
    ['- - a', 105],
    ['[a](b)', 56],
    ['www.a.fr', 83],
    ['{{p}}', 505],
  ]
  for (const [text, size] of sizes)
    test(`the text ${JSON.stringify(text)} has ${size} bytes`, () =>
      assert.equal(textSize(text), size))

  test('the largest drafts reach the limit', () => {
    for (const { shape, draft } of LARGEST)
      assert.ok(questionnaireSize(draft) > MAX_QUESTIONNAIRE_SIZE * 0.8, shape)
  })
})
