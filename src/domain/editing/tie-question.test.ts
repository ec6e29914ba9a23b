import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { applyChanges } from '#domain/editing/apply-changes.ts'
import { changesBetween, NO_CHANGES } from '#domain/editing/changes.ts'
import { applySave, removeQuestion, replaceContent } from '#domain/editing/edits.ts'
import { mergeDrafts } from '#domain/editing/merge-drafts.ts'
import type { ConflictChoices } from '#domain/editing/merge-rows.ts'
import { publishErrors } from '#domain/publishing/publish-errors.ts'
import { TIE_DEFAULTS } from '#domain/questionnaire/defaults.ts'
import { duplicateDraft } from '#domain/questionnaire/duplicate-draft.ts'
import { resetMode } from '#domain/questionnaire/mode.ts'
import { type Draft, isChoice } from '#domain/questionnaire/quiz.ts'
import { dropLostReferences } from '#domain/questionnaire/references.ts'
import { answerOf, draftOf, drafts, questionOf, quizOf, resultOf } from '#domain/testing/drafts.ts'

const ASKED = { tie_rule: 'question', tie_question_id: 'q' } as const

/** Publishable quiz by profiles: question q decides ties, n is a text block. */
const draft: Draft = draftOf({
  quiz: quizOf(ASKED),
  quiz_mode: 'profils',
  results: ['A', 'B'].map((id, priority_order) => resultOf(id, { priority_order })),
  questions: ['q', 'r'].map((id, position) =>
    questionOf(id, {
      position,
      global_position: position,
      answers: [
        answerOf(`${id}a`, { counts_for: { A: 1 } }),
        answerOf(`${id}b`, { counts_for: { B: 1 } }),
      ],
    }),
  ),
})
const note = questionOf('n', { type: 'textarea', position: 2, global_position: 2 })
const withNote: Draft = { ...draft, questions: [...draft.questions, note] }
const tied = (base: Draft, ties: Partial<Draft['quiz']>): Draft => ({
  ...base,
  quiz: { ...base.quiz, ...ties },
})
const tiesOf = ({ quiz: { tie_rule, tie_question_id } }: Draft) => [tie_rule, tie_question_id]
const LOST = ['question', null]

describe('the deletion of the tie question', () => {
  const removed = { ...NO_CHANGES, removed: ['q'] }
  test('an autosave that deletes the tie question removes it from the quiz and keeps the rule', () =>
    assert.deepEqual(tiesOf(applySave(draft, removed)), LOST))
  test('API calls that delete the tie question remove it from the quiz when the edit ends', () => {
    assert.deepEqual(tiesOf(dropLostReferences(removeQuestion(draft, 'q'))), LOST)
    const replaced = replaceContent(draft, { questions: [], text_blocks: [] }, {})
    assert.deepEqual(tiesOf(dropLostReferences(replaced)), LOST)
  })
  test('deleting the tie question is one change, which one undo reverts', () => {
    const after = applyChanges(draft, removed)
    assert.deepEqual(changesBetween(draft, after).quiz, { tie_question_id: null })
    assert.deepEqual(applyChanges(after, changesBetween(after, draft)), draft)
  })
  test('deleting another question does not change the tie question', () =>
    assert.equal(applyChanges(draft, { ...NO_CHANGES, removed: ['r'] }).quiz.tie_question_id, 'q'))
})

describe('the choice of the tie question', () => {
  const saved = (tie_question_id: string | null) =>
    applySave(withNote, { ...NO_CHANGES, quiz: { tie_question_id } })
  test('a save can choose another tie question or none', () => {
    assert.equal(saved('r').quiz.tie_question_id, 'r')
    assert.equal(saved(null).quiz.tie_question_id, null)
  })
  for (const id of ['n', 'qa', 'A', 'quiz', 'foreign'])
    test(`the tie question ${id} is refused`, () =>
      assert.throws(() => saved(id), {
        name: 'RefusedEdit',
        field: 'quiz.tie_question_id',
        message: 'La question qui départage doit être une question à choix de ce questionnaire',
      }))
  test('a tie question that the same save deletes is refused', () =>
    assert.throws(
      () => applySave(draft, { ...NO_CHANGES, quiz: { tie_question_id: 'q' }, removed: ['q'] }),
      { name: 'RefusedEdit' },
    ))
  test('a tie question that the same save adds is accepted', () => {
    const more = { ...withNote, questions: [...withNote.questions, questionOf('new')] }
    const changes = changesBetween(withNote, tied(more, { tie_question_id: 'new' }))
    assert.equal(applySave(withNote, changes).quiz.tie_question_id, 'new')
  })
})

describe('the tie question in a merge', () => {
  const merged = (mine: Draft, theirs: Draft, choices: ConflictChoices = {}) => {
    const { draft: made, conflicts } = mergeDrafts({ base: draft, mine, theirs }, choices)
    return [...tiesOf(made), conflicts.map(({ path }) => path).join()]
  }
  const without = applyChanges(draft, { ...NO_CHANGES, removed: ['q'] })
  test('a merge keeps the rule of one edit and the tie question of the other', () =>
    assert.deepEqual(
      merged(tied(draft, { tie_rule: 'both' }), tied(draft, { tie_question_id: 'r' })),
      ['both', 'r', ''],
    ))
  test('two edits that both change the rule are a conflict', () => {
    const [mine, theirs] = [tied(draft, { tie_rule: 'both' }), tied(draft, TIE_DEFAULTS)]
    assert.deepEqual(merged(mine, theirs), ['priority', null, 'quiz/tie_rule'])
    const choices = { 'quiz/tie_rule': 'mine' } as const
    assert.deepEqual(merged(mine, theirs, choices), ['both', null, 'quiz/tie_rule'])
  })
  test('a merge keeps no tie question that one edit chooses and the other edit deletes', () => {
    const base = tied(draft, { tie_question_id: null })
    const theirs = applyChanges(base, { ...NO_CHANGES, removed: ['q'] })
    const { draft: made } = mergeDrafts({ base, mine: draft, theirs })
    assert.deepEqual(tiesOf(made), LOST)
  })
  test('a merge keeps the deletion of the tie question and the change of the other edit', () =>
    assert.deepEqual(merged(tied(draft, { name: 'Autre' }), without), [...LOST, '']))
  test('a merge keeps the reset of the rule by an edit that resets the mode', () => {
    const made = merged(tied(draft, { name: 'Autre' }), resetMode(draft))
    assert.deepEqual(made, ['priority', null, ''])
  })
})

test('a reset of the mode resets the rule, also by an autosave that removes the mode', () => {
  assert.deepEqual(tiesOf(resetMode(draft)), ['priority', null])
  assert.deepEqual(tiesOf(applySave(draft, { ...NO_CHANGES, quiz_mode: 'score' })), [
    ...['priority', null],
  ])
})

test('the tie question of a copy is a question of the copy', () => {
  let count = 0
  const copy = duplicateDraft(withNote, () => `copy-${++count}`)
  const [question] = copy.questions
  assert.deepEqual(tiesOf(copy), ['question', question?.id])
  assert.equal(duplicateDraft(tied(draft, TIE_DEFAULTS), () => 'x').quiz.tie_question_id, null)
})

test('any draft ends with one of its own choice questions or none, and is otherwise unchanged', () =>
  fc.assert(
    fc.property(drafts, fc.option(fc.nat(9)), (any, rank) => {
      const named = rank === null ? null : `i${rank}`
      const before = tied(any, { tie_question_id: named })
      const kept = dropLostReferences(before)
      const isThere = any.questions.some((question) => question.id === named && isChoice(question))
      assert.deepEqual(kept, tied(any, { tie_question_id: isThere ? named : null }))
      if (isThere || named === null) assert.equal(kept, before)
    }),
  ))

describe('the tie question before publishing', () => {
  const error = {
    message: 'Choisissez la question qui départage les résultats à égalité, ou une autre règle',
    field: 'tie_question_id',
  }
  const cases: [string, Draft, (typeof error)[]][] = [
    ['a question is chosen', draft, []],
    ['no question is chosen', tied(draft, { tie_question_id: null }), [error]],
    ['the chosen question was deleted', tied(draft, { tie_question_id: 'gone' }), [error]],
    ['the chosen question offers no answers', tied(withNote, { tie_question_id: 'n' }), [error]],
    ['the order decides', tied(draft, TIE_DEFAULTS), []],
    ['both are shown', tied(draft, { tie_rule: 'both', tie_question_id: null }), []],
    [
      'the quiz has no mode yet',
      { ...tied(draft, { tie_question_id: null }), quiz_mode: null },
      [],
    ],
    ['a sondage has no ties', tied(draft, { type: 'sondage', tie_question_id: null }), []],
  ]
  for (const [name, found, expected] of cases)
    test(`the publish check requires a tie question only if it is needed: ${name}`, () =>
      assert.deepEqual(publishErrors(found), expected))
})
