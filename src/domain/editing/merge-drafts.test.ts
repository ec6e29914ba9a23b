import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { itemsInOrder, placeOf } from '#domain/questionnaire/pages.ts'
import type { Draft } from '#domain/questionnaire/quiz.ts'
import { editedDrafts } from '#domain/testing/draft-edits.ts'
import {
  answerOf,
  draftOf,
  questionOf,
  quizOf,
  resultOf,
  textBlockOf,
} from '#domain/testing/drafts.ts'
import { countCases } from '#domain/testing/pick-by-run.ts'
import { fieldsOf } from '#domain/testing/typed-fields.ts'
import { applyChanges } from './apply-changes.ts'
import { changesBetween, hasNoChanges } from './changes.ts'
import { mergeDrafts } from './merge-drafts.ts'
import type { ConflictChoices, MergeSide } from './merge-rows.ts'

const base = draftOf({
  results: [resultOf('calm'), resultOf('fast', { priority_order: 1 })],
  questions: [
    questionOf('pace', { answers: [answerOf('slow'), answerOf('quick')] }),
    questionOf('mood', { position: 1, global_position: 1, answers: [answerOf('good')] }),
    questionOf('mail', { type: 'email', position: 2, global_position: 2 }),
  ],
  text_blocks: [textBlockOf('hello', { global_position: 3, page_number: 2 })],
})
const [pace, mood, mail] = base.questions
assert.ok(pace && mood && mail)

const withQuestions = (...questions: Draft['questions']): Draft => ({
  ...base,
  questions: questions.map((question, position) => ({
    ...question,
    position,
    global_position: position,
  })),
})
const order = (draft: Draft): string[] =>
  itemsInOrder(draft).map((item) => `${placeOf(item).page_number} ${placeOf(item).id}`)
const merge = (mine: Draft, theirs: Draft, choices?: ConflictChoices) =>
  mergeDrafts({ base, mine, theirs }, choices)

describe('fields in a merge', () => {
  test('two edits of different fields of one answer both stay', () => {
    const written = withQuestions(
      { ...pace, answers: pace.answers.map((answer) => ({ ...answer, text: 'Lent' })) },
      mood,
      mail,
    )
    const scored = withQuestions(
      { ...pace, answers: pace.answers.map((answer) => ({ ...answer, score: 3 })) },
      mood,
      mail,
    )
    const { draft, conflicts } = merge(written, scored)
    assert.deepEqual(conflicts, [])
    assert.deepEqual(
      draft.questions[0]?.answers.map(({ text, score }) => [text, score]),
      [
        ['Lent', 3],
        ['Lent', 3],
      ],
    )
  })

  test('a field that both edits changed is a conflict with both values and takes the chosen value', () => {
    const mine = { ...base, quiz: quizOf({ name: 'À moi' }) }
    const theirs = { ...base, quiz: quizOf({ name: 'À eux', bg_color: '#000000' }) }
    const { draft, conflicts } = merge(mine, theirs)
    assert.deepEqual(conflicts, [
      { path: 'quiz/name', kind: 'quiz', field: 'name', mine: 'À moi', theirs: 'À eux' },
    ])
    assert.deepEqual([draft.quiz.name, draft.quiz.bg_color], ['À eux', '#000000'])
    const chosen = merge(mine, theirs, { 'quiz/name': 'mine' }).draft.quiz
    assert.deepEqual([chosen.name, chosen.bg_color], ['À moi', '#000000'])
  })

  test('an equal change by both edits is not a conflict', () => {
    const renamed = { ...base, quiz: quizOf({ name: 'Autre' }) }
    assert.deepEqual(merge(renamed, structuredClone(renamed)).conflicts, [])
  })

  test('a mode that loses the merge against another mode loses its scores', () => {
    const scored = {
      ...withQuestions({ ...pace, answers: [answerOf('slow', { score: 3 })] }, mood, mail),
      quiz_mode: 'score' as const,
    }
    const ticked = {
      ...withQuestions(
        pace,
        { ...mood, answers: [answerOf('good', { counts_for: { fast: 1 } })] },
        mail,
      ),
      quiz_mode: 'profils' as const,
    }
    const { draft, conflicts } = merge(ticked, scored, { 'quiz/quiz_mode': 'mine' })
    assert.deepEqual(
      conflicts.map(({ path }) => path),
      ['quiz/quiz_mode'],
    )
    assert.equal(draft.quiz_mode, 'profils')
    assert.equal(draft.questions[0]?.answers[0]?.score, null)
    assert.equal(draft.questions[1]?.answers[0]?.associations[0]?.is_checked, true)
  })
})

describe('deletions in a merge', () => {
  test('an unchanged row is deleted if the other edit deletes it', () => {
    assert.deepEqual(
      order(merge(withQuestions(pace, mail), withQuestions(pace, mood, mail)).draft),
      ['1 pace', '1 mail', '2 hello'],
    )
    assert.deepEqual(order(merge(base, withQuestions(pace, mail)).draft), [
      '1 pace',
      '1 mail',
      '2 hello',
    ])
  })

  test('an edited row stays with its answers, whichever edit deleted it', () => {
    const edited = withQuestions(
      pace,
      { ...mood, answers: [answerOf('good', { text: 'Bien' })] },
      mail,
    )
    const deleted = withQuestions(pace, mail)
    for (const { draft } of [merge(edited, deleted), merge(deleted, edited)]) {
      assert.deepEqual(order(draft), ['1 pace', '1 mood', '1 mail', '2 hello'])
      assert.equal(draft.questions[1]?.answers[0]?.text, 'Bien')
    }
  })

  test('a result that one edit deleted and the other edit ticked stays with its associations', () => {
    const start = withQuestions(
      { ...pace, answers: [answerOf('slow', { counts_for: { fast: 1 } })] },
      mood,
      mail,
    )
    const deleted = {
      ...withQuestions({ ...pace, answers: [answerOf('slow')] }, mood, mail),
      results: base.results.slice(0, 1),
    }
    const ticked = withQuestions(
      start.questions[0] ?? pace,
      { ...mood, answers: [answerOf('good', { counts_for: { fast: 1 } })] },
      mail,
    )
    for (const [mine, theirs] of [
      [deleted, ticked],
      [ticked, deleted],
    ] as const) {
      const { draft } = mergeDrafts({ base: start, mine, theirs })
      assert.deepEqual(
        draft.results.map(({ id }) => id),
        ['calm', 'fast'],
      )
      assert.deepEqual(
        draft.questions
          .slice(0, 2)
          .map(({ answers }) => answers[0]?.associations.map(({ result_id }) => result_id)),
        [['fast'], ['fast']],
      )
    }
  })

  test('all links to a deleted result are removed, wherever they were added', () => {
    const added = withQuestions(
      pace,
      mood,
      mail,
      questionOf('new', { answers: [answerOf('a', { counts_for: { calm: 1 } })] }),
    )
    const { draft } = merge(added, { ...base, results: base.results.slice(1) })
    // Checking an association is an edit of the result, so that the result stays.
    assert.deepEqual(
      draft.results.map(({ id }) => id),
      ['calm', 'fast'],
    )
  })
})

describe('the order of items in a merge', () => {
  test('items that both edits added are where each edit put them', () => {
    const mine = withQuestions(questionOf('first'), pace, mood, mail)
    const theirs = withQuestions(pace, mood, questionOf('third'), mail)
    assert.deepEqual(order(merge(mine, theirs).draft), [
      '1 first',
      '1 pace',
      '1 mood',
      '1 third',
      '1 mail',
      '2 hello',
    ])
  })

  test('a move and a text change of one item are merged', () => {
    const moved = withQuestions(mail, pace, mood)
    const written = withQuestions(pace, mood, { ...mail, text: 'Votre adresse ?' })
    const { draft, conflicts } = merge(moved, written)
    assert.deepEqual(conflicts, [])
    assert.deepEqual(order(draft).slice(0, 3), ['1 mail', '1 pace', '1 mood'])
    assert.equal(draft.questions[0]?.text, 'Votre adresse ?')
  })

  test('an item that both edits moved to different places is a conflict', () => {
    const mine = withQuestions(mail, pace, mood)
    const theirs = withQuestions(pace, mood, { ...mail, page_number: 2 })
    const { draft, conflicts } = merge(mine, theirs)
    assert.deepEqual(conflicts, [
      {
        path: 'question/mail/place',
        kind: 'question',
        id: 'mail',
        field: 'place',
        mine: { page_number: 1, rank: 1 },
        theirs: { page_number: 2, rank: 1 },
      },
    ])
    assert.deepEqual(order(draft).slice(0, 3), ['1 pace', '1 mood', '2 mail'])
    const chosen = merge(mine, theirs, { 'question/mail/place': 'mine' }).draft
    assert.deepEqual(order(chosen).slice(0, 3), ['1 mail', '1 pace', '1 mood'])
  })
})

/** Makes the same choice for every conflict. */
const always = (choice: MergeSide): ConflictChoices => new Proxy({}, { get: () => choice })
const isSame = (a: Draft, b: Draft): boolean => hasNoChanges(changesBetween(a, b))

describe('merges of any two edits', () => {
  test('a merge with only one edit gives that edit', () => {
    fc.assert(
      fc.property(editedDrafts(1), ([start, side]) => {
        assert.ok(side)
        assert.ok(isSame(mergeDrafts({ base: start, mine: side, theirs: start }).draft, side))
        assert.ok(isSame(mergeDrafts({ base: start, mine: start, theirs: side }).draft, side))
        assert.deepEqual(
          mergeDrafts({ base: start, mine: side, theirs: structuredClone(side) }).conflicts,
          [],
        )
      }),
      { numRuns: countCases(300) },
    )
  })

  test('everything that either edit added or wrote remains, and each field has a value of one of them', () => {
    fc.assert(
      fc.property(
        editedDrafts(2),
        fc.constantFrom<MergeSide>('mine', 'theirs'),
        ([start, mine, theirs], choice) => {
          assert.ok(mine && theirs)
          const { draft, conflicts } = mergeDrafts({ base: start, mine, theirs }, always(choice))
          const clashing = new Set(conflicts.map(({ path }) => path))
          for (const [path, value] of fieldsOf(draft)) {
            const old: unknown = fieldsOf(start).get(path)
            const my: unknown = fieldsOf(mine).get(path)
            const their: unknown = fieldsOf(theirs).get(path)
            const kept: unknown = choice === 'mine' ? my : their
            if (clashing.has(path)) assert.equal(value, kept, path)
            else if (my !== undefined && my !== old) assert.equal(value, my, path)
            else if (their !== undefined && their !== old) assert.equal(value, their, path)
          }
          for (const side of [mine, theirs])
            for (const [path, value] of fieldsOf(side))
              if (value !== fieldsOf(start).get(path)) assert.ok(fieldsOf(draft).has(path), path)
        },
      ),
      { numRuns: countCases(500) },
    )
  })

  test('a merged draft is saved as its difference from the stored draft, and ranks have no gaps', () => {
    fc.assert(
      fc.property(editedDrafts(2), ([start, mine, theirs]) => {
        assert.ok(mine && theirs)
        const { draft } = mergeDrafts({ base: start, mine, theirs }, always('mine'))
        assert.ok(isSame(applyChanges(theirs, changesBetween(theirs, draft)), draft))
        const ranks = itemsInOrder(draft).map((item) => placeOf(item).global_position)
        assert.deepEqual(ranks, [...ranks.keys()])
      }),
      { numRuns: countCases(300) },
    )
  })
})
