import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { addStep, type History, joinSteps, mapHistory, openHistory, redo, undo } from './history.ts'

const typed = (
  history: History<string>,
  text: string,
  now: number,
  undoGroupKey: string | null = 'name',
) => addStep(history, text, { undoGroupKey, now })

describe('undo steps', () => {
  test('typing in one field is one step', () => {
    const history = ['a', 'ab', 'abc'].reduce(
      (before, text, index) => typed(before, text, index * 300),
      openHistory(''),
    )
    assert.equal(undo(history).present, '')
    assert.equal(redo(undo(history)).present, 'abc')
  })

  test('a pause, another field or an undo starts a new step', () => {
    const paused = typed(typed(openHistory(''), 'a', 0), 'ab', 1_000)
    assert.equal(undo(paused).present, 'a')
    const elsewhere = typed(typed(openHistory(''), 'a', 0), 'ab', 1, 'other')
    assert.equal(undo(elsewhere).present, 'a')
    const again = typed(undo(typed(openHistory(''), 'a', 0)), 'b', 1)
    assert.deepEqual([undo(again).present, again.future], ['', []])
  })

  test('an unchanged state is not an undo step', () => {
    const history = openHistory('')
    assert.equal(typed(history, '', 0), history)
  })

  test('undo stops at the first state, and redo stops at the last state', () => {
    const history = openHistory('')
    assert.equal(undo(history), history)
    assert.equal(redo(history), history)
  })

  test('the history keeps a hundred undo steps', () => {
    let history = openHistory(0)
    for (let step = 1; step <= 150; step++)
      history = addStep(history, step, { undoGroupKey: null, now: step })
    for (let step = 0; step < 200; step++) history = undo(history)
    assert.equal(history.present, 50)
  })
})

test('joined steps are undone and redone together, and edits that change nothing add no step', () => {
  const before = typed(openHistory(''), 'a', 0)
  const joined = joinSteps(before, typed(typed(before, 'ab', 1, null), 'abc', 2))
  assert.equal(undo(joined).present, 'a')
  assert.equal(redo(undo(joined)).present, 'abc')
  assert.equal(undo(typed(joined, 'abcd', 3)).present, 'abc')
  assert.equal(joinSteps(before, typed(before, 'a', 1)), before)
})

test('a change of every state reaches undone and redone states', () => {
  const typedTwice = typed(typed(openHistory('a'), 'ab', 0, null), 'abc', 1, null)
  const mapped = mapHistory(undo(typedTwice), (text) => text.toUpperCase())
  assert.deepEqual([undo(mapped).present, mapped.present, redo(mapped).present], ['A', 'AB', 'ABC'])
})

test('undoing and redoing all steps restores the state', () =>
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(9), fc.nat(3_000)), { maxLength: 60 }), (edits) => {
      let now = 0
      let history: History<number> = openHistory(-1)
      for (const [value, wait] of edits) {
        now += wait
        history = addStep(history, value, { undoGroupKey: String(value % 2), now })
      }
      const { present, past } = history
      let back = history
      for (let step = 0; step < past.length; step++) back = undo(back)
      assert.equal(back.present, past[0] ?? present)
      for (let step = 0; step < past.length; step++) back = redo(back)
      assert.equal(back.present, present)
    }),
  ))
