import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { PUBLISHED } from '#domain/common/vocabulary.ts'
import {
  answerOf,
  draftOf,
  drafts,
  questionOf,
  quizOf,
  resultOf,
  textBlockOf,
  uncheckAssociations,
} from '#domain/testing/drafts.ts'
import { itemsInOrder, placeOf } from './pages.ts'
import type { Draft } from './quiz.ts'
import { hasDifferentContent, type Snapshot, takeSnapshot } from './snapshot.ts'

const draft = (): Draft =>
  draftOf({
    quiz_mode: 'score',
    results: [resultOf('Deux', { priority_order: 1 }), resultOf('Un', { priority_order: 0 })],
    questions: [
      questionOf('q', {
        global_position: 3,
        page_number: 4,
        answers: [answerOf('a', { score: 2, counts_for: { Un: 1 } }), answerOf('b', { text: ' ' })],
      }),
      questionOf('blank', { text: ' ', type: 'text', global_position: 1 }),
      questionOf('e', { type: 'email', global_position: 2, page_number: 2 }),
    ],
    text_blocks: [
      textBlockOf('t', { global_position: 0 }),
      textBlockOf('spaces', { content: '\n ', global_position: 4, page_number: 3 }),
    ],
  })

describe('takeSnapshot (product 6.10)', () => {
  const snapshot = takeSnapshot(draft())

  test('blank items are omitted, and ranks and pages have no gaps', () =>
    assert.deepEqual(
      itemsInOrder(snapshot)
        .map(placeOf)
        .map(({ id, global_position, page_number }) => [id, global_position, page_number]),
      [
        ['t', 0, 1],
        ['e', 1, 2],
        ['q', 2, 3],
      ],
    ))

  test('results are sorted by priority', () =>
    assert.deepEqual(
      snapshot.results.map(({ name }) => name),
      ['Un', 'Deux'],
    ))

  test('blank answers are omitted, and ticked associations stay', () =>
    assert.deepEqual(snapshot.questions[1]?.answers, [
      {
        id: 'a',
        text: 'a',
        score: 2,
        position: 0,
        associations: [{ result_id: 'Un', weight: 1, is_checked: true }],
      },
    ]))

  test('a snapshot has no field that only the editor needs', () => {
    const text = JSON.stringify(snapshot)
    for (const secret of ['quiz_id', 'nb_responses', 'kit_custom_field', 'created_at'])
      assert.ok(!text.includes(secret), secret)
  })
})

describe('differences between snapshots (product 6.4)', () => {
  const first = <T>(list: T[], changes: Partial<T>): T[] =>
    list.map((entry, index) => (index === 0 ? { ...entry, ...changes } : entry))
  const { quiz, questions, results, text_blocks } = draft()
  const written = answerOf('a', { score: 2, counts_for: { Un: 1 } })
  const edits: [name: string, edit: Partial<Draft>][] = [
    ['the name', { quiz: { ...quiz, name: 'Autre' } }],
    ['a colour', { quiz: { ...quiz, bg_color: '#000000' } }],
    ['the type', { quiz: { ...quiz, type: 'sondage' } }],
    ['the mode', { quiz_mode: null }],
    ['a question', { questions: first(questions, { text: 'Autre ?' }) }],
    ['a score', { questions: first(questions, { answers: [answerOf('a', { score: 9 })] }) }],
    ['a bound', { results: first(results, { max_score: 1 }) }],
    ['the order of the results', { results: first(results, { priority_order: -1 }) }],
    ['a text block', { text_blocks: [...text_blocks, textBlockOf('n')] }],
    ['a new last result', { results: [...results, resultOf('n', { priority_order: 9 })] }],
    ['a removed result', { results: results.slice(1) }],
    ['a new answer', { questions: first(questions, { answers: [written, answerOf('n')] }) }],
    ['a lost tick', { questions: first(questions, { answers: [uncheckAssociations(written)] }) }],
    ['a description', { results: first(results, { description: 'Oui.' }) }],
    ['an optional question', { questions: first(questions, { is_required: false }) }],
    ['a help text', { questions: first(questions, { help: 'Une seule réponse' }) }],
    ['any number of choices', { questions: first(questions, { max_choices: null }) }],
    ['« Autre »', { questions: first(questions, { has_other: true }) }],
    [
      'an answer that ends the run',
      { questions: first(questions, { answers: [{ ...written, jump_to: 0 }] }) },
    ],
    ['an item on another page', { text_blocks: first(text_blocks, { page_number: 2 }) }],
  ]
  for (const [name, edit] of edits)
    test(`two snapshots differ in both directions: ${name}`, () => {
      const [before, after] = [takeSnapshot(draft()), takeSnapshot({ ...draft(), ...edit })]
      assert.equal(hasDifferentContent(before, after), true)
      assert.equal(hasDifferentContent(after, before), true)
      assert.equal(hasDifferentContent(before, takeSnapshot(draft())), false)
    })

  test('another spelling of the same colour is not a difference', () => {
    const results = [resultOf('Un', { priority_order: 2 }), resultOf('Deux', { priority_order: 5 })]
    const respelled = {
      quiz: quizOf({ bg_color: '#ABCDEF' }),
      results: results.map((result) => ({ ...result, description: '' })),
    }
    const plain = { quiz: quizOf({ bg_color: '#abcdef' }) }
    assert.equal(
      hasDifferentContent(
        takeSnapshot({ ...draft(), ...plain }),
        takeSnapshot({ ...draft(), ...respelled }),
      ),
      false,
    )
  })

  test('ticking and unticking an association is not a difference', () => {
    const changed = draft()
    const twice = uncheckAssociations(answerOf('a', { counts_for: { Deux: 1 } })).associations
    changed.questions[0]?.answers[0]?.associations.push(...twice)
    assert.equal(hasDifferentContent(takeSnapshot(draft()), takeSnapshot(changed)), false)
  })

  test('the status and unpublished fields are not a difference', () => {
    const changed = draft()
    changed.quiz = quizOf({ status: PUBLISHED, nb_responses: 12, updated_at: 'later' })
    changed.questions.push(questionOf('n', { text: '', type: 'text', global_position: 9 }))
    assert.equal(hasDifferentContent(takeSnapshot(draft()), takeSnapshot(changed)), false)
  })
})

type Rewrite = (draft: Draft, change: (text: string) => string) => void

/** Returns a rewrite for each text of the draft that a visitor sees. */
const rewritesOf = (seen: Draft): Rewrite[] => {
  const isSeen = (text: string): boolean => text.trim() !== ''
  const questions = seen.questions.flatMap(({ text, type, answers }, index): Rewrite[] => {
    const isChoice = type === 'multiple_choice'
    const offered = isChoice
      ? [...answers.entries()].filter(([, answer]) => isSeen(answer.text))
      : []
    const own: Rewrite = (draft, change) => {
      const question = draft.questions[index]
      if (question) question.text = change(question.text)
    }
    const ofAnswers = offered.map(
      ([rank]): Rewrite =>
        (draft, change) => {
          const answer = draft.questions[index]?.answers[rank]
          if (answer) answer.text = change(answer.text)
        },
    )
    return isSeen(text) || offered.length > 0 ? [own, ...ofAnswers] : []
  })
  const blocks = seen.text_blocks.flatMap(({ content }, index): Rewrite[] =>
    isSeen(content)
      ? [
          (draft, change) => {
            const block = draft.text_blocks[index]
            if (block) block.content = change(block.content)
          },
        ]
      : [],
  )
  const results = seen.results.map(
    (_, index): Rewrite =>
      (draft, change) => {
        const result = draft.results[index]
        if (result) result.name = change(result.name)
      },
  )
  const name: Rewrite = ({ quiz }, change) => {
    quiz.name = change(quiz.name)
  }
  return [name, ...questions, ...blocks, ...results]
}

describe('snapshots of any draft', () => {
  test('equal content gives an equal snapshot, in any order of its lists', () =>
    fc.assert(
      fc.property(drafts, (any) => {
        const reversed = {
          ...any,
          questions: any.questions.toReversed().map((question) => ({
            ...question,
            answers: question.answers.toReversed().map((answer) => ({
              ...answer,
              associations: answer.associations.toReversed(),
            })),
          })),
          text_blocks: any.text_blocks.toReversed(),
          results: any.results.toReversed(),
        }
        const before = structuredClone(any)
        assert.deepEqual(takeSnapshot(reversed), takeSnapshot(any))
        assert.deepEqual(takeSnapshot(any), takeSnapshot(before))
        assert.deepEqual(any, before)
      }),
    ))

  test('a published snapshot that is read back as JSON has no changes', () =>
    fc.assert(
      fc.property(drafts, (any) => {
        const stored = JSON.parse(JSON.stringify(takeSnapshot(any))) as Snapshot
        assert.equal(hasDifferentContent(stored, takeSnapshot(any)), false)
      }),
    ))

  test('changing a visible text is a difference, and changing it back is none', () =>
    fc.assert(
      fc.property(drafts, fc.nat(), fc.constantFrom('+', ' ', '\u0301'), (any, pick, added) => {
        const before = takeSnapshot(any)
        const rewrites = rewritesOf(any)
        const rewrite = rewrites[pick % rewrites.length]
        assert.ok(rewrite)
        const changed = structuredClone(any)
        rewrite(changed, (text) => text + added)
        assert.equal(hasDifferentContent(before, takeSnapshot(changed)), true)
        rewrite(changed, (text) => text.slice(0, -1))
        assert.equal(hasDifferentContent(before, takeSnapshot(changed)), false)
      }),
    ))

  test('the difference of two snapshots is symmetric, and a snapshot does not differ from itself', () =>
    fc.assert(
      fc.property(drafts, drafts, (draft, other) => {
        const [a, b] = [takeSnapshot(draft), takeSnapshot(other)]
        assert.equal(hasDifferentContent(a, b), hasDifferentContent(b, a))
        assert.equal(hasDifferentContent(a, a), false)
      }),
    ))

  test('ranks, positions and pages have no gaps', () =>
    fc.assert(
      fc.property(drafts, (any) => {
        const snapshot = takeSnapshot(any)
        const places = itemsInOrder(snapshot).map(placeOf)
        assert.deepEqual(
          places.map(({ global_position }) => global_position),
          places.map((_, rank) => rank),
        )
        const pages = [...new Set(places.map(({ page_number }) => page_number))]
        assert.deepEqual(
          pages,
          pages.map((_, index) => index + 1),
        )
        assert.deepEqual(
          snapshot.questions.map(({ position }) => position),
          snapshot.questions.map((_, rank) => rank),
        )
      }),
    ))
})
